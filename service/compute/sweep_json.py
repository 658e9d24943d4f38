"""Blocks of a sweep -> the pieces of its JSON, from columns that take a tenth of its memory.

Numbers are kept as bare doubles. Errors of one kind differ only in their operands, so the rest is
kept once. So a reply that waits for a slow client takes little memory.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import isnan
from typing import Any

import orjson

from engine_py import GradientError
from engine_py.sweeps.blocks import Block

_ROWS = 2_000
"""Entries of a piece: some tens of kilobytes."""


class SweepJson:
    """All points of a sweep, and their JSON."""

    def __init__(self, variables: Sequence[str], computed: Iterable[Block]) -> None:
        """Take all points, which computes them."""
        self._variables = variables
        self._numbers = [array("d") for _ in ("result", *variables)]
        """NaN, which no result is, where there is a problem."""
        self._failed, self._kinds, self._operands = array("Q"), array("Q"), array("d")
        self._kept: dict[bytes, int] = {}
        self._arities: list[int] = []
        for block in computed:
            for column, numbers in zip(self._numbers, block.columns, strict=True):
                column.frombytes(memoryview(numbers).cast("B"))
            for index, error in block.problems:
                self._keep(index, error)

    def pieces(self, head: dict[str, Any]) -> Iterator[bytes]:
        """Write the members of the head, and then the columns."""
        results, *gradients = self._numbers
        yield orjson.dumps(head)[:-1] + b',"results":['
        yield from _entries(results)
        yield b'],"gradients":{'
        for place, (name, column) in enumerate(zip(self._variables, gradients, strict=True)):
            yield b"," * (place > 0) + orjson.dumps(name) + b":["
            yield from _entries(column)
            yield b"]"
        yield b'},"problems":['
        yield from _listed(self._problems())
        yield b"]}\n"

    def _keep(self, index: int, error: GradientError) -> None:
        told = error.as_dict()
        operands = told.pop("operands")
        kind = self._kept.setdefault(orjson.dumps(told), len(self._kept))
        if kind == len(self._arities):
            self._arities.append(len(operands))
        self._failed.append(index)
        self._kinds.append(kind)
        self._operands.extend(operands)

    def _problems(self) -> Iterator[Any]:
        rests = [orjson.loads(rest) for rest in self._kept]
        operands = iter(self._operands)
        for index, kind in zip(self._failed, self._kinds, strict=True):
            own = list(islice(operands, self._arities[kind]))
            yield {"index": index, "error": {**rests[kind], "operands": own}}


def _entries(column: Iterable[float]) -> Iterator[bytes]:
    return _listed(None if isnan(number) else number for number in column)


def _listed(values: Iterable[Any]) -> Iterator[bytes]:
    """Write the entries of an array, some thousand at once."""
    rest, comma = iter(values), b""
    while chunk := list(islice(rest, _ROWS)):
        yield comma + orjson.dumps(chunk)[1:-1]
        comma = b","
