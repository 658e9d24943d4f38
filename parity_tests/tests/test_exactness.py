"""Every engine's every operation gives the nearest double, by MPFR (R1, R2)."""

import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import pytest

from parity_tests.exactness.__main__ import main, report
from parity_tests.exactness.cases import as_row, committed_rows, double, fresh_rows, searched_rows
from parity_tests.exactness.compare import compare
from parity_tests.exactness.hard.draws import HALFWAY, KNOWN
from parity_tests.exactness.hard.halfway import from_halfway
from parity_tests.exactness.hard.inputs import HARD
from parity_tests.exactness.hard.referee import expected, expected_by_fractions
from parity_tests.exactness.hard.search import (
    CLOSE,
    SEARCHED,
    SEARCHES,
    SUBNORMAL,
    close_to_halfway,
    closest_by_range,
)
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.hard import Row
from parity_tests.kit.worker import EngineFault, Worker
from parity_tests.oracle.operations import ROWS

OPERATIONS = list(HARD)
FUNCTIONS = [operation for operation in HARD if ROWS[operation].rounding == "function"]


@pytest.fixture(scope="module")
def workers() -> Iterator[list[Worker]]:
    engines = load_engines()  # raises where one is missing: nothing here is ever skipped
    assert {"engine_py", "engine_ts"} <= set(engines)
    with ExitStack() as stack:
        yield [stack.enter_context(Worker(engine)) for engine in engines.values()]


def wrong_results(workers: list[Worker], operation: str, rows: list[Row]) -> list[str]:
    return [
        f"{worker.engine.name}: {wrong}"
        for worker in workers
        for wrong in compare(worker, operation, rows)
    ]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_engine_gives_the_nearest_double(operation: str, workers: list[Worker]) -> None:
    assert wrong_results(workers, operation, list(fresh_rows(operation, 3000, seed=754))) == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_mpfr_confirms_the_committed_results(operation: str) -> None:
    for row in committed_rows(operation):
        assert as_row(operation, row.kind, tuple(map(double, row.operands))) == row


@pytest.mark.thorough
@pytest.mark.parametrize("operation", OPERATIONS)
def test_plain_integers_confirm_mpfr(operation: str) -> None:
    rows = committed_rows(operation) + list(fresh_rows(operation, 1000, seed=2019))
    for row in rows:
        operands = tuple(map(double, row.operands))
        # == because a fraction has no -0
        assert expected(operation, operands) == expected_by_fractions(operation, operands), row


@pytest.mark.parametrize("operation", OPERATIONS)
def test_at_least_250_different_cases_of_every_class_are_committed(operation: str) -> None:
    rows = committed_rows(operation)
    assert len({row.operands for row in rows}) >= 250
    kinds = {row.kind for row in rows}
    assert set(HARD[operation]) <= kinds <= {*HARD[operation], *SEARCHES}


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_committed_rows_come_close_to_halfway(operation: str) -> None:
    def closest(kind: str) -> list[float]:
        return [
            from_halfway(operation, tuple(map(double, row.operands)))
            for row in committed_rows(operation)
            if row.kind == kind
        ]

    assert max(closest(HALFWAY)) < -25.0
    if KNOWN in HARD[operation]:
        assert max(closest(KNOWN)) < -50.0


@pytest.mark.thorough
@pytest.mark.parametrize("operation", FUNCTIONS)
def test_every_engine_rounds_what_a_search_finds(operation: str, workers: list[Worker]) -> None:
    """A search computes for 20 s a class at most, three minutes in all on one processor."""
    rows = list(searched_rows(operation, "1", seconds=20.0))
    assert wrong_results(workers, operation, rows) == []
    for kind in (CLOSE, SUBNORMAL):
        found = [row for row in rows if row.kind == kind]
        assert len(found) >= (40 if operation in SEARCHED[kind] else 0)
        assert_close_to_halfway(operation, found)


def test_of_what_a_search_finds_a_thousand_are_kept() -> None:
    """Each table entry, bound and term of the numerics whose mistake the search shows has some."""
    kept = {operation: committed_rows(operation) for operation in FUNCTIONS}
    assert sum(row.kind in SEARCHES for rows in kept.values() for row in rows) >= 1000
    for operation, rows in kept.items():
        assert_close_to_halfway(operation, [row for row in rows if row.kind in (CLOSE, SUBNORMAL)])


def assert_close_to_halfway(operation: str, rows: list[Row]) -> None:
    for row in rows:
        assert -math.inf < from_halfway(operation, tuple(map(double, row.operands))) <= -30.0
        assert row.kind == CLOSE or abs(double(row.expected or "")) <= 2.0**-1022


