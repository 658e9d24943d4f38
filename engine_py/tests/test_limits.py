from collections.abc import Callable
from functools import partial
from math import inf, nan
from typing import Any

import pytest

from engine_py import (
    DEFAULT_LIMITS,
    Limits,
    Value,
    accuracy,
    introspect,
    introspect_value,
    paths,
)
from engine_py.accuracy.accuracy import compare
from engine_py.introspect import prepare_text
from engine_py.lab.commands import LAB


@pytest.mark.parametrize("wrong", [-1, 2.5, 5.0, nan, inf, -inf, None, True, "5"])
@pytest.mark.parametrize("name", Limits._fields)
def test_a_limit_is_a_whole_number_from_0_up(name: str, wrong: Any) -> None:
    limits = DEFAULT_LIMITS._replace(**{name: wrong})
    a = Value(1.0, "a")
    document = introspect("a", {"a": 1}, parameters=["a"])
    calls: list[Callable[[], object]] = [
        lambda: introspect("a", {"a": 1}, limits=limits),
        lambda: prepare_text("a", limits=limits),
        lambda: introspect_value(a, limits=limits),
        lambda: paths(document, node="a", limits=limits),
        lambda: accuracy("a", {"a": 1}, limits=limits),
        lambda: compare(document, {"a": 1.0}, document, limits=limits),
        *(
            partial(LAB[name].run, document, limits=limits)
            for name in ("experiment", "descend", "hessian")
        ),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"limits\.{name} must be a whole number, 0 or more"):
            call()
