"""Rounding by integers, and the error bounds on which correct rounding rests.

parity_tests checks the results of all engines against exact values.
"""

import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from struct import unpack
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine_py.numerics import exact as numerics
from engine_py.numerics import logistic, near_zero, wave
from engine_py.numerics.exact import Recipe, power, round_to_double
from engine_py.tests.helpers import Json, units

LARGEST = math.nextafter(math.inf, 0.0)
SMALLEST = 2.0**-1074

DERANDOMIZED = settings(derandomize=True, deadline=None, database=None, max_examples=300)
nearest_double = numerics.nearest


@pytest.fixture(autouse=True, scope="module")
def precisions() -> Iterator[list[int]]:
    """Record the precisions that Ziv's loop tries; an endless loop fails instead of hanging."""
    precisions: list[int] = []

    def spy(recipe: Recipe) -> float:
        def noted(q: int) -> tuple[int, int, int]:
            precisions.append(q)
            assert q <= 4096
            return recipe(q)

        return nearest_double(noted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numerics, "nearest", spy)
        yield precisions


def nearest(value: Fraction) -> float:
    """Round by Python's division of two integers, which is correctly rounded."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# Rounding


@units("numerics", "rounded")
def test_an_integer_times_a_power_of_two_is_rounded_once(case: Json) -> None:
    for n, e, rounded in case["rows"]:
        integer, shift, less = (*re.split(r" << | \+ ", n), "0", "0")[:3]
        assert round_to_double((int(integer) << int(shift)) + int(less), e) == float(rounded), n


@pytest.mark.parametrize("e", [10**9, 10**18, 10**300])
def test_an_exponent_beyond_all_doubles_costs_nothing(e: int) -> None:
    assert round_to_double(1, e) == math.inf
    assert round_to_double(-7, e) == -math.inf
    assert round_to_double(1, -e) == 0.0
    assert round_to_double(-(2**2000), -e) == 0.0
    assert round_to_double(0, e) == 0.0


@DERANDOMIZED
@given(st.integers(-(2**200), 2**200), st.integers(-1300, 1100))
@example(2**2000 - 1, -2000 - 1022)
@example((7 << 1024) ** 3 + 1, -3080)
@example(3**2000, 0)
def test_rounding_gives_the_quotient_of_two_integers(n: int, e: int) -> None:
    assert round_to_double(n, e) == nearest(Fraction(n) * Fraction(2) ** e)


# The bounds. The promise of a recipe is what makes the answer correct, so it is measured against
# MPFR with enough bits for its own error to be negligible.

EXACT = gmpy2.context(precision=5000, emin=-10000, emax=10000)
PRECISIONS = (128, 256, 512, 1024, 4096)


def units_off(n: int, value: Any, q: int) -> Any:
    """Measure the distance of n * 2**-q from a value, in units of 2**-q."""
    return EXACT.abs(EXACT.sub(mpfr(n, 5000), EXACT.mul_2exp(value, q)))


def exact(n: int, q: int = 0) -> Any:
    """Return n * 2**-q."""
    return EXACT.div_2exp(mpfr(n, 5000), q)


@pytest.mark.parametrize("q", PRECISIONS)
def test_twice_atanh_is_off_by_less_than_4q_units(q: int) -> None:
    random = Random(q)
    fractions = [(1, 3), (-1, 3), (1, 5), (-1, 5), (1, 2**60), (-1, 2**60), (0, 1)]
    fractions += [(random.randint(-(2**53), 2**53), 3 * 2**53) for _ in range(60)]
    for a, b in fractions:
        value = EXACT.atanh(EXACT.div(exact(a), exact(b)))
        assert units_off(numerics.twice_atanh(a, b, q), EXACT.mul_2exp(value, 1), q) < 4 * q


@pytest.mark.parametrize("q", PRECISIONS)
def test_ln_2_is_off_by_less_than_4q_units(q: int) -> None:
    assert units_off(numerics.ln2(q), EXACT.log(mpfr(2)), q) < 4 * q


@pytest.mark.parametrize("q", [128, 256, 1356, 4096])
def test_half_of_pi_is_off_by_less_than_its_bound(q: int) -> None:
    assert units_off(wave.half_pi(q), EXACT.div(EXACT.const_pi(), 2), q) < 10 * q + 1


@pytest.mark.parametrize("q", PRECISIONS)
def test_the_logarithm_is_off_by_less_than_2_to_the_26_units(q: int) -> None:
    for x in bases(Random(q)):
        n, e = numerics._split(x)
        off = units_off(numerics.log_fixed(n, e, q), EXACT.log(mpfr(x)), q)
        assert off < 4 * q + 1100 * 4 * q < 2**26


@pytest.mark.parametrize("q", PRECISIONS)
def test_the_exponential_is_off_by_less_than_2_to_the_28_units(q: int) -> None:
    random, ln2 = Random(q), numerics.ln2(q)
    arguments = [random.randint(-801 << q, 801 << q) for _ in range(60)]
    arguments += [k * ln2 + off for k in (-1155, -1, 0, 1, 1155) for off in (-1, 0, 1)]
    for y in arguments:
        n, k = numerics.exp_fixed(y, q)
        assert units_off(n, EXACT.div_2exp(EXACT.exp(exact(y, q)), k), q) < 2**28
        assert abs(k) <= 1200
        assert 1 << q <= n < (2 << q) + 2**28


def bases(random: Random) -> list[float]:
    """Draw positive doubles of all sizes and around 1."""
    edges = [SMALLEST, 3 * SMALLEST, 2.0**-1022, 2.0, 0.5, 2 / 3, 4 / 3, 4 / 3 + 2.0**-52, LARGEST]
    edges += [math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)]
    return edges + [
        math.ldexp(1.0 + random.random(), random.choice((0, -1, random.randint(-1074, 1023))))
        for _ in range(60)
    ]


def recipe_of(
    function: Callable[..., float], *operands: float, module: Any = numerics
) -> Recipe | None:
    """Catch the recipe that a function passes to `nearest`, or return None."""
    caught: list[Recipe] = []

    def catch(recipe: Recipe) -> float:
        caught.append(recipe)
        return 1.0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "nearest", catch)
        function(*operands)
    return caught[0] if caught else None


def assert_honest(recipe: Recipe | None, value: Any, q: int, derived: float) -> bool:
    """Check that a recipe's error is within its comment's bound, and that within its promise."""
    if recipe is None:
        return False
    n, error, e = recipe(q)
    off = units_off(n, value, -e)
    assert off <= derived
    assert derived <= error
    return True


@pytest.mark.parametrize("q", PRECISIONS)
def test_the_recipes_of_exp_log_and_tanh_keep_their_promise(q: int) -> None:
    random = Random(q)
    small = [random.choice((1, -1)) * 2.0 ** random.uniform(-60.0, 3.0) for _ in range(40)]
    spread = [random.uniform(-746.0, 710.0) for _ in range(40)]
    for x in [*small, *spread, 0.0, 710.0, -746.0, SMALLEST, -SMALLEST, 2.0**-28, 20.0]:
        value = mpfr(x)
        assert_honest(recipe_of(numerics.exp, x), EXACT.exp(value), q, 2**28 + 2)
        assert_honest(recipe_of(numerics.tanh, x), EXACT.abs(EXACT.tanh(value)), q, 2**33)
    for x in bases(random):
        assert_honest(recipe_of(numerics.log, x), EXACT.log(mpfr(x)), q, 2**26)


@pytest.mark.parametrize("q", PRECISIONS)
def test_the_recipe_of_power_keeps_its_promise(q: int) -> None:
    random, measured = Random(q), 0
    for x in bases(random):
        widest = min(LARGEST, 799.0 / abs(math.log(x)))
        for c in (widest, -widest, random.uniform(-widest, widest), 0.3, -1.5, 2.0**-1074):
            value = EXACT.exp(EXACT.mul(mpfr(c), EXACT.log(mpfr(x))))
            derived = 2**28 + 3 * (abs(c) * 2**26 + 1)
            measured += assert_honest(recipe_of(power, x, c), value, q, derived)
    assert measured > 250


@pytest.mark.parametrize("q", [128, 256, 1024])
def test_the_recipes_of_sigmoid_and_softplus_keep_their_promise(q: int) -> None:
    for x in (-745.0, -40.5, -1e-300, 0.0, 0.3, 2.0**-52, 39.0):
        power_of_e = EXACT.exp(-mpfr(x))
        for function, value in [
            (logistic.exact_sigmoid, EXACT.div(1, EXACT.add(1, power_of_e))),
            (logistic.exact_softplus, EXACT.add(x, EXACT.log1p(power_of_e))),
        ]:
            assert assert_honest(recipe_of(function, x, module=logistic), value, q, 2**31)


@pytest.mark.parametrize("q", [128, 256, 1024])
def test_the_recipe_of_sin_and_cos_keeps_its_promise(q: int) -> None:
    """By far: the error is less than 2**13 units, and 2**40 are promised."""
    closest = 6381956970095103 * 2.0**797  # of all doubles to a multiple of pi / 2
    for x in (0.7, 1e5, 2.0**32, 1e22, closest, LARGEST):
        for ahead, value in ((0, EXACT.sin(mpfr(x))), (1, EXACT.cos(mpfr(x)))):
            recipe = recipe_of(wave.exact_wave, x, ahead, module=wave)
            assert assert_honest(recipe, value, q, 2**13)


@pytest.mark.parametrize("q", [128, 256, 1024])
def test_the_recipes_of_log1p_expm1_and_atan_keep_their_promise(q: int) -> None:
    for function, value, derived, operands in [
        (near_zero.exact_log1p, EXACT.log1p, 2**26, (-0.9, -1e-9, 0.3, 1.0, 1e15)),
        (near_zero.exact_expm1, EXACT.expm1, 2**31, (-39.9, -1e-9, 2.0**-54, 0.3, 709.0)),
        (near_zero.exact_atan, EXACT.atan, 2**17, (-0.9, -1e-8, 0.3, 1.0, 709.0, 1e15)),
    ]:
        for x in operands:
            recipe = recipe_of(function, x, module=near_zero)
            assert assert_honest(recipe, value(mpfr(x)), q, derived)


# Ziv's loop

HARD_CASES = Path(__file__).parents[2] / "parity_tests" / "exactness" / "hard_cases"
FUNCTIONS: dict[str, Callable[..., float]] = {
    "pow": power,
    "exp": numerics.exp,
    "log": numerics.log,
    "tanh": numerics.tanh,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_hard_cases_need_a_second_round_but_never_more_than_512_bits(
    name: str, precisions: list[int]
) -> None:
    precisions.clear()
    for line in (HARD_CASES / f"{name}.txt").read_text().splitlines():
        if line and line[0] not in "#[" and not line.endswith(" -"):
            *operands, _ = line.split()
            FUNCTIONS[name](*(unpack(">d", bytes.fromhex(bits))[0] for bits in operands))
    assert {128, 256} <= set(precisions) <= {128, 256, 512}
