"""Document -> experiment: its backward pass under other conditions, and the difference they make.

A visit takes edges: in a push, as in `backward`, those from the operands of the visited node, and
in a pull those to the operations that use it. Each edge carries a contribution to its operand.
Everything else is the same.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import Any, Literal, NamedTuple, TypedDict, get_args

from engine_py.backward import stage_of
from engine_py.canonical import canonical_text
from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import DomainError, InvalidRequest, LimitExceeded, NonFinite, Span
from engine_py.lab.checks import (
    NOTHING,
    check_choice,
    check_node,
    check_number,
    check_numbers,
    check_whole,
    ids_by_label,
    name_of,
    refuse,
    variables,
)
from engine_py.lab.formulas import formulas_of
from engine_py.lab.tape import Dual, tape_of
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.operations import OutsideDomain, StaleRow, stale_custom
from engine_py.request import View
from engine_py.subject import Subject, Values, document_of
from engine_py.template import Edge

Direction = Literal["push", "pull"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
Accumulate = Literal["add", "replace"]
ACCUMULATE: tuple[Accumulate, ...] = get_args(Accumulate)
Reset = Literal["none", "inner", "all"]
RESETS: tuple[Reset, ...] = get_args(Reset)

MAX_PASSES = 10
_EDGES_PER_CHECK = 64
"""The formulas of a node may take a few tenths of a millisecond."""
_LOST_PER_CHECK = 1_000
"""A sentence takes a few microseconds."""


class Conditions(NamedTuple):
    """Checked members of an experiment."""

    walk: Direction
    """Whether a visited node sends to its operands or collects from the operations that use it."""
    order: list[int]
    """The nodes to visit, by id; each at most once."""
    accumulate: Accumulate
    """Whether a contribution is added to its operand's gradient or replaces it."""
    seed: float
    """The root's gradient at the beginning of a pass."""
    passes: int
    """Backward passes."""
    reset: Reset
    """Which gradients are set to 0 between passes: none, those of operations, or all."""
    mutate: dict[int, float]
    """Data that replaces that of variables, by id, after the forward pass."""


def _check_conditions(document: GradientDocument, members: Mapping[str, object]) -> Conditions:
    """Check each member in turn; the first invalid one is the error (CONTRACT.md R36)."""
    return Conditions(
        check_choice("walk", members["walk"], DIRECTIONS),
        _check_order(document, members["order"]),
        check_choice("accumulate", members["accumulate"], ACCUMULATE),
        check_number("seed", members["seed"], isfinite, "a finite number"),
        check_whole("passes", members["passes"], 1, MAX_PASSES),
        check_choice("reset", members["reset"], RESETS),
        check_numbers(document, "mutate", members["mutate"]),
    )


def _check_steps(document: GradientDocument, passes: int, limit: int) -> None:
    """Raise LimitExceeded if the passes have too many edges in all."""
    actual = passes * len(document["edges"])
    if actual > limit:
        took = f"{passes} passes over this graph take {actual} steps"
        message = f"{took}; at most {limit} are accepted"
        raise LimitExceeded(message, name="steps", limit=limit, actual=actual)


def _check_order(document: GradientDocument, order: object) -> list[int]:
    if order == "backward":
        return document["backward_order"]
    if not isinstance(order, list | tuple):
        refuse("order", 'an array of ids and labels, or "backward"', order)
    ids = ids_by_label(document)
    visited: dict[int, None] = {}
    for index, item in enumerate(order):
        node = check_node(f"order/{index}", item, ids, document["root"])
        if node in visited:
            message = f"order visits {name_of(document['nodes'][node])} twice; visit it once"
            raise InvalidRequest(message, pointer=f"/order/{index}")
        visited[node] = None
    return list(visited)


LocalGrad = Callable[[Edge], float]


def _stored(edge: Edge) -> float:
    """Return the local gradient stored by the forward pass, as this engine does."""
    return edge["local_grad"] or 0.0


