"""Each sentence of the contract has a number and something that holds it, and keeps its number."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import ROOT
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.rules import Rule, split_contract
from parity_tests.kit.sentences import (
    CONTRACT,
    DROPPED,
    Entry,
    digest_of,
    load_entries,
    load_sentences,
)
from parity_tests.sentences import main, renumbered, write

TESTS = ("engine_py/tests", "engine_ts/test", "parity_tests/tests", "service/tests")
CITATION = re.compile(
    r"^ *(?:#|//) Holds ([\w.]+(?:, [\w.]+)*)\.\n *(?:def )?(test.*)", re.MULTILINE
)
"""The line above a test of what no case can show."""
SHOWN = 3
"""Sentences of one rule that a failure shows; about more a case is about none of them."""

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


def citations() -> Iterator[tuple[str, Sequence[str]]]:
    """Give what each case and each test cites."""
    for case in [*load_cases(), *load_hard_cases(), *load_lines()]:
        yield case.id, case.holds
    for folder in TESTS:
        for file in sorted((ROOT / folder).glob("*test*.[pt][ys]")):
            for numbers, test in CITATION.findall(file.read_text(encoding="utf-8")):
                yield f"{file.name} {test}", numbers.split(", ")


def find_faults(entries: Sequence[Entry], cited: Mapping[str, Sequence[str]]) -> list[str]:
    """Give a sentence for each fault between the list and what cites it."""
    faults = []
    known = {entry.number: entry for entry in entries if entry.digest != DROPPED}
    held = {number for numbers in cited.values() for number in numbers}
    for number, entry in known.items():
        if not entry.explains and number not in held:
            faults.append(f"nothing holds {number}")
        if entry.explains and number in held:
            faults.append(f"{number} explains, and is held")
    for name, numbers in cited.items():
        faults += [f"{name} holds {each}, which is gone" for each in numbers if each not in known]
        rules = Counter(number.rpartition(".")[0] for number in numbers)
        faults += [
            f"{name} holds {n} sentences of {rule}" for rule, n in rules.items() if n > SHOWN
        ]
    return faults


# Holds Contract.2.
def test_each_sentence_is_held_by_a_case_or_a_test_or_explains() -> None:
    cited = dict(citations())
    entries = load_entries()
    assert len(entries) > 250
    assert any(name.startswith("test_value.py") for name in cited)
    assert any(name.startswith("value.test.ts") for name in cited)
    assert find_faults(entries, cited) == []


def test_the_list_is_the_contracts() -> None:
    rules, entries = split_contract(CONTRACT.read_text(encoding="utf-8")), load_entries()
    assert renumbered(rules, entries) == entries
    assert max(Counter(entry.number for entry in entries).values()) == 1


def test_no_word_of_the_contract_is_lost_between_sentences() -> None:
    contract = CONTRACT.read_text(encoding="utf-8")
    rules = split_contract(contract)
    kept = " ".join(f"{rule.name} {rule.title} {' '.join(rule.sentences)}" for rule in rules)
    words = [word for word in contract.split() if any(each.isalnum() for each in word)]
    lost = [word for word in words if word.replace("**", "") not in kept.replace("**", "")]
    assert lost == []


def test_a_contract_is_split_into_rules_and_sentences() -> None:
    assert split_contract(MADE_UP) == SPLIT


LIST = [
    Entry("R1", 1, digest_of("A sum is rounded once.")),
    Entry("R1", 2, digest_of("Why."), explains=True),
    Entry("R1", 3, DROPPED),
]


@pytest.mark.parametrize(
    ("sentences", "numbers"),
    [
        (["A sum is rounded once.", "Why."], ["R1.1", "R1.2"]),
        (["A sum is rounded twice.", "Why."], ["R1.1", "R1.2"]),
        (["Why.", "A sum is rounded once."], ["R1.2", "R1.1"]),
        (["First.", "A sum is rounded once.", "Why."], ["R1.4", "R1.1", "R1.2"]),
        (["A sum is rounded once.", "Why.", "Last."], ["R1.1", "R1.2", "R1.4"]),
        (["Why."], ["R1.2"]),
        ([], []),
    ],
)
def test_a_number_never_moves(sentences: list[str], numbers: list[str]) -> None:
    entries = renumbered([Rule("R1", "Sums.", sentences)], LIST)
    present = [entry for entry in entries if entry.digest != DROPPED]
    assert [entry.number for entry in present] == numbers
    assert [entry.digest for entry in present] == list(map(digest_of, sentences))
    assert [entry.explains for entry in present] == [number == "R1.2" for number in numbers]
    assert {entry.place for entry in LIST} <= {entry.place for entry in entries}


@pytest.mark.parametrize(
    ("cited", "faults"),
    [
        ({"sums/small": ["R1.1"]}, []),
        ({}, ["nothing holds R1.1"]),
        ({"sums/small": ["R1.1", "R1.2"]}, ["R1.2 explains, and is held"]),
        ({"sums/small": ["R1.1", "R1.3"]}, ["sums/small holds R1.3, which is gone"]),
        ({"sums/small": ["R1.1", "R9.1"]}, ["sums/small holds R9.1, which is gone"]),
        ({"sums/small": ["R1.1"] * 4}, ["sums/small holds 4 sentences of R1"]),
    ],
)
def test_a_wrong_citation_is_a_fault(cited: dict[str, list[str]], faults: list[str]) -> None:
    assert find_faults(LIST, cited) == faults


def test_the_cases_of_each_topic_are_counted(tmp_path: Path) -> None:
    for folder in ("schemas", "parity_tests/fixtures"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    fixtures = tmp_path / "parity_tests" / "fixtures"
    zeros = json.loads((fixtures / "zeros.json").read_text())
    (fixtures / "zeros.json").write_text(json.dumps(zeros[1:]))
    write(tmp_path)
    counted = json.loads((fixtures / "manifest.json").read_text())["cases"]
    assert counted == dict(Counter(case.topic for case in load_cases(fixtures)))
    assert counted["zeros"] == len(zeros) - 1


def test_the_sentences_of_a_rule_are_shown_with_their_numbers(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["R15"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.partition(" ")[0] for line in shown] == [f"R15.{n}" for n in range(1, 6)]
    assert shown[2] == f"R15.3 {load_sentences()['R15.3']}"
    assert main(["R99"]) == 2
