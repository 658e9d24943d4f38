"""Prepared program -> its document's JSON with blanks, to be filled with the numbers of a request.

Documents of one program differ only in their numbers, and filling these in takes half as long as
making a document and writing it. This module does not know the text between the numbers: the engine
makes a document with marks in their place, orjson writes it, and each mark becomes a blank.
"""

import re
from collections.abc import Callable
from operator import itemgetter, mul
from typing import Any, NamedTuple

import orjson

from engine_py.backward import Backward
from engine_py.document import build_document
from engine_py.forward import Forward
from engine_py.introspect import Prepared
from engine_py.request import Request

_LEAST = 2
"""Contributions: `itemgetter` of one place gives no tuple."""

_MOST_NODES = 100
"""A form has some 350 bytes for each."""

_MARK = re.compile(rb'"\x7f([0-9]+)"')

Choose = Callable[[Any], tuple[Any, ...]]
"""Gives the members of a sequence at some places."""


class Form(NamedTuple):
    """The JSON of all documents of a program."""

    pieces: list[bytes]
    """What stands before, between and after the blanks, and an empty one for each blank."""
    incoming: Choose
    local: Choose
    """The factors of the contributions, from the columns one after the other."""
    numbers: Choose
    """What a document has of those columns and of the contributions."""
    blanks: Choose
    """The number of each blank, from those numbers."""

    def fill(self, computed: Forward, walked: Backward) -> bytes:
        """Write the document of these columns."""
        (data, lefts, rights), (grads, running_lefts, running_rights) = computed, walked
        places = [*data, *lefts, *rights, *grads, *running_lefts, *running_rights]
        places += map(mul, self.incoming(places), self.local(places))
        numbers = orjson.dumps(self.numbers(places))[1:-1] + b","
        numbers = numbers.replace(b"-0.0,", b"0.0,")  # as a document has it
        pieces = self.pieces.copy()
        pieces[1::2] = self.blanks(numbers.split(b","))
        return b"".join(pieces)


class _Mark:
    """Stands for the number at a place of the columns, or for a contribution, after them."""

    def __init__(self, place: int, contributions: list[tuple[int, int]], after: int) -> None:
        self.place, self._contributions, self._after = place, contributions, after

    def __add__(self, _zero: float) -> "_Mark":
        return self

    def __mul__(self, local: "_Mark") -> "_Mark":
        self._contributions.append((self.place, local.place))
        place = self._after + len(self._contributions) - 1
        return _Mark(place, self._contributions, self._after)


def has_only_numbers(request: Request, prepared: Prepared) -> bool:
    """Say whether the document differs from others of its program in its numbers alone.

    It does where each variable has a value, no value is left over and no variable is a parameter.
    """
    names = prepared.graph.variables.keys()
    is_small = len(prepared.template.nodes) <= _MOST_NODES
    return is_small and not request.parameters and request.values.keys() == names


def make_form(request: Request, prepared: Prepared) -> Form | None:
    """Make the form of a request that has only numbers; None where those are too few."""
    size = len(prepared.graph.operations)
    contributions: list[tuple[int, int]] = []
    marks: list[Any] = [_Mark(place, contributions, 6 * size) for place in range(6 * size)]
    columns = [marks[start : start + size] for start in range(0, 6 * size, size)]
    computed, walked = tuple(columns[:3]), tuple(columns[3:])
    document = build_document(request, prepared.template, computed, walked)  # type: ignore[arg-type]
    if len(contributions) < _LEAST:
        return None
    text = orjson.dumps(document, default=_named, option=orjson.OPT_APPEND_NEWLINE)
    pieces = _MARK.split(text)
    blanks = [int(place) for place in pieces[1::2]]
    pieces[1::2] = [b""] * len(blanks)
    numbers = sorted(set(blanks))
    index = {place: number for number, place in enumerate(numbers)}
    incoming, local = zip(*contributions, strict=True)
    return Form(
        pieces,
        itemgetter(*incoming),
        itemgetter(*local),
        itemgetter(*numbers),
        itemgetter(*[index[place] for place in blanks]),
    )


def _named(mark: _Mark) -> str:
    return f"\x7f{mark.place}"