def _rereader(document: GradientDocument, mutate: Mapping[int, float]) -> LocalGrad:
    """Compute local gradients when they are needed, as closures over the operands do.

    They read the operands' current data, and the operation's own data as it was computed.
    """
    nodes, tape = document["nodes"], tape_of(document)

    def reread(edge: Edge) -> float:
        node = edge["to"]
        operation: Any = tape[node].operation  # an edge leads to one
        terms = [Dual(mutate.get(operand, tape[operand].data)) for operand in tape[node].operands]
        try:
            formulas = formulas_of(operation, Dual(tape[node].data), terms)
        except StaleRow:
            data = [term.data for term in terms]
            raise stale_custom(operation.name, node, data) from None
        except OutsideDomain as reason:
            data = [term.data + 0.0 for term in terms]
            where = {"node": node, "operation": operation.symbol, "operands": data}
            message = f"{reason}, in the local gradients of node {node} (`{operation.symbol}`)"
            span = nodes[node]["span"]
            raise DomainError(message, span and Span(**span), **where) from None
        formula: Any = formulas[edge["slot"]]
        return formula.data if isinstance(formula, Dual) else formula

    return reread


Reason = Literal["late", "unvisited", "overwritten"]

Row = TypedDict(
    "Row",
    {
        "pass": int,
        "edge": int,
        "incoming_grad": float,
        "local_grad": float,
        "contribution": float,
        "running_grad": float,
    },
)
"""A row of the ledger: the numbers of an edge that a visit takes."""


class Lost(NamedTuple):
    """A contribution, by its step in the ledger, that its operand did not keep or pass on."""

    step: int
    node: int
    """The node whose visit it waited for, or its operand if it was overwritten."""
    reason: Reason
    by: int | None = None
    """The step that overwrote it."""


class Walk:
    """One run of the backward passes: fills ledger, gradients by node and lost contributions."""

    def __init__(
        self,
        document: GradientDocument,
        conditions: Conditions,
        local_grad: LocalGrad,
        deadline: Deadline = NEVER,
    ) -> None:
        """Visit the nodes in the order of the conditions, once per pass."""
        self.ledger: list[Row] = []
        self.grads = [0.0] * len(document["nodes"])
        self.lost: list[Lost] = []
        self._document, self._conditions, self._local_grad = document, conditions, local_grad
        self._visited: Literal["from", "to"] = "to" if conditions.walk == "push" else "from"
        """The end of an edge at which a visit takes it."""
        self._waiting: list[dict[int, list[int]]] = [{} for _ in document["nodes"]]
        """The waiting steps, for each node and each node whose visit passes them on."""
        taken, passed_on = self._edges_by_visit()
        visits = [
            (edge, () if index else passed_on[node])
            for node in conditions.order
            for index, edge in enumerate(taken[node] or [None])
        ]
        for number in range(1, conditions.passes + 1):
            self._begin_pass()
            for edge, waited in deadline.over(visits, _EDGES_PER_CHECK):
                for steps in waited:
                    steps.clear()
                if edge is not None:
                    self._take(number, edge)
        self._lose_waiting()
        self.lost.sort()

    def _edges_by_visit(self) -> tuple[list[list[Edge]], list[list[list[int]]]]:
        """List the edges that each visit takes, in R4's order, and the waiting steps it passes on.

        An edge that carries nothing counts as well (CONTRACT.md R36).
        """
        nodes = self._document["nodes"]
        by_visit: list[list[Edge]] = [[] for _ in nodes]
        passed_on: list[list[list[int]]] = [[] for _ in nodes]
        for edge in sorted(self._document["edges"], key=lambda edge: (-edge["to"], edge["slot"])):
            visited = edge[self._visited]
            if edge["running_grad"] is not None:  # exponents have none, and R5 allows it
                by_visit[visited].append(edge)
            waiting = self._waiting[edge["to"]]
            if nodes[visited]["kind"] != "constant" and visited not in waiting:
                waiting[visited] = []
                passed_on[visited].append(waiting[visited])
        return by_visit, passed_on

    def _begin_pass(self) -> None:
        """Reset gradients as the conditions say, and seed the root; leaves keep contributions."""
        reset = self._conditions.reset
        if reset != "none":
            self._lose_waiting()
        for node in self._document["nodes"]:
            id_, is_leaf = node["id"], node["operation"] is None
            if is_leaf:
                self._waiting[id_] = {id_: []}
            if reset == "all" or (reset == "inner" and not is_leaf):
                self.grads[id_] = 0.0
        self.grads[self._document["root"]] = self._conditions.seed

    def _take(self, number: int, edge: Edge) -> None:
        """Add a contribution to the gradient of an edge's operand, or replace it."""
        operand, incoming, local = edge["from"], self.grads[edge["to"]], self._local_grad(edge)
        contribution, step = incoming * local, len(self.ledger)
        if self._conditions.accumulate == "replace":
            self._overwrite(operand, step)
            running = contribution
        else:
            running = self.grads[operand] + contribution
        if not (isfinite(local) and isfinite(contribution) and isfinite(running)):
            raise _non_finite(self._document, edge, stage_of(local, contribution))
        self.grads[operand] = running
        if contribution != 0.0:
            for steps in self._waiting[operand].values():
                steps.append(step)
        row: Row = {
            "pass": number,
            "edge": edge["id"],
            "incoming_grad": incoming + 0.0,
            "local_grad": local + 0.0,
            "contribution": contribution + 0.0,
            "running_grad": running + 0.0,
        }
        self.ledger.append(row)

    def _overwrite(self, node: int, by: int) -> None:
        waiting = self._waiting[node].values()
        self.lost += [Lost(step, node, "overwritten", by) for step in {*chain(*waiting)}]
        for steps in waiting:
            steps.clear()

    def _lose_waiting(self) -> None:
        visited = set(self._conditions.order)
        for node in self._document["nodes"]:
            if node["operation"] is not None:
                for visit, steps in self._waiting[node["id"]].items():
                    reason: Reason = "late" if visit in visited else "unvisited"
                    self.lost += [Lost(step, visit, reason) for step in steps]
                    steps.clear()