def test_a_search_finds_what_is_close_to_halfway_and_repeats_itself() -> None:
    found = list(islice(close_to_halfway("exp", "a test", 60.0), 5))
    assert found == list(islice(close_to_halfway("exp", "a test", 60.0), 5))
    assert max(from_halfway("exp", each) for each in found) <= -30.0


def test_the_closest_by_range_repeat_themselves_and_are_everywhere() -> None:
    found = list(closest_by_range("log", many=50, few=1))
    assert found == list(closest_by_range("log", many=50, few=1))
    assert len(found) >= 60
    assert min(found) < (1e-290,)
    assert max(found) > (1e290,)


def test_the_known_worst_cases_are_there() -> None:
    assert {"**", "exp", "log", "tanh"} <= {each for each in HARD if KNOWN in HARD[each]}


def test_committed_powers_hold_ties_of_normal_and_of_subnormal_results() -> None:
    ties = [
        row
        for row in committed_rows("**")
        if from_halfway("**", tuple(map(double, row.operands))) == -math.inf
    ]
    subnormal = [row for row in ties if abs(double(row.expected or "")) < 2.0**-1022]
    assert len(subnormal) >= 10
    assert len(ties) - len(subnormal) >= 20


class OffByOne(Worker):
    """A worker whose third answer has its last bit flipped."""

    def run(self, *call: Any) -> dict[str, Any]:
        response = super().run(*call)
        response["result"][2] = f"{int(response['result'][2], 16) ^ 1:016x}"
        return response


@pytest.mark.thorough
@pytest.mark.parametrize("operation", OPERATIONS)
def test_one_wrong_bit_is_noticed(operation: str) -> None:
    rows = [row for row in committed_rows(operation) if row.expected is not None]
    with OffByOne(load_engines()["engine_py"]) as worker:
        (wrong,) = compare(worker, operation, rows[:50])
    assert wrong.row == rows[2]
    assert ulps_between(double(wrong.actual or ""), double(rows[2].expected or "")) == 1


MISROUNDING = """
from math import inf, nextafter
from engine_py.numerics import elementary
from engine_py.protocol import worker
exp = elementary.exp
elementary.exp = lambda x: nextafter(exp(x), inf) if abs(x) < 1.0 else exp(x)
worker.main()
"""


def test_the_command_fails_and_tells_the_first_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    misrounding = Engine("misrounding", (sys.executable, "-c", MISROUNDING), ROOT)
    rows = {each: fresh_rows(each, 500, seed=1) for each in OPERATIONS}
    assert report([misrounding], rows) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if " 0 wrong" in line] == [
        operation for operation in OPERATIONS if operation != "exp"
    ]
    first = len(OPERATIONS) + 1  # after the head and a row an operation
    assert lines[first].startswith("misrounding: exp (")
    assert [line.split()[0] for line in lines[first + 1 :]] == ["operand", "expected", "actual"]
    assert lines[-1].endswith(", 1 ulp away")


CRASH = """
from engine_py.numerics import elementary
from engine_py.protocol import worker
elementary.log = lambda x: 1 // 0 if x > 1e9 else 0.0
worker.main()
"""


def test_a_crash_names_the_operands() -> None:
    rows = [as_row("log", "any", (x,)) for x in (1.0, 1.0, 1e10, 1e20)]
    with (
        Worker(Engine("crashing", (sys.executable, "-c", CRASH), ROOT)) as worker,
        pytest.raises(EngineFault, match=r"crashing, log of 10000000000\.0: ZeroDivision"),
    ):
        compare(worker, "log", rows)


def test_the_command_passes_where_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "100", "--seed", "3"]) == 0
    assert capsys.readouterr().out.count(" 0 wrong") == len(OPERATIONS) * len(load_engines())


def test_the_command_takes_one_operation_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--count", "100", "--operation", "log"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[0] for line in rows if line] == ["log"]


def test_the_command_fails_where_the_engine_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--engine", "nobody"]) == 1
    assert "no engine nobody" in capsys.readouterr().err


def test_the_sign_of_zero_is_free_for_functions_alone(workers: list[Worker]) -> None:
    zero, minus_zero = "0000000000000000", "8000000000000000"
    power = Row("zero", (minus_zero, "4008000000000000"), minus_zero)  # (-0)**3
    other_power = power._replace(expected=zero)
    total = Row("zero", (minus_zero, minus_zero), zero)  # -0 + -0 is -0
    for worker in workers:
        assert compare(worker, "**", [power, other_power]) == []
        assert len(compare(worker, "+", [total])) == 1


def test_inputs_repeat_for_a_seed_and_differ_between_seeds() -> None:
    first, again, other = (list(fresh_rows("exp", 200, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({row.operands for row in first}) == 200
