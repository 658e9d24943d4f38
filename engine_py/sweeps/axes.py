"""Unchecked values of a sweep -> axes: columns and grids, and the values at each point of them."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    pointer_step,
    quoted,
    refuse_too_many,
    utf16,
    value_error,
)

LARGEST = 2**53 - 1
"""Integers up to this one are exact in every language."""

_TEXTS = (str, bytes, bytearray, memoryview)
_JSON = (str, int, float, list, Mapping)
_HINT = "as a column, pass a list or a one-dimensional array of integers or floats"

NUMBERS_PER_CHECK = 4_096
"""The maximum number of items of a column or a grid between two checks of the deadline."""

GRID = ("from", "to", "count")

Axis = dict[str, Sequence[float]]
"""Variables that change together, by name: the columns, or one grid."""


class Grid(NamedTuple):
    """`count` points from one number to another, both included."""

    start: float
    end: float
    size: int


class Axes(NamedTuple):
    """Checked values of a sweep: numbers, which are the same at every point, columns and grids."""

    numbers: dict[str, float]
    columns: Axis
    """All of one length, with one row per point."""
    grids: dict[str, Grid]
    """In the order of their names."""

    @property
    def names(self) -> set[str]:
        """The names of all variables with a value."""
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
    """Check an object of numbers, columns and grids by name (CONTRACT.md R39)."""
    if not isinstance(values, Mapping):
        message = f"values must be an object of numbers, columns and grids, not {described(values)}"
        raise InvalidRequest(message, pointer="/values")
    refuse_too_many("values", len(values), limits)
    axes = Axes({}, {}, {})
    for name in sorted(values, key=utf16):
        value = values[name]
        if not is_name(name):
            raise value_error(name, value)
        if isinstance(value, Mapping):
            axes.grids[name] = _check_grid(name, value)
        elif (doubles := doubles_of(value)) is not None:
            axes.columns[name] = _check_doubles(name, doubles, deadline)
        elif isinstance(value, Sequence) and not isinstance(value, _TEXTS):
            axes.columns[name] = _check_column(name, value, deadline)
        else:
            rule = f"`{name}` must be a finite number, a column or a grid"
            axes.numbers[name] = _check_number(rule, value, name)
    _refuse_other_lengths(axes.columns)
    return axes


def _check_column(name: str, column: Sequence[object], deadline: Deadline) -> list[float]:
    """Check a column of at least one finite number."""
    if len(column) == 0:
        raise _error(f"the column of `{name}` is empty; it needs one number or more", name)
    doubles: list[float] = []
    for index, number in enumerate(deadline.over(column, NUMBERS_PER_CHECK)):
        double = as_double(number)
        if double is None:
            rule = f"the column of `{name}` must hold a finite number at index {index}"
            raise _error(f"{rule}, not {described(number)}", name, str(index))
        doubles.append(double + 0.0)
    return doubles


def _check_doubles(name: str, doubles: Any, deadline: Deadline) -> Any:
    """Check the items of a column; a valid array is not copied."""
    is_valid = len(doubles) and is_finite(doubles)
    return doubles if is_valid else _check_column(name, doubles, deadline)


def _check_grid(name: str, members: Mapping[Any, object]) -> Grid:
    """Check a grid: two finite numbers and a count, nothing else."""
    shape = f"the grid of `{name}` must have from, to and count"
    others = sorted(members.keys() - GRID, key=utf16)
    if others:
        shape += f", and no {quoted(str(others[0]))}"

    def number(member: str, kind: str) -> float:
        if member not in members:
            raise _error(f"{shape}; `{member}` is missing", name, member)
        rule = f"`{member}` of the grid of `{name}` must be {kind}"
        return _check_number(rule, members[member], name, member)

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
    """Refuse columns of different lengths; the first by name sets the length."""
    lengths = {name: len(column) for name, column in columns.items()}
    for name, length in lengths.items():
        first = next(iter(lengths))
        if length != lengths[first]:
            shown = f"the column of `{name}` has a length of {length}, that of `{first}` one of"
            raise _error(f"{shown} {lengths[first]}; each row is one point", name)


def _check_number(rule: str, value: object, name: str, *steps: str) -> float:
    double = as_double(value)
    if double is None:
        hint = "" if value is None or isinstance(value, _JSON) else f"; {_HINT}"
        raise _error(f"{rule}, not {described(value)}{hint}", name, *steps)
    return double


def _error(message: str, name: str, *steps: str) -> InvalidValue:
    pointer = "".join(map(pointer_step, ("values", name, *steps)))
    return InvalidValue(message, name=name, pointer=pointer)


KEPT = 2**18
"""The maximum number of points of a kept grid, 2 MB; a longer one is computed when needed."""

Run = tuple[str, Sequence[float], int, int, int]
"""(name, numbers, stride, first, last): at the index i from `first` to `last` a variable has number
`i // stride`, counted from 0 again after the last number."""


class Points:
    """All points of the axes, each by its index from 0."""

    def __init__(self, axes: Axes, deadline: Deadline = NEVER) -> None:
        """Make the points of the grids."""
        self.numbers = axes.numbers
        """Values that are the same at every point, by name."""
        self.count = stride = axes.size
        stride //= len(next(iter(axes.columns.values()), [0.0]))
        self._columns: list[tuple[str, Sequence[float] | Grid, int]] = [
            (name, numbers, stride) for name, numbers in axes.columns.items()
        ]
        for name, each in axes.grids.items():
            stride //= each.size
            kept = each if each.size > KEPT else array("d", grid(*each, deadline))
            self._columns.append((name, kept, stride))

    @property
    def names(self) -> list[str]:
        """The names of the variables that change: the columns first, then grid by grid."""
        return [name for name, *_ in self._columns]

    def runs(self, first: int, last: int) -> Iterator[Run]:
        """Yield the numbers at neighbouring points, variable by variable."""
        for name, numbers, stride in self._columns:
            if not isinstance(numbers, Grid):
                yield name, numbers, stride, first, last
                continue
            group = first // stride
            places = [each % numbers.size for each in range(group, (last - 1) // stride + 1)]
            before = group * stride
            yield name, _places(numbers, places), stride, first - before, last - before

    def rows(self, first: int, last: int) -> list[list[float]]:
        """Return the numbers at neighbouring points, a list for each variable that changes."""
        return [
            [numbers[index // stride % len(numbers)] for index in range(start, stop)]
            for _, numbers, stride, start, stop in self.runs(first, last)
        ]

    def at(self, index: int) -> dict[str, float]:
        """Return the values at a point."""
        values = self.numbers.copy()
        for name, numbers, stride in self._columns:
            place = index // stride
            if isinstance(numbers, Grid):
                [values[name]] = _places(numbers, [place % numbers.size])
            else:
                values[name] = numbers[place % len(numbers)]
        return values


_BITS = 160
"""Bits after the point of a quotient by less than 2**53. A midpoint of two doubles has at most 106,
so any other quotient is further from it than 2**-159, and rounds to the same double when it is
truncated.
"""


def grid(start: float, end: float, count: int, deadline: Deadline = NEVER) -> list[float]:
    """Compute `count` points from start to end, evenly spaced; one point is the start.

    Point i is start + (end - start) * i / (count - 1), rounded once (CONTRACT.md R39). So the ends
    are exact, a grid read backwards is the same, and from 0 to 1 in tenths has 0.3, where adding or
    multiplying steps has 0.30000000000000004.
    """
    if count == 1:
        return [start + 0.0]
    places = deadline.over(range(count), NUMBERS_PER_CHECK)
    return [*_places(Grid(start, end, count), places)]


def _places(of: Grid, places: Iterable[int]) -> Sequence[float]:
    """Compute the points of a grid of two or more at these indices."""
    (first, one), (last, other) = of.start.as_integer_ratio(), of.end.as_integer_ratio()
    unit, steps = max(one, other), of.size - 1  # both are powers of two that divide it
    first, last, e = first * (unit // one), last * (unit // other), 1 - unit.bit_length()
    return array("d", [_rounded(first * (steps - i) + last * i, steps, e) for i in places])


def _rounded(n: int, d: int, e: int) -> float:
    """Round n / d * 2**e once."""
    return round_to_double((n << _BITS) // d, e - _BITS) + 0.0


_NUMBERS = frozenset("bBhHiIlLqQefd")
_ORDERS = frozenset(("", "@", "=", "<", ">", "!"))
"""Formats that `struct` can read; an array's format is a byte order and one of these letters."""


@cache
def numpy() -> ModuleType | None:
    """Return numpy, the engine's only optional package, or None if it is not installed.

    Loading it takes a tenth of a second, so it is loaded at the first sweep. A broken one, such as
    one built for another Python, counts as missing.
    """
    try:
        return import_module("numpy")
    except ImportError:
        return None


def is_finite(doubles: memoryview) -> bool:
    """Return whether all elements are finite."""
    np = numpy()
    if np is None:
        return all(map(isfinite, doubles))
    return bool(np.isfinite(np.asarray(doubles)).all())


def doubles_of(value: object) -> Any:
    """Convert an array's numbers to the nearest doubles; None for anything else.

    An array of doubles is used in place. Bytes, gaps (a mask) and booleans are refused.
    """
    try:
        view = memoryview(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):  # no buffer, or one that Python cannot read
        return None
    if view.ndim != 1 or isinstance(view.obj, bytes | bytearray) or hasattr(value, "mask"):
        return None
    if view.format == "d":
        return view
    order, letter = view.format[:-1], view.format[-1]
    if order not in _ORDERS or letter not in _NUMBERS:
        return None
    return memoryview(array("d", unpack(f"{order}{len(view)}{letter}", view.tobytes())))
