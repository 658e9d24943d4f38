"""The mistakes that measure the strength of the cases, and the places that reports name."""

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import load_rules
from parity_tests.kit.engines import ROOT
from parity_tests.kit.report import TWIN
from parity_tests.strength import detector_of, load_mistakes, parts, table


def test_every_rule_has_a_mistake_at_a_place_that_both_engines_have() -> None:
    mistakes = load_mistakes()
    rules = {rule for rule in load_rules() if rule[0] == "R" and rule[1:].isdigit()}
    assert {mistake.rule for mistake in mistakes if mistake.file.endswith(".py")} == rules
    for mistake in mistakes:
        source = mistake.source  # which has the place once
        if mistake.file.endswith(".py"):
            compile(source, mistake.file, "exec")
        stem = mistake.file.rpartition(".")[0]
        assert (ROOT / "engine_py" / f"{stem}.py").is_file(), stem
        assert (ROOT / TWIN / f"{stem}.ts").is_file(), stem


@pytest.mark.parametrize("language", ["py", "ts"])
def test_the_cases_of_a_rule_detect_an_engine_with_its_mistake(language: str) -> None:
    mistake = next(each for each in load_mistakes() if each.file == f"backward.{language}")
    cases = [case for case in load_cases() if case.topic in ("sharing", "order")]
    assert detector_of(mistake, cases, seed=1) == "cases"


def test_the_strength_is_a_table_by_rule_and_a_share_of_each_profile() -> None:
    counted = {"R10": {"fuzz": 1}, "R4": {"cases": 2, "nothing": 1}}
    assert table(counted).splitlines()[2:] == ["| R4 | 3 | 2 | 0 | 1 |", "| R10 | 1 | 0 | 1 | 0 |"]
    assert parts({**counted, "R42": {"cases": 1}}) == {"core": 0.75, "rewrite": 1.0}
