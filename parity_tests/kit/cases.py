"""fixtures/ -> cases. A folder that is gone or cut short fails; it never passes for empty."""

import json
from collections import Counter
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import PACKAGE, SetupError
from parity_tests.kit.worker import Call, Json

FIXTURES = PACKAGE / "fixtures"
MANIFEST = "manifest.json"


class Case(NamedTuple):
    """One behaviour that every engine must show (`fixture.schema.json`)."""

    topic: str
    behaviour: str
    """The file's stem: a sentence."""
    rules: list[str]
    why: str
    source: str
    request: Json
    limits: dict[str, int] | None
    expect: Json
    command: str = "introspect"

    @property
    def name(self) -> str:
        """The case in a test's id."""
        return f"{self.topic}-{self.behaviour}"

    @property
    def line(self) -> bytes | None:
        """The line that is sent instead of the call, where it may be no message."""
        return None

    @property
    def is_partial(self) -> bool:
        """True where the expectation may leave something out that the engines must share."""
        return self.command not in ("evaluate", "line")

    @property
    def path(self) -> str:
        """The fixture's file in this repository."""
        return f"parity_tests/fixtures/{self.topic}/{self.behaviour}.json"

    @property
    def call(self) -> Call:
        """What an engine gets; the expectation stays here."""
        return self.command, self.request, self.limits

    def verdict(self, response: Json) -> str | None:
        """Describe the first thing wrong in an engine's response; None if it is right."""
        [(kind, expected)] = self.expect.items()
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
    files = sorted(file for file in folder.rglob("*.json") if file != folder / MANIFEST)
    cases = [_load(file, folder) for file in files]
    counted = Counter(case.topic for case in cases)
    wrong = [topic for topic in counted | expected if counted[topic] != expected.get(topic)]
    if wrong or not cases:
        raise SetupError(f"{folder} does not hold what its {MANIFEST} says, see: {wrong}")
    return cases


def read_json(file: Path) -> Any:
    """Read JSON, where a number beyond the doubles stays the number that was written."""
    return json.loads(file.read_text(encoding="utf-8"), parse_float=_number)


def _load(file: Path, folder: Path) -> Case:
    topic = file.parent.relative_to(folder).as_posix()
    return Case(topic, file.stem, **{"limits": None, **read_json(file)})


def _number(text: str) -> float:
    """Infinity is not JSON, so 1e400 travels on as an integer with 401 digits."""
    double = float(text)
    return double if isfinite(double) else int(Decimal(text))


def _shortly(expectation: Json) -> str:
    [(kind, content)] = expectation.items()
    members = ("result", "digest", "code", "span", "traceback")
    return f"{kind} {json.dumps({key: content[key] for key in members if key in content})}"
