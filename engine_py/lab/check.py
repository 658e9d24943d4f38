"""Document -> check: each gradient compared with other ways to differentiate."""

from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, Literal, TypedDict

from engine_py.document import Document
from engine_py.errors import LimitExceeded
from engine_py.lab.conditions import NOTHING, check_numbers, check_tolerance, variables
from engine_py.lab.differences import EVALUATIONS, Quotient, Silence, central_differences
from engine_py.lab.modes import (
    bounds_of_local_grads,
    forward_mode,
    magnitudes,
    prepare_forward,
    reverse_bounds,
)
from engine_py.lab.program import evaluate, program_of
from engine_py.lab.variation import variation

MOST_EVALUATIONS = 1_000_000
"""Nodes computed for central differences."""

_COARSE = 1 / 2**10
"""A bound above this part of the gradient's scale decides nothing."""

Verdict = Literal["agrees", "differs", "no_double"] | Silence


class Witness(TypedDict):
    """What another way says. A number that is no double, or that does not exist, is None."""

    value: float | None
    difference: float | None
    bound: float | None
    verdict: Verdict


class CentralWitness(Witness):
    """A central difference, with the step that it took."""

    step: float | None


class Checked(TypedDict):
    """A variable's gradient beside its witnesses."""

    variable: str
    reverse: float
    forward: Witness
    central: CentralWitness
    claimed: Witness | None


class Cost(TypedDict):
    """What each way takes, in passes over the graph and in multiplications by local gradients."""

    variables: int
    operations: int
    reverse: dict[str, int]
    forward: dict[str, int]
    central: dict[str, int]


class Check(TypedDict):
    """All variables of a document. `agrees` is False where a witness differs."""

    document: Document
    agrees: bool
    variables: list[Checked]
    cost: Cost


def check(document: Document, *, claimed: Any = NOTHING, tolerance: Any = 1e-9) -> Check:
    """Hold every gradient of a document against other ways to get it (CONTRACT.md R38).

    Forward mode multiplies the same local gradients in the other direction: only rounding may
    differ. A central difference knows nothing but the program's result.

    Args:
        document: what `introspect` or `introspect_value` returned.
        claimed: gradients by name that another program computed.
        tolerance: what these may be off by, as a part of the sum of |products| over all paths: 1e-9
            for a program that computes in doubles, 1e-4 for one in single precision.

    Raises:
        GradientError: a member is wrong, or there are too many variables for so large a graph.
    """
    ids = variables(document)
    claims = check_numbers(document, "claimed", claimed)
    tolerated = check_tolerance(tolerance)
    _check_size(document, len(ids))
    program = program_of(document)
    here = evaluate(program, document["root"], document["result"])
    errors = bounds_of_local_grads(program, here)
    bounds, scales = reverse_bounds(document, errors), magnitudes(document)
    forward = prepare_forward(document, errors, scales)
    rows: list[Checked] = []
    for name, leaf in ids.items():
        gradient, bound, scale = document["gradients"][name], bounds[leaf], scales[leaf]
        tangent = forward_mode(forward, leaf)
        quotients = central_differences(program, leaf, here, scale)
        claim = claims.get(leaf)
        row: Checked = {
            "variable": name,
            "reverse": gradient,
            "forward": _witness(gradient, tangent.value, tangent.bound + bound),
            "central": _silent(quotients)
            if isinstance(quotients, str)
            else _central(quotients, gradient, bound, scale, partial(variation, program, leaf)),
            "claimed": None
            if claim is None
            else _witness(gradient, claim, bound + tolerated * scale),
        }
        rows.append(row)
    verdicts = [row[way]["verdict"] for row in rows for way in ("forward", "central")]
    verdicts += [row["claimed"]["verdict"] for row in rows if row["claimed"]]
    return {
        "document": document,
        "agrees": "differs" not in verdicts,
        "variables": rows,
        "cost": _cost(document, len(ids)),
    }


def _check_size(document: Document, count: int) -> None:
    actual = count * len(document["nodes"]) * EVALUATIONS
    if actual > MOST_EVALUATIONS:
        message = (
            f"to check {count} variables of this graph takes {actual} evaluations of nodes; "
            f"at most {MOST_EVALUATIONS} are made"
        )
        raise LimitExceeded(message, name="evaluations", limit=MOST_EVALUATIONS, actual=actual)


def _witness(gradient: float, value: float, bound: float) -> Witness:
    difference = value - gradient
    if not isfinite(difference):
        return {"value": None, "difference": None, "bound": None, "verdict": "no_double"}
    verdict: Verdict = "agrees" if abs(difference) <= bound else "differs"
    known = bound if isfinite(bound) else None
    return {
        "value": value + 0.0,
        "difference": difference + 0.0,
        "bound": known,
        "verdict": "too_coarse" if known is None else verdict,
    }


def _central(
    quotients: list[Quotient],
    gradient: float,
    bound: float,
    scale: float,
    varies: Callable[[float], float],
) -> CentralWitness:
    """Let the most precise quotient speak; it differs only where one does whatever its step hides.

    Args:
        quotients: the most precise one first.
        gradient: what they are compared with.
        bound: how far that can be from the true derivative.
        scale: the sum of |products| over all paths.
        varies: how much the derivative can vary within a step.
    """
    best, *_ = quotients
    witness = _witness(gradient, best.value, best.bound + bound)
    if witness["verdict"] == "agrees" and 0.0 < scale * _COARSE < best.bound + bound:
        witness["verdict"] = "too_coarse"
    if witness["verdict"] != "differs":
        return {**witness, "step": best.step}
    for value, error, noise, step in quotients:
        certain = max(error, noise + varies(step))
        witness = _witness(gradient, value, certain + bound)
        if witness["verdict"] == "differs":
            return {**witness, "step": step}
    return _silent("too_coarse")


def _silent(verdict: Silence) -> CentralWitness:
    return {"value": None, "difference": None, "bound": None, "verdict": verdict, "step": None}


def _cost(document: Document, count: int) -> Cost:
    operations = len([node for node in document["nodes"] if node["operation"] is not None])
    multiplications = len([edge for edge in document["edges"] if edge["differentiable"]])
    return {
        "variables": count,
        "operations": operations,
        "reverse": {"passes": 2, "multiplications": multiplications},
        "forward": {"passes": count, "multiplications": count * multiplications},
        "central": {"passes": 2 * count, "multiplications": 0},
    }
