"""fixtures/sentences.toml -> what holds engines to each sentence of the contract."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit import hard
from parity_tests.kit.cases import FIXTURES, Case

FILE = FIXTURES / "sentences.toml"


class Sentence(NamedTuple):
    """A sentence with whatever fails where an engine breaks it."""

    text: str
    """With single blanks."""
    fixtures: tuple[str, ...] = ()
    """By topic and behaviour: `zeros/a-negative-zero-result-is-written-plain`."""
    hard: tuple[str, ...] = ()
    """Files of hard cases: `exp`."""
    lines: tuple[str, ...] = ()
    """Titles of the protocol's lines."""
    tests: tuple[str, ...] = ()
    """Files of tests from the root, or one of their tests: `folder/file.py::test_name`."""
    explains: str = ""
    """Why it needs nothing of these: it demands nothing."""

    def is_shown_by(self, case: Case) -> bool:
        """True where it is violated if the case fails."""
        if case.topic == hard.TOPIC:
            return case.behaviour.partition("-")[0] in self.hard
        return f"{case.topic}/{case.behaviour}" in self.fixtures


def load_sentences(file: Path = FILE) -> dict[str, list[Sentence]]:
    """Read the sentences of each rule, in their order. Raises TypeError at an unknown member."""
    content = tomllib.loads(file.read_text(encoding="utf-8"))
    return {rule: [_sentence(**entry) for entry in entries] for rule, entries in content.items()}


def sentences_shown_by(case: Case) -> dict[str, list[str]]:
    """Give the sentences that a case is about, by the rules that it cites."""
    table = _table()
    return {
        rule: [each.text for each in table.get(rule, []) if each.is_shown_by(case)]
        for rule in case.rules
    }


def _sentence(*, text: str, explains: str = "", **held_by: list[str]) -> Sentence:
    names = {name: tuple(held) for name, held in held_by.items()}
    return Sentence(" ".join(text.split()), explains=explains, **names)


@cache
def _table() -> dict[str, list[Sentence]]:
    return load_sentences()
