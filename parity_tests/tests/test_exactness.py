"""Every operation of every engine is correctly rounded, by MPFR (R1, R2), in columns, too."""

import math
import sys
from collections.abc import Iterator

import pytest

from parity_tests.exactness.__main__ import main, report
from parity_tests.exactness.cases import as_row, committed_rows, double, fresh_rows
from parity_tests.exactness.classes import HARD
from parity_tests.exactness.compare import compare
from parity_tests.exactness.draws import HALFWAY, KNOWN, from_halfway
from parity_tests.fuzz import __main__ as fuzz
from parity_tests.fuzz.search import run_asked
from parity_tests.kit.cases import SIGN_OF_ZERO_COUNTS, Row
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.worker import Call, EngineFault, Worker


def engine_of(name: str, script: str) -> Engine:
    """Return an engine that runs a script instead of the worker of engine_py."""
    return Engine(name, (sys.executable, "-c", script), ROOT)


def test_every_engine_returns_the_nearest_double(workers: dict[str, Worker]) -> None:
    assert {"engine_py", "engine_ts"} <= set(workers)
    for operation in HARD:
        rows = list(fresh_rows(operation, 1500, seed=754))
        for name, worker in workers.items():
            wrong = compare(worker, operation, rows)
            assert wrong == [], f"{name}: {wrong[0]}"


# Committed cases


def test_mpfr_confirms_the_committed_results() -> None:
    for operation in HARD:
        for row in committed_rows(operation):
            assert as_row(operation, row.kind, tuple(map(double, row.operands))) == row


def test_every_operation_that_rounds_has_250_committed_cases_of_8_classes() -> None:
    for operation in HARD:
        rows = committed_rows(operation)
        assert len({row.operands for row in rows}) >= 250, operation
        assert len({row.kind for row in rows}) >= 8, operation


def test_committed_cases_are_ties_or_come_close_to_halfway() -> None:
    def distances(operation: str, *kinds: str) -> list[float]:
        return [
            from_halfway(operation, tuple(map(double, row.operands)))
            for row in committed_rows(operation)
            if row.kind in kinds
        ]

    for operation in (each for each in HARD if each not in SIGN_OF_ZERO_COUNTS):
        assert max(distances(operation, HALFWAY)) < -25.0, operation
        assert max(distances(operation, KNOWN), default=-math.inf) < -50.0, operation
    assert distances("**", "tie").count(-math.inf) >= 20
    assert distances("**", "halfway between subnormals").count(-math.inf) >= 10


# Columns

Question = tuple[str, dict[str, list[float]], list[Row]]
"""A program, its columns, and the expected results."""


def questions() -> Iterator[Question]:
    """Arrange committed and random operands of every operation in columns.

    An exponent is the same at every point, so each has its own column; every third one is used.
    """
    rows = {
        operation: [
            row
            for row in (*committed_rows(operation), *fresh_rows(operation, 600, seed=754))
            if row.expected is not None
        ]
        for operation in HARD
    }
    for name in (each for each in HARD if each.isalnum()):
        yield f"{name}(a)", {"a": [double(row.operands[0]) for row in rows[name]]}, rows[name]
    for symbol in "+-*/":
        columns = zip(*(map(double, row.operands) for row in rows[symbol]), strict=True)
        yield f"a {symbol} b", dict(zip("ab", map(list, columns), strict=True)), rows[symbol]
    by_exponent: dict[str, list[Row]] = {}
    for row in committed_rows("**"):
        if row.expected is not None:
            by_exponent.setdefault(row.operands[1], []).append(row)
    for bits, some in list(by_exponent.items())[::3]:
        yield f"a ** {double(bits)!r}", {"a": [double(row.operands[0]) for row in some]}, some


def test_results_are_right_in_columns() -> None:
    """The engines, and one that computes points one by one; some gradients overflow."""
    asked = list(questions())
    calls: list[Call] = [
        ("sweep", {"expression": text, "values": values}, None) for text, values, _ in asked
    ]
    engines = fuzz._engines([])
    assert [engine.name for engine in engines][2:] == ["engine_py without numpy"]
    for engine in engines:
        reported = 0
        with Worker(engine) as worker:
            responses = run_asked(worker, calls)
        for response, (text, _, rows) in zip(responses, asked, strict=True):
            for x, row in zip(response["result"]["results"], rows, strict=True):
                if x is not None:
                    reported += 1
                    assert float(x) == double(row.expected or ""), (engine.name, text, row)
        assert reported > sum(len(rows) for *_, rows in asked) / 3


# Zeros and platforms


def test_only_functions_may_return_either_zero(workers: dict[str, Worker]) -> None:
    zero, minus_zero = "0000000000000000", "8000000000000000"
    power = Row("zero", (minus_zero, "4008000000000000"), minus_zero)  # (-0)**3
    other_power = power._replace(expected=zero)
    total = Row("zero", (minus_zero, minus_zero), zero)  # -0 + -0 is -0
    for worker in workers.values():
        assert compare(worker, "**", [power, other_power]) == []
        assert len(compare(worker, "+", [total])) == 1


WRONG_ROOT = """
from engine_py.numerics import elementary
from engine_py.protocol import worker
root = elementary.platform_root
elementary.platform_root = lambda x: root(x) * 0.9999999999999999
worker.main()
"""


def test_a_platform_whose_root_is_off_by_an_ulp_changes_no_result() -> None:
    with Worker(engine_of("wrong root", WRONG_ROOT)) as worker:
        assert compare(worker, "sqrt", committed_rows("sqrt")) == []


# The command

MISROUNDING = """
from math import inf, nextafter
from engine_py.numerics import elementary
from engine_py.protocol import worker
exp = elementary.exp
elementary.exp = lambda x: nextafter(exp(x), inf) if abs(x) < 1.0 else exp(x)
worker.main()
"""


def test_the_command_fails_and_shows_the_first_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = {each: fresh_rows(each, 200, seed=1) for each in ("+", "exp", "log")}
    assert report([engine_of("misrounding", MISROUNDING)], rows) == 1
    _, *lines = capsys.readouterr().out.splitlines()
    assert [" 0 wrong" in line for line in lines[:3]] == [True, False, True]
    assert lines[3].startswith("misrounding: exp (")
    assert [line.split()[0] for line in lines[4:]] == ["operand", "expected", "actual"]
    assert lines[-1].endswith(", 1 ulp away")


def test_the_command_passes_if_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "100", "--operation", "log"]) == 0
    [_, row] = capsys.readouterr().out.splitlines()
    assert row.split()[0] == "log"
    assert row.count(" 0 wrong") == len(load_engines())


def test_the_command_fails_if_the_engine_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--engine", "nobody"]) == 1
    assert "no engine is called nobody" in capsys.readouterr().err


CRASH = """
from engine_py.numerics import elementary
from engine_py.protocol import worker
elementary.log = lambda x: 1 // 0 if x > 1e9 else 0.0
worker.main()
"""


def test_a_crash_names_the_operands() -> None:
    rows = [as_row("log", "any", (x,)) for x in (1.0, 1.0, 1e10, 1e20)]
    with (
        Worker(engine_of("crashing", CRASH)) as worker,
        pytest.raises(EngineFault, match=r"crashing, log of 10000000000\.0: ZeroDivision"),
    ):
        compare(worker, "log", rows)


def test_inputs_repeat_for_a_seed_and_differ_between_seeds() -> None:
    first, again, other = (list(fresh_rows("exp", 200, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({row.operands for row in first}) == 200
