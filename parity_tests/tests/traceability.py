"""The contract's sentences x what is said to hold them -> what is wrong between the two."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.rules import Rule
from parity_tests.kit.sentences import Sentence

Table = Mapping[str, Sequence[Sentence]]
SHOWN = 3
"""Sentences of one rule that a failure shows; about more a fixture is about none of them."""


class Known(NamedTuple):
    """What a sentence may be held by."""

    fixtures: Mapping[str, Sequence[str]]
    """The rules that each fixture cites."""
    hard: Mapping[str, Sequence[str]]
    """The rules that the hard cases of a file cite."""
    lines: frozenset[str]
    root: Path
    """Where the paths of tests begin."""


def find_faults(contract: Sequence[Rule], table: Table, known: Known) -> list[str]:
    """Give a sentence for each fault."""
    return [
        *_other_sentences(contract, table),
        *_sentences_that_nothing_holds(table),
        *_unknown_holders(table, known),
        *_citations(table, "fixtures", known.fixtures),
        *_citations(table, "hard", known.hard),
    ]


def _other_sentences(contract: Sequence[Rule], table: Table) -> Iterator[str]:
    if [rule.name for rule in contract] != list(table):
        yield f"the rules are {[rule.name for rule in contract]}, and here {list(table)}"
    for rule in contract:
        listed = [sentence.text for sentence in table.get(rule.name, [])]
        gone = [text for text in listed if text not in rule.sentences]
        new = [text for text in rule.sentences if text not in listed]
        for text in new:
            nearest = get_close_matches(text, gone or listed, 1, 0)
            yield f"{rule.name} says, and nothing is listed for it: {text} Nearest: {nearest}"
        for text in gone:
            yield f"{rule.name} no longer says: {text}"
        if not new and not gone and listed != rule.sentences:
            yield f"{rule.name} has its sentences in another order"


def _sentences_that_nothing_holds(table: Table) -> Iterator[str]:
    for rule, sentence in _all(table):
        held = sentence.fixtures + sentence.hard + sentence.lines + sentence.tests
        if not held and not sentence.explains:
            yield f"{rule}: nothing holds: {sentence.text}"
        if held and sentence.explains:
            yield f"{rule}: what only explains is held by nothing: {sentence.text}"


def _unknown_holders(table: Table, known: Known) -> Iterator[str]:
    for rule, sentence in _all(table):
        for line in sentence.lines:
            if line not in known.lines:
                yield f"{rule}: the protocol has no line with the title {line!r}"
        for test in sentence.tests:
            file, _, name = test.partition("::")
            path = known.root / file
            if not path.is_file() or not _names(path.read_text(encoding="utf-8"), name):
                yield f"{rule}: there is no {test}"


def _names(text: str, test: str) -> bool:
    """True where a file of either language has the test, or none is asked for."""
    return not test or f"def {test}(" in text or f'test("{test}"' in text


def _citations(table: Table, kind: str, cited: Mapping[str, Sequence[str]]) -> Iterator[str]:
    listed = Counter(
        (name, rule) for rule, sentence in _all(table) for name in getattr(sentence, kind)
    )
    for (name, rule), count in listed.items():
        if name not in cited:
            yield f"{rule}: {kind} have no {name}"
        elif rule not in cited[name] and _has_number(rule):
            yield f"{rule}: {name} does not cite it"
        if count > SHOWN:
            yield f"{rule}: {name} stands under {count} sentences, and may under {SHOWN}"
    for name, rules in cited.items():
        for rule in rules:
            if (name, rule) not in listed:
                yield f"{rule}: {name} cites it and stands under none of its sentences"


def _has_number(rule: str) -> bool:
    """False for the parts between the rules, which nothing can cite."""
    return rule.startswith("R") and rule[1:].isdigit()


def _all(table: Table) -> Iterator[tuple[str, Sentence]]:
    return ((rule, sentence) for rule, sentences in table.items() for sentence in sentences)
