"""Canonical texts and digests: both engines agree with the package rfc8785."""

from hashlib import sha256
from math import isfinite
from random import Random
from typing import Any

import rfc8785

from engine_py.canonical import canonical_text
from parity_tests.fuzz.programs import random_number, random_program
from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import contract_version, with_contract
from parity_tests.kit.worker import Call, Json, Worker
from parity_tests.oracle.document import reference_document

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
    """Documents of fixtures with not very long programs, and of random programs."""
    random = Random(8785)
    calls: list[Call] = [
        case.call
        for case in load_cases()
        if case.command in ("introspect", "canonicalize") and len(str(case.request)) < LONG
    ]
    calls += [random_program(random) for _ in range(1000)]
    documents = workers["engine_py"].run_many([("introspect", *call[1:]) for call in calls])
    for name, worker in workers.items():
        responses = worker.run_many([("canonicalize", *call[1:]) for call in calls])
        for document, response, call in zip(documents, responses, calls, strict=True):
            made = response.get("result") or {"code": response["error"]["code"]}
            assert made == referred(document), (name, call)
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
