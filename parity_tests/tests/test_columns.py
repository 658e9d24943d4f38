"""Sweeps of both engines, and without numpy, are to the bit what the points are one by one."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from parity_tests.exactness.cases import committed_rows, double
from parity_tests.fuzz import __main__ as fuzz
from parity_tests.fuzz.search import disagreement, run_asked
from parity_tests.kit.cases import load_cases
from parity_tests.kit.hard import Row
from parity_tests.kit.worker import Call, Worker

Question = tuple[str, dict[str, list[float]], list[Row]]
"""A program, its columns, and what the results must be."""


@pytest.fixture(scope="module")
def three() -> Iterator[list[Worker]]:
    """The engines that are compared on sweeps: one of them computes points one by one."""
    workers = [Worker(engine) for engine in fuzz._engines([])]
    assert [worker.engine.name for worker in workers][2:] == ["engine_py without numpy"]
    yield workers
    for worker in workers:
        worker.close()


def swept(random: Random, request: dict[str, Any]) -> Call:
    """Give a program a column of values, those of the request and some near them."""
    values = {
        name: [value, *(value * random.uniform(-2, 2) for _ in range(2))]
        for name, value in request["values"].items()
    }
    members: dict[str, Any] = {
        name: request[name] for name in ("expression", "view") if name in request
    }
    return "sweep", {**members, "values": values}, None


def test_the_programs_of_all_fixtures_are_swept_alike(three: list[Worker]) -> None:
    random = Random(1)
    requests = [
        case.call[1]
        for case in load_cases()
        if case.command == "introspect"
        and isinstance(case.call[1].get("values"), dict)
        and all(
            isinstance(value, float | int) and abs(value) < 2**1023
            for value in case.call[1]["values"].values()
        )
    ]
    assert len(requests) >= 400
    calls = [swept(random, dict(request)) for request in requests]
    answers = [run_asked(worker, calls) for worker in three]
    for call, responses in zip(calls, zip(*answers, strict=True), strict=True):
        assert disagreement(three, call, responses) is None, call
    swept_ones = [each for each in answers[0] if each["kind"] == "result"]
    assert len(swept_ones) >= 250
    assert sum(len(each["result"]["problems"]) for each in swept_ones) >= 50


@pytest.mark.parametrize("name", ["exp", "log", "tanh"])
def test_the_hard_operands_of_a_function_are_right_in_a_column(
    name: str, three: list[Worker]
) -> None:
    cases = right_cases(name)
    column = [double(case.operands[0]) for case in cases]
    assert_swept(three, [(f"{name}(a)", {"a": column}, cases)])


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/"])
def test_the_hard_operands_of_an_operator_are_right_in_columns(
    symbol: str, three: list[Worker]
) -> None:
    cases = right_cases(symbol)
    columns = {
        name: [double(case.operands[place]) for case in cases] for place, name in enumerate("ab")
    }
    assert_swept(three, [(f"a {symbol} b", columns, cases)])


def test_the_hard_operands_of_powers_are_right_in_columns(three: list[Worker]) -> None:
    """An exponent is the same at every point, so each has a column of its own; a third of them."""
    by_exponent: dict[str, list[Row]] = {}
    for case in right_cases("**"):
        by_exponent.setdefault(case.operands[1], []).append(case)
    assert len(by_exponent) >= 500
    questions = [
        (f"a ** {double(bits)!r}", {"a": [double(case.operands[0]) for case in cases]}, cases)
        for bits, cases in list(by_exponent.items())[::3]
    ]
    assert_swept(three, questions)


def right_cases(operation: str) -> list[Row]:
    """Give the committed cases that have a result."""
    return [case for case in committed_rows(operation) if case.expected is not None]


def assert_swept(workers: list[Worker], questions: list[Question]) -> None:
    """Hold every engine's results to MPFR's; a point whose gradient overflows has none."""
    calls: list[Call] = [
        ("sweep", {"expression": expression, "values": values}, None)
        for expression, values, _ in questions
    ]
    for worker in workers:
        told = 0
        for response, (expression, _, cases) in zip(
            run_asked(worker, calls), questions, strict=True
        ):
            made = response["result"]["results"]
            for x, case in zip(made, cases, strict=True):
                if x is not None:
                    told += 1
                    assert float(x) == double(case.expected or ""), (expression, case)
        assert told > sum(len(cases) for *_, cases in questions) / 3
