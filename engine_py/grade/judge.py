"""The numbers of a learner's class -> what is wrong with it, and the programs that show it.

Each operation is judged alone, then operations together, numbers beside Values, and further passes
and deep graphs. At the end is how a backward pass is redone and its trace is read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engine_py.document import Document
from engine_py.grade.findings import (
    Faults,
    Finding,
    Grading,
    Kind,
    Number,
    Outcome,
    Tried,
    alike,
    double,
)
from engine_py.grade.programs import EQUAL, OPERATIONS, PROGRAMS, REFLECTED
from engine_py.grade.run import Answers
from engine_py.template import Edge

_NEW = 2.5
"""The data of the first Value that is made."""


class Judgement(NamedTuple):
    """All that is found, and an outcome for each program."""

    faults: list[Finding]
    notes: list[Finding]
    outcomes: list[Outcome]


def judge(answers: Answers) -> Judgement:
    """Judge what the child told."""
    grading = Grading(answers)
    if _begins(grading):
        _judge_operations(grading)
        _judge_composed(grading)
        _judge_numbers_beside(grading)
        _judge_second_passes(grading)
        _judge_deep(grading)
    faults = [each for each in grading.faults if not _is_consequence(grading, each)]
    return Judgement(faults, grading.notes, grading.outcomes)


def _begins(grading: Grading) -> bool:
    """Tell whether there is a class, and a new Value of it."""
    head, raised = grading.head, grading.head.get("raised")
    if "class" not in head:
        kind: Kind = "time" if grading.end == "time" and not head else "load"
        grading.faults.append(Finding(kind, got=grading.end, raised=raised))
        return False
    if raised is not None:
        is_slow = raised["type"] == "TooSlow"
        found = Finding("time", place=0) if is_slow else Finding("raises", raised=raised)
        grading.faults.append(found)
        return False
    data = head["initial"]["data"]
    if data != _NEW:
        grading.faults.append(Finding("changes_data", expected=_NEW, got=data))
        return False
    grad = head["initial"]["grad"]
    if grad not in (0.0, "NoneType"):
        grading.faults.append(Finding("initial_grad", expected=0.0, got=grad))
        grading.walk_is_wrong = True  # within an operation that is built from others
    return True


def _is_consequence(grading: Grading, found: Finding) -> bool:
    """Tell whether an operation has this only by another that it is built from."""
    parts = grading.parts(found)
    if any(each.kind == found.kind and each.operation in parts for each in grading.faults):
        return True
    between = {each for each, _ in grading.known.overwrites | grading.known.incoming}
    passes_wrongly = grading.walk_is_wrong or not between.isdisjoint(parts)
    return found.kind == "local_grad" and bool(parts) and passes_wrongly


def _judge_operations(grading: Grading) -> None:
    """Try each operation alone."""
    if grading.head["seed"]:
        grading.faults.append(Finding("seed", place=0))
    alone = list(grading.tried("operation"))
    for tried in alone:
        operation = tried.program.operation
        grading.called[operation] |= set(tried.reply["called"])
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised:
            grading.find_raised(tried, operation)
            grading.broken.add(operation)
        elif not _judge_operands(grading, tried, operation):
            grading.broken.add(operation)
        else:
            _judge_result(grading, tried, operation)
    if grading.has("seed"):
        grading.outcomes[0] = "wrong"
    _judge_silence(grading, [tried for tried in alone if not tried.raised])


def _judge_operands(grading: Grading, tried: Tried, operation: str) -> bool:
    """Tell whether data and gradients are numbers, and no operand's data is changed."""
    reply = tried.reply
    for node, (data, grad) in enumerate(zip(reply["data"], reply["grads"], strict=True)):
        if isinstance(data, str):
            grading.find("not_a_number", tried, (node, "data"), data, operation=operation)
            return False
        if isinstance(grad, str):
            grading.find("not_a_number", tried, (node, "grad"), grad, operation=operation)
            return False
    for edge in tried.right.document["edges"]:
        leaf = edge["from"]
        if not (reply["data"][leaf] == reply["after"][leaf] == tried.right.data[leaf]):
            after = reply["after"][leaf]
            grading.find("changes_data", tried, (leaf, "data"), after, operation=operation)
            return False
    return True


