"""fixtures/, hard_cases/ and protocol_lines.json -> cases. An empty folder is an error."""

import json
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby
from math import isfinite
from pathlib import Path
from struct import unpack
from typing import Any, NamedTuple

from parity_tests.kit.compare import distance_between, first_difference, outcome
from parity_tests.kit.contract import (
    Number,
    contract_version,
    load_operations,
    number_of,
    profiles_of,
    profiles_of_request,
    with_contract,
)
from parity_tests.kit.engines import PACKAGE, SetupError
from parity_tests.kit.worker import Call, Json

FIXTURES = PACKAGE / "fixtures"


class Case(NamedTuple):
    """One behaviour that every engine must show (`fixture.schema.json`)."""

    topic: str
    """The file's stem."""
    name: str
    """The behaviour as a sentence."""
    holds: list[str]
    """The rules (`R36`) or the part (`Lab`) of the contract that an engine violates if it fails."""
    why: str
    source: str
    request: Json
    limits: dict[str, int] | None
    expect: Json
    command: str = "introspect"
    since: str | None = None
    """The first contract version that it applies to; None is 2.0."""
    until: str | None = None
    """The last version that it applies to, if the rule has changed since."""

    @property
    def id(self) -> str:
        """The name in reports and in lists of known failures, unique among all topics."""
        return f"{self.topic}/{self.name}"

    @property
    def line(self) -> bytes | None:
        """The line to send instead of a call, if the line may be an invalid message."""
        return None

    @property
    def is_partial(self) -> bool:
        """Whether the expectation may leave out members in which the engines must still agree."""
        return self.command not in ("evaluate", "line")

    @property
    def profiles(self) -> frozenset[str]:
        """The profiles that an engine must claim to get this case."""
        return profiles_of_request(self.command, self.request)

    def applies_to(self, contract: Number) -> bool:
        """Return whether the case judges engines of this contract version."""
        first, last = number_of(self.since or "2.0"), self.until
        return first <= contract and (last is None or contract <= number_of(last))

    @property
    def path(self) -> str:
        """The fixture's file in this repository."""
        return f"parity_tests/fixtures/{self.topic}.json"

    @property
    def call(self) -> Call:
        """The call to send to an engine, without the expectation."""
        return self.command, self.request, self.limits

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Describe the first error in a response; None if the response is correct.

        `contract` is the version that the engine implements.
        """
        [(kind, expected)] = with_contract(self.expect, contract or contract_version()).items()
        given = outcome(response, self.command)
        if kind not in given:
            return f"expected {_shortly(self.expect)}, got {_shortly(given)}"
        difference = first_difference(expected, given[kind], partial=kind != "error")
        return None if difference is None else str(difference)


def load_cases(folder: Path = FIXTURES) -> list[Case]:
    """Read all cases, by topic. Raises SetupError if there are none."""
    cases = [
        Case(topic, **{"source": "hand derivation", "limits": None, **entry})
        for topic, entries in read_topics(folder).items()
        for entry in entries
    ]
    if not cases:
        raise SetupError(f"no fixtures in {folder}")
    return cases


def read_topics(folder: Path = FIXTURES) -> dict[str, list[Json]]:
    """Read the entries of each topic as JSON."""
    return {file.stem: read_json(file) for file in sorted(folder.glob("*.json"))}


def read_json(file: Path) -> Any:
    """Read JSON; a number too large for a double becomes an integer of the same value."""
    return json.loads(file.read_text(encoding="utf-8"), parse_float=_number)


def _number(text: str) -> float:
    """Infinity is not JSON, so 1e400 is sent on as an integer of 401 digits."""
    double = float(text)
    return double if isfinite(double) else int(Decimal(text))


def _shortly(expectation: Json) -> str:
    [(kind, content)] = expectation.items()
    members = ("result", "digest", "code", "span", "reason", "traceback")
    return f"{kind} {json.dumps({key: content[key] for key in members if key in content})}"


# --- hard cases -----------------------------------------------------------------------------------

HARD_CASES = PACKAGE / "exactness" / "hard_cases"
HARD_TOPIC = "hard"
HARD_WHY = (
    "A platform's own function, or one that rounds twice, is off by one bit on some of these."
)

SIGN_OF_ZERO_COUNTS = frozenset("+-*/")
"""Operations whose zero must have the sign that IEEE 754 gives it. The functions may return either
zero: no document shows the sign of a zero (R6), and dividing by either one is an error.
"""

OUTSIDE = "-"
"""The mark in a file for operands outside the domain, which have no result."""


class Row(NamedTuple):
    """Operands and the correctly rounded result, 16 hex digits each; None outside the domain."""

    kind: str
    operands: tuple[str, ...]
    expected: str | None


class HardCase(Case):
    """The operands of one class. Results must be bit-identical, except for zeros of either sign."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The file of the operation in this repository."""
        return f"parity_tests/exactness/hard_cases/{self.name.partition('-')[0]}.txt"

    @property
    def profiles(self) -> frozenset[str]:
        """The profiles that an engine must claim to get this case."""
        return profiles_of([self.request["operation"]], None)

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Show the first result that is not the nearest double; None if there is none."""
        symbol, rows = self.request["operation"], self.request["operands"]
        expected = self.expect["results"]
        given = response.get("result")
        if response["kind"] != "result" or not isinstance(given, list):
            return f"expected results, got {json.dumps(response)[:200]}"
        if len(given) != len(rows):
            return f"expected {len(rows)} results, got {len(given)}"
        for row, right, actual in zip(rows, expected, given, strict=True):
            if actual != right and not is_other_zero(symbol, right, actual):
                return explain_row(symbol, row, right, actual)
        return None


def load_hard_cases() -> list[Case]:
    """Read the cases of every operation that rounds. Raises SetupError if there are none."""
    symbols = {row.name: symbol for symbol, row in load_operations().items()}
    files = sorted(HARD_CASES.glob("*.txt"))
    if not files or not {file.stem for file in files} <= symbols.keys():
        raise SetupError(
            f"{HARD_CASES} must have files of {', '.join(sorted(symbols))}, and no others"
        )
    return [case for file in files for case in _load(file, symbols[file.stem])]


def read_rows(file: Path) -> Iterator[Row]:
    """Read a file: a class in brackets, then its rows, the result last; # begins a comment."""
    kind = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
        elif line and not line.startswith("#"):
            *operands, result = line.split()
            yield Row(kind, tuple(operands), None if result == OUTSIDE else result)


