"""Program -> the double nearest to each true number: bits are added until every number rounds."""

from collections.abc import Callable
from math import inf, isfinite
from typing import NamedTuple

from engine_py.accuracy.ball import Ball, of_double, rounded, rounded_middle, sub
from engine_py.accuracy.program import LEVELS, Number, Passes, Program, passes
from engine_py.document import Document
from engine_py.errors import LimitExceeded

BITS = 53
"""Of a double."""
CALLS = {
    **dict.fromkeys(("exp", "log"), 1),
    **dict.fromkeys(("tanh", "sigmoid"), 2),
    **dict.fromkeys(("softplus", "sin", "cos", "**"), 4),
}
"""What takes long: how many exponentials the result and the slope cost."""
_BITS_OF_A_MIDDLE = 60


class Settled(NamedTuple):
    """A number, rounded once; or None and why: "domain", "depends", "out_of_range", "too_large"."""

    double: float | None
    reason: str | None
    counts: bool = False
    """Whether it was taken for 0, or for the middle of two doubles, where it may be none."""


RIGHT = Settled(0.0, None)


class Truth:
    """The passes of a program, each level computed once."""

    def __init__(
        self, program: Program, *, levels: tuple[int, ...] = LEVELS, most_work: float = inf
    ) -> None:
        """Compute nothing yet."""
        self.program, self.levels, self._most_work = program, levels, most_work
        self._passes: dict[int, Passes] = {}

    def at(self, p: int) -> Passes:
        """Give the passes with p bits.

        Raises:
            LimitExceeded: they would be too much work.
        """
        if p not in self._passes:
            self._refuse_work(p)
            self._passes[p] = passes(self.program, p, last=p == self.levels[-1])
        return self._passes[p]

    def _refuse_work(self, p: int) -> None:
        actual = truth_work(self.program, p)
        if actual > self._most_work:
            message = (
                f"to tell the true numbers takes {p} bits, and {actual} units of work for them; "
                f"at most {self._most_work} are done"
            )
            raise LimitExceeded(message, name="truth_work", limit=self._most_work, actual=actual)

    def asked(self) -> set[int]:
        """Give the nodes that took for 0 what may be none, if that had to be."""
        last = self._passes.get(self.levels[-1])
        return set() if last is None else set(last.asked)

    def until(self, told: Callable[[Passes], bool], first: int = 0) -> None:
        """Add bits until it is told; the last level tells everything."""
        for p in self.levels[first:]:
            if told(self.at(p)):
                return


def truth_work(program: Program, p: int) -> int:
    """Estimate the work of p bits: p / 64 for each node, p**2 / 2**14 for each exponential."""
    exponentials = 0
    for step in program.steps:
        exponentials += CALLS.get(step.operation or "", 0)
    return len(program.steps) * (p >> 6) + exponentials * (p * p >> 14)


def settle(number: Number, *, last: bool) -> Settled | None:
    """Round a number; None where these bits do not tell."""
    if isinstance(number, str):
        if number != "undecided":
            return Settled(None, number)
        return Settled(None, "out_of_range") if last else None
    double = rounded(number)
    if double is None:
        return _settle_last(number) if last else None
    return Settled(double, None) if isfinite(double) else Settled(None, "too_large")


def _settle_last(a: Ball) -> Settled:
    """Take what may be 0 for 0, and what is known well for the middle of two doubles."""
    if not a[0]:
        return Settled(0.0, None, counts=True)
    if abs(a[0]) >> _BITS_OF_A_MIDDLE <= a[1]:
        return Settled(None, "out_of_range")
    double = rounded_middle(a)
    if isfinite(double):
        return Settled(double, None, counts=True)
    return Settled(None, "too_large", counts=True)


class Told(NamedTuple):
    """A number of a document: the true one, and how far the double is from it, where both exist."""

    true: Settled
    error: Settled | None

    @property
    def exists(self) -> bool:
        """Tell a real number, too large for a double or not, from none."""
        return self.true.double is not None or self.true.reason == "too_large"


EXACT = Told(RIGHT, RIGHT)


class Numbers(NamedTuple):
    """The data and gradients of all nodes."""

    data: list[Told]
    grads: list[Told]
    asked: set[int]
    """Nodes where a decision took for 0 what may be none."""

    @property
    def counts_as_zero(self) -> list[int]:
        """Give these nodes, and those with a number that was taken for 0, or for a middle."""
        rows = enumerate(zip(self.data, self.grads, strict=True))
        counts = {node for node, (x, g) in rows if x.true.counts or g.true.counts}
        return sorted(self.asked | counts)


def true_numbers(truth: Truth, document: Document | None) -> Numbers:
    """Tell all data and gradients, and what those of the document are off by.

    A number is told once all that it is made of is, and depends on it, so that the answer does not
    depend on how fast bits are added.
    """
    steps = truth.program.steps
    data: list[Told | None] = [None] * len(steps)
    grads = data.copy()
    here = [None] * len(steps) if document is None else [each["data"] for each in document["nodes"]]
    there = here if document is None else [each["grad"] for each in document["nodes"]]

    def told(found: Passes) -> bool:
        for node, step in enumerate(steps):
            made_of = [data[operand] for operand in step.operands]
            if data[node] is None and None not in made_of:
                data[node] = _told(found, found.data[node], made_of, here[node])
        waits: list[Told | None] = [EXACT] * len(steps)
        """A number that a gradient is made of and that is not told, or does not exist."""
        for node in range(len(steps) - 1, -1, -1):
            if grads[node] is None and waits[node] is not None:
                grads[node] = _told(found, found.grads[node], [waits[node]], there[node])
            for each in (data[node], grads[node]):
                if each is None or not each.exists:
                    for operand in steps[node].operands:
                        waits[operand] = waits[operand] and each
        return None not in data and None not in grads

    truth.until(told)
    return Numbers(data, grads, truth.asked())  # type: ignore[arg-type]  # the last level tells all


def _told(
    found: Passes, number: Number, made_of: list[Told | None], double: float | None
) -> Told | None:
    """Round a number that is made of others, and its error."""
    level = found.level
    lost = level.last and not all(each is None or each.exists for each in made_of)
    if lost and not isinstance(number, str):
        number = "depends"
    true = settle(number, last=level.last)
    if true is None or true.double is None or double is None or isinstance(number, str):
        return true and Told(true, None)
    if double == true.double and not number[1] and number[0].bit_length() <= BITS:
        return Told(true, RIGHT)
    error = settle(sub(of_double(double), number, level.p), last=level.last)
    return error and Told(true, error)
