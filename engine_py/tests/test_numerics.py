"""The quick steps: the integers' results, bounds that hold, tables that are right, few fallbacks.

That every result is right is tested in parity_tests, for all engines alike.
"""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine_py.numerics import elementary, exact, quick

EXACT = gmpy2.context(precision=400)
DERANDOMIZED = settings(derandomize=True, deadline=None, database=None, max_examples=1000)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
LARGEST = math.nextafter(math.inf, 0.0)

# The integers decide


@DERANDOMIZED
@given(DOUBLES | st.floats(-746.0, 710.0))
def test_the_quick_steps_of_exp_and_tanh_give_the_integers_result(x: float) -> None:
    assert elementary.exp(x) == exact.exp(x)
    assert elementary.tanh(x) == exact.tanh(x)
    assert elementary.tanh(x / 64.0) == exact.tanh(x / 64.0)


@DERANDOMIZED
@given(st.floats(0.0, exclude_min=True, allow_infinity=False) | st.floats(0.99, 1.01))
@example(5e-324)
@example(1.0 - 2.0**-11)
@example(math.nextafter(1.0 - 2.0**-11, 0.0))
@example(1.0 + 2.0**-10)
@example(LARGEST)
def test_the_quick_step_of_log_gives_the_integers_result(x: float) -> None:
    assert elementary.log(x) == exact.log(x)


@DERANDOMIZED
@given(st.floats(0.0, allow_infinity=False) | st.floats(0.01, 100.0))
@example(2.0**-1022)
@example(math.nextafter(2.0**-1022, 0.0))
@example(1.0 + 2.0**-52)
@example(1.0 - 2.0**-53)
@example(LARGEST)
def test_the_quick_step_of_sqrt_gives_the_integers_result(x: float) -> None:
    assert elementary.sqrt(x) == exact.power(x, 0.5)


@DERANDOMIZED
@given(
    st.floats(0.0, allow_infinity=False) | st.floats(0.01, 100.0),
    DOUBLES | st.floats(-100.0, 100.0) | st.sampled_from([-2.0, -1.0, 0.5, 1.0, 2.0, 3.0, 4.0]),
)
@example(1.0, -LARGEST)
@example(math.nextafter(1.0, 2.0), LARGEST)
@example(math.nextafter(1.0, 2.0), 2.0**61)
@example(5e-324, 0.5)
@example(1e-60, 4.0)
@example(1e300, 0.5)
@example(2.0, 0.1)
def test_the_quick_step_of_power_gives_the_integers_result(x: float, c: float) -> None:
    if x > 0.0 or c >= 0.0:
        assert elementary.power(x, c) == exact.power(x, c)
    if c == math.trunc(c):
        assert elementary.power(-x, c) == exact.power(-x, c) or x == 0.0


# The bounds, measured against MPFR with 400 bits. The bound also pays for the two roundings of
# Ziv's test, so the pair itself is nearer.


def exp_pair(x: float) -> tuple[Any, float]:
    high, low, k = quick.exp_pair(x, 0.0)
    scale = EXACT.mul_2exp(mpfr(1), k) if k >= 0 else EXACT.div_2exp(mpfr(1), -k)
    return EXACT.mul(EXACT.add(high, low), scale), quick.EXP_ERROR


def relative(pair: quick.Pair) -> tuple[Any, float]:
    high, low, error = pair
    return EXACT.add(high, low), abs(error / high)


def drawn_logs(random: Random) -> float:
    low, high = random.choice([(-1000.0, 1000.0), (-3.0, 3.0), (-0.002, 0.002)])
    wide = float(2.0 ** random.uniform(low, high))
    return random.choice([wide, 1.0 + float(2.0 ** random.uniform(-53, -9))])


MEASURED: dict[str, tuple[Callable[[float], Any], Callable[[Random], float], Any]] = {
    "exp": (exp_pair, lambda random: random.uniform(-708.0, 709.0), EXACT.exp),
    "log": (lambda x: relative(quick.log_pair(x)), drawn_logs, EXACT.log),
    "tanh": (
        lambda x: relative(quick.tanh_pair(x)),
        lambda random: 2.0 ** random.uniform(-5.0, 2.0),
        EXACT.tanh,
    ),
    "tanh near 0": (
        lambda x: relative(quick.tanh_pair_near_0(x)),
        lambda random: 2.0 ** random.uniform(-28.0, -5.0),
        EXACT.tanh,
    ),
    "tanh near 1": (
        lambda x: relative(quick.tanh_pair_near_1(x)),
        lambda random: random.uniform(4.0, 20.0),
        EXACT.tanh,
    ),
    "cube": (
        lambda x: relative(elementary._short_power(x, 3.0)),
        lambda random: random.uniform(1.0, 16.0),
        lambda x: EXACT.pow(x, 3),
    ),
    "fourth power": (
        lambda x: relative(elementary._short_power(x, 4.0)),
        lambda random: random.uniform(1.0, 16.0),
        lambda x: EXACT.pow(x, 4),
    ),
}


WASTE = {"cube": 0.003, "fourth power": 0.003}
"""How near to its bound a pair has to come, where that is not a tenth: SHORT_ERROR is 2**-102.9
with room to spare, which costs nothing so far below an ulp."""


def test_the_bound_of_short_powers_covers_what_is_derived() -> None:
    u = 2.0**-53
    assert (6.1 + 2.0) * u * u < elementary.SHORT_ERROR < 2.0**-80


@pytest.mark.parametrize("name", MEASURED)
def test_a_pair_is_off_by_less_than_its_bound_and_the_bound_is_no_waste(name: str) -> None:
    pair, draw, function = MEASURED[name]
    random, worst = Random(name), 0.0
    for _ in range(20_000):
        x = draw(random)
        if x == 1.0:
            continue
        found, bound = pair(x)
        value = function(mpfr(x))
        off = float(EXACT.abs(EXACT.div(EXACT.sub(found, value), value)))
        worst = max(worst, off / bound)
    assert WASTE.get(name, 0.1) < worst < 1.0


