"""Program and values -> accuracy: every number of its document next to the exact one.

The document may also be the error of its passes. `compare` takes checked members, and explains an
error by its roundings; `accuracy` takes a text, a document or a Value.
"""

from collections.abc import Mapping, Sequence
from math import frexp, ldexp
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args

from engine_py.accuracy.attribution import ErrorShares, NumberKind, Rounding
from engine_py.accuracy.claims import Case, Judged, Verdict, first_kinks, judge
from engine_py.accuracy.finite_differences import OtherMethods, other_methods
from engine_py.accuracy.truth import (
    Compared,
    Numbers,
    Passes,
    Truth,
    ball_program,
    settle,
    true_numbers,
)
from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument, Outline, build_outline
from engine_py.errors import DomainError, GradientError, InvalidRequest, InvalidValue, NonFinite
from engine_py.introspect import Prepared, differentiate, prepare_text
from engine_py.lab.checks import (
    NOTHING,
    check_choice,
    check_flag,
    check_tolerance,
    check_whole,
    ids_by_label,
    refuse,
    variables,
)
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.operations import CUSTOM
from engine_py.request import (
    GradientRequest,
    Real,
    View,
    as_double,
    check_request,
    described,
    pointer_step,
    quoted,
    refuse_too_many,
    utf16,
)
from engine_py.subject import Subject, Values, refuse_values
from engine_py.value import Value
from engine_py.value_graph import prepare_value

Part = Literal["data", "grad"]
PARTS: tuple[Part, ...] = get_args(Part)
MAX_CULPRITS = 100

BITS = 53
LARGEST = 1024
"""Every double is below 2**1024."""


class AccuracyMembers(TypedDict, total=False):
    """The members of a request besides its program, all of them optional."""

    why: Mapping[str, int | str] | None
    claimed: Mapping[str, float]
    tolerance: float
    most: int
    witnesses: bool


DEFAULTS: AccuracyMembers = {
    "why": None,
    "claimed": NOTHING,
    "tolerance": 1e-9,
    "most": 3,
    "witnesses": False,
}

MEMBERS = tuple(DEFAULTS)
"""The members of a request besides its program."""


class Why(NamedTuple):
    """A number of a node."""

    node: int
    number: Part


class Names(NamedTuple):
    """The names of nodes, and the nodes without a gradient."""

    ids: Mapping[str, list[int]]
    """By label."""
    root: int
    no_grad: set[int]


class CheckedMembers(NamedTuple):
    """Checked members."""

    why: Why
    claimed: dict[str, tuple[int, float]]
    """Node and claim by the given name."""
    tolerance: float
    most: int
    witnesses: bool
    no_grad: set[int]
    """Nodes that no gradient flows into."""


def _check_members(
    outline: Outline | GradientDocument, members: Mapping[str, object], limits: Limits
) -> CheckedMembers:
    """Check each member in turn; the first invalid one is the error (CONTRACT.md R38).

    Raises:
        InvalidRequest: a member is invalid.
        InvalidValue: a claim is not a finite number, or names no node with a gradient.
        LimitExceeded: there are more claims than `limits.variables`.
    """
    no_grad = {edge["from"] for edge in outline["edges"] if not edge["differentiable"]}
    names = Names(ids_by_label(outline), outline["root"], no_grad)
    why = _check_why(names, members["why"])
    claimed = _check_claims(names, members["claimed"], limits)
    tolerance = check_tolerance(members["tolerance"])
    most = check_whole("most", members["most"], 0, MAX_CULPRITS)
    witnesses = check_flag("witnesses", members["witnesses"])
    return CheckedMembers(why, claimed, tolerance, most, witnesses, no_grad)


def _check_why(names: Names, why: object) -> Why:
    if why is None:
        return Why(names.root, "data")
    if not isinstance(why, Mapping):
        refuse("why", "an object with node and number, or null", why)
    for name in sorted(why, key=utf16):
        if name not in {"node", "number"}:
            message = f"why has no member {quoted(name)}"
            raise InvalidRequest(message, pointer="/why" + pointer_step(name))
    node, fault = _find(names, why.get("node"))
    if fault:
        raise InvalidRequest(fault, pointer="/why/node")
    number = check_choice("why/number", why.get("number", "grad"), PARTS)
    if number == "grad" and node in names.no_grad:
        raise InvalidRequest(f"node {node} is an exponent: it has no grad", pointer="/why/node")
    return Why(node, number)


