"""Outline + values -> the double nearest to each exact value: bits are added until all round.

At each level of precision, a forward and a backward pass compute balls of all data, slopes and
gradients.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, isfinite
from typing import Any, NamedTuple

from engine_py.accuracy.ball import (
    KNOWN,
    ONE,
    ZERO,
    Ball,
    mul,
    near_midpoint,
    of_double,
    rounded,
    rounded_midpoint,
    sub,
)
from engine_py.accuracy.enclosures import COUNTS, ENCLOSURES, SLACK, Enclosure, Level, plus
from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument, Outline
from engine_py.errors import LimitExceeded
from engine_py.numerics.exact import NoNumber
from engine_py.operations import CUSTOM, NO_GRADIENT, stale_custom

LEVELS = (128, 256, 512, 1280, *(KNOWN * times for times in (1, 2, 4, 8, 16, 32, 64)))
"""Bits. From KNOWN on, a sum of well-known numbers counts as 0 or has bits to lose; further levels
are for numbers that have lost some. The last level is the one after the first at which no number
needs more bits."""
MIDPOINT = COUNTS + 128
"""A number nearer than 2**-MIDPOINT of itself to the midpoint of two doubles counts as the
midpoint."""
Reason = str
"""Why there is no number: "domain", "depends", "out_of_range", and "undecided" while bits are being
added."""
Number = Ball | Reason


class BallStep(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf."""

    operation: str | None
    operands: tuple[int, ...]
    """Operands that a gradient flows into."""
    enclosure: Enclosure | None
    exponent: tuple[float, ...]
    """The exponent of `**`, else None."""


class BallProgram(NamedTuple):
    """Steps in topological order, and the balls of the leaves."""

    steps: list[BallStep]
    leaves: list[Ball]
    """Those of operations are 0."""
    root: int


class Passes(NamedTuple):
    """The results of a forward and a backward pass, by node; slopes by slot."""

    level: Level
    data: list[Number]
    slopes: list[tuple[Number, ...]]
    grads: list[Number]
    assumed_zero: set[int]
    """Nodes that treated as 0 a number that may not be 0."""
    doubtful: list[bool]
    """Whether a node's data depends on a number that counts as 0."""


def ball_program(
    outline: Outline | GradientDocument, values: Mapping[str, float], deadline: Deadline = NEVER
) -> BallProgram:
    """Take the graph of an outline or a document; `values` has the data of variables by name.

    Args:
        outline: of the program; only nodes and edges are read.
        values: a document's own, or those of the request.
        deadline: of the computation.
    """
    nodes: list[Any] = [*outline["nodes"]]
    slots: list[list[int]] = [[] for _ in nodes]
    for edge in outline["edges"]:
        slots[edge["to"]].append(edge["from"])
    steps: list[BallStep] = []
    leaves: list[Ball] = []
    for node, operands in zip(deadline.over(nodes, NODES_PER_CHECK), slots, strict=True):
        symbol = node["operation"]
        if symbol is None:
            x = node["data"] if node["kind"] == "constant" else values[node["label"]]
            leaves.append(of_double(x))
            steps.append(BallStep(None, (), None, ()))
        else:
            if symbol == CUSTOM:
                raise stale_custom(node["name"], node["id"], [nodes[x]["data"] for x in operands])
            count = NO_GRADIENT[1] if symbol == NO_GRADIENT[0] else len(operands)
            exponent = tuple(nodes[operand]["data"] for operand in operands[count:])
            leaves.append(ZERO)
            steps.append(BallStep(symbol, tuple(operands[:count]), ENCLOSURES[symbol], exponent))
    return BallProgram(steps, leaves, outline["root"])


def passes(program: BallProgram, p: int, *, last: bool, deadline: Deadline = NEVER) -> Passes:
    """Compute everything with p bits. Raises DeadlineExceeded."""
    level, assumed_zero = Level(p, last=last), set[int]()
    data: list[Number] = [*program.leaves]
    slopes: list[tuple[Number, ...]] = [()] * len(data)
    doubtful = [False] * len(data)
    watched = deadline.over(program.steps, steps_per_check(p))
    for node, (_, operands, enclosure, exponent) in enumerate(watched):
        if enclosure is None:
            continue
        level.assumed_zero = False
        level.doubtful = any(doubtful[operand] for operand in operands)
        numbers = [data[operand] for operand in operands]
        if (reason := missing(numbers)) is None:
            data[node], slopes[node] = _enclosed(
                level, enclosure, [*numbers, *exponent], len(operands)
            )
        else:
            data[node], slopes[node] = reason, (reason,) * len(operands)
        doubtful[node] = level.doubtful
        if level.assumed_zero:
            assumed_zero.add(node)
    grads = backward(program, level, slopes, doubtful, deadline)
    return Passes(level, data, slopes, grads, assumed_zero, doubtful)


