"""A deadline ends a computation at its next check. The clocks in these tests are counters."""

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
    descend,
    hessian,
    introspect,
    introspect_value,
    prepare,
    rewrite,
)
from engine_py.accuracy.ball import KNOWN
from engine_py.accuracy.truth import LEVELS, Truth, ball_program
from engine_py.deadline import NEVER
from engine_py.errors import GradientError
from engine_py.lab.commands import LAB
from engine_py.sweeps import axes, blocks
from engine_py.tests.helpers import Json, ask, units

Compute = Callable[[Deadline], Any]

LONG = "+".join(["sin(x)"] * 500)
"""1,000 nodes, of which 999 are operations."""
SUMS = "+".join(f"a{index}" for index in range(200))
OF_SUMS = {f"a{index}": 0.5 for index in range(200)}
EQUAL = "+".join(["max(exp(log(x)), x)"] * 10)
"""Equal numbers, which need the highest precision to compare."""
LONG_DOCUMENT = introspect(LONG, {"x": 1})
POINTS = {"from": 1e5, "to": 2e5, "count": 2_000}
ROWS = [{"x": row, "y": 1} for row in range(100)]


def after(checks: int) -> Deadline:
    """Return a deadline that passes after `checks` checks."""
    ticks = count()
    return Deadline(checks, lambda: next(ticks))


def checks_of(compute: Compute) -> int:
    """Count how often a computation checks a deadline that never passes."""
    ticks = count()
    compute(Deadline(inf, lambda: next(ticks)))
    return next(ticks) - 1


def failing(deadline: Deadline) -> str:
    """Return the error of a long program; to find its place, the engine repeats the pass."""
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


INTERRUPTED: dict[str, tuple[int, Compute]] = {
    "reading what people write": (
        12,
        lambda deadline: rewrite("2x" + "+tan(x)" * 500, deadline=deadline),
    ),
    "a pass that fails": (8, failing),
    "a pass over Values": (2, lambda deadline: introspect_value(long_value(), deadline=deadline)),
    "one point": (4, lambda deadline: prepare(LONG).gradients({"x": 1}, deadline=deadline)),
    "a function of many points": (
        14,
        lambda deadline: prepare("sin(x)").columns({"x": POINTS}, deadline=deadline),
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
    "many directions": (1400, lambda deadline: hessian(SUMS, OF_SUMS, deadline=deadline)),
}
"""Computations too long for a table in JSON, with the least number of deadline checks of each."""


def test_deadline_exceeded_has_the_seconds_of_its_deadline() -> None:
    deadline = after(2)
    deadline.check()
    deadline.check()
    with pytest.raises(DeadlineExceeded, match=r"more than 2 s") as caught:
        deadline.check()
    assert caught.value.seconds == 2
    assert not isinstance(caught.value, GradientError)  # it says nothing about the request


def test_the_deadline_is_checked_once_for_each_group_of_items() -> None:
    seen: list[int] = []
    with pytest.raises(DeadlineExceeded):
        seen.extend(after(2).over(range(100), 10))
    assert checks_of(lambda deadline: list(deadline.over(range(100), 10))) == 10
    assert checks_of(lambda deadline: list(deadline.over(range(10), 10))) == 0
    assert list(after(10).over(range(100), 10)) == list(range(100))


def test_a_subclass_can_stop_a_computation_for_its_own_reason() -> None:
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


def assert_interrupted(least: int, compute: Compute) -> None:
    """Interrupt a computation at its first check, in the middle and at the last one."""
    ticks = count()
    whole = compute(Deadline(inf, lambda: next(ticks)))
    checks = next(ticks) - 1
    assert checks >= least
    for passed in (0, checks // 2, checks - 1):
        with pytest.raises(DeadlineExceeded):
            compute(after(passed))
    assert compute(after(checks)) == whole


@pytest.mark.parametrize("name", INTERRUPTED)
def test_a_deadline_interrupts_a_long_computation(name: str) -> None:
    assert_interrupted(*INTERRUPTED[name])


@units("deadline", "interrupted")
def test_a_deadline_interrupts_a_function_of_the_package(case: Json) -> None:
    text = "+".join([case["sum"]] * case["count"]) if "sum" in case else case.get("text")
    subject = text or LONG_DOCUMENT
    assert_interrupted(case["least"], lambda deadline: ask(case, subject, deadline=deadline))


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
    assert checks_of(lambda deadline: prepare("x * x").columns(values, deadline=deadline)) >= 7


def test_an_interrupted_descent_keeps_its_points_and_ends() -> None:
    def descending(deadline: Deadline, steps: int) -> Descending:
        return Descending(
            "(w * x - y) ** 2",
            {"w": 1, "x": 1, "y": 1},
            parameters=["w"],
            rows=ROWS,
            steps=steps,
            deadline=deadline,
        )

    before = checks_of(lambda deadline: list(descending(deadline, 0)))
    within = checks_of(lambda deadline: list(descending(deadline, 1))) - before
    assert within >= 2
    stopped = descending(after(before + within - 1), 1)
    assert next(stopped) == next(descending(Deadline(inf), 1))
    with pytest.raises(DeadlineExceeded):
        next(stopped)
    assert list(stopped) == []
    assert stopped.fault is None


def test_cached_exact_values_stay_complete_after_an_interruption() -> None:
    document = introspect(EQUAL, {"x": 3.3})
    truth = Truth(ball_program(document, document["values"]), deadline=after(20))
    with pytest.raises(DeadlineExceeded):
        truth.at(KNOWN)
    truth.deadline = NEVER
    whole = Truth(truth.program)
    for p in LEVELS[: LEVELS.index(KNOWN) + 1]:
        assert truth.at(p)[1:] == whole.at(p)[1:]
