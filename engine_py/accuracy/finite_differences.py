"""Document -> its gradients by forward mode and by central differences, next to the exact ones.

They teach and do not judge: forward mode multiplies the same local gradients from the other end,
and a central difference is the definition of a derivative. Its error over the step is a V:
truncation at the right, rounding at the left.
"""

from functools import partial
from math import isfinite
from typing import TypedDict

from engine_py.accuracy.ball import of_double, sub
from engine_py.accuracy.truth import Number, Numbers, Passes, Truth, settle
from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import LimitExceeded
from engine_py.lab.checks import variables
from engine_py.lab.tape import Tape, tape_of
from engine_py.operations import OutsideDomain

STEPS = range(4, 53, 4)
"""Steps h are 2**-k |x|, or 2**-k if x is 0."""
EVALUATIONS = 2 * len(STEPS)


class Estimate(TypedDict):
    """A gradient by other means, None if it overflows, and its error."""

    value: float | None
    error: float | None


class CentralDifference(Estimate):
    """(f(x + h) - f(x - h)) / 2h, with h as it was rounded."""

    step: float


class Estimates(TypedDict):
    """The gradient of a variable by both methods."""

    forward: Estimate
    central: list[CentralDifference]


class Cost(TypedDict):
    """Passes over the graph, and multiplications by local gradients, for all gradients."""

    reverse: dict[str, int]
    forward: dict[str, int]
    central: dict[str, int]


class OtherMethods(TypedDict):
    """The estimates for all variables, and the cost of each method."""

    variables: dict[str, Estimates]
    cost: Cost


def other_methods(
    truth: Truth, numbers: Numbers, document: GradientDocument, most: int
) -> OtherMethods:
    """Compute the gradients of all variables by the other methods, computing at most `most` nodes.

    Raises:
        LimitExceeded: too many variables for so large a graph.
        DeadlineExceeded: the deadline of `truth` has passed.
    """
    ids = variables(document)
    _check_size(len(ids) * len(document["nodes"]) * EVALUATIONS, most)
    truth.deadline.check()
    tape = tape_of(document)
    found: dict[str, Estimates] = {}
    for name, leaf in ids.items():
        true = numbers.grads[leaf].true.double
        compared = partial(_compared, truth, leaf, true)
        forward = compared(_forward_mode(document, leaf))
        central: list[CentralDifference] = []
        x = tape[leaf].data
        for k in truth.deadline.over(STEPS):
            step = (x + (abs(x) or 1.0) / 2.0**k) - x
            if isfinite(step) and step > 0.0:
                quotient = _quotient(tape, leaf, step, truth.deadline)
                central.append({"step": step, **compared(quotient)})
        found[name] = {"forward": forward, "central": central}
    return {"variables": found, "cost": _cost(document, len(ids))}


def _check_size(actual: int, limit: int) -> None:
    if actual > limit:
        message = (
            f"central differences of this graph take {actual} evaluations of nodes; "
            f"at most {limit} are accepted"
        )
        raise LimitExceeded(message, name="evaluations", limit=limit, actual=actual)


def _forward_mode(document: GradientDocument, leaf: int) -> float:
    """Push the tangent 1 of a variable to the root, slot by slot."""
    tangents = [0.0] * len(document["nodes"])
    tangents[leaf] = 1.0
    for edge in document["edges"]:
        if edge["local_grad"] is not None:
            tangents[edge["to"]] += edge["local_grad"] * tangents[edge["from"]]
    return tangents[document["root"]]


def _quotient(tape: Tape, leaf: int, step: float, deadline: Deadline) -> float | None:
    x = tape[leaf].data
    above = _result(tape, leaf, x + step, deadline)
    below = _result(tape, leaf, x - step, deadline)
    return None if above is None or below is None else (above - below) / (2.0 * step)


def _result(tape: Tape, leaf: int, x: float, deadline: Deadline) -> float | None:
    """Compute the program with another value; None outside a domain or on overflow."""
    if not isfinite(x):
        return None
    data: list[float] = []
    for node, (operation, operands, known) in enumerate(deadline.over(tape, NODES_PER_CHECK)):
        if operation is None:
            data.append(x if node == leaf else known)
            continue
        try:
            out = operation.rule(*[data[operand] for operand in operands])[0]
        except OutsideDomain:
            return None
        if not isfinite(out):
            return None
        data.append(out)
    return data[-1]


def _compared(truth: Truth, leaf: int, true: float | None, value: float | None) -> Estimate:
    """Compare a gradient with the exact one, if there are both."""
    if value is None or not isfinite(value):
        return {"value": None, "error": None}
    if true is None:
        return {"value": value + 0.0, "error": None}
    errors: list[float | None] = []

    def decided(found: Passes) -> bool:
        number: Number = found.grads[leaf]
        if not isinstance(number, str):
            number = sub(of_double(value), number, found.level.p)
        error = settle(number, found.level)
        errors[:] = [] if error is None else [error.double]
        return error is not None

    truth.until(decided)
    return {"value": value + 0.0, "error": errors[0]}


def _cost(document: GradientDocument, count: int) -> Cost:
    multiplications = len([edge for edge in document["edges"] if edge["differentiable"]])
    return {
        "reverse": {"passes": 2, "multiplications": multiplications},
        "forward": {"passes": count, "multiplications": count * multiplications},
        "central": {"passes": count * EVALUATIONS, "multiplications": 0},
    }
