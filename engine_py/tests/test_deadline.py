"""A deadline ends a computation at the next look, wherever that is; clocks are counters here."""

from collections.abc import Callable
from itertools import count
from math import inf
from typing import Any

import pytest

from engine_py import Deadline, DeadlineExceeded, Descending, prepare
from engine_py.deadline import NEVER
from engine_py.lab.commands import LAB


def after(looks: int) -> Deadline:
    """Return a deadline that passes after so many looks."""
    ticks = count()
    return Deadline(looks, lambda: next(ticks))


def looks_of(compute: Callable[[Deadline], object]) -> int:
    """Count the looks of a computation at a deadline that never passes."""
    ticks = count()
    compute(Deadline(inf, lambda: next(ticks)))
    return next(ticks) - 1


def test_a_deadline_says_how_long_it_was() -> None:
    deadline = after(2)
    deadline.check()
    deadline.check()
    with pytest.raises(DeadlineExceeded, match=r"more than 2 s") as caught:
        deadline.check()
    assert caught.value.seconds == 2


def test_items_are_looked_at_in_groups() -> None:
    seen: list[int] = []
    with pytest.raises(DeadlineExceeded):
        seen.extend(after(2).over(range(100), 10))
    assert list(after(10).over(range(100), 10)) == list(range(100))
    assert list(after(0).over(range(10), 10)) == list(range(10))


@pytest.mark.parametrize("name", LAB)
def test_a_command_of_the_lab_takes_a_deadline(name: str) -> None:
    document = prepare("w * x").introspect({"w": 2, "x": 3}, parameters=["w"])
    members: dict[str, Any] = {"node": "x"} if name == "paths" else {}
    result = LAB[name].run(document, **members, deadline=NEVER)
    assert result["document"] == document


def test_a_step_of_a_descent_over_many_rows_is_interrupted() -> None:
    text = "+".join(["(w * x - y) ** 2"] * 100)
    rows = [{"x": row, "y": 1} for row in range(100)]
    options: dict[str, Any] = {
        "values": {"w": 1, "x": 1, "y": 1},
        "parameters": ["w"],
        "rows": rows,
    }

    def descend(deadline: Deadline, steps: int) -> Descending:
        return Descending(text, deadline=deadline, steps=steps, **options)

    before = looks_of(lambda deadline: list(descend(deadline, 0)))
    within = looks_of(lambda deadline: list(descend(deadline, 1))) - before
    assert within >= 100
    descending = descend(after(before + within // 2), 1)
    assert next(descending)["step"] == 0
    with pytest.raises(DeadlineExceeded):
        next(descending)
    assert list(descending) == []
    assert descending.fault is None
