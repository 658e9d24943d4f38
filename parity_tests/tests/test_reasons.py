"""Every reason for refusing a text has a sentence in each language of the page."""

import json
import re
from typing import Any

import pytest

from engine_py import rewrite
from engine_py.operations import FUNCTIONS
from parity_tests.kit.cases import FIXTURES
from parity_tests.kit.engines import ROOT, SCHEMAS

REASONS: dict[str, Any] = json.loads((SCHEMAS / "reasons.json").read_text("utf-8"))
TABLES: dict[str, Any] = json.loads((SCHEMAS / "rewrites.json").read_text("utf-8"))
LANGUAGES = sorted(file.stem for file in (ROOT / "service" / "web" / "words").glob("??.*"))


def given_reasons() -> set[str]:
    """Return the reasons that the reader and its tables give."""
    found = {reason for reason, _ in TABLES["without"]} | {*TABLES["words"], *TABLES["repairs"]}
    found |= {*TABLES["symbols"].values(), *TABLES["commands"].values()}
    for file in (ROOT / "engine_py" / "language").glob("*.py"):
        text = file.read_text("utf-8")
        for raised in re.findall(r"Refused\(([^()]*?),", text):
            found |= set(re.findall(r'"([a-z_]+)"', re.sub("if .*? else", "", raised)))
    return found


def test_each_reason_has_a_row() -> None:
    assert given_reasons() - {*REASONS} == set()


def test_the_schema_lists_each_reason() -> None:
    schema = json.loads((SCHEMAS / "rewrite.schema.json").read_text("utf-8"))
    assert schema["$defs"]["refused"]["properties"]["reason"]["enum"] == [*REASONS]


def test_the_schema_lists_each_reason_of_a_change() -> None:
    schema = json.loads((SCHEMAS / "rewrite.schema.json").read_text("utf-8"))
    cases = json.loads((FIXTURES / "rewrite.json").read_text("utf-8"))
    texts = [case["request"]["expression"] for case in cases if "rewrite" in case["expect"]]
    given = {change["reason"] for text in texts for change in rewrite(text)["changes"]}
    assert given == {*schema["$defs"]["change"]["properties"]["reason"]["enum"]}


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_has_a_sentence_and_a_cure_in_each_language(reason: str) -> None:
    row = REASONS[reason]
    for part in ("sentence", "cure"):
        assert sorted(row[part]) == LANGUAGES
        assert all(text[-1] == "." for text in row[part].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cure_of_a_text_without_a_formula_lists_all_functions(language: str) -> None:
    words = re.findall(r"[a-z0-9]+", REASONS["no_formula"]["cure"][language])
    assert set(FUNCTIONS) <= set(words)


@pytest.mark.parametrize("reason", [name for name, row in REASONS.items() if row["example"]])
def test_an_example_is_refused_for_its_reason(reason: str) -> None:
    example = REASONS[reason]["example"]
    refused = rewrite(example["expression"])["refused"]
    assert refused is not None
    assert (refused["reason"], refused["program"]) == (reason, example["program"])


@pytest.mark.parametrize("reason", [name for name, row in REASONS.items() if row["example"]])
def test_the_program_of_an_example_is_valid(reason: str) -> None:
    program = REASONS[reason]["example"]["program"]
    assert program is None or rewrite(program)["expression"] == program