def _load(file: Path, symbol: str) -> Iterator[Case]:
    for kind, group in groupby(read_rows(file), key=lambda row: row.kind):
        rows = list(group)
        request = {"operation": symbol, "operands": [list(row.operands) for row in rows]}
        results = {"results": [row.expected for row in rows]}
        words = kind.replace("**", " to the ").replace(" -", " minus ")
        name = f"{file.stem}-{_slug(words)}"
        holds = ["R1", "R2"] if file.stem == "pow" else ["R1"]
        yield HardCase(
            HARD_TOPIC, name, holds, HARD_WHY, "MPFR", request, None, results, "evaluate"
        )


def is_other_zero(operation: str, one: str | None, other: str | None) -> bool:
    """True if both are zeros, and `operation` may return either."""
    zeros = {"0000000000000000", "8000000000000000"}
    return operation not in SIGN_OF_ZERO_COUNTS and {one, other} == zeros


def explain_row(symbol: str, row: Sequence[str], right: str | None, actual: str | None) -> str:
    """Show operands, expected and actual result, one per line."""
    shown = [
        f"{label:9} {bits} {'outside the domain' if bits is None else repr(_double(bits))}"
        for label, bits in [
            *(("operand", bits) for bits in row),
            ("expected", right),
            ("actual", actual if actual is None or _is_bits(actual) else None),
        ]
    ]
    if right is not None and actual is not None and _is_bits(actual):
        shown[-1] += f", {distance_between(_double(right), _double(actual))}"
    return "\n  ".join([symbol, *shown])


def _is_bits(text: object) -> bool:
    return isinstance(text, str) and len(text) == 16 and not set(text) - set("0123456789abcdef")


def _double(bits: str) -> float:
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x


# --- lines of the protocol ------------------------------------------------------------------------

LINES = PACKAGE / "kit" / "protocol_lines.json"
LINES_TOPIC = "protocol"
COMMAND = re.compile(r'"command": *"(\w+)"')
LINES_WHY = (
    "Each line has its own response, so that an invalid message is reported at its own line."
)


class LineCase(Case):
    """One line of the protocol. The response may have more members than those expected."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The file in this repository."""
        return "parity_tests/kit/protocol_lines.json"

    @property
    def line(self) -> bytes:
        """The bytes to send, without the newline."""
        return line_of(self.request)

    @property
    def profiles(self) -> frozenset[str]:
        """The profiles that an engine must claim to get this line."""
        return profiles_of(COMMAND.findall(self.line.decode(errors="replace")), None)

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Describe the first difference from the expected response; None if there is none."""
        difference = first_difference(self.expect["response"], response, partial=True)
        return None if difference is None else str(difference)


def load_lines() -> list[Case]:
    """Read all lines; a case's name is its number and its title."""
    entries = json.loads(LINES.read_text(encoding="utf-8"))
    return [
        LineCase(LINES_TOPIC, f"{number}-{_slug(entry['title'])}", entry.get("holds", []),
                 LINES_WHY, "hand derivation", entry, None, {"response": entry["response"]}, "line")
        for number, entry in enumerate(entries, 1)
    ]  # fmt: skip


def line_of(entry: Json) -> bytes:
    """Return the bytes of a line: given as text, as hex digits, or as repeated texts."""
    if "hex" in entry:
        return bytes.fromhex(entry["hex"])
    if "parts" in entry:
        return "".join(text * times for text, times in entry["parts"]).encode()
    return str(entry["line"]).encode()


def _slug(text: str) -> str:
    return "-".join("".join(each if each.isalnum() else " " for each in text).split()).lower()
