"""Unchecked values of a sweep -> axes: columns and grids, and the values at each point of them."""

from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from math import isfinite
from struct import unpack
from types import ModuleType
from typing import Any, NamedTuple

from engine_py.canonical import canonical_text
from engine_py.deadline import NEVER, Deadline
from engine_py.errors import InvalidRequest, InvalidValue
from engine_py.limits import Limits
from engine_py.numerics.exact import round_to_double
from engine_py.request import (
    as_double,
    described,
    is_name,
    no_name,
    pointer_step,
    quoted,
    refuse_too_many,
    utf16,
)

LARGEST = 2**53 - 1
"""Up to here every language has the integers exactly."""

_TEXTS = (str, bytes, bytearray, memoryview)
_JSON = (str, int, float, list, Mapping)
_HINT = "as a column, pass a list or a one-dimensional array of integers or floats"

NUMBERS_PER_CHECK = 4_096
"""Of a column that is checked, or of a grid."""

GRID = ("from", "to", "count")

Axis = dict[str, Sequence[float]]
"""Variables that change together, by name: the columns, or one grid."""


class Grid(NamedTuple):
    """So many points from one number to another, both included."""

    start: float
    end: float
    size: int


class Axes(NamedTuple):
    """Checked values of a sweep: what is the same at every point, and what is not."""

    numbers: dict[str, float]
    columns: Axis
    """All of one length, row by row a point."""
    grids: dict[str, Grid]
    """In the order of their names."""

    @property
    def names(self) -> set[str]:
        """All that have a value."""
        return {*self.numbers, *self.columns, *self.grids}

    @property
    def size(self) -> int:
        """Return the number of points, at most LARGEST, which no sweep reaches."""
        size = len(next(iter(self.columns.values()), [0.0]))
        for each in self.grids.values():
            size = min(size * each.size, LARGEST)
        return size

    def lists(self, deadline: Deadline = NEVER) -> list[Axis]:
        """Return the axes with their points: the columns first, then grid by grid."""
        lists: list[Axis] = [self.columns] if self.columns else []
        for name, each in self.grids.items():
            lists.append({name: grid(*each, deadline)})
        return lists


def check_axes(values: object, limits: Limits, deadline: Deadline = NEVER) -> Axes:
    """Accept an object from names to numbers, columns and grids (CONTRACT.md R39)."""
    if not isinstance(values, Mapping):
        message = f"values must be an object of numbers, columns and grids, not {described(values)}"
        raise InvalidRequest(message, pointer="/values")
    refuse_too_many("values", len(values), limits)
    axes = Axes({}, {}, {})
    for name in sorted(values, key=utf16):
        value = values[name]
        if not is_name(name):
            raise no_name(name)
        if isinstance(value, Mapping):
            axes.grids[name] = _check_grid(name, value)
        elif (doubles := doubles_of(value)) is not None:
            axes.columns[name] = _check_doubles(name, doubles, deadline)
        elif isinstance(value, Sequence) and not isinstance(value, _TEXTS):
            axes.columns[name] = _check_column(name, value, deadline)
        else:
            what = f"`{name}` must be a finite number, a column or a grid"
            axes.numbers[name] = _check_number(what, value, name)
    _refuse_other_lengths(axes.columns)
    return axes


def _check_column(name: str, column: Sequence[object], deadline: Deadline) -> list[float]:
    """Accept at least one finite number."""
    if len(column) == 0:
        raise _error(f"the column of `{name}` is empty; it needs one number or more", name)
    doubles: list[float] = []
    for index, number in enumerate(deadline.over(column, NUMBERS_PER_CHECK)):
        double = as_double(number)
        if double is None:
            what = f"the column of `{name}` must hold a finite number at index {index}"
            raise _error(f"{what}, not {described(number)}", name, str(index))
        doubles.append(double + 0.0)
    return doubles


def _check_doubles(name: str, doubles: Any, deadline: Deadline) -> Any:
    """Accept what a column may hold; the array is not copied where nothing is wrong."""
    is_right = len(doubles) and is_finite(doubles)
    return doubles if is_right else _check_column(name, doubles, deadline)


def _check_grid(name: str, members: Mapping[Any, object]) -> Grid:
    """Accept two finite numbers and a count, and nothing else."""
    shape = f"the grid of `{name}` must have from, to and count"
    others = sorted(members.keys() - GRID, key=utf16)
    if others:
        shape += f", and no {quoted(str(others[0]))}"

    def number(member: str, kind: str) -> float:
        if member not in members:
            raise _error(f"{shape}; `{member}` is missing", name, member)
        what = f"`{member}` of the grid of `{name}` must be {kind}"
        return _check_number(what, members[member], name, member)

    first, last = number("from", "a finite number"), number("to", "a finite number")
    kind = f"a whole number from 1 to {LARGEST}"
    whole = number("count", kind)
    if not (1 <= whole <= LARGEST and whole % 1 == 0):
        message = f"`count` of the grid of `{name}` must be {kind}, not {canonical_text(whole)}"
        raise _error(message, name, "count")
    if others:
        raise _error(shape, name, str(others[0]))
    return Grid(first, last, int(whole))


