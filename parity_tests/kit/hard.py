"""hard_cases/*.txt -> cases: one operation at many operands where rounding is hard, by class."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from struct import unpack
from typing import NamedTuple

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.engines import PACKAGE, SetupError
from parity_tests.kit.operations import load_operations
from parity_tests.kit.profiles import profiles_of
from parity_tests.kit.worker import Json

HARD_CASES = PACKAGE / "exactness" / "hard_cases"
TOPIC = "hard"
WHY = "A platform's own function, or one that rounds twice, misses some of these by a bit."

HOLDS = {
    "add": ["R1.9"],
    "div": ["R1.8", "R1.9"],
    "exp": ["R1.8"],
    "log": ["R1.8"],
    "mul": ["R1.8", "R1.9"],
    "pow": ["R1.8", "R2.1", "R2.2", "R2.3"],
    "sqrt": ["R1.8"],
    "sub": ["R1.9"],
}
"""The contract's sentences beside R1.2 that a file's operands show."""

SIGN_OF_ZERO_COUNTS = frozenset("+-*/")
"""Hardware operations, so equal to IEEE in every bit. The functions may return 0 for -0 and the
other way round: no document can show the sign of a zero (R6), and dividing by either is an error.
"""


OUTSIDE = "-"
"""What a file has in place of a result outside of the domain."""


class Row(NamedTuple):
    """Operands and the nearest double as 16 hex digits each; None outside the domain."""

    kind: str
    operands: tuple[str, ...]
    expected: str | None


class HardCase(Case):
    """The operands of one class; the results are to be equal to the bit, but for free zeros."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The file of the operation in this repository."""
        return f"parity_tests/exactness/hard_cases/{self.name.partition('-')[0]}.txt"

    @property
    def profiles(self) -> frozenset[str]:
        """What an engine must claim to be asked."""
        return profiles_of([self.request["operation"]], None)

    def verdict(self, response: Json, contract: str | None = None) -> str | None:
        """Show the first result that is not the nearest double, with its operands."""
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


def load_hard_cases(folder: Path = HARD_CASES) -> list[Case]:
    """Read the cases of every operation that rounds. Raises SetupError where there are none."""
    symbols = {row.name: symbol for symbol, row in load_operations().items()}
    files = sorted(folder.glob("*.txt"))
    if not files or not {file.stem for file in files} <= symbols.keys():
        raise SetupError(f"{folder} does not hold files of {', '.join(sorted(symbols))} alone")
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
        name = f"{file.stem}-{_slug(kind)}"
        holds = ["R1.2", *HOLDS.get(file.stem, [])]
        yield HardCase(TOPIC, name, holds, WHY, "MPFR", request, None, results, "evaluate")


def _slug(kind: str) -> str:
    words = "".join(each if each.isalnum() else " " for each in kind.replace("**", " to the "))
    return "-".join(words.split()).lower()


def is_other_zero(operation: str, one: str | None, other: str | None) -> bool:
    """True for 0 beside -0, where the sign is free."""
    zeros = {"0000000000000000", "8000000000000000"}
    return operation not in SIGN_OF_ZERO_COUNTS and {one, other} == zeros


def explain_row(symbol: str, row: Sequence[str], right: str | None, actual: str | None) -> str:
    """Show operands, expected and actual result, a line each."""
    shown = [
        f"{label:9} {bits} {'outside the domain' if bits is None else repr(_double(bits))}"
        for label, bits in [
            *(("operand", bits) for bits in row),
            ("expected", right),
            ("actual", actual if actual is None or _is_bits(actual) else None),
        ]
    ]
    if right is not None and actual is not None and _is_bits(actual):
        shown[-1] += f", {ulps_between(_double(right), _double(actual))} ulp away"
    return "\n  ".join([symbol, *shown])


def _is_bits(text: object) -> bool:
    return isinstance(text, str) and len(text) == 16 and not set(text) - set("0123456789abcdef")


def _double(bits: str) -> float:
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x
