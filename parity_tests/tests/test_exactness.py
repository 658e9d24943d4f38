"""Every engine's every operation gives the nearest double, by MPFR (R1, R2)."""

import math
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import pytest

from parity_tests.exactness.__main__ import main, report
from parity_tests.exactness.cases import (
    Case,
    as_case,
    committed_cases,
    double,
    fresh_cases,
)
from parity_tests.exactness.compare import compare
from parity_tests.exactness.hard.draws import HALFWAY, KNOWN
from parity_tests.exactness.hard.halfway import from_halfway
from parity_tests.exactness.hard.inputs import HARD
from parity_tests.exactness.hard.referee import expected, expected_by_fractions
from parity_tests.exactness.hard.search import (
    BY_RANGE,
    CLOSE,
    ENOUGH,
    SEARCHED,
    SUBNORMAL,
    close_to_halfway,
    closest_by_range,
)
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.engines import ROOT, Engine, load_engines
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


def wrong_results(workers: list[Worker], operation: str, cases: list[Case]) -> list[str]:
    return [
        f"{worker.engine.name}: {wrong}"
        for worker in workers
        for wrong in compare(worker, operation, cases)
    ]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_engine_gives_the_committed_results(operation: str, workers: list[Worker]) -> None:
    assert wrong_results(workers, operation, committed_cases(operation)) == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_engine_gives_the_nearest_double(operation: str, workers: list[Worker]) -> None:
    assert wrong_results(workers, operation, list(fresh_cases(operation, 3000, seed=754))) == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_mpfr_confirms_the_committed_results(operation: str) -> None:
    for case in committed_cases(operation):
        assert as_case(operation, case.kind, tuple(map(double, case.operands))) == case


@pytest.mark.parametrize("operation", OPERATIONS)
def test_plain_integers_confirm_mpfr(operation: str) -> None:
    cases = committed_cases(operation) + list(fresh_cases(operation, 1000, seed=2019))
    for case in cases:
        operands = tuple(map(double, case.operands))
        # == because a fraction has no -0
        assert expected(operation, operands) == expected_by_fractions(operation, operands), case


@pytest.mark.parametrize("operation", OPERATIONS)
def test_at_least_250_different_cases_of_every_class_are_committed(operation: str) -> None:
    cases = committed_cases(operation)
    assert len({case.operands for case in cases}) >= 250
    searched = {kind for kind, sources in SEARCHED.items() if operation in sources}
    searched |= {BY_RANGE} if searched else set()
    assert {case.kind for case in cases} == set(HARD[operation]) | searched


@pytest.mark.parametrize("operation", FUNCTIONS)
def test_committed_cases_come_close_to_halfway(operation: str) -> None:
    def closest(kind: str) -> list[float]:
        return [
            from_halfway(operation, tuple(map(double, case.operands)))
            for case in committed_cases(operation)
            if case.kind == kind
        ]

    assert max(closest(HALFWAY)) < -25.0
    if KNOWN in HARD[operation]:
        assert max(closest(KNOWN)) < -50.0


@pytest.mark.parametrize(
    ("operation", "kind", "count"),
    [
        *((operation, CLOSE, 1000) for operation in SEARCHED[CLOSE]),
        *((operation, SUBNORMAL, 200) for operation in SEARCHED[SUBNORMAL]),
    ],
)
def test_many_results_of_a_function_are_within_2_to_the_minus_30_ulp_of_halfway(
    operation: str, kind: str, count: int
) -> None:
    cases = [case for case in committed_cases(operation) if case.kind == kind]
    operands = {tuple(map(double, case.operands)) for case in cases}
    assert len(operands) >= ENOUGH[kind] == count
    if kind == SUBNORMAL:
        assert max(abs(double(case.expected or "")) for case in cases) <= 2.0**-1022
    distances = [from_halfway(operation, each) for each in operands]
    assert -math.inf < min(distances)
    assert max(distances) <= -30.0


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
        case
        for case in committed_cases("**")
        if from_halfway("**", tuple(map(double, case.operands))) == -math.inf
    ]
    subnormal = [case for case in ties if abs(double(case.expected or "")) < 2.0**-1022]
    assert len(subnormal) >= 10
    assert len(ties) - len(subnormal) >= 20


class OffByOne(Worker):
    """A worker whose third answer has its last bit flipped."""

    def run(self, *call: Any) -> dict[str, Any]:
        response = super().run(*call)
        response["result"][2] = f"{int(response['result'][2], 16) ^ 1:016x}"
        return response


@pytest.mark.parametrize("operation", OPERATIONS)
def test_one_wrong_bit_is_noticed(operation: str) -> None:
    cases = [case for case in committed_cases(operation) if case.expected is not None]
    with OffByOne(load_engines()["engine_py"]) as worker:
        (wrong,) = compare(worker, operation, cases[:50])
    assert wrong.case == cases[2]
    assert ulps_between(double(wrong.actual or ""), double(cases[2].expected or "")) == 1


MISROUNDING = """
from math import inf, nextafter
from engine_py import numerics, worker
exp = numerics.exp
numerics.exp = lambda x: nextafter(exp(x), inf) if abs(x) < 1.0 else exp(x)
worker.main()
"""


def test_the_command_fails_and_tells_the_first_difference(
    capsys: pytest.CaptureFixture[str],
) -> None:
    misrounding = Engine("misrounding", (sys.executable, "-c", MISROUNDING), ROOT)
    assert report([misrounding], count=500, seed=1) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if " 0 wrong" in line] == [
        operation for operation in OPERATIONS if operation != "exp"
    ]
    first = len(OPERATIONS) + 1  # after the head and a row an operation
    assert lines[first].startswith("misrounding: exp (")
    assert [line.split()[0] for line in lines[first + 1 :]] == ["operand", "expected", "actual"]
    assert lines[-1].endswith(", 1 ulp away")


CRASH = """
from engine_py import numerics, worker
numerics.log = lambda x: 1 // 0 if x > 1e9 else 0.0
worker.main()
"""


def test_a_crash_names_the_operands() -> None:
    cases = [as_case("log", "any", (x,)) for x in (1.0, 1.0, 1e10, 1e20)]
    with (
        Worker(Engine("crashing", (sys.executable, "-c", CRASH), ROOT)) as worker,
        pytest.raises(EngineFault, match=r"crashing, log of 10000000000\.0: ZeroDivision"),
    ):
        compare(worker, "log", cases)


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
    power = Case("zero", (minus_zero, "4008000000000000"), minus_zero)  # (-0)**3
    other_power = power._replace(expected=zero)
    total = Case("zero", (minus_zero, minus_zero), zero)  # -0 + -0 is -0
    for worker in workers:
        assert compare(worker, "**", [power, other_power]) == []
        assert len(compare(worker, "+", [total])) == 1


def test_inputs_repeat_for_a_seed_and_differ_between_seeds() -> None:
    first, again, other = (list(fresh_cases("exp", 200, seed)) for seed in (1, 1, 2))
    assert first == again != other
    assert len({case.operands for case in first}) == 200
