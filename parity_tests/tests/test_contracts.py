"""A case is of the versions in which its rule holds, and a version alone changes no case."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest

from parity_tests.kit import contract
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.contract import contract_version, judged_number, number_of, with_contract
from parity_tests.kit.engines import Engine, SetupError, load_engines
from parity_tests.kit.runner import run_cases
from parity_tests.tests.proxy import write_proxy

CASES = load_cases()
ENGINE = load_engines()["engine_py"]
FIRST, SECOND, THIRD, *_ = (case for case in CASES if case.topic == "sharing")
VERSIONED: list[Case] = [
    FIRST,
    SECOND._replace(since="97.1"),
    THIRD._replace(until="2.0"),
]
NEXT = "97.1.0"
"""As if the contract had moved on."""

OF_NEXT = f"""
from hashlib import sha256
response = json.loads(json.dumps(response).replace({contract_version()!r}, {NEXT!r}))
result = response.get("result")
if isinstance(result, dict) and "digest" in result:
    result["digest"] = sha256(result["text"].encode()).hexdigest()
"""


@pytest.fixture
def moved_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit of the next version."""
    monkeypatch.setattr(contract, "contract_version", lambda: NEXT)


def asked(engine: Engine, cases: Sequence[Case]) -> list[str]:
    """Run cases, which the engine must pass; give those that it was asked."""
    results = list(run_cases([engine], list(cases), ENGINE))
    assert {result.status for result in results} == {"passed"}, results
    return [result.case.name for result in results]


@pytest.mark.usefixtures("moved_on")
def test_an_engine_is_asked_the_cases_of_its_own_version() -> None:
    assert asked(ENGINE, VERSIONED) == [FIRST.name, THIRD.name]


@pytest.mark.usefixtures("moved_on")
def test_another_version_can_be_asked_for() -> None:
    assert asked(ENGINE._replace(contract="97.1"), VERSIONED) == [FIRST.name, SECOND.name]


@pytest.mark.usefixtures("moved_on")
def test_a_version_alone_changes_no_case(tmp_path: Path) -> None:
    """The engine is of another version than the model, whose whole responses it must give."""
    [engine] = load_engines(Path(write_proxy(tmp_path, OF_NEXT))).values()
    topics = ("canonical", "lessons", "outline", "hessian")
    cases = [case for case in CASES if case.topic in topics]
    assert asked(engine, cases) == [case.name for case in cases]


def test_a_version_that_the_engine_does_not_state_is_a_failure() -> None:
    [case] = [case for case in CASES if "contract" in case.expect.get("document", {})]
    [result] = run_cases([ENGINE], [case], ENGINE)
    assert result.status == "passed"
    assert "at /contract" in (case.verdict({"kind": "result", "result": {"contract": "1"}}) or "")


@pytest.mark.parametrize(
    ("version", "advice"),
    [
        ("1.6.0", "check out 46d1f23, the last commit of 1.6, whose kit judges engines of 1.6"),
        ("96.0", "install a newer kit, or ask with --contract for a version that this one judges"),
        ("two", "'two' is no version of the contract, such as 2.0"),
    ],
)
def test_a_version_that_the_kit_cannot_judge_is_refused_with_what_to_do(
    version: str, advice: str
) -> None:
    with pytest.raises(SetupError, match=advice):
        judged_number(version)


def test_the_kit_judges_its_own_version() -> None:
    assert judged_number(contract_version()) == number_of(contract_version())


def test_the_digest_is_that_of_the_text_with_the_version() -> None:
    text = '{"contract":"","expression":"\\"contract\\":\\"1\\"","root":0}'
    stated = text.replace('"contract":""', '"contract":"9.8"')
    assert with_contract({"canonical": {"text": text}}, "9.8") == {
        "canonical": {"text": stated, "digest": sha256(stated.encode()).hexdigest()}
    }


def test_a_document_within_a_result_has_the_version_too() -> None:
    inner = {"contract": "1", "values": {"contract": 1}}
    outcome = {"hessian": {"document": inner, "hessian": {}}}
    assert with_contract(outcome, "9.8") == {
        "hessian": {"document": {"contract": "9.8", "values": {"contract": 1}}, "hessian": {}}
    }
    assert with_contract({"error": {"code": "unused_name"}}, "9.8") == {
        "error": {"code": "unused_name"}
    }