def _judge_result(grading: Grading, tried: Tried, operation: str) -> None:
    root, reply = tried.root, tried.reply
    if not tried.is_near((root, "data"), reply["data"][root]):
        grading.find("data", tried, (root, "data"), reply["data"][root], operation=operation)
    seed = reply["grads"][root]
    if seed != 1.0:
        grading.find("seed", tried, (root, "grad"), seed)
    if grading.has("data", operation):  # which the local gradient may be computed from
        return
    for edge in tried.right.document["edges"]:
        number: Number = (edge["from"], "grad")
        local_grad = (reply["grads"][edge["from"]] or 0.0) / (seed or 1.0)
        if edge["differentiable"] and not tried.is_near(number, local_grad):
            grading.find_local_grad(tried, edge, local_grad)


def _judge_silence(grading: Grading, alone: list[Tried]) -> None:
    """Where no operation sends anything, blame the walk and not each of them."""
    if alone and not any(
        tried.reply["grads"][edge["from"]]
        for tried in alone
        for edge in tried.right.document["edges"]
    ):
        grading.faults = [each for each in grading.faults if each.kind != "local_grad"]
        if not grading.has("seed"):
            grading.find_wrong_grad("unvisited", alone[0])
        grading.broken = set(OPERATIONS)


def _judge_composed(grading: Grading) -> None:
    """Try chains, what is used twice, and graphs whose order matters."""
    _judge_equality(grading)
    for tried in grading.tried("chain", "shared", "walk"):
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised:
            grading.find_raised(tried, tried.program.operation)
        elif not (tried.is_right or _is_explained(grading, tried)):
            _judge_gradients(grading, tried)


def _is_explained(grading: Grading, tried: Tried, more: Faults | None = None) -> bool:
    """Tell whether the class's own local gradients and the known faults give these gradients."""
    overwrites, incoming = more or Faults(set(), set())
    faults = Faults(grading.known.overwrites | overwrites, grading.known.incoming | incoming)
    begins = [(tried.root, double(tried.reply["grads"][tried.root]))]
    walked = _walk(tried.right.document, tried.reply["local_grads"], faults, begins)
    return alike(walked, tried.reply["grads"])


def _judge_equality(grading: Grading) -> None:
    """Blame equality where the same program is right for data that differs."""
    rights = {tried.place: tried.is_right for tried in grading.tried("walk")}
    place = PROGRAMS.index(EQUAL)
    if rights.get(place) is False and rights[place - 1]:
        grading.faults.append(Finding("equality", place=place))
        grading.walk_is_wrong = True


def _judge_gradients(grading: Grading, tried: Tried) -> None:
    seen = _look(tried.right.document, tried.reply["events"], tried.right.grads)
    kind: Kind | None = None
    if seen.again is not None:
        kind = "revisited"
    elif seen.late is not None:
        kind = "order"
    elif seen.unvisited is not None:
        kind = "equality" if grading.head["compares"] else "unvisited"
    if kind is not None and not grading.walk_is_wrong:
        edge = seen.late if kind == "order" else seen.again
        grading.find_wrong_grad(kind, tried, edge=edge)
        grading.walk_is_wrong = True
    if kind is None and _is_explained_by_fault(grading, tried, seen.lost):
        return
    if seen.lost is not None:
        edge_lost = tried.right.document["edges"][seen.lost]
        operation = tried.right.document["nodes"][edge_lost["to"]]["operation"] or ""
        grading.known.overwrites.add((operation, edge_lost["slot"]))
        grading.find_wrong_grad("overwrites", tried, operation, seen.lost)
    elif not (grading.walk_is_wrong or any(grading.known) or grading.has("seed")):
        grading.find_wrong_grad("gradient", tried)


def _is_explained_by_fault(grading: Grading, tried: Tried, lost: int | None) -> bool:
    """Look for operands of the operation that is tried that explain the numbers."""
    operation, document = tried.program.operation, tried.right.document
    slots = {
        edge["slot"]: edge["id"]
        for edge in reversed(document["edges"])
        if edge["differentiable"] and document["nodes"][edge["to"]]["operation"] == operation
    }
    for each in ({0}, {1}, {0, 1}):
        supposed = {(operation, slot) for slot in each}
        kind: Kind
        if tried.program.family == "chain":
            kind, more = "incoming", Faults(set(), supposed)
        else:
            kind, more = "overwrites", Faults(supposed, set())
        if each <= slots.keys() and _is_explained(grading, tried, more):
            grading.known.overwrites.update(more.overwrites)
            grading.known.incoming.update(more.incoming)
            edge = slots[min(each)] if kind == "incoming" else lost
            grading.find_wrong_grad(kind, tried, operation, edge)
            return True
    return False


