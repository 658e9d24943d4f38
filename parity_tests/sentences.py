"""Number the contract's sentences and count the fixtures' cases, or show a rule's sentences.

    python -m parity_tests.sentences
    python -m parity_tests.sentences R37

The first writes schemas/sentences.txt and the fixtures' manifest.json, after either was changed,
and prints which sentences changed. Whether the cases of a sentence
that changed still show what it says is for people to judge; parity_tests/tests/test_sentences.py
finds sentences that nothing holds, and cases that cite what is gone.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import count
from pathlib import Path

from parity_tests.kit.cases import FIXTURES, MANIFEST, read_topics
from parity_tests.kit.engines import ROOT
from parity_tests.kit.rules import Rule, split_contract
from parity_tests.kit.sentences import (
    CONTRACT,
    DROPPED,
    FILE,
    Entry,
    digest_of,
    load_entries,
    load_sentences,
    sentences_of,
)


def main(arguments: list[str] | None = None) -> int:
    """Write the list, or print a rule's sentences; give the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m parity_tests.sentences",
        description="Number the contract's sentences, count the cases, or show a rule's sentences.",
    )
    parser.add_argument("rule", nargs="?", help="such as R37")
    rule = parser.parse_args(arguments).rule
    if rule is None:
        write()
        return 0
    shown = [f"{n} {text}" for n, text in load_sentences().items() if n.startswith(f"{rule}.")]
    if not shown:
        print(f"sentences: the contract has no rule {rule}", file=sys.stderr)
        return 2
    print("\n".join(shown))
    return 0


def renumbered(rules: Sequence[Rule], entries: Sequence[Entry]) -> list[Entry]:
    """Give the list of these rules, where each sentence keeps the number that it had."""
    names = dict.fromkeys([rule.name for rule in rules] + [entry.rule for entry in entries])
    sentences = {rule.name: rule.sentences for rule in rules}
    return [
        entry
        for name in names
        for entry in _of_rule(
            name,
            [digest_of(text) for text in sentences.get(name, [])],
            [entry for entry in entries if entry.rule == name],
        )
    ]


def _of_rule(rule: str, digests: list[str], old: list[Entry]) -> list[Entry]:
    known = {entry.digest: entry for entry in old if entry.digest != DROPPED}
    changed = dict(_changed(digests, known))
    places = count(max((entry.place for entry in old), default=0) + 1)
    entries = [
        known.get(digest) or changed.get(digest) or Entry(rule, next(places), digest)
        for digest in digests
    ]
    kept = {entry.place for entry in entries}
    gone = [Entry(rule, entry.place, DROPPED) for entry in old if entry.place not in kept]
    return entries + gone


def _changed(digests: list[str], known: dict[str, Entry]) -> Iterator[tuple[str, Entry]]:
    """Take a new sentence for the old one in whose place it stands."""
    matcher = SequenceMatcher(None, list(known), digests, autojunk=False)
    for _, start, end, new_start, new_end in matcher.get_opcodes():
        gone = [digest for digest in list(known)[start:end] if digest not in digests]
        new = [digest for digest in digests[new_start:new_end] if digest not in known]
        for digest, old in zip(new, gone, strict=False):
            yield digest, known[old]._replace(digest=digest)


def write(root: Path = ROOT) -> None:
    """Write both lists of a checkout, and print what changed in the first."""
    file, fixtures = root / FILE.relative_to(ROOT), root / FIXTURES.relative_to(ROOT)
    counted = {topic: len(cases) for topic, cases in read_topics(fixtures).items()}
    (fixtures / MANIFEST).write_text(json.dumps({"cases": counted}, indent=2) + "\n")
    rules = split_contract((root / CONTRACT.relative_to(ROOT)).read_text(encoding="utf-8"))
    old = load_entries(file)
    new = renumbered(rules, old)
    file.write_text("".join(f"{_line(entry)}\n" for entry in new), encoding="utf-8")
    before = {entry.number: entry for entry in old}
    texts = sentences_of(rules, new)
    for entry in new:
        if entry.number not in before:
            print(f"{entry.number} is new: {texts[entry.number]}")
        elif entry.digest == DROPPED != before[entry.number].digest:
            print(f"{entry.number} is gone")
        elif entry.digest != before[entry.number].digest:
            print(f"{entry.number} now says: {texts[entry.number]}")
    print(f"{len(texts)} sentences")


def _line(entry: Entry) -> str:
    return " ".join([entry.number, entry.digest, *(["explains"] if entry.explains else [])])


if __name__ == "__main__":
    sys.exit(main())