# Tables


def rows_off(table: Sequence[tuple[float, ...]], true: Callable[[int], list[Any]]) -> float:
    """Give the largest distance of a pair of a table to its value, as a part of half an ulp."""
    worst = 0.0
    for j, row in enumerate(table):
        for (high, low), value in zip(zip(row[::2], row[1::2], strict=True), true(j), strict=True):
            off = EXACT.sub(EXACT.sub(value, mpfr(high)), mpfr(low))
            worst = max(worst, abs(float(off)) / (math.ulp(low) / 2.0 + 2.0**-89))
    return worst


def exp_values(j: int) -> list[Any]:
    return [EXACT.exp2(EXACT.div(mpfr(j), 256))]


def log_values(j: int) -> list[Any]:
    return [EXACT.minus(EXACT.log(mpfr(quick.LOG[j][0])))]


def tanh_values(j: int) -> list[Any]:
    t = EXACT.tanh(EXACT.div(mpfr(j), 128))
    return [t, EXACT.sub(1, EXACT.square(t))]


TABLES: dict[str, tuple[Callable[[], list[Any]], Callable[[int], list[Any]], tuple[int, ...]]] = {
    "EXP": (lambda: list(quick.EXP), exp_values, (25,)),
    "LOG": (lambda: [row[1:] for row in quick.LOG], log_values, (42,)),
    "TANH": (lambda: list(quick.TANH), tanh_values, (53, 26)),
}


@pytest.fixture(autouse=True, scope="module")
def filled() -> None:
    quick.fill_exp()
    quick.fill_log()
    quick.fill_tanh()


@pytest.mark.parametrize("name", TABLES)
def test_every_entry_is_its_value_to_the_last_bit_of_the_low_half(name: str) -> None:
    rows, values, bits = TABLES[name]
    assert len(rows()) == {"EXP": 256, "LOG": 513, "TANH": 513}[name]
    assert rows_off(rows(), values) <= 1.0
    for row in rows():
        for high, places in zip(row[::2], bits, strict=True):
            assert math.ldexp(high, places) % 1.0 == 0.0


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("off", [2.0**-53, 2.0**-60])
def test_an_entry_that_is_a_little_off_is_noticed(name: str, off: float) -> None:
    rows, values, _ = TABLES[name]
    table = rows()
    table[77] = (table[77][0], table[77][1] + off, *table[77][2:])
    assert rows_off(table, values) > 1000.0


def test_the_factors_of_the_logarithm_are_short_and_near_their_inverses() -> None:
    for j, (r, _, _) in enumerate(quick.LOG, start=512):
        assert r * 4096.0 % 1.0 == 0.0
        assert abs(r - 1024.0 / j) <= 2.0**-13


def test_the_constants_are_the_logarithm_of_2_in_two_parts() -> None:
    ln2 = EXACT.log(mpfr(2))
    rows = [(quick.LN2_HIGH, quick.LN2_LOW)]
    assert rows_off(rows, lambda _: [ln2]) <= 1.0
    rows = [(quick.STEP_HIGH, quick.STEP_LOW)]
    assert rows_off(rows, lambda _: [EXACT.div(ln2, 256)]) <= 1.0
    assert float(EXACT.div(256, ln2)) == quick.STEPS


# Fallbacks


TYPICAL: dict[str, tuple[Callable[[Random], tuple[float, ...]], int]] = {
    "exp": (lambda random: (random.uniform(-5.0, 5.0),), 30),
    "log": (lambda random: (random.uniform(0.9, 1.1),), 90),
    "tanh": (lambda random: (random.uniform(-3.0, 3.0),), 110),
    "power": (lambda random: (random.uniform(0.01, 10.0), random.uniform(-5.0, 5.0)), 110),
}
"""How to draw operands, and how many of 100,000 may need the integers."""


def asked(name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Count the operands that the integers decide."""
    draw, _ = TYPICAL[name]
    calls: list[tuple[float, ...]] = []

    def noted(*operands: float) -> float:
        calls.append(operands)
        return 0.0

    monkeypatch.setattr(exact, name, noted)
    random, function = Random(f"typical {name}"), getattr(elementary, name)
    for _ in range(100_000):
        function(*draw(random))
    return len(calls)


@pytest.mark.parametrize("name", TYPICAL)
def test_the_integers_are_asked_less_than_once_in_nine_hundred_times(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 < asked(name, monkeypatch) <= TYPICAL[name][1]


def test_the_integers_are_asked_for_a_root_in_a_million_and_a_larger_bound_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked() -> int:
        random, calls = Random("typical sqrt"), list[float]()
        monkeypatch.setattr(exact, "power", lambda x, _: calls.append(x))
        for _ in range(100_000):
            elementary.sqrt(random.uniform(0.01, 10.0))
        return len(calls)

    assert asked() <= 2
    monkeypatch.setattr(elementary, "ALMOST_1", 1.0 + 2.0**-10)
    assert asked() > 20


@pytest.mark.parametrize(
    ("name", "module", "bound"),
    [
        ("exp", elementary, "EXP_ERROR"),
        ("log", quick, "LOG_ERROR"),
        ("tanh", quick, "TANH_ERROR"),
        ("power", elementary, "POWER_ERROR"),
    ],
)
def test_a_bound_that_is_too_large_is_noticed_by_the_count(
    name: str, module: Any, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, bound, getattr(module, bound) * 4.0)
    assert asked(name, monkeypatch) > TYPICAL[name][1]
