"""Claimed gradients + exact ones -> verdicts: a claim is compared with the exact one alone."""

from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

from engine_py.accuracy.ball import ZERO, Ball, magnitude, mul, of_double, sign, sub
from engine_py.accuracy.enclosures import Level, minus
from engine_py.accuracy.truth import (
    BallProgram,
    BallStep,
    Number,
    Numbers,
    Passes,
    Settled,
    Truth,
    backward,
    settle,
)
from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.numerics.exact import NoNumber

Verdict = Literal["agrees", "rounding", "differs", "at_kink", "no_truth"]
LINEAR = {"+", "-", "neg"}
"""Operations with constant slopes."""
KINKS = {"relu", "abs", "min", "max"}
MAX_KINKS = 100


class Judged(NamedTuple):
    """The verdict on a claim."""

    verdict: Verdict
    error: Settled | None
    scale: Settled | None
    """Sum of |product of slopes| over all paths."""
    kinks: list[int]
    """The first nodes at a kink on these paths."""


NO_TRUTH = Judged("no_truth", None, None, [])


class Case(NamedTuple):
    """A claimed gradient of a node."""

    node: int
    claim: float
    computed: float | None
    """The document's gradient, if it has one."""


def judge(truth: Truth, numbers: Numbers, cases: Sequence[Case], tolerance: float) -> list[Judged]:
    """Judge each claim.

    Args:
        truth: of the numbers; its deadline is checked.
        numbers: all exact values.
        cases: the claims.
        tolerance: allowed error, as a share of the exact gradient or of its scale.
    """
    judged: list[Judged | None] = [None] * len(cases)
    doubtful = _doubtful_grads(truth.program, numbers)

    def decided(found: Passes) -> bool:
        deadline = truth.deadline
        scales = _scales(truth.program, found, deadline)
        kinks = _kinks(truth.program, found, deadline)
        for index, case in enumerate(cases):
            true = numbers.grads[case.node].true
            if true.reason is not None or case.node in doubtful:
                judged[index] = NO_TRUTH
            elif judged[index] is None:
                scale = scales[case.node]
                answer = _judged(found, case, true.double, scale, tolerance)
                judged[index] = answer and _at_kinks(answer, kinks[case.node])
        return None not in judged

    if cases:
        truth.until(decided)
    return [each or NO_TRUTH for each in judged]


def _judged(
    found: Passes, case: Case, nearest: float | None, scale: Number, tolerance: float
) -> Judged | None:
    """Compare over the reals; None if p bits cannot decide it. Kinks are not considered here."""
    level, grad = found.level, found.grads[case.node]
    if isinstance(grad, str) or isinstance(scale, str):
        return None
    claim, part = of_double(case.claim), of_double(tolerance)
    try:
        off, room = sub(claim, grad, level.p), mul(part, scale, level.p)
        agrees = case.claim == nearest or _within(level, off, mul(part, grad, level.p))
        lost = _within(level, off, room)
        if case.computed is not None and lost is False:
            lost = _within(level, sub(claim, of_double(case.computed), level.p), room)
    except NoNumber:
        return None
    error, size = settle(off, level), settle(scale, level)
    if error is None or size is None or agrees is None or lost is None:
        return None
    verdict: Verdict = "agrees" if agrees else "rounding" if lost else "differs"
    return Judged(verdict, error, size, [])


def _within(level: Level, a: Ball, b: Ball) -> bool | None:
    """Return whether |x| <= |y|; numbers that the last level cannot order count as equal."""
    side = sign(sub(magnitude(b), magnitude(a), level.p))
    if side is None:
        return True if level.last else None
    return side >= 0


def _at_kinks(judged: Judged, kinks: list[int]) -> Judged:
    """Add the kinks; at a kink, a differing slope may be a valid choice."""
    at_kink = kinks and judged.verdict == "differs"
    return judged._replace(verdict="at_kink" if at_kink else judged.verdict, kinks=kinks)


def _scales(program: BallProgram, found: Passes, deadline: Deadline) -> list[Number]:
    """Sum |products| over all paths: a backward pass with all slopes above 0."""
    sizes = [
        tuple(slope if isinstance(slope, str) else magnitude(slope) for slope in slopes)
        for slopes in found.slopes
    ]
    return backward(program, found.level, sizes, found.doubtful, deadline)


def _kinks(program: BallProgram, found: Passes, deadline: Deadline) -> list[list[int]]:
    """List for each node the first nodes at a kink that depend on it."""
    above: list[list[int]] = [[] for _ in program.steps]
    for node in deadline.over(range(len(program.steps) - 1, -1, -1), NODES_PER_CHECK):
        step = program.steps[node]
        here = [node, *above[node]] if _is_at_kink(step, found) else above[node]
        for operand in step.operands if here else ():
            above[operand] = sorted({*above[operand], *here})[:MAX_KINKS]
    return above


def first_kinks(truth: Truth) -> list[int]:
    """List the first nodes at a kink, once all exact values are computed."""
    steps, found = truth.deadline.over(truth.program.steps, NODES_PER_CHECK), truth.latest
    at_kink = (node for node, step in enumerate(steps) if _is_at_kink(step, found))
    return [*islice(at_kink, MAX_KINKS)]


def _is_at_kink(step: BallStep, found: Passes) -> bool:
    if step.operation not in KINKS:
        return False
    operands: list[Any] = [found.data[operand] for operand in step.operands]
    if any(isinstance(each, str) for each in operands):
        return False
    lead = operands[0] if len(operands) == 1 else minus(found.level, *operands)
    return bool(lead == ZERO)


def _doubtful_grads(program: BallProgram, numbers: Numbers) -> set[int]:
    """Find the nodes whose gradients depend on a number treated as 0 that may not be 0."""
    if not numbers.counts_as_zero:
        return set()
    data = {
        node for node, each in enumerate(numbers.data) if each.true.counts
    } | numbers.assumed_zero
    grads = {node for node, each in enumerate(numbers.grads) if each.true.counts}
    for node, step in enumerate(program.steps):
        if not data.isdisjoint(step.operands):
            data.add(node)
    for node in range(len(program.steps) - 1, -1, -1):
        step = program.steps[node]
        for slot, operand in enumerate(step.operands):
            others = step.operands[:slot] + step.operands[slot + 1 :]
            read = others if step.operation == "*" else step.operands
            steep = step.operation not in LINEAR and not data.isdisjoint(read)
            if node in grads or node in numbers.assumed_zero or steep:
                grads.add(operand)
    return grads
