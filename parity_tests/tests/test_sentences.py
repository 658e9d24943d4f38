"""Each sentence of the contract is held by something, and each fixture holds one of each rule."""

from pathlib import Path

import pytest

from parity_tests.kit.cases import load_cases, read_json
from parity_tests.kit.engines import ROOT, SCHEMAS
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import FILE as LINES
from parity_tests.kit.rules import Rule, split_contract
from parity_tests.kit.sentences import Sentence, load_sentences, sentences_shown_by
from parity_tests.tests.traceability import Known, Table, find_faults

CONTRACT = (SCHEMAS / "CONTRACT.md").read_text(encoding="utf-8")

MADE_UP = """# Made up

Two rules. They demand little (IEEE 754, clause 9.)

- **R1 Sums.** A sum is rounded
  once: `1. + 2` is 3.0. A list ends here:
  1. First. Then this.
  2. Second.
  - An item
    of two lines

- **R2 Rows** are sentences:

  | in | out | | in | out |
  |---|---|---|---|---|
  | `a` | 1 | | `b` | |

  Some more.
"""
SPLIT = [
    Rule("Made up", "", ["Two rules.", "They demand little (IEEE 754, clause 9.)"]),
    Rule(
        "R1",
        "Sums.",
        [
            *("A sum is rounded once: `1. + 2` is 3.0.", "A list ends here:"),
            *("1. First.", "Then this.", "2. Second.", "An item of two lines"),
        ],
    ),
    Rule("R2", "", ["Rows are sentences:", "`a` | 1", "`b` |", "Some more."]),
]
SMALL = [
    Rule("Made up", "", ["Two rules."]),
    Rule("R1", "Sums.", ["A sum is rounded once.", "Why."]),
    Rule("R2", "Rows.", ["Rows are sentences."]),
]
TABLE: Table = {
    "Made up": [Sentence("Two rules.", fixtures=("sums/small",))],
    "R1": [
        Sentence("A sum is rounded once.", fixtures=("sums/small",), hard=("add",)),
        Sentence("Why.", explains="why"),
    ],
    "R2": [
        Sentence(
            "Rows are sentences.",
            fixtures=("rows/one",),
            lines=("an empty line",),
            tests=("engine_py/tests/test_value.py",),
        )
    ],
}
NEW = "nothing is listed for it"
KNOWN = Known(
    {"sums/small": ["R1"], "rows/one": ["R2"]}, {"add": ["R1"]}, frozenset({"an empty line"}), ROOT
)


def test_the_sentences_are_those_of_the_contract_and_each_is_held() -> None:
    known = Known(
        fixtures={f"{case.topic}/{case.behaviour}": case.rules for case in load_cases()},
        hard={case.behaviour.partition("-")[0]: case.rules for case in load_hard_cases()},
        lines=frozenset(entry["title"] for entry in read_json(LINES)),
        root=ROOT,
    )
    contract = split_contract(CONTRACT)
    assert sum(len(rule.sentences) for rule in contract) > 250
    faults = find_faults(contract, load_sentences(), known)
    assert not faults, "\n".join(faults)


def test_no_word_of_the_contract_is_lost_between_sentences() -> None:
    rules = split_contract(CONTRACT)
    kept = " ".join(f"{rule.name} {rule.title} {' '.join(rule.sentences)}" for rule in rules)
    words = [word for word in CONTRACT.split() if any(each.isalnum() for each in word)]
    assert [word for word in words if word.replace("**", "") not in kept.replace("**", "")] == []


def test_a_contract_is_split_into_rules_and_sentences() -> None:
    assert split_contract(MADE_UP) == SPLIT


def test_a_table_without_faults_has_none() -> None:
    assert find_faults(SMALL, TABLE, KNOWN) == []


@pytest.mark.parametrize(
    ("contract", "faults"),
    [
        (
            [SMALL[0], SMALL[1]._replace(sentences=["A sum is rounded twice.", "Why."]), SMALL[2]],
            [
                f"R1 says, and {NEW}: A sum is rounded twice. Nearest: ['A sum is rounded once.']",
                "R1 no longer says: A sum is rounded once.",
            ],
        ),
        (
            [SMALL[0], SMALL[1]._replace(sentences=["Why.", "A sum is rounded once."]), SMALL[2]],
            ["R1 has its sentences in another order"],
        ),
        (
            SMALL[:2],
            ["the rules are ['Made up', 'R1'], and here ['Made up', 'R1', 'R2']"],
        ),
    ],
)
def test_a_change_of_the_contract_is_a_fault(contract: list[Rule], faults: list[str]) -> None:
    assert find_faults(contract, TABLE, KNOWN) == faults


@pytest.mark.parametrize(
    ("rule", "sentence", "faults"),
    [
        ("R1", Sentence("Why."), ["R1: nothing holds: Why."]),
        (
            "R2",
            TABLE["R2"][0]._replace(explains="why"),
            ["R2: what only explains is held by nothing: Rows are sentences."],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(fixtures=()),
            ["R2: rows/one cites it and stands under none of its sentences"],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(fixtures=("rows/one", "rows/two")),
            ["R2: fixtures have no rows/two"],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(fixtures=("rows/one", "sums/small")),
            ["R2: sums/small does not cite it"],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(fixtures=("rows/one",) * 4),
            ["R2: rows/one stands under 4 sentences, and may under 3"],
        ),
        ("R2", TABLE["R2"][0]._replace(hard=("add",)), ["R2: add does not cite it"]),
        ("R2", TABLE["R2"][0]._replace(hard=("sum",)), ["R2: hard have no sum"]),
        (
            "R2",
            TABLE["R2"][0]._replace(lines=("a line",)),
            ["R2: the protocol has no line with the title 'a line'"],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(tests=("engine_py/tests/test_values.py",)),
            ["R2: there is no engine_py/tests/test_values.py"],
        ),
        (
            "R2",
            TABLE["R2"][0]._replace(tests=("engine_py/tests/test_value.py::test_nothing",)),
            ["R2: there is no engine_py/tests/test_value.py::test_nothing"],
        ),
    ],
)
def test_a_wrong_entry_is_a_fault(rule: str, sentence: Sentence, faults: list[str]) -> None:
    entries = [*TABLE[rule][:-1], sentence]
    assert find_faults(SMALL, {**TABLE, rule: entries}, KNOWN) == faults


def test_an_unknown_member_of_an_entry_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sentences.toml"
    file.write_text('[[R1]]\ntext = "A sum."\nfixture = ["sums/small"]\n')
    with pytest.raises(TypeError, match="fixture"):
        load_sentences(file)


def test_a_text_may_be_broken_into_lines(tmp_path: Path) -> None:
    file = tmp_path / "sentences.toml"
    file.write_text('[[R1]]\ntext = """\nA sum\nis rounded."""\nhard = ["add"]\n')
    assert load_sentences(file) == {"R1": [Sentence("A sum is rounded.", hard=("add",))]}


def test_a_case_shows_the_sentences_that_it_holds_engines_to() -> None:
    cases = {case.behaviour: case for case in [*load_cases(), *load_hard_cases()]}
    shown = sentences_shown_by(cases["a-newline-inside-parentheses-is-a-blank"])
    assert shown == {
        "R15": ["A newline inside parentheses, or where an operand is still missing, is a blank."]
    }
    assert sentences_shown_by(cases["pow-tie"]) == {
        "R1": [sentence.text for sentence in load_sentences()["R1"] if "pow" in sentence.hard],
        "R2": [sentence.text for sentence in load_sentences()["R2"] if "pow" in sentence.hard],
    }
