"""What has been found of a class so far, and the programs that it can still be tried with."""

from collections.abc import Iterator, Sequence
from math import isclose, isfinite
from typing import Any, Literal, NamedTuple

from engine_py.grade.programs import (
    BOUND,
    LENIENT,
    OPERATIONS,
    PROGRAMS,
    REFLECTED,
    Expected,
    Trial,
    expected,
)
from engine_py.grade.run import Answers
from engine_py.template import Edge

FindingKind = Literal[
    "load", "died", "time", "hangs", "raises", "recursion", "initial_grad", "not_a_number",
    "changes_data", "data", "seed", "local_grad", "detached", "grad_for_data", "exponent",
    "incoming", "overwrites", "order", "revisited", "unvisited", "equality", "gradient", "numbers",
    "silent", "shared", "no_node", "reflected", "second_pass", "resets", "once", "inexact",
]  # fmt: skip

_KINDS: dict[str, FindingKind] = {
    "RecursionError": "recursion",
    "TooSlow": "hangs",
    "Waits": "hangs",
    "NoNode": "no_node",
}
"""Of exceptions; the others are raised as they are."""

_DOUBLE = 2.0**-53
_FEWER = 256
"""Units of fewer bits that a number may be off by."""

Outcome = Literal["right", "wrong", "left_out"]
Number = tuple[int, Literal["data", "grad"]]
"""A node, and which of its numbers."""


class Finding(NamedTuple):
    """One thing that is wrong, or, as a note, only told."""

    kind: FindingKind
    operation: str = ""
    slot: int | None = None
    """Of the operand that a local gradient is by."""
    place: int | None = None
    """Of the program that shows it."""
    number: Number | None = None
    """What is not as expected there."""
    expected: float | None = None
    got: float | str | None = None
    edge: int | None = None
    """The first wrong edge, where the trace of the pass shows it."""
    raised: dict[str, Any] | None = None
    other: Trial | None = None
    """The program, where it is none of the list."""

    @property
    def program(self) -> Trial | None:
        """The program that shows it."""
        return self.other if self.place is None else PROGRAMS[self.place]


class Tried(NamedTuple):
    """A program, what is right for it, and what came of it."""

    place: int
    program: Trial
    right: Expected
    reply: dict[str, Any]
    unit: float
    """Half of what the class's numbers have between 1 and the next one: 2**-53 for doubles."""

    @property
    def root(self) -> int:
        """The node that the gradients are of."""
        return self.right.document["root"]

    @property
    def raised(self) -> bool:
        """True where there are no numbers, but an exception."""
        return "raised" in self.reply

    @property
    def is_right(self) -> bool:
        """True where every number is, and no data was changed.

        Where those of the leaves are right, those of results need not be kept.
        """
        if self.raised or self.reply["after"] != self.reply["data"]:
            return False
        data = enumerate(self.reply["data"])
        return self.first_wrong() is None and all(self.is_near((n, "data"), got) for n, got in data)

    def is_near(self, number: Number, got: Any, *, room: float = LENIENT) -> bool:
        """Compare a number with the true one."""
        node, part = number
        rooms = self.right.room_of_data if part == "data" else self.right.room_of_grads
        allowed = rooms[node] * (room / BOUND)
        if self.unit > _DOUBLE:  # each number is rounded as it is stored
            allowed += (
                _FEWER * self.unit * max(map(abs, [*self.right.data, *self.right.grads, 1.0]))
            )
        return isinstance(got, float) and abs(got - self.true(number)) <= allowed

    def true(self, number: Number) -> float:
        """Return what a number should be."""
        node, part = number
        return (self.right.data if part == "data" else self.right.grads)[node]

    def first_wrong(self) -> Number | None:
        """Return the first gradient, in the order of the backward pass, that is wrong."""
        nodes, grads = self.right.document["nodes"], self.reply["grads"]
        wrong = [
            node
            for node in self.right.document["backward_order"]
            if grads[node] is not None and not self.is_near((node, "grad"), grads[node])
        ]
        is_dropped = all(nodes[n]["operation"] and grads[n] == 0.0 for n in wrong)
        return None if is_dropped else (wrong[0], "grad")


class Faults(NamedTuple):
    """What is known to be wrong with contributions: of which operations, in which slots."""

    overwrites: set[tuple[str, int]]
    incoming: set[tuple[str, int]]


