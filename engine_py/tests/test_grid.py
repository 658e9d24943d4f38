from fractions import Fraction
from math import inf, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_py.sweeps.grid import grid

doubles = st.floats(allow_nan=False, allow_infinity=False)


def test_a_grid_of_hundredths_has_the_numbers_that_people_write() -> None:
    assert grid(-2.0, 2.0, 401) == [float(f"{i / 100 - 2:.2f}") + 0.0 for i in range(401)]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 101])
@given(start=doubles, end=doubles)
def test_each_point_is_the_exact_one_rounded_once(count: int, start: float, end: float) -> None:
    """A Fraction becomes a double by one rounding of its exact value."""
    first, distance, steps = Fraction(start), Fraction(end) - Fraction(start), max(count - 1, 1)
    assert grid(start, end, count) == [float(first + distance * i / steps) for i in range(count)]


def test_a_point_just_off_a_tie_is_not_taken_for_one() -> None:
    """1 + 2**-53 is a tie, which goes to 1; the third point of four is above it by a third."""
    ends = 1.0, nextafter(1.0, inf)
    assert grid(*ends, 3) == [1.0, 1.0, ends[1]]
    assert grid(*ends, 4) == [1.0, 1.0, ends[1], ends[1]]
