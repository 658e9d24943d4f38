"""An operation -> its rows: hard operands and correctly rounded results, drawn or committed."""

import math
from collections import deque
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from random import Random
from struct import pack, unpack

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.classes import HARD, RANGES
from parity_tests.exactness.draws import (
    BY_RANGE,
    HALFWAY,
    Operands,
    beyond_halfway,
    from_halfway,
    halfway,
)
from parity_tests.kit.cases import HARD_CASES, OUTSIDE, Row, read_rows
from parity_tests.kit.contract import load_operations
from parity_tests.oracle.operations import ROWS

HEAD = f"""\
# Each operand and the double nearest to the result, by MPFR, as 16 hex digits; `{OUTSIDE}` where
# operands are outside of the domain.
"""
MANY, FEW = 100_000, 32
"""Draws near halfway, and how many rows of these and of each other class are committed."""
FEWER = 25
"""The same for each other class of an operation with rows near halfway range by range."""
SOME = 1_000
"""Draws near halfway per range."""


def to_bits(x: float) -> str:
    """Write a double as 16 hex digits."""
    return pack(">d", x).hex()


def double(bits: str) -> float:
    """Read 16 hex digits as a double."""
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x


def as_row(operation: str, kind: str, operands: Operands) -> Row:
    """Add the correctly rounded result by MPFR, or None outside the domain (R2, R30)."""
    row, exact = ROWS[operation], [mpfr(operand) for operand in operands]
    bits = tuple(map(to_bits, operands))
    if row.outside(*exact):
        return Row(kind, bits, None)
    with gmpy2.context(gmpy2.ieee(64)):
        return Row(kind, bits, to_bits(float(row.data(*exact))))


def fresh_rows(operation: str, count: int, seed: int, kind: str | None = None) -> Iterator[Row]:
    """Draw `count` distinct rows, cycling through the operand classes unless `kind` names one.

    A class that has no more rows, such as a list or a few powers of two, leaves the cycle.
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
    """Return the file of an operation's committed rows."""
    return HARD_CASES / f"{load_operations()[operation].name}.txt"


def committed_rows(operation: str) -> list[Row]:
    """Read the committed rows of an operation."""
    return list(read_rows(case_file(operation)))


def write_rows(operation: str) -> int:
    """Choose and write the rows to commit; return their number."""
    rows = [
        as_row(operation, kind, operands)
        for kind in HARD[operation]
        for operands in chosen(operation, kind)
    ]
    text = HEAD
    for kind, group in groupby(rows, key=lambda row: row.kind):
        lines = (" ".join((*row.operands, row.expected or OUTSIDE)) for row in group)
        text += f"\n[{kind}]\n" + "".join(f"{line}\n" for line in lines)
    case_file(operation).write_text(text)
    return len(rows)


def chosen(operation: str, kind: str) -> list[Operands]:
    """Draw a few operands of a class; near halfway, take the closest of very many draws."""
    random, source = Random(f"hard cases {operation} {kind}"), HARD[operation][kind]
    if kind == BY_RANGE:
        return list(_closest_by_range(operation, random))
    if kind != HALFWAY:
        count = FEWER if operation in RANGES else FEW
        return list(islice(dict.fromkeys(source(random) for _ in range(20 * FEW)), count))
    drawn = {source(random) for _ in range(MANY)}
    ranked = sorted((from_halfway(operation, operands), operands) for operands in drawn)
    return [operands for distance, operands in ranked if distance > -math.inf][:FEW]


def _closest_by_range(operation: str, random: Random) -> Iterator[Operands]:
    """For each range, yield the operands whose results are closest below and above halfway."""
    for draw in RANGES[operation]:
        source = halfway(operation, draw)
        drawn = sorted({source(random) for _ in range(SOME)})
        off = {operands: beyond_halfway(operation, operands) for operands in drawn}
        below = [operands for operands in drawn if off[operands] < 0]
        above = [operands for operands in drawn if 0 < off[operands] < 1]
        for side in (below, above):
            yield from sorted(side, key=lambda operands: abs(off[operands]))[:1]
