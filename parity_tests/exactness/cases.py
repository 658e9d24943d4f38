"""An operation -> its cases: hard operands with the nearest double, drawn anew or committed."""

import json
import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from struct import pack, unpack
from typing import NamedTuple

from parity_tests.exactness.hard.draws import HALFWAY, Operands
from parity_tests.exactness.hard.halfway import from_halfway
from parity_tests.exactness.hard.inputs import HARD, hard_inputs
from parity_tests.exactness.hard.referee import expected
from parity_tests.exactness.hard.search import (
    BY_RANGE,
    ENOUGH,
    RANGES,
    SEARCHED,
    close_to_halfway,
    closest_by_range,
)
from parity_tests.kit.hard import HARD_CASES
from parity_tests.kit.operations import load_operations
from parity_tests.oracle.operations import RATIONAL

FEW = {
    "tie": 64,
    "next to a tie": 64,
    "halfway between subnormals": 64,
    "next to halfway between subnormals": 64,
}
"""So many operands of these classes are committed; of the others of an operation 600 in all."""


class Case(NamedTuple):
    """Operands and the expected result as 16 hex digits each; None outside the domain."""

    kind: str
    operands: tuple[str, ...]
    expected: str | None


def to_bits(x: float) -> str:
    """Write a double as 16 hex digits."""
    return pack(">d", x).hex()


def double(bits: str) -> float:
    """Read 16 hex digits as a double."""
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x


def as_case(operation: str, kind: str, operands: Operands) -> Case:
    """Complete operands with MPFR's result."""
    result = expected(operation, operands)
    return Case(kind, tuple(map(to_bits, operands)), None if result is None else to_bits(result))


def fresh_cases(operation: str, count: int, seed: int) -> Iterator[Case]:
    """Draw so many different hard inputs."""
    return (as_case(operation, *drawn) for drawn in hard_inputs(operation, count, seed))


def case_file(operation: str) -> Path:
    """Find the committed cases of an operation."""
    return HARD_CASES / f"{load_operations()[operation].name}.json"


def committed_cases(operation: str) -> list[Case]:
    """Read the committed cases of an operation."""
    return [
        Case(case["class"], tuple(case["operands"]), case["expected"])
        for case in json.loads(case_file(operation).read_text())["cases"]
    ]


def write_cases(operation: str, many: int) -> int:
    """Choose the cases to commit, of `many` draws those near halfway; what a search found stays."""
    cases = [
        as_case(operation, kind, operands)
        for kind in HARD[operation]
        for operands in chosen(operation, kind, many)
    ]
    if operation in RANGES:
        cases += [as_case(operation, BY_RANGE, each) for each in closest_by_range(operation)]
    committed = committed_cases(operation) if case_file(operation).exists() else []
    found = [case for case in committed if case.kind in SEARCHED]
    return _write(operation, [*cases, *found])


def search_cases(operation: str, seed: str, seconds: float) -> int:
    """Search for operands very close to halfway, add them, and count how many there are then.

    The file has at most so many of a kind as ENOUGH.
    """
    committed = committed_cases(operation)
    known = {case.operands for case in committed if case.kind in SEARCHED}
    for kind in [each for each in SEARCHED if operation in SEARCHED[each]]:
        missing = ENOUGH[kind] - sum(case.kind == kind for case in committed)
        found = close_to_halfway(operation, seed, seconds, kind) if missing > 0 else iter(())
        cases = (as_case(operation, kind, operands) for operands in found)
        added = list(islice((case for case in cases if case.operands not in known), missing))
        committed += added
        known |= {case.operands for case in added}
    _write(operation, committed)
    return len(known)


def _write(operation: str, cases: list[Case]) -> int:
    """Write the cases of an operation, one a line."""
    lines = ",\n    ".join(
        json.dumps({"class": case.kind, "operands": case.operands, "expected": case.expected})
        for case in cases
    )
    head = f'{{\n  "operation": {json.dumps(operation)},\n  "cases": [\n    '
    case_file(operation).write_text(f"{head}{lines}\n  ]\n}}\n")
    return len(cases)


def chosen(operation: str, kind: str, many: int, few: int = 32) -> list[Operands]:
    """Draw a few operands of a class; of those near halfway the closest of very many."""
    random, source = Random(f"hard cases {operation} {kind}"), HARD[operation][kind]
    if kind == HALFWAY and operation not in RATIONAL:
        drawn = {source(random) for _ in range(many)}
        ranked = sorted((from_halfway(operation, operands), operands) for operands in drawn)
        return [operands for distance, operands in ranked if distance > -math.inf][:few]
    few = FEW.get(kind) or min(few, 600 // len(HARD[operation]))
    return list(islice(dict.fromkeys(source(random) for _ in range(20 * few)), few))
