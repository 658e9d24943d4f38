"""numpy, the one package that the engine takes if it is there; arrays of numbers -> doubles."""

from array import array
from functools import cache
from importlib import import_module
from math import isfinite
from struct import unpack
from types import ModuleType
from typing import Any

_NUMBERS = frozenset("bBhHiIlLqQefd")
_ORDERS = frozenset(("", "@", "=", "<", ">", "!"))
"""What `struct` can read; an array's format is an order of bytes and one of these letters."""


@cache
def numpy() -> ModuleType | None:
    """Give the package, or None. Loading it takes a tenth of a second, so it waits for a sweep."""
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
    """Give an array's numbers as doubles, each the nearest; None for anything else.

    An array of doubles is given as it is in memory. Bytes, gaps (a mask) and booleans are refused.
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
