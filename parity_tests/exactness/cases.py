"""An operation -> its rows: hard operands with the nearest double, drawn, searched or committed."""

import math
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from random import Random
from struct import pack, unpack

from parity_tests.exactness.hard.draws import HALFWAY, KNOWN, Operands
from parity_tests.exactness.hard.halfway import from_halfway
from parity_tests.exactness.hard.inputs import HARD, hard_inputs
from parity_tests.exactness.hard.referee import expected
from parity_tests.exactness.hard.search import SEARCHES, search
from parity_tests.kit.hard import HARD_CASES, OUTSIDE, Row, read_rows
from parity_tests.kit.operations import load_operations
from parity_tests.oracle.operations import RATIONAL

FEW = {
    "tie": 64,
    "next to a tie": 64,
    "halfway between subnormals": 64,
    "next to halfway between subnormals": 64,
}
"""So many operands of these classes are committed; of the others of an operation 600 in all."""

HEAD = """\
# Each operand and the double nearest to the result, by MPFR, as 16 hex digits; `{outside}` where
# operands are outside of the domain. Unless a class says otherwise, its operands were drawn by
#   python -m parity_tests.exactness --write --operation '{operation}'
"""
SOURCES = {
    KNOWN: "By V. Lefèvre and J.-M. Muller (2003); of integer powers by P. Kornerup et al. (2007).",
    **dict.fromkeys(SEARCHES, "Of those that --search finds, some that show mistakes in engines."),
}
"""Where the operands of some classes come from."""


def to_bits(x: float) -> str:
    """Write a double as 16 hex digits."""
    return pack(">d", x).hex()


def double(bits: str) -> float:
    """Read 16 hex digits as a double."""
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x


def as_row(operation: str, kind: str, operands: Operands) -> Row:
    """Complete operands with MPFR's result."""
    result = expected(operation, operands)
    return Row(kind, tuple(map(to_bits, operands)), None if result is None else to_bits(result))


def fresh_rows(operation: str, count: int, seed: int) -> Iterator[Row]:
    """Draw so many different hard inputs."""
    return (as_row(operation, *drawn) for drawn in hard_inputs(operation, count, seed))


def searched_rows(operation: str, seed: str, seconds: float) -> Iterator[Row]:
    """Search for operands very close to halfway, so long for each class."""
    return (as_row(operation, *found) for found in search(operation, seed, seconds))


def case_file(operation: str) -> Path:
    """Find the committed rows of an operation."""
    return HARD_CASES / f"{load_operations()[operation].name}.txt"


def committed_rows(operation: str) -> list[Row]:
    """Read the committed rows of an operation."""
    return list(read_rows(case_file(operation)))


def write_rows(operation: str, many: int) -> int:
    """Choose the rows to commit, of `many` draws those near halfway; what a search found stays."""
    rows = [
        as_row(operation, kind, operands)
        for kind in HARD[operation]
        for operands in chosen(operation, kind, many)
    ]
    committed = committed_rows(operation) if case_file(operation).exists() else []
    return write(operation, [*rows, *(row for row in committed if row.kind in SEARCHES)])


def write(operation: str, rows: list[Row]) -> int:
    """Write the rows of an operation, those of a class under its name."""
    text = HEAD.format(operation=operation, outside=OUTSIDE)
    for kind, group in groupby(rows, key=lambda row: row.kind):
        source = f"# {SOURCES[kind]}\n" if kind in SOURCES else ""
        lines = (" ".join((*row.operands, row.expected or OUTSIDE)) for row in group)
        text += f"\n{source}[{kind}]\n" + "".join(f"{line}\n" for line in lines)
    case_file(operation).write_text(text)
    return len(rows)


def chosen(operation: str, kind: str, many: int, few: int = 32) -> list[Operands]:
    """Draw a few operands of a class; of those near halfway the closest of very many."""
    random, source = Random(f"hard cases {operation} {kind}"), HARD[operation][kind]
    if kind == HALFWAY and operation not in RATIONAL:
        drawn = {source(random) for _ in range(many)}
        ranked = sorted((from_halfway(operation, operands), operands) for operands in drawn)
        return [operands for distance, operands in ranked if distance > -math.inf][:few]
    few = FEW.get(kind) or min(few, 600 // len(HARD[operation]))
    return list(islice(dict.fromkeys(source(random) for _ in range(20 * few)), few))
