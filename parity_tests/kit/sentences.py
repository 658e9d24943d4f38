"""sentences.txt and CONTRACT.md -> each sentence of the contract by its number: `R37.4`.

The list has a line for each sentence, in the contract's order: its number, the beginning of its
SHA-256, and `explains` where it demands nothing, so that no case need hold it. A number never
moves: `python -m parity_tests.sentences` gives a new sentence its rule's next one, and marks that
of a sentence that is gone as `dropped`.
"""

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import SCHEMAS, SetupError
from parity_tests.kit.rules import Rule, split_contract

CONTRACT = SCHEMAS / "CONTRACT.md"
FILE = SCHEMAS / "sentences.txt"
DROPPED = "dropped"


class Entry(NamedTuple):
    """A line of the list."""

    rule: str
    place: int
    digest: str
    """Of the sentence, or `dropped`."""
    explains: bool = False

    @property
    def number(self) -> str:
        """What cases cite."""
        return f"{self.rule}.{self.place}"


def load_entries(file: Path = FILE) -> list[Entry]:
    """Read the list."""
    return [_entry(line) for line in file.read_text(encoding="utf-8").splitlines()]


@cache
def load_sentences() -> dict[str, str]:
    """Give each sentence by its number. Raises SetupError where the list is not the contract's."""
    return sentences_of(split_contract(CONTRACT.read_text(encoding="utf-8")), load_entries())


def sentences_of(rules: Sequence[Rule], listed: Sequence[Entry]) -> dict[str, str]:
    """Give the rules' sentences by the numbers of a list. Raises SetupError if it is another's."""
    texts = [(rule.name, text) for rule in rules for text in rule.sentences]
    entries = [entry for entry in listed if entry.digest != DROPPED]
    if [(entry.rule, entry.digest) for entry in entries] != [
        (rule, digest_of(text)) for rule, text in texts
    ]:
        raise SetupError(f"{FILE.name} is not the list of {CONTRACT.name}'s sentences: run "
                         "`python -m parity_tests.sentences`")  # fmt: skip
    return {entry.number: text for entry, (_, text) in zip(entries, texts, strict=True)}


def digest_of(text: str) -> str:
    """Give what the list has of a sentence."""
    return sha256(text.encode()).hexdigest()[:8]


def _entry(line: str) -> Entry:
    number, digest, *mark = line.split()
    rule, _, place = number.rpartition(".")
    return Entry(rule, int(place), digest, mark == ["explains"])
