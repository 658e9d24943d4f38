"""hard_cases/*.json -> cases: one operation at many operands where rounding is hard, by class."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from struct import unpack

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.engines import PACKAGE, SetupError
from parity_tests.kit.operations import load_operations
from parity_tests.kit.worker import Json

HARD_CASES = PACKAGE / "exactness" / "hard_cases"
TOPIC = "hard"
WHY = "A platform's own function, or one that rounds twice, misses some of these by a bit."

EXACT = frozenset(("abs", "max", "min", "relu"))
"""The functions that round nothing, and have no file."""

SIGN_OF_ZERO_COUNTS = frozenset("+-*/")
"""Hardware operations, so equal to IEEE in every bit. The functions may return 0 for -0 and the
other way round: no document can show the sign of a zero (R6), and dividing by either is an error.
"""


class HardCase(Case):
    """The operands of one class; the results are to be equal to the bit, but for free zeros."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The file of the operation in this repository."""
        return f"parity_tests/exactness/hard_cases/{self.behaviour.partition('-')[0]}.json"

    def verdict(self, response: Json) -> str | None:
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
    """Read the cases of every operation. Raises SetupError unless each has its file."""
    expected = {row.name for row in load_operations().values() if row.form != "prefix"} - EXACT
    files = sorted(folder.glob("*.json"))
    if {file.stem for file in files} != expected:
        raise SetupError(f"{folder} does not hold a file for each of {sorted(expected)}")
    return [case for file in files for case in _load(file)]


def _load(file: Path) -> Iterator[Case]:
    content = json.loads(file.read_text(encoding="utf-8"))
    classes: dict[str, list[Json]] = {}
    for row in content["cases"]:
        classes.setdefault(row["class"], []).append(row)
    for kind, rows in classes.items():
        operands = [row["operands"] for row in rows]
        request = {"operation": content["operation"], "operands": operands}
        results = {"results": [row["expected"] for row in rows]}
        name = f"{file.stem}-{_slug(kind)}"
        rules = ["R1", "R2"] if file.stem == "pow" else ["R1"]
        yield HardCase(TOPIC, name, rules, WHY, "MPFR", request, None, results, "evaluate")


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