def steps_per_check(p: int) -> int:
    """Return how many steps with p bits fit between two deadline checks: a few milliseconds."""
    return max(1, 8192 // p)


def _enclosed(
    level: Level, enclosure: Enclosure, operands: list[Any], count: int
) -> tuple[Number, tuple[Number, ...]]:
    """Compute the result and the slopes, or the reason why there are none."""
    try:
        out = _existing(level, enclosure.value(level, *operands))
    except NoNumber as no_number:
        reason = final(level, no_number)
        return reason, (missing([reason]) or reason,) * count
    try:
        return out, enclosure.slopes(level, out, *operands)
    except NoNumber as no_number:
        return out, (final(level, no_number),) * count


def _existing(level: Level, number: Ball) -> Ball:
    """Return a number that can be rounded, once sums count as 0."""
    if level.counts and number[1]:
        settled = settle(number, level)
        if settled is None or settled.reason == "out_of_range":
            raise NoNumber("undecided")
    return number


def missing(numbers: Iterable[Number]) -> Reason | None:
    """Return why a result of these numbers does not exist, or None if all of them exist."""
    reasons = {number for number in numbers if isinstance(number, str)}
    if not reasons:
        return None
    return "undecided" if reasons == {"undecided"} else "depends"


def final(level: Level, no_number: NoNumber) -> Reason:
    """Return a reason: a number that the last level cannot decide is out of range."""
    if no_number.reason != "undecided":
        return no_number.reason
    level.waits |= not level.doubtful
    return "out_of_range" if level.last else "undecided"


def backward(
    program: BallProgram,
    level: Level,
    slopes: Sequence[tuple[Number, ...]],
    doubtful: Sequence[bool],
    deadline: Deadline = NEVER,
) -> list[Number]:
    """Sum up the gradients in the order of R4; gradients of doubtful data are doubtful, too."""
    grads: list[Number] = [ZERO] * len(slopes)
    grads[program.root] = ONE
    doubtful_grads = [False] * len(slopes)
    for node in deadline.over(range(len(slopes) - 1, -1, -1), NODES_PER_CHECK):
        operands = program.steps[node].operands
        level.doubtful = doubtful_grads[node]
        incoming = grads[node] = _existing_grad(level, grads[node])
        sends_doubt = level.doubtful or doubtful[node] or any(doubtful[each] for each in operands)
        for operand, slope in zip(operands, slopes[node], strict=True):
            before = grads[operand]
            level.doubtful = sends_doubt or doubtful_grads[operand]
            if isinstance(before, str) or isinstance(incoming, str) or isinstance(slope, str):
                grads[operand] = _reason_of_sum(before, incoming, slope)
            else:
                try:
                    sent = incoming if slope is ONE else mul(incoming, slope, level.p)
                    grads[operand] = sent if before is ZERO else plus(level, before, sent)
                except NoNumber as no_number:
                    grads[operand] = final(level, no_number)
            doubtful_grads[operand] = level.doubtful
    level.doubtful = True  # results computed from these numbers are unknown
    return grads


def _existing_grad(level: Level, grad: Number) -> Number:
    """Return a gradient that can be rounded, or why there is none."""
    try:
        return grad if isinstance(grad, str) else _existing(level, grad)
    except NoNumber as no_number:
        return final(level, no_number)


def _reason_of_sum(before: Number, incoming: Number, slope: Number) -> Reason:
    """Keep the first reason, once all are known."""
    sent = missing([incoming]) or slope
    reasons = [each for each in (before, sent) if isinstance(each, str)]
    return "undecided" if "undecided" in reasons else reasons[0]


BITS = 53
"""For a double."""


class Settled(NamedTuple):
    """A number, rounded once; or None and "domain", "depends", "out_of_range" or "too_large"."""

    double: float | None
    reason: str | None
    counts: bool = False
    """Whether it was treated as 0 or as a midpoint of two doubles without being known to be."""


RIGHT = Settled(0.0, None)
OUT_OF_RANGE = Settled(None, "out_of_range")


class Truth:
    """The passes of a program, each level computed once."""

    def __init__(
        self,
        program: BallProgram,
        *,
        most_work: float = inf,
        deadline: Deadline = NEVER,
    ) -> None:
        """Compute nothing until it is needed."""
        self.program, self._most_work, self.deadline = program, most_work, deadline
        self._passes: dict[int, Passes] = {}

    def at(self, p: int) -> Passes:
        """Return the passes with p bits.

        Raises:
            LimitExceeded: that would be too much work.
            DeadlineExceeded: the deadline has passed.
        """
        if p not in self._passes:
            self._refuse_work(p)
            last = self._is_last(p)
            self._passes[p] = passes(self.program, p, last=last, deadline=self.deadline)
        return self._passes[p]

    def _is_last(self, p: int) -> bool:
        """Return whether the level before left only numbers that count as 0 undecided."""
        if p == LEVELS[-1]:
            return True
        before = self._passes.get(LEVELS[LEVELS.index(p) - 1])
        return before is not None and before.level.counts and not before.level.waits

    def _refuse_work(self, p: int) -> None:
        actual = truth_work(self.program, p)
        if actual > self._most_work:
            message = (
                f"computing the exact values takes {p} bits and {actual} units of work; "
                f"at most {self._most_work} are accepted"
            )
            raise LimitExceeded(message, name="truth_work", limit=self._most_work, actual=actual)

    @property
    def latest(self) -> Passes:
        """The passes with most bits, of those that were needed."""
        return [*self._passes.values()][-1]

    def assumed_zero(self) -> set[int]:
        """Return the nodes that had to treat as 0 a number that may not be 0."""
        counting = [found for found in self._passes.values() if found.level.counts]
        return set(counting[-1].assumed_zero) if counting else set()

    def until(self, decided: Callable[[Passes], bool], first: int = 0) -> None:
        """Add bits until it is decided; the last level decides everything."""
        for p in LEVELS[first:]:
            found = self.at(p)
            if decided(found) or found.level.last:
                return


def truth_work(program: BallProgram, p: int) -> int:
    """Estimate the work of p bits: p / 64 for each node, p**2 / 2**14 for each exponential."""
    exponentials = 0
    for step in program.steps:
        exponentials += step.enclosure.exponentials if step.enclosure else 0
    return len(program.steps) * (p >> 6) + exponentials * (p * p >> 14)


def settle(number: Number, level: Level) -> Settled | None:
    """Round a number; None if p bits cannot decide it."""
    if isinstance(number, str):
        if number != "undecided":
            return Settled(None, number)
        return OUT_OF_RANGE if level.last else None
    if not level.counts or not number[1]:
        double = rounded(number)
        return None if double is None else _settled(double)
    return _settle_counting(number, last=level.last)


def _settle_counting(a: Ball, *, last: bool) -> Settled | None:
    """Treat a number that may be 0 as 0, and one next to a midpoint as the midpoint."""
    double = rounded(a)
    if not a[0]:
        return _settled(0.0, counts=double is None)
    near = near_midpoint(a, MIDPOINT)
    if near is None and last:
        near = double is None and near_midpoint(a, COUNTS - SLACK)
    if near:
        return _settled(rounded_midpoint(a), counts=True)
    if double is not None and near is False:
        return _settled(double)
    return OUT_OF_RANGE if last else None


def _settled(double: float, *, counts: bool = False) -> Settled:
    """Choose the double, which may be infinite."""
    if isfinite(double):
        return Settled(double, None, counts)
    return Settled(None, "too_large")


class Compared(NamedTuple):
    """A number of a document: its exact value, and the error of the double, if both exist."""

    true: Settled
    error: Settled | None

    @property
    def exists(self) -> bool:
        """Whether there is a real number, even one too large for a double."""
        return self.true.double is not None or self.true.reason == "too_large"


EXACT = Compared(RIGHT, RIGHT)


class Numbers(NamedTuple):
    """The data and gradients of all nodes."""

    data: list[Compared]
    grads: list[Compared]
    assumed_zero: set[int]
    """Nodes where a decision treated as 0 a number that may not be 0."""

    @property
    def counts_as_zero(self) -> list[int]:
        """List these nodes, and those with a number that was treated as 0 or as a midpoint."""
        rows = enumerate(zip(self.data, self.grads, strict=True))
        counts = {node for node, (x, g) in rows if x.true.counts or g.true.counts}
        return sorted(self.assumed_zero | counts)


def true_numbers(truth: Truth, document: GradientDocument | None) -> Numbers:
    """Return all exact data and gradients, and the errors of the document's.

    A number is decided once all numbers that it depends on are, so the answer does not depend on
    how fast bits are added.
    """
    steps = truth.program.steps
    data: list[Compared | None] = [None] * len(steps)
    grads = data.copy()
    here = [None] * len(steps) if document is None else [each["data"] for each in document["nodes"]]
    there = here if document is None else [each["grad"] for each in document["nodes"]]

    def decided(found: Passes) -> bool:
        for node, step in enumerate(truth.deadline.over(steps, NODES_PER_CHECK)):
            made_of = [data[operand] for operand in step.operands]
            if data[node] is None and None not in made_of:
                data[node] = _compared(found, found.data[node], here[node])
        waits: list[Compared | None] = [EXACT] * len(steps)
        """A number that a gradient depends on and that is undecided or does not exist."""
        for node in truth.deadline.over(range(len(steps) - 1, -1, -1), NODES_PER_CHECK):
            if grads[node] is None and waits[node] is not None:
                grads[node] = _compared(found, found.grads[node], there[node])
            for each in (data[node], grads[node]):
                if each is None or not each.exists:
                    for operand in steps[node].operands:
                        waits[operand] = waits[operand] and each
        return None not in data and None not in grads

    truth.until(decided)
    return Numbers(data, grads, truth.assumed_zero())  # type: ignore[arg-type]  # the last level decides all


def _compared(found: Passes, number: Number, double: float | None) -> Compared | None:
    """Round a number, and its error."""
    level = found.level
    true = settle(number, level)
    if true is None or true.double is None or double is None or isinstance(number, str):
        return true and Compared(true, None)
    if double == true.double and not number[1] and number[0].bit_length() <= BITS:
        return Compared(true, RIGHT)
    error = settle(sub(of_double(double), number, level.p), level)
    return error and Compared(true, error)
