"""The oracle is right where the answer is known, and has the last word on every document."""

import re
from random import Random

import pytest

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference
from parity_tests.kit.contracts import contract_version, with_contract
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Json, Worker
from parity_tests.oracle.document import reference_document
from parity_tests.oracle.value import NoAnswerError

ORACLE = ROOT / "parity_tests" / "oracle"
ASKED = [case for case in load_cases() if case.command == "introspect"]
DOCUMENTS = [case for case in ASKED if "document" in case.expect]


def call(request: Json) -> Json:
    """Call the oracle as an engine is called."""
    return reference_document(
        request["expression"],
        request["values"],
        request.get("parameters", ()),
        request.get("view", "folded"),
    )


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in DOCUMENTS])
def test_the_oracle_confirms_the_fixture(case: Case) -> None:
    expected = with_contract(case.expect, contract_version())["document"]
    difference = first_difference(expected, call(case.request), partial=True)
    assert difference is None, f"the fixture (expected) or the oracle (actual) errs {difference}"


def test_the_oracle_confirms_random_documents(workers: dict[str, Worker]) -> None:
    random = Random(7)
    calls = [random_program(random) for _ in range(1000)]
    for name, worker in workers.items():
        confirmed = 0
        for (_, request, _), response in zip(calls, worker.run_many(calls), strict=True):
            if response["kind"] == "result":
                difference = first_difference(call(dict(request)), response["result"])
                assert difference is None, f"the oracle (expected) and {name} differ {difference}"
                confirmed += 1
        assert confirmed >= 500


@pytest.mark.parametrize(
    "expression", ["log(a)", "1 / a", "a ** -1", "exp(1000 + a)", "(a - 1) ** 0.5", "a ** 0.5"]
)
def test_the_oracle_has_no_answer_where_an_error_is_due(expression: str) -> None:
    with pytest.raises(NoAnswerError):
        reference_document(expression, {"a": 0})


def test_the_oracle_rounds_once_where_doubles_run_out() -> None:
    assert reference_document("a * b", {"a": 0.1, "b": 1.24e-322})["result"] == 1.5e-323
    assert reference_document("a ** 3", {"a": 208067})["result"] == 9007610865436764
    assert reference_document("a / a", {"a": 49}, view="primitive")["result"] == 0.9999999999999999


def test_the_oracle_knows_no_engine() -> None:
    for file in ORACLE.glob("[!_]*.py"):
        names = re.findall(r"^\s*(?:from|import) (\w+)", file.read_text(), re.MULTILINE)
        assert names, file
        assert {name for name in names if name.startswith("engine")} == set(), file
