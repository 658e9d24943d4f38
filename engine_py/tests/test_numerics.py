"""The quick steps: their error bounds, their tables, and how rarely integers are needed.

parity_tests/tests/test_exactness.py checks the results of all engines against exact values.
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import gmpy2
import pytest
from gmpy2 import mpfr

from engine_py.canonical import digest
from engine_py.numerics import elementary, exact, logistic, near_zero, quick, wave
from engine_py.numerics.quick import Pair
from engine_py.tests.helpers import Json, units

EXACT = gmpy2.context(precision=400)


@pytest.mark.parametrize("x", [0.0, -0.0, 5e-324, -1e-310, math.nextafter(2.0**-28, 0.0)])
def test_the_sine_of_a_tiny_number_is_that_number(x: float) -> None:
    assert repr(wave.sin(x)) == repr(near_zero.atan(x)) == repr(x)
    assert wave.cos(x) == 1.0


def test_the_quick_step_of_waves_is_used_only_where_its_derivation_holds(
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


# The bounds, measured against MPFR with 400 bits. A bound also pays for the two roundings of Ziv's
# test, so the pair itself is nearer.


class Measured(NamedTuple):
    """A pair, its operands, its true value, and the share of its bound that its error exceeds."""

    pair: Callable[[float], Pair]
    draw: Callable[[Random], float]
    true: Callable[[float], Any]
    least: float = 0.1


def exp_pair(x: float) -> Pair:
    high, low, _ = quick.exp_pair(x, 0.0)
    return high, low, quick.EXP_ERROR * high


def exp_scaled(x: float) -> Any:
    return EXACT.mul(EXACT.exp(mpfr(x)), EXACT.exp2(mpfr(-quick.exp_pair(x, 0.0)[2])))


def draw_log(random: Random) -> float:
    low, high = random.choice([(-1000.0, 1000.0), (-3.0, 3.0), (-0.002, 0.002)])
    wide = float(2.0 ** random.uniform(low, high))
    return random.choice([wide, 1.0 + float(2.0 ** random.uniform(-53, -9))])


def draw_logistic(random: Random) -> float:
    return random.choice([random.uniform(-600, 40), random.uniform(-15, 15), random.gauss(0, 1)])


def draw_log1p(random: Random) -> float:
    return random.choice([random.uniform(-0.9, 9.0), powers_of_two(-54.0, 900.0)(random)])


def draw_expm1(random: Random) -> float:
    return random.choice([random.uniform(0.0625, 700.0), random.uniform(-39.0, -0.0625)])


def draw_wave(random: Random) -> float:
    return random.choice([random.uniform(-200.0, 200.0), random.uniform(-3.2, 3.2)])


def between(low: float, high: float) -> Callable[[Random], float]:
    return lambda random: random.uniform(low, high)


def powers_of_two(low: float, high: float) -> Callable[[Random], float]:
    return lambda random: 2.0 ** random.uniform(low, high)


def sigmoid(x: float) -> Any:
    return EXACT.div(1, EXACT.add(1, EXACT.exp(-mpfr(x))))


def softplus(x: float) -> Any:
    return EXACT.add(max(x, 0.0), EXACT.log1p(EXACT.exp(-mpfr(abs(x)))))


MEASURED = {
    "exp": Measured(exp_pair, between(-708.0, 709.0), exp_scaled),
    "log": Measured(quick.log_pair, draw_log, EXACT.log),
    "tanh": Measured(quick.tanh_pair, powers_of_two(-5.0, 2.0), EXACT.tanh),
    "tanh near 0": Measured(quick.tanh_pair_near_0, powers_of_two(-28.0, -5.0), EXACT.tanh),
    "tanh near 1": Measured(quick.tanh_pair_near_1, between(4.0, 20.0), EXACT.tanh),
    # SHORT_ERROR has room to spare, which costs nothing so far below an ulp.
    "cube": Measured(
        lambda x: elementary._short_power(x, 3.0),
        between(1.0, 16.0),
        lambda x: EXACT.pow(x, 3),
        0.003,
    ),
    "fourth power": Measured(
        lambda x: elementary._short_power(x, 4.0),
        between(1.0, 16.0),
        lambda x: EXACT.pow(x, 4),
        0.003,
    ),
    "sigmoid": Measured(logistic.sigmoid_pair, draw_logistic, sigmoid, 0.5),
    "softplus": Measured(logistic.softplus_pair, draw_logistic, softplus, 0.3),
    "sin": Measured(lambda x: wave.wave_pair(x, 0), draw_wave, EXACT.sin, 0.2),
    "cos": Measured(lambda x: wave.wave_pair(x, wave.QUARTER), draw_wave, EXACT.cos, 0.2),
    "log1p": Measured(near_zero.log1p_pair, draw_log1p, EXACT.log1p, 0.25),
    "expm1": Measured(near_zero.expm1_pair, draw_expm1, EXACT.expm1, 0.5),
    "expm1 near 0": Measured(
        near_zero.expm1_pair_near_0, powers_of_two(-54.0, -4.0), EXACT.expm1, 0.3
    ),
    "atan near 0": Measured(near_zero.atan_pair_near_0, powers_of_two(-28.0, -8.0), EXACT.atan),
    "atan": Measured(near_zero.atan_pair, powers_of_two(-8.0, 0.0), EXACT.atan, 0.2),
    "atan above 1": Measured(near_zero.atan_pair_above_1, powers_of_two(0.0, 53.0), EXACT.atan),
    "sin near 0": Measured(wave.sin_pair_near_0, powers_of_two(-28.0, -6.0), EXACT.sin),
}


@pytest.mark.parametrize("name", MEASURED)
def test_the_error_of_a_pair_is_below_its_bound_but_not_far_below(name: str) -> None:
    pair, draw, true, least = MEASURED[name]
    random, worst = Random(name), 0.0
    for _ in range(8_000):
        x = draw(random)
        high, low, error = pair(x)
        if error:  # which is 0 for the logarithm of 1
            off = EXACT.abs(EXACT.sub(EXACT.add(high, low), true(mpfr(x))))
            worst = max(worst, float(EXACT.div(off, abs(error))))
    assert least < worst < 1.0


# Tables


def rows_off(table: Sequence[tuple[float, ...]], true: Callable[[int], list[Any]]) -> float:
    """Return the largest error of a pair of a table, as a share of half an ulp."""
    worst = 0.0
    for j, row in enumerate(table):
        for (high, low), value in zip(zip(row[::2], row[1::2], strict=True), true(j), strict=True):
            off = EXACT.sub(EXACT.sub(value, mpfr(high)), mpfr(low))
            worst = max(worst, abs(float(off)) / (math.ulp(low) / 2.0 + 2.0**-89))
    return worst


def tanh_values(j: int) -> list[Any]:
    t = EXACT.tanh(EXACT.div(mpfr(j), 128))
    return [t, EXACT.sub(1, EXACT.square(t))]


TABLES: dict[str, tuple[Callable[[], list[Any]], Callable[[int], list[Any]], tuple[int, ...]]] = {
    "EXP": (lambda: list(quick.EXP), lambda j: [EXACT.exp2(EXACT.div(mpfr(j), 256))], (25,)),
    "LOG": (
        lambda: [row[1:] for row in quick.LOG],
        lambda j: [EXACT.minus(EXACT.log(mpfr(quick.LOG[j][0])))],
        (42,),
    ),
    "TANH": (lambda: list(quick.TANH), tanh_values, (53, 26)),
    "ATAN": (
        lambda: list(near_zero.ATAN),
        lambda j: [EXACT.atan(EXACT.div(mpfr(j), 128))],
        (52,),
    ),
    "WAVE": (
        lambda: list(wave.WAVE),
        lambda j: [EXACT.sin(EXACT.div(EXACT.mul(EXACT.const_pi(), j), 512))],
        (52,),
    ),
}
"""The rows of pairs, their values, and how many bits after the point the high halves have."""


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_is_right_to_the_last_bit_of_its_low_half(name: str) -> None:
    for fill in (quick.fill_exp, quick.fill_log, quick.fill_tanh, wave.fill_wave):
        fill()
    near_zero.fill_atan()
    rows, values, bits = TABLES[name]
    lengths = {"EXP": 256, "LOG": 513, "TANH": 513, "WAVE": 1024, "ATAN": 129}
    assert len(rows()) == lengths[name]
    assert rows_off(rows(), values) <= 1.0
    for row in rows():
        for high, places in zip(row[::2], bits, strict=True):
            assert math.ldexp(high, places) % 1.0 == 0.0


def test_the_factors_of_the_logarithm_are_short_and_near_their_inverses() -> None:
    quick.fill_log()
    for j, (r, _, _) in enumerate(quick.LOG, start=512):
        assert r * 4096.0 % 1.0 == 0.0
        assert abs(r - 1024.0 / j) <= 2.0**-13


def test_the_constants_are_parts_of_the_logarithm_of_2_and_of_pi() -> None:
    ln2 = EXACT.log(mpfr(2))
    for pair, value in [
        ((quick.LN2_HIGH, quick.LN2_LOW), ln2),
        ((quick.STEP_HIGH, quick.STEP_LOW), EXACT.div(ln2, 256)),
        ((wave.STEP_HIGH, wave.STEP_LOW), EXACT.div(EXACT.const_pi(), 512)),
        ((near_zero.HALF_PI_HIGH, near_zero.HALF_PI_LOW), EXACT.div(EXACT.const_pi(), 2)),
    ]:
        assert rows_off([pair], lambda _, value=value: [value]) <= 1.0  # type: ignore[misc]
    assert float(EXACT.div(256, ln2)) == quick.STEPS
    assert (wave.STEP_HIGH * 2.0**45).is_integer()


@units("numerics", "tables")
def test_the_tables_are_those_of_the_other_engine(case: Json) -> None:
    for fill in (quick.fill_exp, quick.fill_log, quick.fill_tanh):
        fill()
    constants = [quick.LN2_HIGH, quick.LN2_LOW, quick.STEP_HIGH, quick.STEP_LOW, quick.STEPS]
    rows: dict[str, Any] = {"constants": [constants]}
    rows |= {"EXP": quick.EXP, "LOG": quick.LOG, "TANH": quick.TANH}
    entries = [entry for row in rows[case["name"]] for entry in row]
    assert (len(entries), digest(entries)) == (case["entries"], case["digest"])


# Fallbacks


class Typical(NamedTuple):
    """A function, its fallback, its operands, and how many of 100,000 may need the fallback."""

    function: Callable[..., float]
    integers: tuple[Any, str]
    draw: Callable[[Random], tuple[float, ...]]
    most: int


TYPICAL = {
    "exp": Typical(elementary.exp, (exact, "exp"), lambda r: (r.uniform(-5.0, 5.0),), 30),
    "log": Typical(elementary.log, (exact, "log"), lambda r: (r.uniform(0.9, 1.1),), 90),
    "tanh": Typical(elementary.tanh, (exact, "tanh"), lambda r: (r.uniform(-3.0, 3.0),), 110),
    "power": Typical(
        elementary.power,
        (exact, "power"),
        lambda r: (r.uniform(0.01, 10.0), r.uniform(-5.0, 5.0)),
        110,
    ),
    "sigmoid": Typical(
        logistic.sigmoid, (logistic, "exact_sigmoid"), lambda r: (r.gauss(0.0, 3.0),), 30
    ),
    "softplus": Typical(
        logistic.softplus, (logistic, "exact_softplus"), lambda r: (r.gauss(0.0, 3.0),), 110
    ),
    "log1p": Typical(
        near_zero.log1p, (near_zero, "exact_log1p"), lambda r: (r.uniform(-0.9, 3.0),), 110
    ),
    "expm1": Typical(
        near_zero.expm1, (near_zero, "exact_expm1"), lambda r: (r.gauss(0.0, 1.0),), 110
    ),
    "atan": Typical(
        near_zero.atan, (near_zero, "exact_atan"), lambda r: (r.uniform(0.003, 0.015),), 20
    ),
    "sin": Typical(wave.sin, (wave, "exact_wave"), lambda r: (r.uniform(-190.0, 190.0),), 20),
    "cos": Typical(wave.cos, (wave, "exact_wave"), lambda r: (r.uniform(-190.0, 190.0),), 20),
}


@pytest.mark.parametrize("name", TYPICAL)
def test_fewer_than_one_in_nine_hundred_results_needs_the_integers(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, integers, draw, most = TYPICAL[name]
    left: list[float] = []

    def noted(x: float, *_: float) -> float:
        left.append(x)
        return 0.0

    monkeypatch.setattr(*integers, noted)
    random = Random(f"typical {name}")
    for _ in range(100_000):
        function(*draw(random))
    assert 0 < len(left) <= most


def test_few_roots_need_the_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    random, left = Random("typical sqrt"), list[float]()
    monkeypatch.setattr(exact, "power", lambda x, _: left.append(x))
    for _ in range(100_000):
        elementary.sqrt(random.uniform(0.01, 10.0))
    assert len(left) <= 2
