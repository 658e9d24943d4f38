"""A deadline ends a computation at its next look, wherever that is. Clocks are counters here."""

from collections.abc import Callable
from itertools import count
from math import inf
from typing import Any

import pytest

from engine_py import (
    Deadline,
    DeadlineExceeded,
    Descending,
    Value,
    accuracy,
    descend,
    draw,
    experiment,
    hessian,
    introspect,
    introspect_value,
    lay_out,
    outline,
    paths,
    prepare,
    rewrite,
    sweep,
)
from engine_py.accuracy.ball import KNOWN
from engine_py.accuracy.truth import LEVELS, Truth, program_of
from engine_py.deadline import NEVER
from engine_py.errors import GradientError
from engine_py.lab.commands import LAB
from engine_py.sweeps import axes, blocks

Compute = Callable[[Deadline], Any]

LONG = "+".join(["sin(x)"] * 500)
"""1,000 nodes, of which 999 are operations."""
SUMS = "+".join(f"a{index}" for index in range(200))
OF_SUMS = {f"a{index}": 0.5 for index in range(200)}
EQUAL = "+".join(["max(exp(log(x)), x)"] * 10)
"""Numbers that are equal, which only the most bits tell."""
DOUBLED = ";".join(["a0 = x + x", *(f"a{n + 1} = a{n} + a{n}" for n in range(9)), "a9 * 1"])
"""1,024 paths."""
LONG_DOCUMENT = introspect(LONG, {"x": 1})
NEGATIVE = {"x": {"from": -1, "to": -2, "count": 2_000}}
ROWS = [{"x": row, "y": 1} for row in range(100)]


def after(looks: int) -> Deadline:
    """Return a deadline that passes after so many looks."""
    ticks = count()
    return Deadline(looks, lambda: next(ticks))


def looks_of(compute: Compute) -> int:
    """Count the looks of a computation at a deadline that never passes."""
    ticks = count()
    compute(Deadline(inf, lambda: next(ticks)))
    return next(ticks) - 1


def failing(deadline: Deadline) -> str:
    """Return why a program of many nodes has no result, for which its pass is made again."""
    try:
        introspect(f"{LONG} + log(0 * x)", {"x": 1}, deadline=deadline)
    except GradientError as error:
        return error.code
    return ""


def long_value() -> Value:
    total = x = Value(1.0, label="x")
    for _ in range(500):
        total = total * x
    return total


LONGEST: dict[str, tuple[int, Compute]] = {
    "parsing": (2, lambda deadline: outline("x * y", deadline=deadline)),
    "reading what people write": (
        12,
        lambda deadline: rewrite("2x" + "+tan(x)" * 500, deadline=deadline),
    ),
    "a pass": (4, lambda deadline: introspect(LONG, {"x": 1}, deadline=deadline)),
    "a pass that fails": (8, failing),
    "a pass over Values": (2, lambda deadline: introspect_value(long_value(), deadline=deadline)),
    "one point": (4, lambda deadline: prepare(LONG).gradients({"x": 1}, deadline=deadline)),
    "points that fail": (
        15,
        lambda deadline: sweep("log(x)", NEGATIVE, deadline=deadline),
    ),
    "a function of many points": (
        14,
        lambda deadline: prepare("sin(x)").columns(
            {"x": {"from": 1e5, "to": 2e5, "count": 2_000}}, deadline=deadline
        ),
    ),
    "many operations on a few points": (
        125,
        lambda deadline: prepare(LONG).sweep({"x": [1, 2]}, deadline=deadline),
    ),
    "a grid": (
        10,
        lambda deadline: sweep(
            "x", {"x": {"from": 0, "to": 1, "count": 20_000}}, deadline=deadline
        ),
    ),
    "a column": (
        10,
        lambda deadline: prepare("x").sweep({"x": [1] * 20_000}, deadline=deadline),
    ),
    "one step over many rows": (
        300,
        lambda deadline: descend(
            "+".join(["(w * x - y) ** 2"] * 100),
            {"w": 1, "x": 1, "y": 1},
            parameters=["w"],
            rows=ROWS,
            steps=0,
            deadline=deadline,
        ),
    ),
    "many short steps": (
        15,
        lambda deadline: descend(
            "w * w", {"w": 1}, parameters=["w"], steps=2_000, deadline=deadline
        ),
    ),
    "one direction of a Hessian": (
        16,
        lambda deadline: hessian(LONG_DOCUMENT, vector={"x": 1}, variables=[], deadline=deadline),
    ),
    "many directions": (
        1400,
        lambda deadline: hessian(SUMS, OF_SUMS, deadline=deadline),
    ),
    "paths": (
        1_000,
        lambda deadline: paths(DOUBLED, {"x": 1}, node="x", most=1_000, deadline=deadline),
    ),
    "an experiment of one pass": (
        24,
        lambda deadline: experiment(LONG_DOCUMENT, deadline=deadline),
    ),
    "an experiment that collects": (
        24,
        lambda deadline: experiment(LONG_DOCUMENT, walk="pull", deadline=deadline),
    ),
    "an experiment that reads operands again": (
        48,
        lambda deadline: experiment(LONG_DOCUMENT, mutate={"x": 2}, deadline=deadline),
    ),
    "true numbers": (16, lambda deadline: accuracy(LONG_DOCUMENT, most=0, deadline=deadline)),
    "true numbers of most bits": (
        41,
        lambda deadline: accuracy(EQUAL, {"x": 3.3}, deadline=deadline),
    ),
    "culprits": (
        140,
        lambda deadline: accuracy(
            LONG_DOCUMENT, why={"node": "x", "number": "grad"}, deadline=deadline
        ),
    ),
    "claims": (
        24,
        lambda deadline: accuracy(LONG_DOCUMENT, most=0, claimed={"x": 1}, deadline=deadline),
    ),
    "central differences": (
        120,
        lambda deadline: accuracy(LONG_DOCUMENT, most=0, witnesses=True, deadline=deadline),
    ),
    "a drawing": (190, lambda deadline: draw(LONG_DOCUMENT, deadline=deadline)),
    "a layout": (190, lambda deadline: lay_out(LONG_DOCUMENT, deadline=deadline)),
}
"""A computation, and the least of looks that it takes: each is one pass, step, point or level."""


