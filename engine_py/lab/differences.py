"""Program + variable -> its central difference: a derivative that knows no chain rule.

(f(x + h) - f(x - h)) / 2h is the derivative up to

- truncation: c h**2 for h and a quarter of that for h / 2, so that the second quotient is three
  times nearer to the truth than to the first one. Their whole distance is taken.
- rounding: what both results can be off by, over 2h. Twice that is taken.

Several steps h are tried. Where h is too large for the first argument, a quotient may differ from
the derivative by more than its bound: see variation.py. One that contradicts that of a smaller step
is not believed.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Literal, NamedTuple

from engine_py.lab.program import Computed, Program, evaluate
from engine_py.lab.roundings import SAFE, rounding

_STEPS = (1 / 2**10, 1 / 2**18, 1 / 2**26)
"""Parts of x, or of 1 where x is 0."""
_LOUD = 2**24
"""Where rounding drowns those, a step at which it is this much smaller than the difference."""
_LONGEST = 1 / 2**6

EVALUATIONS = 4 * (len(_STEPS) + 1) + 1
"""For one variable, at most."""

Silence = Literal["not_differentiable_here", "kink_nearby", "no_value_nearby", "too_coarse"]


class Quotient(NamedTuple):
    """A central difference, its step and its error bound, of which rounding alone is `noise`."""

    value: float
    bound: float
    noise: float
    step: float


class _Around(NamedTuple):
    """What the program computes at x, x + h, x - h, x + h / 2 and x - h / 2."""

    here: Computed
    above: Computed
    below: Computed
    half_above: Computed
    half_below: Computed


def central_differences(
    program: Program, leaf: int, here: Computed | None, magnitude: float
) -> list[Quotient] | Silence:
    """Give quotients, the most precise one first, or why there is none.

    Args:
        program: what to compute.
        leaf: the variable.
        here: what it computes as it is.
        magnitude: of the derivative, about.
    """
    quotients: list[Quotient] = []
    silence: Silence = "no_value_nearby"
    x = program[leaf].data
    for step in sorted(_steps(x, here, magnitude)):
        half = _half(x, step)
        around = [here, *(evaluate(program, leaf, x + h) for h in (step, -step, half, -half))]
        if any(computed is None for computed in around):
            continue
        quotient = _quotient(_Around(*around), step, half)  # type: ignore[arg-type]
        if not isinstance(quotient, Quotient):
            silence = quotient if silence == "no_value_nearby" else silence
        elif not any(_contradict(quotient, finer) for finer in quotients):
            quotients.append(quotient)
    return sorted(quotients, key=lambda quotient: quotient.bound) or silence


def _steps(x: float, here: Computed | None, magnitude: float) -> Iterator[float]:
    """Give steps h for which x + h and x - h are doubles."""
    scale = abs(x) or 1.0
    wished = [part * scale for part in _STEPS]
    if here is not None and magnitude > 0.0:
        wished.append(min(_LOUD * here.root.bound / magnitude, _LONGEST * scale))
    for wish in wished:
        step = (x + wish) - x
        if isfinite(abs(x) + step) and _half(x, step) > 0.0:
            yield step


def _half(x: float, step: float) -> float:
    return (x + step / 2) - x


def _quotient(around: _Around, step: float, half: float) -> Quotient | Silence:
    here, above, below, half_above, half_below = (computed.root for computed in around)
    if any(computed.sides != around.above.sides for computed in around[1:]):
        return _kink(around)
    coarse = (above.data - below.data) / (2 * step)
    fine = (half_above.data - half_below.data) / (2 * half)
    noise = SAFE * (half_above.bound + half_below.bound + 2 * here.bound) / (2 * half)
    noise += SAFE * rounding(fine)
    bound = abs(coarse - fine) + noise
    return Quotient(fine, bound, noise, half) if isfinite(bound) else "too_coarse"


def _kink(around: _Around) -> Silence:
    """Tell a kink at the very place from one that the step reaches."""
    here, _, _, above, below = (computed.sides for computed in around)
    if any(side == 0 and up != down for side, up, down in zip(here, above, below, strict=True)):
        return "not_differentiable_here"
    return "kink_nearby"


def _contradict(one: Quotient, other: Quotient) -> bool:
    return abs(one.value - other.value) > one.bound + other.bound
