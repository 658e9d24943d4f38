"""fixtures/ -> cases. A folder that is gone or cut short fails; it never passes for empty."""

import json
from collections import Counter
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contracts import Number, contract_version, number_of, with_contract
from parity_tests.kit.engines import PACKAGE, SetupError
from parity_tests.kit.profiles import profiles_of_request
from parity_tests.kit.worker import Call, Json

FIXTURES = PACKAGE / "fixtures"
MANIFEST = "manifest.json"


class Case(NamedTuple):
    """One behaviour that every engine must show (`fixture.schema.json`)."""

    topic: str
    """The file's stem."""
    name: str
    """The behaviour as a sentence."""
    holds: list[str]
    """The numbers of the contract's sentences that are violated if it fails: `R36.4`."""
    why: str
    source: str
    request: Json
    limits: dict[str, int] | None
    expect: Json
    command: str = "introspect"
    since: str | None = None
    """The first contract that it holds engines to; all from 2.0 on, if it is None."""
    until: str | None = None
    """The last one, if the rule has changed."""

    @property
    def id(self) -> str:
        """The case among all topics, in reports and in lists of known failures."""
        return f"{self.topic}/{self.name}"

    @property
    def line(self) -> bytes | None:
        """The line that is sent instead of the call, where it may be no message."""
        return None

    @property
    def is_partial(self) -> bool:
        """True where the expectation may leave something out that the engines must share."""
        return self.command not in ("evaluate", "line")

    @property
    def profiles(self) -> frozenset[str]:
        """What an engine must claim to be asked."""
        return profiles_of_request(self.command, self.request)

    def is_of(self, contract: Number) -> bool:
        """Say whether it holds engines of a version of the contract to anything."""
        first, last = number_of(self.since or "2.0"), self.until
        return first <= contract and (last is None or contract <= number_of(last))

    @property
    def path(self) -> str:
        """The fixture's file in this repository."""
        return f"parity_tests/fixtures/{self.topic}.json"

    @property
    def call(self) -> Call:
        """What an engine gets; the expectation stays here."""
        return self.command, self.request, self.limits

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Describe the first thing wrong in the response of an engine of a version of the contract.

        None if it is right.
        """
        [(kind, expected)] = with_contract(self.expect, contract or contract_version()).items()
        given = outcome(response, self.command)
        if kind not in given:
            return f"expected {_shortly(self.expect)}, got {_shortly(given)}"
        difference = first_difference(expected, given[kind], partial=kind != "error")
        return None if difference is None else str(difference)


def load_cases(folder: Path = FIXTURES) -> list[Case]:
    """Read all cases, by topic. Raises SetupError unless there are as many as the manifest says."""
    if not (folder / MANIFEST).is_file():
        raise SetupError(f"no fixtures: {folder / MANIFEST} is missing")
    expected = read_json(folder / MANIFEST)["cases"]
    cases = [
        Case(topic, **{"source": "hand derivation", "limits": None, **entry})
        for topic, entries in read_topics(folder).items()
        for entry in entries
    ]
    counted = Counter(case.topic for case in cases)
    wrong = [
        f"{topic} has {counted[topic]} cases, and {expected.get(topic, 0)} there"
        for topic in counted | expected
        if counted[topic] != expected.get(topic)
    ]
    if wrong or not cases:
        told = "; ".join(wrong) or "there are none"
        raise SetupError(f"{folder} does not hold what its {MANIFEST} says: {told}")
    return cases


def read_topics(folder: Path = FIXTURES) -> dict[str, list[Json]]:
    """Read the cases of each topic as they are written."""
    files = sorted(file for file in folder.glob("*.json") if file.name != MANIFEST)
    return {file.stem: read_json(file) for file in files}


def read_json(file: Path) -> Any:
    """Read JSON, where a number beyond the doubles stays the number that was written."""
    return json.loads(file.read_text(encoding="utf-8"), parse_float=_number)


def _number(text: str) -> float:
    """Infinity is not JSON, so 1e400 travels on as an integer with 401 digits."""
    double = float(text)
    return double if isfinite(double) else int(Decimal(text))


def _shortly(expectation: Json) -> str:
    [(kind, content)] = expectation.items()
    members = ("result", "digest", "code", "span", "traceback")
    return f"{kind} {json.dumps({key: content[key] for key in members if key in content})}"
