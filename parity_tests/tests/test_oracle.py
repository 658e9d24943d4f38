"""The oracle confirms known documents, and the engines agree with the oracle."""

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random

import gmpy2
import pytest

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference
from parity_tests.kit.contract import Operation, contract_version, load_operations, with_contract
from parity_tests.kit.worker import Json, Worker
from parity_tests.oracle.descent import reference_descent
from parity_tests.oracle.document import NoAnswerError, reference_document

CASES = load_cases()


def document_of(request: Json) -> Json:
    """Compute the document of a call by the oracle."""
    parameters, view = request.get("parameters", ()), request.get("view", "folded")
    return reference_document(request["expression"], request["values"], parameters, view)


# Documents


def test_the_oracle_confirms_every_document_of_the_fixtures() -> None:
    cases = [case for case in CASES if case.command == "introspect" and "document" in case.expect]
    for case in cases:
        expected = with_contract(case.expect, contract_version())["document"]
        difference = first_difference(expected, document_of(case.request), partial=True)
        assert difference is None, f"{case.id} (expected) and the oracle (actual) {difference}"
    assert len(cases) > 200


def test_the_engines_have_the_oracles_documents_of_random_programs(
    workers: dict[str, Worker],
) -> None:
    random = Random(7)
    calls = [random_program(random) for _ in range(1000)]
    for name, worker in workers.items():
        confirmed = 0
        for (_, request, _), response in zip(calls, worker.run_many(calls), strict=True):
            if response["kind"] == "result":
                difference = first_difference(document_of(dict(request)), response["result"])
                assert difference is None, f"the oracle (expected) and {name} differ {difference}"
                confirmed += 1
        assert confirmed >= 500


def test_the_oracle_has_no_document_if_an_error_is_expected() -> None:
    for text in ("log(a)", "1 / a", "a ** -1", "exp(1000 + a)", "(a - 1) ** 0.5", "a ** 0.5"):
        with pytest.raises(NoAnswerError):
            reference_document(text, {"a": 0})


def test_the_oracle_rounds_subnormals_once() -> None:
    assert reference_document("a * b", {"a": 0.1, "b": 1.24e-322})["result"] == 1.5e-323
    assert reference_document("a ** 3", {"a": 208067})["result"] == 9007610865436764
    assert reference_document("a / a", {"a": 49}, view="primitive")["result"] == 0.9999999999999999


# Functions where they turn, end, tie or underflow

LARGEST, SMALLEST, NORMAL = math.nextafter(math.inf, 0.0), 5e-324, 2.0**-1022
QUARTERS = (1, 2, 3, 7, 100, 10**6, 10**15, 10**22, 2**60, 10**100, 10**300)
"""Multiples of pi / 2 whose neighbours are tested."""


def around(x: float) -> list[float]:
    """Return a double, its neighbours and their negations."""
    sizes = (x, math.nextafter(x, 0.0), math.nextafter(x, math.inf))
    return [sign * size for size in sizes if size <= LARGEST for sign in (1.0, -1.0)]


def ends() -> list[float]:
    """Return operands at extremes and ends of functions, and where an algorithm changes."""
    cuts = (0.0, SMALLEST, NORMAL, 2.0**-28, 2.0**-27, 2.0**-6, 0.5, 1.0, 2.0**53, LARGEST)
    logistic = (36.7368005696771, 40.0, 600.0, 708.3964185322641, 745.1332191019412, 746.0)
    worst = (6381956970095103 * 2.0**797, 5.319372648326541e255, 200.0)
    with gmpy2.context(precision=2_600):
        half = Fraction(*map(int, (gmpy2.const_pi() / 2).as_integer_ratio()))
    quarters = [float(half * k) for k in QUARTERS]
    return [each for x in (*cuts, *logistic, *worst, *quarters) for each in around(x)]


def documents_at(row: Operation) -> Iterator[tuple[Json, Json]]:
    """Return requests of a function at these operands, with the documents that exist."""
    some = [sign * x for x in (0.0, SMALLEST, 1.0, 3.0, LARGEST) for sign in (1.0, -1.0)]
    pairs = [{"x": x, "y": y} for x in some for y in (*some, math.nextafter(3.0, 4.0))]
    for values in pairs if row.arity == 2 else [{"x": x} for x in ends()]:
        request = {"expression": row.syntax, "values": values}
        with suppress(NoAnswerError):
            yield request, document_of(request)


def test_data_and_local_gradients_are_right_at_every_edge(workers: dict[str, Worker]) -> None:
    for row in (each for each in load_operations().values() if each.form == "call"):
        made = list(documents_at(row))
        assert len(made) > 50, row.name
        for engine, worker in workers.items():
            responses = worker.run_many([("introspect", request, None) for request, _ in made])
            for (_, document), response in zip(made, responses, strict=True):
                difference = first_difference(document, response.get("result", response))
                assert difference is None, f"the oracle (expected) and {engine} differ {difference}"


# Descents


def trajectories(source: str) -> list[Case]:
    """Return the fixtures whose descent meets no error."""
    found = [case for case in CASES if case.topic == "descent" and case.source == source]
    return [
        case
        for case in found
        if case.expect.get("descent", {}).get("fault", "error") is None
        and all(point.get("gradient_norm", 0.0) is not None for point in trajectory(case))
    ]


def trajectory(case: Case) -> list[Json]:
    points: list[Json] = case.expect["descent"]["trajectory"]
    return points


def test_trajectories_of_fixtures_by_mpfr_are_the_oracles() -> None:
    cases = trajectories("MPFR")
    assert len(cases) == 4
    for case in cases:
        assert first_difference(trajectory(case), reference_descent(case.request)) is None, case.id


def test_the_oracle_confirms_the_trajectories_derived_by_hand() -> None:
    cases = trajectories("hand derivation")
    assert len(cases) >= 12
    for case in cases:
        made = reference_descent(case.request)
        assert first_difference(trajectory(case), made, partial=True) is None, case.id
