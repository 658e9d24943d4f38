"""Unchecked values of a sweep -> axes: columns and grids, and how many points they span."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine_py.canonical import canonical_text
from engine_py.errors import InvalidRequest, InvalidValue
from engine_py.limits import Limits
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
from engine_py.sweeps.columns.load import doubles_of, is_finite
from engine_py.sweeps.grid import grid

LARGEST = 2**53 - 1
"""Up to here every language has the integers exactly."""

_TEXTS = (str, bytes, bytearray, memoryview)
_JSON = (str, int, float, list, Mapping)
_HINT = "as a column, pass a list or a one-dimensional array of integers or floats"

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
        """How many points there are."""
        size = len(next(iter(self.columns.values()), [0.0]))
        for each in self.grids.values():
            size *= each.size
        return size

    def lists(self) -> list[Axis]:
        """Give the axes with their points: the columns first, then grid by grid."""
        lists: list[Axis] = [self.columns] if self.columns else []
        for name, each in self.grids.items():
            lists.append({name: grid(*each)})
        return lists


def check_axes(values: object, limits: Limits) -> Axes:
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
            axes.columns[name] = _check_doubles(name, doubles)
        elif isinstance(value, Sequence) and not isinstance(value, _TEXTS):
            axes.columns[name] = _check_column(name, value)
        else:
            what = f"`{name}` must be a finite number, a column or a grid"
            axes.numbers[name] = _check_number(what, value, name)
    _refuse_other_lengths(axes.columns)
    return axes


def _check_column(name: str, column: Sequence[object]) -> list[float]:
    """Accept at least one finite number."""
    if len(column) == 0:
        raise _error(f"the column of `{name}` is empty; it needs one number or more", name)
    doubles: list[float] = []
    for index, number in enumerate(column):
        double = as_double(number)
        if double is None:
            what = f"the column of `{name}` must hold a finite number at index {index}"
            raise _error(f"{what}, not {described(number)}", name, str(index))
        doubles.append(double + 0.0)
    return doubles


def _check_doubles(name: str, doubles: Any) -> Any:
    """Accept what a column may hold; the array is not copied where nothing is wrong."""
    return doubles if len(doubles) and is_finite(doubles) else _check_column(name, doubles)


def _check_grid(name: str, members: Mapping[Any, object]) -> Grid:
    """Accept two finite numbers and a count, and nothing else."""
    start, end, count = (members.get(member) for member in GRID)
    what = f"of the grid of `{name}` must be a finite number"
    first = _check_number(f"`from` {what}", start, name, "from")
    last = _check_number(f"`to` {what}", end, name, "to")
    what = f"`count` of the grid of `{name}` must be a whole number from 1 to {LARGEST}"
    whole = _check_number(what, count, name, "count")
    if not (1 <= whole <= LARGEST and whole % 1 == 0):
        raise _error(f"{what}, not {canonical_text(whole)}", name, "count")
    if unknown := members.keys() - GRID:
        other = min(unknown, key=utf16)
        message = f"the grid of `{name}` has from, to and count, and no {quoted(str(other))}"
        raise _error(message, name, str(other))
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