def _refuse_other_lengths(columns: Axis) -> None:
    """Accept columns of one length: the first one's, by name."""
    lengths = {name: len(column) for name, column in columns.items()}
    for name, length in lengths.items():
        first = next(iter(lengths))
        if length != lengths[first]:
            shown = f"the column of `{name}` has a length of {length}, that of `{first}` one of"
            raise _error(f"{shown} {lengths[first]}; row by row they are a point", name)


def _check_number(what: str, value: object, name: str, *steps: str) -> float:
    double = as_double(value)
    if double is None:
        hint = "" if value is None or isinstance(value, _JSON) else f"; {_HINT}"
        raise _error(f"{what}, not {described(value)}{hint}", name, *steps)
    return double


def _error(message: str, name: str, *steps: str) -> InvalidValue:
    pointer = "".join(map(pointer_step, ("values", name, *steps)))
    return InvalidValue(message, name=name, pointer=pointer)


class Points:
    """All points of some axes, each by its index from 0."""

    def __init__(self, axes: Axes, deadline: Deadline = NEVER) -> None:
        """Make the points of the grids."""
        self.numbers = axes.numbers
        """What is the same at every point, by name."""
        self.columns: list[tuple[str, Sequence[float], int]] = []
        """(name, numbers, stride): at `index` it has number `index // stride`, from 0 again."""
        self.count = stride = axes.size
        for axis in axes.lists(deadline):
            stride //= len(next(iter(axis.values())))
            self.columns += [(name, numbers, stride) for name, numbers in axis.items()]

    def at(self, index: int) -> dict[str, float]:
        """Return the values at a point."""
        values = self.numbers.copy()
        for name, numbers, stride in self.columns:
            values[name] = numbers[index // stride % len(numbers)]
        return values


_BITS = 160
"""Of a quotient by less than 2**53, after the point. A middle of two doubles has at most 106 there,
so a quotient that is none is further from it than 2**-159: cut off, it rounds to the same double.
"""


def grid(start: float, end: float, count: int, deadline: Deadline = NEVER) -> list[float]:
    """Compute `count` points from start to end, evenly spaced; of one point, the start.

    Point i is start + (end - start) * i / (count - 1), rounded once (CONTRACT.md R39). So the ends
    are exact, a grid read backwards is the same, and from 0 to 1 in tenths has 0.3, where adding or
    multiplying steps has 0.30000000000000004.
    """
    if count == 1:
        return [start + 0.0]
    (first, one), (last, other) = start.as_integer_ratio(), end.as_integer_ratio()
    unit, steps = max(one, other), count - 1  # both are powers of two, and both divide it
    first, last, e = first * (unit // one), last * (unit // other), 1 - unit.bit_length()
    places = deadline.over(range(count), NUMBERS_PER_CHECK)
    return [_rounded(first * (steps - i) + last * i, steps, e) for i in places]


def _rounded(n: int, d: int, e: int) -> float:
    """Round n / d * 2**e once."""
    return round_to_double((n << _BITS) // d, e - _BITS) + 0.0


_NUMBERS = frozenset("bBhHiIlLqQefd")
_ORDERS = frozenset(("", "@", "=", "<", ">", "!"))
"""What `struct` can read; an array's format is an order of bytes and one of these letters."""


@cache
def numpy() -> ModuleType | None:
    """Load the one package that the engine takes if it is there; else return None.

    That takes a tenth of a second, so it waits for a sweep.
    """
    try:
        return import_module("numpy")
    except ModuleNotFoundError:
        return None


def is_finite(doubles: memoryview) -> bool:
    """Say whether no element is infinite or NaN."""
    np = numpy()
    if np is None:
        return all(map(isfinite, doubles))
    return bool(np.isfinite(np.asarray(doubles)).all())


def doubles_of(value: object) -> Any:
    """Read an array's numbers as doubles, each the nearest; None for anything else.

    An array of doubles is taken as it is in memory. Bytes, gaps (a mask) and booleans are refused.
    """
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):  # it has no buffer, or none that Python can read
        return None
    if view.ndim != 1 or isinstance(view.obj, bytes | bytearray) or hasattr(value, "mask"):
        return None
    if view.format == "d":
        return view
    order, letter = view.format[:-1], view.format[-1]
    if order not in _ORDERS or letter not in _NUMBERS:
        return None
    return memoryview(array("d", unpack(f"{order}{len(view)}{letter}", view.tobytes())))
