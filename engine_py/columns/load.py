"""numpy, where it is installed: the one package that the engine takes if it is there."""

from functools import cache
from importlib import import_module
from math import isfinite
from types import ModuleType


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