_PAIRS = (("+", "*"), ("-", "/"))
"""A class that takes numbers in one of a pair should take them in the other."""


def _judge_numbers_beside(grading: Grading) -> None:
    """Try an operator with a number on its right, then on its left."""
    beside = {tried.program.operation: tried for tried in grading.tried("numbers")}
    takes = {operation: _takes_number(grading, tried) for operation, tried in beside.items()}
    has = {operation: REFLECTED[operation] in grading.methods for operation in REFLECTED}
    for pair in _PAIRS:
        for operation in pair:
            if not takes.get(operation, True):
                has_other = any(takes.get(each) for each in pair)
                _report_lack(grading, "numbers", beside[operation], has_other)
        if not all(takes.get(each, True) for each in pair):
            break  # - and / are built from + and *
    for tried in grading.tried("reflected"):
        operation = tried.program.operation
        [pair] = [each for each in _PAIRS if operation in each]
        if not takes.get(operation):
            continue
        if not has[operation]:
            _report_lack(grading, "reflected", tried, any(has[each] for each in pair))
        elif tried.raised and pair == _PAIRS[1] and not all(has[each] for each in _PAIRS[0]):
            continue
        elif not _takes_number(grading, tried):
            grading.find_raised(tried, operation)


def _report_lack(grading: Grading, kind: Kind, tried: Tried, is_fault: object) -> None:
    """Take down what a class has not: a fault where its own form has it, else a note."""
    found = Finding(kind, tried.program.operation, place=tried.place)
    (grading.faults if is_fault else grading.notes).append(found)
    grading.outcomes[tried.place] = "wrong" if is_fault else "left_out"


def _takes_number(grading: Grading, tried: Tried) -> bool:
    """Tell whether a number is taken, and judge what is computed."""
    operation, root, reply = tried.program.operation, tried.root, tried.reply
    grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
    if tried.raised:
        is_recursion: bool = reply["raised"]["type"] == "RecursionError"
        if is_recursion:
            grading.find_raised(tried, operation)
        return is_recursion
    data: Number = (root, "data")
    if not tried.is_near(data, reply["data"][root]):
        grading.find("data", tried, data, reply["data"][root], operation=operation)
    elif not (tried.is_right or _is_explained(grading, tried) or grading.has("data", operation)):
        [edge] = [each for each in tried.right.document["edges"] if not _is_plain(tried, each)]
        grading.find_local_grad(tried, edge, reply["grads"][edge["from"]])
    return True


def _is_plain(tried: Tried, edge: Edge) -> bool:
    return tried.right.document["nodes"][edge["from"]]["kind"] == "constant"


def _judge_second_passes(grading: Grading) -> None:
    """Go backward twice without zeroing, after zeroing, and from two roots."""
    for tried in grading.tried("again", "zeroed", "losses"):
        grading.outcomes[tried.place] = "wrong"
        if tried.raised:
            grading.find_raised(tried, "")
            continue
        nodes, grads = tried.right.document["nodes"], tried.reply["grads"]
        leaves = [node["id"] for node in nodes if node["operation"] is None]
        got = [double(grads[leaf]) for leaf in leaves]
        accepted = [[each[leaf] for leaf in leaves] for each in _accepted(grading, tried)]
        if any(alike(each, got) for each in accepted):
            grading.outcomes[tried.place] = "right"
        elif not (grading.walk_is_wrong or any(grading.known) or grading.has("seed")):
            root: Number = (tried.root, "grad")
            if tried.program.family != "losses" and grads[tried.root] != 1.0:
                grading.find("seed", tried, root, grads[tried.root])
            elif not grading.has("second_pass"):
                rows = zip(leaves, accepted[0], got, strict=True)
                leaf, true, has = next(row for row in rows if not alike(row[1:2], row[2:]))
                number: Number = (leaf, "grad")
                found = Finding("second_pass", "", None, tried.place, number, true, has)
                grading.faults.append(found)


def _accepted(grading: Grading, tried: Tried) -> Iterator[list[float]]:
    """Yield what the lessons' classes come to, then PyTorch, whose inner nodes begin at 0."""
    document, root = tried.right.document, tried.root
    roots = [(root, 1.0)]
    if tried.program.family == "losses":
        roots = [(edge["from"], 1.0) for edge in document["edges"] if edge["to"] == root]
    elif tried.program.family == "again":
        roots *= 2
    yield _walk(document, tried.reply["local_grads"], grading.known, roots)
    if tried.program.family == "again":
        once = _walk(document, tried.reply["local_grads"], grading.known, roots[:1])
        yield [2.0 * each for each in once]