def _non_finite(document: GradientDocument, edge: Edge, stage: str) -> NonFinite:
    nodes, node, slot = document["nodes"], edge["to"], edge["slot"]
    operation, span = nodes[node]["operation"], nodes[node]["span"]
    operands = [nodes[each["from"]]["data"] for each in document["edges"] if each["to"] == node]
    where = {"node": node, "operation": operation, "operands": operands, "slot": slot}
    message = f"the {stage} of operand {slot} of `{operation}` is too large for a double"
    return NonFinite(message, span and Span(**span), stage=stage, **where)


class LostContribution(TypedDict):
    """A contribution that its operand did not keep or pass on, at a step of the ledger."""

    step: int
    edge: int
    contribution: float
    node: int
    """The node whose visit it waited for, or its operand if it was overwritten."""
    reason: Reason
    sentence: str


def _described(document: GradientDocument, ledger: list[Row], lost: Lost) -> LostContribution:
    """Write a sentence about what was lost, where and why."""
    row = ledger[lost.step]
    amount = canonical_text(row["contribution"])
    operand, operation = _ends(document, row)
    visit = name_of(document["nodes"][lost.node])
    itself = lost.node == document["edges"][row["edge"]]["from"]
    if lost.reason == "late":
        holder = "it" if itself else operand
        sentence = f"{visit} was visited before {holder} had {amount} from {operation}"
    elif lost.reason == "unvisited":
        visit = "which" if itself else f"and {visit}"
        sentence = f"{operation} gave {amount} to {operand}, {visit} was never visited"
    else:
        by = ledger[lost.by or 0]
        sentence = (
            f"the {amount} that {operand} had from {operation} was overwritten "
            f"by {canonical_text(by['contribution'])} from {_ends(document, by)[1]}"
        )
    return {
        "step": lost.step,
        "edge": row["edge"],
        "contribution": row["contribution"],
        "node": lost.node,
        "reason": lost.reason,
        "sentence": sentence,
    }


def _ends(document: GradientDocument, row: Row) -> tuple[str, str]:
    edge, nodes = document["edges"][row["edge"]], document["nodes"]
    return name_of(nodes[edge["from"]]), name_of(nodes[edge["to"]])


class WrongWalk(TypedDict):
    """The walk of one kind of engine under the conditions."""

    local_grads: Literal["stored", "reread"]
    ledger: list[Row]
    gradients: dict[str, float]
    differences: dict[str, float | None]
    """Differences from the right gradients; None if one overflows."""
    lost: list[LostContribution]


class Experiment(TypedDict):
    """A whole experiment; ids are those of the document."""

    document: GradientDocument
    order: list[int]
    reverse_topological: bool
    broken_edge: int | None
    unvisited: list[int]
    walks: list[WrongWalk]


