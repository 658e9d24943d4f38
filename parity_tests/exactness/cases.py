"""An operation -> its rows: hard operands with the nearest double, drawn or committed."""

import math
from collections import deque
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from random import Random
from struct import pack, unpack

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.arithmetic import POWERS, PRODUCTS, QUOTIENTS, SUMS
from parity_tests.exactness.draws import HALFWAY, KNOWN, Operands, Source, from_halfway
from parity_tests.exactness.functions import FUNCTIONS
from parity_tests.kit.hard import HARD_CASES, OUTSIDE, Row, read_rows
from parity_tests.kit.operations import load_operations
from parity_tests.oracle.operations import RATIONAL, ROWS

HARD: dict[str, dict[str, Source]] = {
    "+": SUMS,
    "-": SUMS,
    "*": PRODUCTS,
    "/": QUOTIENTS,
    "**": POWERS,
    **FUNCTIONS,
}
"""The classes of operands of each operation."""

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
    **dict.fromkeys(
        (
            "closest of many, range by range",
            "within 2**-30 of halfway",
            "subnormal and within 2**-30 of halfway",
        ),
        "Of those that a search found, some that show mistakes in engines.",
    ),
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
    """Complete operands with the nearest double by MPFR, or none outside the domain (R2, R30)."""
    row, exact = ROWS[operation], [mpfr(operand) for operand in operands]
    bits = tuple(map(to_bits, operands))
    if row.outside(*exact):
        return Row(kind, bits, None)
    with gmpy2.context(gmpy2.ieee(64)):
        return Row(kind, bits, to_bits(float(row.data(*exact))))


def fresh_rows(operation: str, count: int, seed: int, kind: str | None = None) -> Iterator[Row]:
    """Draw so many different rows, of the classes in turn or of one alone.

    A class that is used up (a list, or a few powers of two) leaves the rotation.
    """
    random = Random(f"{operation} {seed}")
    seen: set[tuple[str, ...]] = set()
    rotation = deque(
        (each, source) for each, source in HARD[operation].items() if kind in {None, each}
    )
    while rotation and len(seen) < count:
        each, source = rotation.popleft()
        for _ in range(100):
            row = as_row(operation, each, source(random))
            if row.operands not in seen:
                seen.add(row.operands)
                rotation.append((each, source))
                yield row
                break


def case_file(operation: str) -> Path:
    """Find the committed rows of an operation."""
    return HARD_CASES / f"{load_operations()[operation].name}.txt"


def committed_rows(operation: str) -> list[Row]:
    """Read the committed rows of an operation."""
    return list(read_rows(case_file(operation)))


def write_rows(operation: str, many: int) -> int:
    """Add to the committed rows the classes that they lack; return how many rows there are."""
    rows = committed_rows(operation) if case_file(operation).exists() else []
    kinds = {row.kind for row in rows}
    rows += [
        as_row(operation, kind, operands)
        for kind in HARD[operation]
        if kind not in kinds
        for operands in chosen(operation, kind, many)
    ]
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
