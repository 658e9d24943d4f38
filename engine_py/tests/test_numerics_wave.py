"""Sine and cosine: the integers' results, bounds that hold, a table that is right, few fallbacks.

That every result is right is tested in parity_tests, for all engines alike.
"""

import math
from random import Random
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine_py.numerics import wave
from engine_py.numerics.exact import ERROR, Recipe
from engine_py.numerics.quick import ONE, Pair, Q
from engine_py.numerics.wave import QUARTER, exact_wave, half_pi

EXACT = gmpy2.context(precision=400)
WIDE = gmpy2.context(precision=6000)
DERANDOMIZED = settings(derandomize=True, deadline=None, database=None, max_examples=400)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: abs(x) >= 2.0**-28)
CLOSEST = 6381956970095103 * 2.0**797
"""Of all doubles the closest to a multiple of pi / 2 (J.-M. Muller, Elementary Functions, 11.2)."""


@DERANDOMIZED
@given(DOUBLES | st.floats(-200.0, 200.0).filter(lambda x: abs(x) >= 2.0**-28))
@example(2.0**-28)
@example(2.0**-6)
@example(math.nextafter(2.0**-6, 0.0))
@example(math.pi)
@example(math.nextafter(200.0, 0.0))
@example(CLOSEST)
def test_the_quick_steps_give_the_integers_result(x: float) -> None:
    assert wave.sin(x) == exact_wave(x, 0) == -exact_wave(-x, 0)
    assert wave.cos(x) == exact_wave(x, 1) == exact_wave(-x, 1)


@pytest.mark.parametrize("x", [0.0, -0.0, 5e-324, -1e-310, math.nextafter(2.0**-28, 0.0)])
def test_the_sine_of_a_tiny_number_is_that_number(x: float) -> None:
    assert repr(wave.sin(x)) == repr(x)
    assert wave.cos(x) == 1.0


@pytest.mark.parametrize("q", [128, 256, 1356, 5260])
def test_half_of_pi_is_off_by_less_than_its_bound(q: int) -> None:
    exact = int(WIDE.floor(WIDE.mul_2exp(WIDE.const_pi(), q - 1)))
    assert abs(half_pi(q) - exact) < 10 * q


@pytest.mark.parametrize("x", [0.7, 1e5, 2.0**32, 1e22, CLOSEST, 1.7976931348623157e308])
@pytest.mark.parametrize("ahead", [0, 1])
def test_a_recipe_keeps_its_promise(x: float, ahead: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By far: off are less than 2**13 units, and 2**40 are promised."""
    found: list[Any] = []

    def keep(recipe: Recipe) -> float:
        found.append(recipe)
        return 0.0

    monkeypatch.setattr(wave, "nearest", keep)
    exact_wave(x, ahead)
    for q in (128, 256, 1024):
        n, error, e = found[0](q)
        true = WIDE.cos(mpfr(x)) if ahead else WIDE.sin(mpfr(x))
        off = WIDE.abs(WIDE.sub(WIDE.mul_2exp(true, q), n))
        assert (error, e) == (ERROR, -q)
        assert off < 2**13


def error_of(pair: Pair, true: Any) -> Any:
    high, low, _ = pair
    return EXACT.abs(EXACT.sub(EXACT.add(high, low), true))


def test_the_pairs_are_nearer_than_their_bounds() -> None:
    random = Random("waves")
    worst = 0.0
    for _ in range(8_000):
        x = random.choice([random.uniform(-200.0, 200.0), random.uniform(-3.2, 3.2)])
        for ahead, true in ((0, EXACT.sin(mpfr(x))), (QUARTER, EXACT.cos(mpfr(x)))):
            pair = wave.wave_pair(x, ahead)
            worst = max(worst, float(error_of(pair, true) / pair[2]))
    assert 0.2 < worst < 0.9  # the bound is no waste, and pays for the test's roundings, too


def test_the_pair_near_0_is_nearer_than_its_bound() -> None:
    random = Random("near 0")
    for _ in range(8_000):
        x = random.choice((1, -1)) * 2.0 ** random.uniform(-28, -6)
        pair = wave.sin_pair_near_0(x)
        assert error_of(pair, EXACT.sin(mpfr(x))) < 0.9 * abs(pair[2])


def test_the_table_is_right_to_the_last_bit_of_its_low_half() -> None:
    wave.fill_wave()
    for j, (high, low) in enumerate(wave.WAVE):
        true = EXACT.sin(EXACT.div(EXACT.mul(EXACT.const_pi(), j), 512))
        assert EXACT.abs(EXACT.sub(EXACT.add(high, low), true)) < 2.0**-105
        assert (high * 2.0**52).is_integer()
    step = EXACT.div(EXACT.const_pi(), 512)
    off = EXACT.sub(EXACT.add(wave.STEP_HIGH, wave.STEP_LOW), step)
    assert abs(off) < 2.0**-97
    assert (wave.STEP_HIGH * 2.0**45).is_integer()
    assert half_pi(Q) >> 8 < ONE


def test_integers_decide_once_in_a_thousand_times_at_most() -> None:
    random, undecided = Random("undecided"), 0
    for _ in range(8_000):
        high, low, error = wave.wave_pair(random.uniform(-200.0, 200.0), 0)
        undecided += high + (low + error) != high + (low - error)
    assert 0 < undecided < 8


def test_the_quick_step_is_used_where_its_derivation_holds_and_no_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used: list[float] = []

    def noted(x: float, ahead: int) -> Pair:
        used.append(abs(x))
        return pair(x, ahead)

    pair = wave.wave_pair
    monkeypatch.setattr(wave, "wave_pair", noted)
    for tenth in range(10, 4_000):
        wave.sin(tenth / 10)
        wave.cos(-tenth / 10)
    assert max(used) > 190.0
    assert max(used) * 512 / math.pi < 2.0**15 - 1  # steps, so that their product is exact