def experiment(  # noqa: PLR0913 - each is a member of a request, except for the limits
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    walk: Direction = "push",
    order: Sequence[int | str] | Literal["backward"] = "backward",
    accumulate: Accumulate = "add",
    seed: float = 1,
    passes: int = 1,
    reset: Reset = "none",
    mutate: Values = NOTHING,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Experiment:
    """Repeat the backward pass of a document under other conditions (CONTRACT.md R36).

    Args:
        subject: a document, a text or a Value.
        values: by name, for a text.
        parameters: their names, for a text or a Value.
        view: for a text: "folded", or "primitive" to build -, / and others from + * **.
        walk: whether a visited node sends a contribution to each operand, "push", as `backward`
            does, or collects one from each operation that uses it, "pull", with the gradient that
            the operation has at that time.
        order: the nodes to visit, as ids and labels; or "backward", the right order.
        accumulate: "add" a contribution to its operand's gradient, or "replace" the gradient by it.
        seed: the root's gradient at the beginning of each pass.
        passes: how many backward passes to make.
        reset: which gradients are set to 0 between passes: "none", those of "inner" nodes
            (operations), so that only leaves accumulate, as in PyTorch, or "all".
        mutate: values for variables after the forward pass. They do not affect an engine that
            stores local gradients in the forward pass, but one that reads its operands' data later:
            the experiment walks both.
        limits: `steps`, and those of the document.
        deadline: of the computation.

    Raises:
        GradientError: a member is invalid, or a number of the walk is not finite.
        DeadlineExceeded: the deadline has passed.
    """
    document = document_of(
        subject, values, parameters=parameters, view=view, limits=limits, deadline=deadline
    )
    deadline.check()
    members: dict[str, object] = {
        "walk": walk,
        "order": order,
        "accumulate": accumulate,
        "seed": seed,
    }
    members |= {"passes": passes, "reset": reset, "mutate": mutate}
    conditions = _check_conditions(document, members)
    _check_steps(document, conditions.passes, check_limits(limits).steps)
    unvisited = _unvisited(document, conditions)
    broken = _broken_edge(document, conditions.order, unvisited)
    walks = [_walked(document, conditions, "stored", _stored, deadline)]
    if conditions.mutate:
        reread = _rereader(document, conditions.mutate)
        walks.append(_walked(document, conditions, "reread", reread, deadline))
    return {
        "document": document,
        "order": conditions.order,
        "reverse_topological": broken is None and not unvisited,
        "broken_edge": broken,
        "unvisited": unvisited,
        "walks": walks,
    }


def _unvisited(document: GradientDocument, conditions: Conditions) -> list[int]:
    """List the nodes that are not in the order and whose visit would have an effect.

    A pull into a constant has none: no requested gradient depends on it.
    """
    visited = set(conditions.order)
    return [
        node["id"]
        for node in document["nodes"]
        if node["id"] not in visited
        and (
            node["operation"] is not None
            if conditions.walk == "push"
            else node["kind"] != "constant" and node["id"] != document["root"]
        )
    ]


def _broken_edge(document: GradientDocument, order: list[int], unvisited: list[int]) -> int | None:
    """Find the first edge whose operand is visited but whose operation is not visited before it."""
    never = len(order)
    places = dict.fromkeys(unvisited, never) | {node: place for place, node in enumerate(order)}
    broken = [
        (places[edge["from"]], edge["id"])
        for edge in document["edges"]
        if places.get(edge["from"], never) < places.get(edge["to"], -1)
    ]
    return min(broken)[1] if broken else None


def _walked(
    document: GradientDocument,
    conditions: Conditions,
    name: Literal["stored", "reread"],
    local_grad: LocalGrad,
    deadline: Deadline,
) -> WrongWalk:
    deadline.check()
    walk = Walk(document, conditions, local_grad, deadline)
    gradients = {label: walk.grads[node] + 0.0 for label, node in variables(document).items()}
    return {
        "local_grads": name,
        "ledger": walk.ledger,
        "gradients": gradients,
        "differences": {
            label: _difference(gradient, document["gradients"][label])
            for label, gradient in gradients.items()
        },
        "lost": [
            _described(document, walk.ledger, lost)
            for lost in deadline.over(walk.lost, _LOST_PER_CHECK)
        ],
    }


def _difference(gradient: float, right: float) -> float | None:
    difference = gradient - right + 0.0
    return difference if isfinite(difference) else None
