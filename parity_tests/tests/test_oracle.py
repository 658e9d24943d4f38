"""The oracle confirms known documents, and the engines agree with the oracle."""

import math
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from math import isfinite
from random import Random
from typing import Any

import gmpy2
import pytest
import rfc8785

from engine_py.canonical import canonical_text
from parity_tests.fuzz.programs import random_number, random_program
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference
from parity_tests.kit.contract import Operation, contract_version, load_operations, with_contract
from parity_tests.kit.worker import Call, Json, Worker
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
    assert len(cases) == 2
    for case in cases:
        assert first_difference(trajectory(case), reference_descent(case.request)) is None, case.id


def test_the_oracle_confirms_the_trajectories_derived_by_hand() -> None:
    cases = trajectories("hand derivation")
    assert len(cases) >= 12
    for case in cases:
        made = reference_descent(case.request)
        assert first_difference(trajectory(case), made, partial=True) is None, case.id


# Canonical texts and digests: both engines agree with the package rfc8785


LONG = 5_000


def referred(response: Json) -> Json:
    """Return the text and digest of a document by rfc8785; of an error, its code."""
    if response["kind"] != "result":
        return {"code": response["error"]["code"]}
    text = rfc8785.dumps(doubles(response["result"]))
    return {"text": text.decode(), "digest": sha256(text).hexdigest()}


def doubles(value: Any) -> Any:
    """Make every number a double, as JSON has them; rfc8785 would write integers of any size."""
    if isinstance(value, dict):
        return {name: doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [doubles(item) for item in value]
    return float(value) if type(value) is int else value


def test_documents_have_the_texts_and_digests_of_rfc8785(workers: dict[str, Worker]) -> None:
    """Documents of fixtures whose programs are not very long, and of random programs."""
    random = Random(8785)
    calls: list[Call] = [
        case.call
        for case in load_cases()
        if case.command in ("introspect", "canonicalize") and len(str(case.request)) < LONG
    ]
    calls += [random_program(random) for _ in range(1000)]
    documents = workers["engine_py"].run_many([("introspect", *call[1:]) for call in calls])
    expected = [referred(document) for document in documents]
    for name, worker in workers.items():
        responses = worker.run_many([("canonicalize", *call[1:]) for call in calls])
        for right, response, call in zip(expected, responses, calls, strict=True):
            made = response.get("result") or {"code": response["error"]["code"]}
            assert made == right, (name, call)
    assert sum(document["kind"] == "result" for document in documents) > 700


def test_numbers_have_the_texts_of_rfc8785() -> None:
    random = Random(8785)
    for mood in ("tame", "wide", "edgy"):
        numbers = [random_number(random, mood) * 10.0 ** random.randint(-9, 9) for _ in range(3000)]
        for number in filter(isfinite, numbers):
            assert canonical_text(number) == rfc8785.dumps(number).decode()


def test_fixtures_expect_the_text_of_rfc8785_for_the_oracles_document() -> None:
    cases = [case for case in load_cases() if "canonical" in case.expect]
    assert len(cases) >= 10
    for case in cases:
        text = rfc8785.dumps(reference_document(**case.request))
        expected = {"text": text.decode(), "digest": sha256(text).hexdigest()}
        assert with_contract(case.expect, contract_version()) == {"canonical": expected}