def test_a_deadline_says_how_long_it_was() -> None:
    deadline = after(2)
    deadline.check()
    deadline.check()
    with pytest.raises(DeadlineExceeded, match=r"more than 2 s") as caught:
        deadline.check()
    assert caught.value.seconds == 2


def test_it_says_nothing_about_the_request() -> None:
    assert not issubclass(DeadlineExceeded, GradientError)


def test_items_are_looked_at_in_groups() -> None:
    seen: list[int] = []
    with pytest.raises(DeadlineExceeded):
        seen.extend(after(2).over(range(100), 10))
    assert looks_of(lambda deadline: list(deadline.over(range(100), 10))) == 10
    assert looks_of(lambda deadline: list(deadline.over(range(10), 10))) == 0
    assert list(after(10).over(range(100), 10)) == list(range(100))


def test_a_check_of_ones_own_stops_for_another_reason() -> None:
    class Stopped(Exception):
        pass

    class Flag(Deadline):
        is_set = False

        def check(self) -> None:
            if self.is_set:
                raise Stopped

    flag = Flag(inf)
    introspect(LONG, {"x": 1}, deadline=flag)
    flag.is_set = True
    with pytest.raises(Stopped):
        introspect(LONG, {"x": 1}, deadline=flag)


@pytest.mark.parametrize("name", LONGEST)
def test_a_long_computation_ends_at_the_look_that_is_too_late(name: str) -> None:
    least, compute = LONGEST[name]
    looks = looks_of(compute)
    assert looks >= least
    for look in (0, looks // 2, looks - 1):
        with pytest.raises(DeadlineExceeded):
            compute(after(look))
    assert compute(after(looks)) == compute(Deadline(inf))


@pytest.mark.parametrize("name", LAB)
def test_a_command_of_the_lab_takes_a_deadline(name: str) -> None:
    document = prepare(LONG).introspect({"x": 1}, parameters=["x"])
    members: dict[str, Any] = {"node": "x"} if name == "paths" else {}
    with pytest.raises(DeadlineExceeded):
        LAB[name].run(document, **members, deadline=after(0))


def test_points_are_interrupted_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "numpy", lambda: None)
    monkeypatch.setattr(axes, "numpy", lambda: None)
    values = {"x": [1.0] * 1_000}
    assert looks_of(lambda deadline: prepare("x * x").columns(values, deadline=deadline)) >= 7


def test_a_descent_keeps_its_points_and_is_over() -> None:
    def descending(deadline: Deadline, steps: int) -> Descending:
        return Descending(
            "(w * x - y) ** 2",
            {"w": 1, "x": 1, "y": 1},
            parameters=["w"],
            rows=ROWS,
            steps=steps,
            deadline=deadline,
        )

    before = looks_of(lambda deadline: list(descending(deadline, 0)))
    within = looks_of(lambda deadline: list(descending(deadline, 1))) - before
    assert within >= 2
    stopped = descending(after(before + within - 1), 1)
    assert next(stopped) == next(descending(Deadline(inf), 1))
    with pytest.raises(DeadlineExceeded):
        next(stopped)
    assert list(stopped) == []
    assert stopped.fault is None


def test_what_is_kept_is_whole_after_a_deadline() -> None:
    document = introspect(EQUAL, {"x": 3.3})
    truth = Truth(program_of(document, document["values"]), deadline=after(20))
    with pytest.raises(DeadlineExceeded):
        truth.at(KNOWN)
    truth.deadline = NEVER
    whole = Truth(truth.program)
    for p in LEVELS[: LEVELS.index(KNOWN) + 1]:
        assert truth.at(p)[1:] == whole.at(p)[1:]