class Grading:
    """A class on its way through the programs."""

    def __init__(self, answers: Answers) -> None:
        self.head, self.replies, self.end = answers
        self.methods = set(self.head.get("methods", ()))
        self.names: dict[str, str] = dict(self.head.get("operations", {}))
        """How the class calls the operations that it has."""
        self.unit: float = self.head.get("unit", _DOUBLE)
        self.faults: list[Finding] = []
        self.notes: list[Finding] = []
        self.outcomes: list[Outcome] = ["left_out"] * len(PROGRAMS)
        self.broken: set[str] = set()
        """Operations that no other program is tried with."""
        self.called: dict[str, set[str]] = {each: set() for each in OPERATIONS}
        """The functions of the file that an operation calls between Values."""
        self.known = Faults(set(), set())
        self.walk_is_wrong = False
        self.reads = 0
        """How many gradients a contribution reads, where it is right."""

    def tried(self, *families: str) -> Iterator[Tried]:
        """Yield the programs of these families that the class has the operations for."""
        for place, program in enumerate(PROGRAMS):
            if program.family not in families:
                continue
            right = expected(place)
            used = {node["operation"] or "" for node in right.document["nodes"]} - {""}
            if used & self.broken or used - self.names.keys():
                continue
            if place < len(self.replies):
                yield Tried(place, program, right, self.replies[place], self.unit)
            elif place == len(self.replies):
                self._blame_the_end(place)

    def _blame_the_end(self, place: int) -> None:
        """Blame the program that the child was at, but not for what a wrong walk takes long at."""
        self.outcomes[place] = "wrong"
        found = Finding("time" if self.end == "time" else "died", place=place, got=self.end)
        if PROGRAMS[place].family == "deeper":
            self.notes.append(found)
        elif not self.walk_is_wrong:
            self.faults.append(found)

    def has(self, kind: FindingKind, operation: str = "", slot: int | None = None) -> bool:
        """Tell whether this was found before."""
        return any(each[:3] == (kind, operation, slot) for each in self.faults)

    def find(  # noqa: PLR0913 - a finding's members
        self,
        kind: FindingKind,
        tried: Tried,
        number: Number,
        got: Any,
        *,
        operation: str = "",
        slot: int | None = None,
        edge: int | None = None,
    ) -> None:
        """Take down what is wrong in a program, if it is new."""
        if not self.has(kind, operation, slot):
            got = got if isinstance(got, float) and isfinite(got) else str(got)
            true = tried.true(number)
            self.faults.append(Finding(kind, operation, slot, tried.place, number, true, got, edge))

    def find_local_grad(self, tried: Tried, edge: Edge, got: Any) -> None:
        """Do so for the local gradient of the operation that is tried, by one operand."""
        operation, slot = tried.program.operation, edge["slot"]
        where: Number = (edge["from"], "grad")
        self.find("local_grad", tried, where, got, operation=operation, slot=slot, edge=edge["id"])

    def find_wrong_grad(
        self, kind: FindingKind, tried: Tried, operation: str = "", edge: int | None = None
    ) -> None:
        """Do so for the first wrong gradient of a program."""
        number = tried.first_wrong()
        if number is not None:
            got = tried.reply["grads"][number[0]]
            self.find(kind, tried, number, got, operation=operation, edge=edge)

    def find_raised(self, tried: Tried, operation: str) -> None:
        """Take down an exception."""
        raised = tried.reply["raised"]
        kind = _KINDS.get(raised["type"], "raises")
        if raised["type"] == "TooSlow" and tried.program.family in ("deep", "deeper"):
            kind = "time"
        if not self.head["hashable"] and "unhashable" in raised["message"]:
            kind, operation = "equality", ""
        self.outcomes[tried.place] = "wrong"
        found = Finding(kind, operation, place=tried.place, raised=raised)
        before = [place for place, each in enumerate(self.faults) if each.raised == raised]
        if kind == "no_node":
            before = []
        own = {operation, *self.parts(found)}
        if before and own.isdisjoint(self.faults[place].operation for place in before):
            place = before[0]  # what operations have in common is no operation's own
            self.faults[place] = self.faults[place]._replace(operation="")
        slow_by_its_walk = kind in ("time", "hangs") and self.walk_is_wrong
        if not (before or slow_by_its_walk or self.has(kind, operation)):
            self.faults.append(found)

    def function(self, operation: str) -> str:
        """Return the name of the function of the file that does an operation."""
        return self.names.get(operation, operation).removesuffix("(x)")

    def parts(self, found: Finding) -> set[str]:
        """Return the operations that one calls in the program that shows what was found."""
        called = self.called.get(found.operation)
        if called is None:
            return set()
        if found.place is not None and PROGRAMS[found.place].family in ("numbers", "reflected"):
            called = set(self.replies[found.place]["called"])
        return {each for each in OPERATIONS if self._is_called(each, called, found.operation)}

    def _is_called(self, operation: str, called: set[str], by: str) -> bool:
        """Tell whether it is; of two that call each other the first one is."""
        back = self.function(by) in self.called[operation]
        first = OPERATIONS.index(operation) < OPERATIONS.index(by)
        names = {self.function(operation), REFLECTED.get(operation, operation)}
        return operation != by and not names.isdisjoint(called) and (first or not back)


def alike(ours: Sequence[float], theirs: Sequence[Any], unit: float = _DOUBLE) -> bool:
    """Compare with what a fault explains, which need not be to the last bits."""
    near = max(1e-9, _FEWER * unit)
    return all(
        has is None
        or (isinstance(has, float) and isclose(one, has, rel_tol=near, abs_tol=near / 1000))
        or (one != one and has != has)  # noqa: PLR0124 - NaN where NaN is expected
        for one, has in zip(ours, theirs, strict=True)
    )


def double(number: Any) -> float:
    """Return a number, 0 for what is none."""
    return number if isinstance(number, float) else 0.0