def _check_claims(names: Names, claimed: object, limits: Limits) -> dict[str, tuple[int, float]]:
    if not isinstance(claimed, Mapping):
        refuse("claimed", "an object of numbers", claimed)
    refuse_too_many("claimed", len(claimed), limits)
    claims: dict[str, tuple[int, float]] = {}
    for name in sorted(claimed, key=utf16):
        double, pointer = as_double(claimed[name]), "/claimed" + pointer_step(name)
        node, fault = _find(names, name)
        if fault or node in names.no_grad:
            message = fault or f"node {node} is an exponent: it has no grad"
            raise InvalidValue(message, name=name, pointer=pointer)
        if double is None:
            message = f"claimed must give `{name}` a finite number, not {described(claimed[name])}"
            raise InvalidValue(message, name=name, pointer=pointer)
        claims[name] = node, double + 0.0  # -0 becomes 0
    return claims


def _find(names: Names, item: object) -> tuple[int, str]:
    """Find a node by its label or its id, given as a number or digits; else return why not.

    A label must be unique. No name of a program begins with a digit, so a label wins over an id.
    """
    found = names.ids.get(item, []) if isinstance(item, str) else []
    last = names.root
    if len(found) == 1:
        return found[0], ""
    text = item if isinstance(item, str) else ""
    digits = (text.isascii() and text.isdigit() and text == text.lstrip("0")) or text == "0"
    number = float(text[:9]) if digits else None if isinstance(item, str) else as_double(item)
    if number is not None and not found and 0 <= number <= last and number % 1 == 0:
        return int(number), ""
    if isinstance(item, str):
        count = f"{len(found)} nodes have" if found else "no node has"
        return 0, f"{count} the label {quoted(item)}; name the node by its id, from 0 to {last}"
    return 0, f"a node is named by its label or its id, from 0 to {last}, not by {described(item)}"


class NumberAccuracy(TypedDict):
    """The exact value, and the document's error, also in units of its last place.

    `bits` counts the right ones, up to 53. A number that does not exist or overflows is None.
    """

    true: float | None
    error: float | None
    ulps: float | None
    bits: int | None
    reason: str | None


class NodeAccuracy(TypedDict):
    """A node's numbers; an exponent has no grad."""

    id: int
    data: NumberAccuracy
    grad: NumberAccuracy | None


class Culprit(TypedDict):
    """A rounding: its weight times its rounding error is its share of the error."""

    kind: NumberKind
    node: int
    slot: int | None
    rounding: float | None
    weight: float | None
    share: float


class Explained(TypedDict):
    """Where the error of a number comes from: its largest shares."""

    node: int
    number: Part
    error: float | None
    culprits: list[Culprit]


class Claimed(TypedDict):
    """A claimed gradient compared with the exact one."""

    node: int
    value: float
    error: float | None
    bits: int | None
    scale: float | None
    verdict: Verdict
    kinks: list[int]


class Accuracy(TypedDict):
    """The exact values of a program, compared with its document if it has one."""

    document: GradientDocument | None
    error: dict[str, Any] | None
    nodes: list[NodeAccuracy]
    result: NumberAccuracy
    gradients: dict[str, NumberAccuracy]
    why: Explained
    claims: dict[str, Claimed]
    counts_as_zero: list[int]
    kinks: list[int]
    witnesses: OtherMethods | None


