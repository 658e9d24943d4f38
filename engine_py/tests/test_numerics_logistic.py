"""Sigmoid and softplus: the integers' results, bounds that hold, few fallbacks.

That every result is right is tested in parity_tests, for all engines alike.
"""

import math
from collections.abc import Callable
from random import Random
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine_py.numerics import logistic as numerics
from engine_py.numerics.exact import ERROR, Recipe
from engine_py.numerics.quick import Pair

EXACT = gmpy2.context(precision=3000)
"""1 - e**-600 needs 866 bits, and q is up to 1,024."""
DERANDOMIZED = settings(derandomize=True, deadline=None, database=None, max_examples=400)
DOUBLES = st.floats(allow_nan=False, allow_infinity=False)


def sigmoid(x: float) -> Any:
    return EXACT.div(1, EXACT.add(1, EXACT.exp(-mpfr(x))))


def softplus(x: float) -> Any:
    return EXACT.add(max(x, 0.0), EXACT.log1p(EXACT.exp(-mpfr(abs(x)))))


@DERANDOMIZED
@given(DOUBLES | st.floats(-750.0, 45.0) | st.floats(-2.0, 2.0))
@example(0.0)
@example(2.0**-52)
@example(3 * 2.0**-52)
@example(-600.0)
@example(math.nextafter(-600.0, 0.0))
@example(math.nextafter(40.0, 0.0))
@example(40.0)
@example(math.nextafter(40.0, 50.0))
@example(-11.783502069519)
@example(-745.1332191019411)
def test_the_quick_steps_give_the_integers_result(x: float) -> None:
    assert numerics.sigmoid(x) == numerics.exact_sigmoid(x)
    assert numerics.softplus(x) == numerics.exact_softplus(x)


@pytest.mark.parametrize("x", [-745.0, -40.5, -1e-300, 0.0, 0.3, 2.0**-52, 39.0])
@pytest.mark.parametrize(
    ("function", "true"),
    [(numerics.exact_sigmoid, sigmoid), (numerics.exact_softplus, softplus)],
)
def test_a_recipe_keeps_its_promise(
    x: float,
    function: Callable[[float], float],
    true: Callable[[float], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[Any] = []

    def keep(recipe: Recipe) -> float:
        found.append(recipe)
        return 0.0

    monkeypatch.setattr(numerics, "nearest", keep)
    function(x)
    for q in (128, 256, 1024):
        n, error, e = found[0](q)
        off = EXACT.abs(EXACT.sub(EXACT.mul_2exp(true(x), -e), n))
        assert error == ERROR
        assert off < 2**31


@pytest.mark.parametrize(
    ("pair_of", "true", "least"),
    [(numerics.sigmoid_pair, sigmoid, 0.5), (numerics.softplus_pair, softplus, 0.3)],
)
def test_the_pairs_are_nearer_than_their_bounds(
    pair_of: Callable[[float], Pair], true: Callable[[float], Any], least: float
) -> None:
    random, worst, undecided = Random("logistic"), 0.0, 0
    with gmpy2.context(precision=400):
        for _ in range(4_000):
            x = random.choice(
                [random.uniform(-600, 40), random.uniform(-15, 15), random.gauss(0, 1)]
            )
            high, low, error = pair_of(x)
            off = abs(mpfr(high) + mpfr(low) - true(x))
            worst = max(worst, float(off / error))
            undecided += high + (low + error) != high + (low - error)
    assert least < worst < 0.99  # the bound is no waste
    assert undecided < 12