def _judge_deep(grading: Grading) -> None:
    """Try chains that a recursion does not come through, and doublings."""
    for tried in grading.tried("deep", "deeper"):
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if not tried.raised:
            if not (tried.is_right or grading.faults):
                grading.find_wrong_grad("gradient", tried)
        elif tried.program.family == "deep":
            grading.find_raised(tried, "")
        else:
            grading.outcomes[tried.place] = "left_out"
            grading.notes.append(Finding("recursion", place=tried.place))


def _walk(
    document: Document,
    local_grads: Sequence[Sequence[float | None]],
    faults: Faults,
    roots: Sequence[tuple[int, float]],
) -> list[float]:
    """Do the backward pass as a class does that has these local gradients and faults.

    Each of the roots begins a pass, with its gradient; nothing is set to 0 between them.
    """
    nodes = document["nodes"]
    below = _edges_below(document)
    grads = [0.0] * len(nodes)
    for root, seed in roots:
        grads[root] = seed
        reached = {root}
        for node in document["backward_order"]:
            for edge in below[node] if node in reached else ():
                local = local_grads[node][edge["slot"]]
                reached.add(edge["from"])
                if local is None:
                    continue
                place = (nodes[node]["operation"] or "", edge["slot"])
                sent = local if place in faults.incoming else grads[node] * local
                kept = 0.0 if place in faults.overwrites else grads[edge["from"]]
                grads[edge["from"]] = kept + sent
    return grads


def _edges_below(document: Document) -> list[list[Edge]]:
    """Return the edges into each node, by slot."""
    below: list[list[Edge]] = [[] for _ in document["nodes"]]
    for edge in document["edges"]:
        below[edge["to"]].append(edge)
    return below


class _Seen(NamedTuple):
    """What was first seen to go wrong: an edge of the document, or a node, each by its id."""

    late: int | None
    """The edge whose contribution came when its operand had passed its gradient on."""
    again: int | None
    """The edge whose contribution came a second time."""
    lost: int | None
    """The edge whose contribution replaced what was there."""
    unvisited: int | None
    """The operation that has a gradient, and did not pass it on."""


def _look(document: Document, events: Sequence[Sequence[Any]], grads: Sequence[Any]) -> _Seen:
    """Read the trace of one pass, as far as its contributions can be told."""
    edges: dict[tuple[int, int], list[int]] = {}
    for edge in document["edges"]:
        edges.setdefault((edge["to"], edge["from"]), []).append(edge["id"])
    sent: Counter[tuple[int, int]] = Counter()
    first: dict[str, int] = {}
    for user, node, before, after, added in _contributions(edges, events):
        own = edges[user, node]
        sent[user, node] += 1
        place = own[min(sent[user, node], len(own)) - 1]
        if sent[user, node] > len(own):
            first.setdefault("again", place)
        if after != before and any(sender == node for sender, _ in sent):
            first.setdefault("late", place)
        if not added and before != 0.0:
            first.setdefault("lost", place)
    visited = {user for user, _ in sent}
    for node in document["backward_order"]:
        if document["nodes"][node]["operation"] and node not in visited and grads[node]:
            first.setdefault("unvisited", node)
    return _Seen(*(first.get(name) for name in _Seen._fields))


def _contributions(
    edges: Iterable[tuple[int, int]], events: Sequence[Sequence[Any]]
) -> Iterator[tuple[int, int, Any, Any, bool]]:
    """Yield user, operand, what its gradient was and became, and whether it was added to.

    A gradient that is read and then written is added to. The last other one that was read is that
    of the node that is visited, among those that use the operand. What the root gets, and a 0 that
    is written, are no contributions.
    """
    users: dict[int, list[int]] = {}
    for user, operand in edges:
        users.setdefault(operand, []).append(user)
    reads: list[int] = []
    for node, *change in events:
        if not change:
            reads.append(node)
            continue
        before, after = change
        added = node in reads
        if added:
            del reads[len(reads) - 1 - reads[::-1].index(node)]
        known = users.get(node, [])
        senders = [each for each in reads if each in known] or known[:1]
        if senders and (added or after != 0.0):
            yield senders[-1], node, before, after, added