def compare(
    outline: Outline | GradientDocument,
    values: Mapping[str, float],
    outcome: GradientDocument | GradientError,
    *,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare every number of a document with the exact one (CONTRACT.md R38).

    Args:
        outline: that of the program, or a document.
        values: of the variables, by name.
        outcome: the document, or the error of its forward or backward pass.
        limits: `variables` bounds the claims; `truth_work` and `evaluations` bound the work.
        deadline: of the computation.
        members: of the request, as `accuracy` describes them.

    Raises:
        GradientError: a member is invalid, or there is too much work.
        DeadlineExceeded: the deadline has passed.
    """
    check_limits(limits)
    checked = _check_members(outline, {**DEFAULTS, **members}, limits)
    deadline.check()
    program = ball_program(outline, values, deadline)
    document = None if isinstance(outcome, GradientError) else outcome
    truth = Truth(program, most_work=limits.truth_work, deadline=deadline)
    numbers = true_numbers(truth, document)
    kinks = first_kinks(truth)
    names = variables(outline)
    grads = (
        [node["grad"] for node in document["nodes"]] if document else [None] * len(program.steps)
    )
    cases = [Case(node, claim, grads[node]) for node, claim in checked.claimed.values()]
    judged = judge(truth, numbers, cases, checked.tolerance)
    data = [_number_accuracy(each) for each in deadline.over(numbers.data, NODES_PER_CHECK)]
    slopes = [_number_accuracy(each) for each in deadline.over(numbers.grads, NODES_PER_CHECK)]
    return {
        "document": document,
        "error": outcome.as_dict() if isinstance(outcome, GradientError) else None,
        "nodes": [
            {"id": node, "data": x, "grad": None if node in checked.no_grad else slope}
            for node, (x, slope) in enumerate(zip(data, slopes, strict=True))
        ],
        "result": data[program.root],
        "gradients": {name: slopes[node] for name, node in names.items()},
        "why": _explain(truth, document, numbers, checked.why, checked.most),
        "claims": {
            name: _claimed(case, numbers.grads[case.node], each)
            for name, case, each in zip(checked.claimed, cases, judged, strict=True)
        },
        "counts_as_zero": numbers.counts_as_zero,
        "kinks": kinks,
        "witnesses": other_methods(truth, numbers, document, limits.evaluations)
        if checked.witnesses and document
        else None,
    }


def _explain(
    truth: Truth, document: GradientDocument | None, numbers: Numbers, why: Why, most: int
) -> Explained:
    """Name the roundings with the largest shares of a number's error."""
    compared = (numbers.data if why.number == "data" else numbers.grads)[why.node]
    culprits: list[Culprit] = []

    def name(found: Passes) -> bool:
        if document is None:
            return True
        shares = ErrorShares(truth.program, document, found, truth.deadline)
        of = shares.of_data if why.number == "data" else shares.of_grad
        named = _largest(shares, list(of(why.node)), most, truth.deadline)
        culprits[:] = named or []
        return named is not None

    if compared.error is not None and compared.error.double != 0.0 and most:
        truth.until(name, 1)
    error = compared.error and compared.error.double
    return {"node": why.node, "number": why.number, "error": error, "culprits": culprits}


def _largest(
    shares: ErrorShares, roundings: list[Rounding], most: int, deadline: Deadline
) -> list[Culprit] | None:
    """Sort by |share|, node, slot and kind; None if p bits cannot decide it."""
    level = shares.level
    rows: list[tuple[float, int, int, str, Rounding, float]] = []
    for each in deadline.over(roundings, NODES_PER_CHECK):
        settled = settle(shares.share(each), level)
        if settled is None:
            return None
        if share := settled.double:
            slot = -1 if each.slot is None else each.slot
            rows.append((-abs(share), each.node, slot, each.kind, each, share))
    culprits: list[Culprit] = []
    for *_, rounding, share in sorted(rows, key=lambda row: row[:4])[:most]:
        error, weight = settle(rounding.error, level), settle(rounding.weight, level)
        if error is None or weight is None:
            return None
        culprits.append(
            {
                "kind": rounding.kind,
                "node": rounding.node,
                "slot": rounding.slot,
                "rounding": error.double,
                "weight": weight.double,
                "share": share,
            }
        )
    return culprits


def _number_accuracy(compared: Compared) -> NumberAccuracy:
    true, error = compared.true.double, compared.error and compared.error.double
    return {
        "true": true,
        "error": error,
        "ulps": None if true is None or error is None else _ulps(true, error),
        "bits": None if true is None or error is None else bits(true, error),
        "reason": compared.true.reason,
    }


def _ulps(true: float, error: float) -> float | None:
    """Measure |error| in units of the exact value's last place; None if that overflows."""
    exponent = max(frexp(true)[1] - BITS, -1074) if true else -1074
    too_large = error != 0.0 and frexp(error)[1] - exponent > LARGEST
    return None if too_large else ldexp(abs(error), -exponent)


def bits(true: float, error: float) -> int:
    """Count the right leading bits: |error| <= 2**-bits |true|, from 0 to 53."""
    if error == 0.0:
        return BITS
    right = frexp(true)[1] - frexp(error)[1]
    right -= frexp(abs(error))[0] > frexp(abs(true))[0]
    return min(max(right, 0), BITS) if true else 0


def _claimed(case: Case, compared: Compared, judged: Judged) -> Claimed:
    error, true = judged.error and judged.error.double, compared.true.double
    return {
        "node": case.node,
        "value": case.claim,
        "error": error,
        "bits": None if error is None or true is None else bits(true, error),
        "scale": judged.scale and judged.scale.double,
        "verdict": judged.verdict,
        "kinks": judged.kinks,
    }


def accuracy(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare every number of a program's document with the exact one (CONTRACT.md R38).

    Exact values are those of the program over the real numbers, at the given doubles. They may
    exist even if a pass of the document fails; then the reply has the error instead of the
    document. A custom operation has no exact value, so then the error is raised.

    Args:
        subject: a text, a document or a Value.
        values: by name, for a text.
        parameters: the names of variables to mark as parameters, for a text or a Value.
        view: for a text: "folded", or "primitive" to build -, / and others from + * **.
        limits: of the request, and of the work for exact values and witnesses.
        deadline: of the computation.
        members: `why`, the number whose error is explained, as {"node": id or label, "number":
            "data" or "grad"}, or None for the result; `claimed` gradients, by label or id, and the
            `tolerance` of their errors, as a share of the exact gradient (1e-9; 1e-4 for a program
            that computes in single precision); `most`, how many culprits to name, from 0 to 100;
            whether to add `witnesses`, forward mode and central differences.

    Raises:
        GradientError: the request is invalid, or takes too much work.
        DeadlineExceeded: the deadline has passed.
        ValueError: a limit is not a whole number of 0 or more.
    """
    if isinstance(subject, str):
        return accuracy_of_text(
            subject,
            values or {},
            parameters=parameters,
            view=view,
            limits=limits,
            deadline=deadline,
            **members,
        )
    refuse_values(values)
    if isinstance(subject, Value):
        prepared, request = prepare_value(subject, parameters, limits)
        outcome = _outcome(prepared, request, deadline)
        if not isinstance(outcome, GradientError):
            subject = {**outcome, "expression": None}
        elif any(row and row.symbol == CUSTOM for row in prepared.graph.operations):
            raise outcome
        else:
            outline = build_outline(request, prepared.graph, prepared.template)
            values = request.values
            return compare(outline, values, outcome, limits=limits, deadline=deadline, **members)
    given = subject["values"]
    return compare(subject, given, subject, limits=limits, deadline=deadline, **members)


def accuracy_of_text(  # noqa: PLR0913 - a request, its limits and its deadline
    expression: str,
    values: Mapping[str, Real],
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare for unchecked members of a request; `expression` may have any type."""
    check_limits(limits)
    request = check_request(expression, values, parameters, view, limits)
    prepared = prepare_text(request.expression, request.view, limits, deadline=deadline)
    return answer(prepared, request, limits=limits, deadline=deadline, **members)


def answer(
    prepared: Prepared,
    request: GradientRequest,
    *,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare for a checked request and its prepared expression and view."""
    outcome = _outcome(prepared, request, deadline)
    outline = build_outline(request, prepared.graph, prepared.template)
    values = request.values
    return compare(outline, values, outcome, limits=limits, deadline=deadline, **members)


def _outcome(
    prepared: Prepared, request: GradientRequest, deadline: Deadline
) -> GradientDocument | GradientError:
    """Return the document, or the error of one of its passes."""
    outcome: GradientDocument | GradientError
    try:
        outcome = differentiate(prepared, request, deadline=deadline)
    except (DomainError, NonFinite) as error:
        outcome = error
    deadline.check()
    return outcome
