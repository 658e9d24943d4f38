"""Canonical texts and digests: both engines write what rfc8785, an outside package, writes."""

from hashlib import sha256
from math import isfinite
from random import Random
from typing import Any

import pytest
import rfc8785

from engine_py.canonical import canonical_text
from parity_tests.fuzz.programs import random_number, random_program
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.contracts import contract_version, with_contract
from parity_tests.kit.worker import Call, Json, Worker
from parity_tests.oracle.document import reference_document

CASES = load_cases()
CANONICAL = [case for case in CASES if "canonical" in case.expect]
PROGRAMS = 2000
LARGE = 5_000


def texts(workers: dict[str, Worker], calls: list[Call]) -> int:
    """Hold every engine's text and digest of each document against rfc8785's; count them."""
    plain = [("introspect", *call[1:]) for call in calls]
    wanted = [("canonicalize", *call[1:]) for call in calls]
    documents = workers["engine_py"].run_many(plain)
    responses = {name: worker.run_many(wanted) for name, worker in workers.items()}
    for index, document in enumerate(documents):
        expected = referred(document)
        for name in workers:
            assert canonical_of(responses[name][index]) == expected, (name, calls[index])
    return sum(document["kind"] == "result" for document in documents)


def referred(response: Json) -> Json:
    """What rfc8785 makes of a document; an error stays what it is."""
    if response["kind"] != "result":
        return {"code": response["error"]["code"]}
    text = rfc8785.dumps(doubles(response["result"]))
    return {"text": text.decode(), "digest": sha256(text).hexdigest()}


def doubles(value: Any) -> Any:
    """Make a double of every number, which rfc8785 takes at any size; an id is one, too."""
    if isinstance(value, dict):
        return {name: doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [doubles(item) for item in value]
    return float(value) if type(value) is int else value


def canonical_of(response: Json) -> Json:
    if response["kind"] != "result":
        return {"code": response["error"]["code"]}
    result: Json = response["result"]
    return result


def test_all_fixtures_have_the_texts_of_the_referee(workers: dict[str, Worker]) -> None:
    """Of the commands whose error is that of the document; of programs that are not very long."""
    commands = ("introspect", "canonicalize", "picture")
    cases = [case for case in CASES if case.command in commands and len(str(case.request)) < LARGE]
    documents = sum("error" not in case.expect for case in cases)
    assert texts(workers, [case.call for case in cases]) == documents > 200


def test_random_programs_have_the_texts_of_the_referee(workers: dict[str, Worker]) -> None:
    random = Random(8785)
    calls = [random_program(random) for _ in range(PROGRAMS)]
    assert texts(workers, calls) > PROGRAMS / 2


@pytest.mark.parametrize("mood", ["tame", "wide", "edgy"])
def test_random_numbers_have_the_texts_of_the_referee(mood: str) -> None:
    random = Random(8785)
    numbers = [random_number(random, mood) * 10.0 ** random.randint(-9, 9) for _ in range(3000)]
    for number in filter(isfinite, numbers):
        assert canonical_text(number) == rfc8785.dumps(number).decode()


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CANONICAL])
def test_a_fixture_expects_what_the_referees_say(case: Case) -> None:
    text = rfc8785.dumps(reference_document(**case.request))
    expected = {"text": text.decode(), "digest": sha256(text).hexdigest()}
    assert with_contract(case.expect, contract_version()) == {"canonical": expected}
