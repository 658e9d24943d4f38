"""The outcome of each program -> a verdict, and the causes, each with a program that shows it.

The verdict depends on outcomes alone. Causes are sought operation by operation, family by family
in the order of `_FAMILIES`: an operation's own derivative before its use of the incoming gradient.
Programs with an operation that is blamed already say nothing new. Operations that are built from
others come after these. If all operations make the same mistake, the walk is blamed for it. The
rest is blamed on an operation that every wrong program contains, or on the walk if there is none.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from engine_py.grade.outcomes import (
    TOLERANCE,
    Attempt,
    Finding,
    FindingKind,
    Wrong,
    double,
    is_late,
    outcomes,
)
from engine_py.grade.programs import (
    BINARY,
    OPERATIONS,
    PROGRAMS,
    REFLECTED,
    Family,
    TrialProgram,
)
from engine_py.grade.right import has_zero
from engine_py.grade.run import Answers

Verdict = Literal["right", "wrong", "not done", "not read"]

_FAMILIES: tuple[Family, ...] = (
    *("alone", "result", "incoming", "again", "shared", "number", "left", "exponent", "place"),
    "pass",
)
_OWN_MISTAKES = ("incoming", "again")
"""Families in which no other operation of a program can cause the mistake."""
_BINARY = frozenset(BINARY)
_INCREASING = frozenset({"+", "*", "+ number", "* number", "number +", "number *"})
_UNDONE = ("not_done", "reflected", "time")
"""Findings without a wrong number."""
_OF_WALK = ("hangs", "recursion", "second_pass", "repeated")
_ALIKE = (("gradient", "incoming"), ("gradient", "again"), ("data", "number"))
"""Causes, with their family, that all operations share for one reason: the walk changes the
gradients that it sends, or the code that turns a number into a Value is wrong."""
_SENT_WRONG = ("local_grad", "forgotten")
"""Causes that most operations have if a single loop passes all gradients on, and is wrong."""
_FOLDED: dict[FindingKind, Callable[[float], float]] = {
    "sign_lost": abs,
    "negative_dropped": lambda x: max(x, 0.0),
}
"""Functions that an operation or the walk may apply to a gradient by mistake."""
_LEAF_DATA = tuple([f"{name}.data" for name in "abcd"])
_ENDS_WITH_A = re.compile(r"\(a . b\) . a")
"""Programs that a walk without any order gets right, because `a` is an operand of the root."""
_FEW = 3
"""The maximum number of operations that are each wrong by themselves; if more are, the walk is."""
_NEW = 2.5
"""The data of the first Value."""
_KINDS: dict[str, FindingKind] = {
    "RecursionError": "recursion",
    "TooSlow": "hangs",
    "Waits": "hangs",
    "NoNode": "no_node",
    "died": "died",
}
"""The kinds of exceptions; all others are of the kind `raises`."""
_ENDED: dict[str, FindingKind] = {"TooSlow": "time", "Waits": "hangs"}
"""The kinds of exceptions that end an import, or the making of a Value."""


class Judgement(NamedTuple):
    """The verdict, the findings, and an outcome for each program."""

    verdict: Verdict
    faults: list[Finding]
    notes: list[Finding]
    attempts: list[Attempt]


def judge(answers: Answers, required: frozenset[str] | None = None) -> Judgement:
    """Judge what the child reported.

    Args:
        answers: from the child.
        required: the operations and forms that the class must have; None for + and *, and for
            whichever others of the list it has.
    """
    grading = _Grading(answers)
    has_class = grading.judge_class()
    done = {
        name
        for each in grading.attempts
        if each.outcome in ("right", "wrong")
        for name in each.program.operations
    }
    left = {
        name
        for each in grading.attempts
        if each.outcome == "not_tried"
        for name in each.program.operations
    }
    missing = sorted(({"+", "*"} if required is None else required) - done)
    faults = _merged(grading.faults)
    reported = {name for each in faults if each.kind == "not_done" for name in each.operations}
    gone = [x for x in missing if x not in reported | left]
    if gone and has_class and "initial" in grading.head and "backward" not in reported:
        faults.append(Finding("not_done", tuple(gone)))
    notes = [each for each in grading.notes if each.kind not in ("resets", "floats") or not faults]
    counted = Counter(each.outcome for each in grading.attempts)
    verdict: Verdict = "right"
    if not has_class:
        verdict = "not read"
    elif counted["wrong"] or any(each.kind not in _UNDONE for each in faults):
        verdict = "wrong"
    elif faults or counted["not_done"] or counted["not_tried"] or missing or not counted["right"]:
        verdict = "not done"
    return Judgement(verdict, faults, notes, grading.attempts)


def without(answers: Answers, hidden: frozenset[str]) -> Answers:
    """Return the answers as if the class did not have the hidden operations and forms."""
    takes = [not hidden.isdisjoint(each.operations) for each in PROGRAMS]
    replies = [
        {"left_out": True} if place < len(takes) and takes[place] else reply
        for place, reply in enumerate(answers.replies)
    ]
    head, place = answers.head, len(replies)
    if "operations" in head:
        names = {name: own for name, own in head["operations"].items() if name not in hidden}
        head = head | {"operations": names}
    ended_there = place < len(takes) and takes[place]
    return Answers(head, replies, "" if ended_there else answers.end)


class _Grading:
    """The state of judging a class."""

    def __init__(self, answers: Answers) -> None:
        self.answers, self.head = answers, answers.head
        self.names: dict[str, str] = dict(self.head.get("operations", {}))
        """The class's own name for each operation that it has."""
        self.faults: list[Finding] = []
        self.notes: list[Finding] = []
        self.blamed: set[str] = set()
        """Operations with a known mistake, whose programs say nothing new."""
        self.walk_is_wrong = False
        """A finding explains all that follows."""
        self.attempts = [Attempt(each, (), {}) for each in PROGRAMS]
        self.wrong: list[Attempt] = []
        self.families: dict[Family, list[Attempt]] = {}
        """The programs that are right or wrong."""
        self.calls: dict[str, set[str]] = {}
        """For each operation, those that it calls; of two that call each other, only the first."""

    def judge_class(self) -> bool:
        """Return whether a class was found; if a new Value of it works, find its mistakes."""
        head, raised = self.head, self.head.get("raised")
        ended = _ENDED.get(raised["type"]) if raised else None
        if "class" not in head:
            late = self.answers.end == "time" and not head
            kind = "time" if late else ended or "load"
            self.faults.append(Finding(kind, raised=raised, got=self.answers.end))
            return False
        if unread := self._unjudged():
            missing, got = unread
            absent = {"type": missing, "message": got, "line": None, "cell": None}
            self.faults.append(Finding("load", raised=absent, got=got))
            return False
        if "lacks" in head:
            self.faults.append(Finding("not_done", ("backward",)))
        elif raised:
            kind, first = ("hangs", PROGRAMS[0]) if ended else ("raises", None)
            self.faults.append(Finding(kind, program=first, raised=raised))
        elif "initial" in head:
            self.attempts, self.notes, forgotten = outcomes(self.answers)
            self.faults += [forgotten] if forgotten else []
            for each in self.attempts:
                if each.outcome in ("right", "wrong"):
                    self.families.setdefault(each.program.family, []).append(each)
            self._blame()
            hiding = {x for each in self.faults if each.kind == "hides" for x in each.operations}
            self.attempts = [
                each._replace(outcome="wrong")
                if each.outcome == "right" and self._operations(each) & hiding
                else each
                for each in self.attempts
            ]
            # It ended in one of the functions that the engine lacks.
            if self.answers.end and len(self.answers.replies) >= len(PROGRAMS):
                kind = "time" if self.answers.end == "time" else "died"
                last = self.attempts[-1].program
                self.faults.append(Finding(kind, program=last, got=self.answers.end))
        return True

    def _unjudged(self) -> tuple[str, str] | None:
        """Return the kind and name of a non-number that keeps the class from being judged."""
        head, raised = self.head, self.head.get("raised")
        # As the type of a number, or in the message of an exception.
        if head.get("stand_ins") and "StandIn" in str([raised, *self.answers.replies]):
            return "StandIn", ", ".join(head["stand_ins"])
        if raised and raised["type"] == "NoNumber":
            return "NoNumber", raised["message"]
        grad = head["initial"]["grad"] if "initial" in head else None
        return ("NoGradient", grad) if isinstance(grad, str) and grad != "NoneType" else None

    def _blame(self) -> None:
        data, grad = self.head["initial"]["data"], self.head["initial"]["grad"]
        self.calls = self._calls()
        self.wrong = [each for each in self.attempts if each.outcome == "wrong"]
        if data != _NEW:
            self._blame_all(Finding("changes_data", wrong=Wrong("data", _NEW, data)))
        elif grad not in (0.0, "NoneType"):
            self._blame_all(Finding("initial_grad", wrong=Wrong("grad", 0.0, grad)))
        if hiding := [each for each in self._attempts("alone") if each.reply.get("hides")]:
            names = dict.fromkeys([each.program.operation for each in hiding])
            self.faults.append(Finding("hides", tuple(names), program=hiding[0].program))
        if self.head["seed"]:
            self.faults.append(Finding("seed", program=PROGRAMS[0]))
        for blame in (
            self._blame_unfinished,
            self._blame_shared_lists,
            self._blame_equality,
            self._blame_zero,
            self._blame_shared_mistake,
            self._blame_operations,
            self._blame_the_rest,
        ):
            if not self.walk_is_wrong:
                blame()
        sound = set(OPERATIONS) - self.blamed
        alone = self._attempts("alone")
        inexact = [each for each in alone if each.is_inexact and each.program.operation in sound]
        if inexact:
            names = dict.fromkeys(each.program.operation for each in inexact)
            self.notes.append(Finding("inexact", tuple(names), program=inexact[0].program))
        late = [x for x in self.attempts if is_late(x) and not self._operations(x) & self.blamed]
        if late and not self.walk_is_wrong and not any(x.kind == "revisited" for x in self.faults):
            self.faults.append(Finding("time", program=late[0].program))
        if self.wrong and not any(each.kind not in _UNDONE for each in self.faults):
            self.faults.append(self._finding("gradient", _smallest(self.wrong)))

    def _blame_all(self, found: Finding) -> None:
        """Add a finding that explains all others."""
        self.faults.append(found)
        self.walk_is_wrong = True

    def _blame_operations(self) -> None:
        """Blame operations that call no other one, then those that are built from others."""
        others = [each.removesuffix("(x)") for each in self.head["written"]]
        names = [*OPERATIONS, *others]
        primitives = [each for each in names if not self.calls.get(each)]
        composed = [each for each in names if self.calls.get(each)]
        doubted = {
            each.program.operation
            for each in self._attempts("alone")
            if each.outcome == "wrong" and each.program.operation in composed
        }
        for group, known in ((primitives, doubted), (composed, set[str]())):
            for family in _FAMILIES:
                if not self.walk_is_wrong:
                    self._blame_family(family, group, known)

    def _blame_unfinished(self) -> None:
        """Name the operations that raise NotImplementedError, or return None."""
        unfinished = [x for x in self.attempts if x.outcome == "not_done" and not is_late(x)]
        in_pass = [each for each in unfinished if each.reply["stage"] == "pass"]
        if in_pass and not self._attempts("alone"):
            self._blame_all(Finding("not_done", ("backward",), raised=in_pass[0].raised))
            unfinished = [each for each in unfinished if each not in in_pass]
        for alone in (True, False):
            for operation in OPERATIONS:
                own = [
                    each
                    for each in unfinished
                    if each.program.operation == operation
                    and (each.program.family == "alone") == alone
                    and not self._operations(each) & self.blamed
                ]
                if own:
                    self.faults.append(self._finding("not_done", own[0], operation))
                    self.blamed |= {operation} if alone else set()

    def _blame_shared_lists(self) -> None:
        """Blame a shared list of operands if a leaf has operands."""
        if self.wrong and any(each.reply.get("shares") for each in self._attempts("alone")):
            self._blame_all(self._finding("shares", _smallest(self.wrong)))

    def _blame_equality(self) -> None:
        """Blame equality if a program is wrong only at equal data, or if nodes have no hash."""
        rows = [each for each in self.attempts if each.program.text == "(a + b) * (c + d)"]
        equal = [each for each in rows if len(set(each.program.point)) == 1]
        others = [each for each in rows if each not in equal]
        unhashable = [x for x in rows if x.raised and "unhashable" in x.raised["message"]]
        if unhashable:
            self._blame_all(self._exception(unhashable[0], ""))
        elif equal[0].wrong and all(each.outcome == "right" for each in others):
            self._blame_all(self._finding("equality", equal[0], *self._suspects(self.wrong)))

    def _blame_zero(self) -> None:
        """Blame the walk if several operations are wrong, and only at a 0."""
        plain = [each.program.plain for each in self.wrong]
        alone = set[str]().union(*[names for names in plain if len(names) == 1])
        primitives = [each for each in alone if not self.calls.get(each)]
        is_one = len(primitives) == 1 or len(self.wrong) < _FEW
        if is_one or any(each.raised or not has_zero(each.program) for each in self.wrong):
            return
        # If all texts have the number 0, the code that takes a number may be wrong.
        if not all(re.search(r"\b0\b", each.program.text) for each in self.wrong):
            self._blame_all(self._finding("zero", _smallest(self.wrong)))

    def _blame_shared_mistake(self) -> None:
        """Blame a mistake of all operations: nothing is sent, or all alike, or no 1 at the root."""
        alone = [
            each
            for each in self._attempts("alone")
            if not each.raised
            and each.program.use == "once"
            and not self.calls.get(each.program.operation)
        ]
        numbers = [(each.right[0].data, double(each.reply["stages"][0][0])) for each in alone]
        made = [
            each
            for each, pair in zip(alone, numbers, strict=True)
            if each.wrong and each.wrong.name == "data" and not _is_near(*pair)
        ]
        if _depends_on_right(made, numbers):
            self._blame_all(self._finding("data", _smallest(made)))
            return
        wrong = [each for each in alone if each.wrong and each.wrong.name.endswith("grad")]
        if not wrong:
            return
        odd = [each for each in wrong if each.root_grad not in (1.0, 0.0, None)]
        if not any(any(each.grads) for each in alone):
            if not all(each.reply.get("detached") for each in alone):
                self._blame_all(self._finding("silent", wrong[0]))
        elif len(odd) * 2 > len(wrong) and len(odd) * 8 > len(alone):
            seed = Wrong("grad", 1.0, odd[0].root_grad)
            self._blame_all(Finding("seed", program=odd[0].program, wrong=seed))
        elif len({each.program.operation for each in wrong}) > 1 and all(map(_is_swapped, wrong)):
            self._blame_all(self._finding("swapped", _smallest(wrong)))
        elif found := _mistake_of_walk(alone):
            self._blame_all(self._finding(found, _smallest(wrong)))
        elif _depends_on_right(wrong, [pair for each in alone for pair in _slopes(each)]):
            self._blame_all(self._finding("gradient", _smallest(wrong)))

    def _blame_family(self, family: Family, names: Sequence[str], doubted: set[str]) -> None:
        """Blame operations for their wrong programs of a family."""
        found: dict[str, Finding] = {}
        tested: set[str] = set()
        for operation in names:
            known = self.blamed | doubted
            known |= set() if family in _OWN_MISTAKES else found.keys()
            own = [
                each
                for each in self._attempts(family, operation)
                if not (self._operations(each) - {operation}) & known
            ]
            if operation in self.blamed or not own:
                continue
            tested.add(operation)
            wrong = [
                each
                for each in own
                if each.outcome == "wrong"
                and not _may_be_of_another(each)
                and not self._raises_without(operation, each)
            ]
            finding = self._diagnose(family, operation, own, wrong) if wrong else None
            if finding and not (family == "result" and self._is_folded(operation, finding)):
                found[operation] = finding
        if found and family in ("result", "again") and _BINARY.issuperset(found):
            tested &= _BINARY  # a function has no second operand that could be left out
        is_alike = len(tested) > 1 and found.keys() == tested
        # Operations that pass gradients on alone also do so below others.
        is_cut = family == "incoming" and [x.kind for x in found.values()].count("forgotten") > 1
        if is_alike or is_cut or (family == "pass" and len(found) > 1):
            everywhere = self._shared_finding(family, list(found.values()))
            if everywhere:
                self._blame_all(everywhere)
                return
        self.faults += found.values()
        self.blamed |= found.keys()

    def _raises_without(self, operation: str, attempt: Attempt) -> bool:
        """Return whether the line that raises also raises in programs without the operation."""
        line = attempt.raised["line"] if attempt.raised else None
        return bool(line and len(attempt.program.plain) > 1) and any(
            each.raised and each.raised["line"] == line and operation not in self._operations(each)
            for each in self.attempts
        )

    def _is_folded(self, operation: str, finding: Finding) -> bool:
        """Return whether a nested result of the same operation has a folded gradient, not none."""
        if finding.kind == "forgotten":
            rows = self._attempts("incoming", operation)
            return _incoming_mistake(operation, rows)[0] in _FOLDED
        return finding.kind == "gradient"

    def _shared_finding(self, family: Family, found: Sequence[Finding]) -> Finding | None:
        """Return the walk's mistake if all operations share it; None if each has its own."""
        first = found[0]
        kind, everywhere = first.kind, first._replace(operations=())
        if family == "alone" and len(found) > _FEW and all(x.kind in _SENT_WRONG for x in found):
            return everywhere._replace(kind="gradient", slot=None)
        kinds = {each.kind for each in found}
        if "forgotten" in kinds and (
            family == "incoming" or (family != "alone" and len(kinds) == 1)
        ):
            rows = [*self._attempts("result"), *self._attempts("incoming")]
            some = any(x.outcome == "right" for x in rows if x.program.operation in ("+", "*"))
            return everywhere._replace(kind="unvisited" if some else "order")
        if len(kinds) > 1:
            return None
        nested = [
            each
            for each in self._attempts("again")
            if _ENDS_WITH_A.match(each.program.text) and not self.calls.get(each.program.operation)
        ]
        if kind == "overwrites" and all(each.outcome == "right" for each in nested):
            return everywhere._replace(kind="order")  # a gradient that arrives late is lost
        if kind == "raises":
            is_alike = len({(x.raised["type"], x.raised["line"]) for x in found if x.raised}) == 1
        else:
            is_alike = kind in _OF_WALK or (kind, family) in _ALIKE
        return everywhere if is_alike else None

    def _diagnose(
        self, family: Family, operation: str, own: Sequence[Attempt], wrong: Sequence[Attempt]
    ) -> Finding:
        """Return the mistake of an operation, given the wrong programs of a family."""
        numbers = [each for each in wrong if not each.raised]
        first = _smallest(wrong)
        if first.wrong is None:
            return self._exception(first, operation)
        kinds: dict[Family, FindingKind] = {
            "place": "in_place" if first.wrong.name != "data" else "data",
            "exponent": "exponent",
            "pass": "second_pass",
        }
        kind, slot = kinds.get(family, "gradient"), None
        text = first.program.text  # a binary operation may lose only one of its operands
        same = [x for x in own if operation not in BINARY or x.program.text == text]
        lost = not any(each.grads[0] for each in same if not each.raised)
        if isinstance(first.wrong.got, str):
            kind = "not_a_number"
        elif first.wrong.name == "data":
            kind = kinds.get(family, "data")
        elif first.wrong.name in _LEAF_DATA:
            kind = kinds.get(family, "changes_data")
        elif family == "alone":
            kind, slot = _local_mistake(numbers)
        elif family == "incoming":
            kind, slot = _incoming_mistake(operation, own)
        elif family == "again":
            kind = _repeated_mistake(operation, numbers)
        elif family in ("result", "number", "left") and lost:
            kind = "forgotten"
        return self._finding(kind, first, operation)._replace(slot=slot)

    def _exception(self, attempt: Attempt, operation: str) -> Finding:
        raised = attempt.raised or {"type": "", "message": ""}
        program, kind = attempt.program, _KINDS.get(raised["type"], "raises")
        own: tuple[str, ...] = (operation,) if operation else ()
        if kind == "died":  # blame the operations that no right program uses
            right = [each.program.plain for each in self.attempts if each.outcome == "right"]
            own = tuple(sorted(program.plain.difference(*right))) if right else ()
        if "unhashable" in raised["message"]:
            kind, own = "equality", ()
        elif program.family == "number" and raised["type"] in ("TypeError", "AttributeError"):
            return Finding("numbers", own, program=program)
        return Finding(kind, own, None, program, None, raised, raised["message"])

    def _blame_the_rest(self) -> None:
        """Blame the walk or several operations, if no single operation explains the failures."""
        left = [each for each in self.wrong if not self._operations(each) & self.blamed]
        if not left:
            return
        first = _smallest(left)
        walks = [each for each in left if each.program.family in ("walk", "deep")]
        sure = [each for each in walks if not each.raised]
        made = [each for each in left if each.wrong and each.wrong.name == "data"]
        suspects = self._suspects(left)
        if all(each.program.use == "after" for each in left):
            self.faults.append(self._finding("cleared", first))
        elif all(each.program.family == "pass" for each in left):
            self.faults.append(self._finding("second_pass", first, *suspects))
        elif made:  # by an operation, because a walk makes no data
            self.faults.append(self._finding("data", _smallest(made), *self._suspects(made)))
        elif sure and not any(each.program.operation for each in left):
            # A sum of positive contributions is too small if one came too late.
            twice = [each for each in sure if _is_positive(each.program) and _is_too_large(each)]
            # A wrong order is wrong in small graphs, too.
            is_cut = all(each.program.family != "walk" for each in left)
            kind: FindingKind = "revisited" if twice else "unvisited" if is_cut else "order"
            self.faults.append(self._finding(kind, _smallest(twice or sure)))
        elif first.raised:
            of_walk = first.reply["stage"] == "pass" or len(walks) == len(left)
            within = {*first.raised.get("scope", ())}  # the names of the functions around the line
            own = [x for x in self.names if within & {self.names[x], REFLECTED.get(x)}]
            own = own or ([] if of_walk else suspects)
            self.faults.append(self._exception(first, "".join(own)))
        else:
            self.faults.append(self._finding("gradient", first, *suspects))

    def _suspects(self, wrong: Sequence[Attempt]) -> list[str]:
        """Return the operation that is in all wrong programs, and in the fewest right ones.

        The right programs are those of the same uses; an operation that all of them contain is not
        suspected.
        """
        uses = {each.program.use for each in wrong}
        near = [each for each in self.attempts if each.program.use in uses]
        right = [self._operations(each) for each in near if each.outcome == "right"]
        common = set.intersection(*[self._operations(each) for each in wrong])
        met = {name: sum(name in each for each in right) for name in sorted(common)}
        names = sorted(
            [name for name in met if met[name] < len(right)],
            key=lambda name: (met[name], len(name)),
        )
        return [part for name in names[:1] for part in name.split() if part in self.names]

    # The operations of programs.

    def _attempts(self, family: Family, operation: str = "") -> list[Attempt]:
        """List the judged programs of a family, of one operation or of all."""
        rows = self.families.get(family, [])
        return [each for each in rows if operation in ("", each.program.operation)]

    def _operations(self, attempt: Attempt) -> set[str]:
        """Return the operations of a program, and those that they are built from."""
        own = set(attempt.program.operations)
        return own.union(*[self.calls.get(each, set()) for each in own])

    def _calls(self) -> dict[str, set[str]]:
        called: dict[str, set[str]] = {each: set() for each in self.names}
        for each in self.attempts:
            if each.program.family == "alone":
                called.setdefault(each.program.operation, set()).update(
                    each.reply.get("called", ())
                )
        own = {each: name.removesuffix("(x)") for each, name in self.names.items()}
        place = OPERATIONS.index
        return {
            operation: {
                other
                for other in self.names
                if other != operation
                and not called[operation].isdisjoint({own[other], REFLECTED.get(other, other)})
                and (place(other) < place(operation) or own[operation] not in called[other])
            }
            for operation in self.names
        }

    def _finding(self, kind: FindingKind, attempt: Attempt, *operations: str) -> Finding:
        return Finding(
            kind, operations, program=attempt.program, wrong=attempt.wrong, raised=attempt.raised
        )


def _local_mistake(wrong: Sequence[Attempt]) -> tuple[FindingKind, int | None]:
    """Return the mistake of an operation's own derivatives, and the operand if it is only one."""
    first = _smallest(wrong)
    rows = [pair for each in wrong for pair in _slopes(each)]
    count = len(first.program.point)
    slots = [n for n in range(count) if not all(_is_near(*pair) for pair in rows[n::count])]
    slot = slots[0] if len(slots) == 1 else None
    if len(wrong) > 1 and all(got == 0.0 for n in slots for _, got in rows[n::count]):
        every = len(slots) == count
        is_detached = every and first.reply.get("detached")
        return ("detached" if is_detached else "forgotten"), (None if every else slot)
    return "local_grad", slot


def _incoming_mistake(operation: str, own: Sequence[Attempt]) -> tuple[FindingKind, int | None]:
    """Return an operation's mistake with its incoming gradient, and the operand if it is one."""
    sent: dict[FindingKind, Callable[[float], float]] = {"incoming": lambda _: 1.0, **_FOLDED}
    passed = [each for each in own if not each.raised]
    rows = [
        (slot, each.program.incoming, *pair)
        for each in passed
        for slot, pair in enumerate(_slopes(each))
        if "abcd"[slot] != _outer_operand(each)
    ]
    slots = {slot for slot, _, *pair in rows if not _is_near(*pair)}
    for kind, by in sent.items():
        if all(_is_near(true / g * by(g), got) for slot, g, true, got in rows if slot in slots):
            return kind, min(slots) if operation in BINARY and len(slots) == 1 else None
    return "gradient" if any(each.grads[0] for each in passed) else "forgotten", None


def _repeated_mistake(operation: str, wrong: Sequence[Attempt]) -> FindingKind:
    """Return the mistake with an operand that occurs twice: one of two parts is lost, or more."""
    if {each.program.text for each in wrong} == {f"a {operation} a"}:
        return "repeated"
    pairs = [_slopes(each)[0] for each in wrong]
    is_half = [_is_near(true, 2 * got) for true, got in pairs if true != 0.0]
    return "overwrites" if is_half and all(is_half) else "gradient"


def _outer_operand(attempt: Attempt) -> str:
    """Return the operand of the operation around the tested one, as `c` in `c * (a + b)`."""
    return attempt.program.text[0]


def _may_be_of_another(attempt: Attempt) -> bool:
    """Return whether the wrong number may come from another operation of the program, or the walk.

    The result depends on all of them. The gradient of the outer operand does not depend on the
    tested one, nor does that of an operand that occurs once next to one that occurs twice.
    """
    name, family = attempt.wrong.name if attempt.wrong else "", attempt.program.family
    if name == "data":
        return family != "place" and len(attempt.program.operations & {*OPERATIONS}) > 1
    if name.endswith(".grad") and family == "again":
        return not all(_is_near(*pair) for pair in _slopes(attempt)[1:])
    return family == "incoming" and name == f"{_outer_operand(attempt)}.grad"


def _is_near(true: float, got: float) -> bool:
    return abs(true - got) <= TOLERANCE * max(1.0, abs(true))


def _mistake_of_walk(alone: Sequence[Attempt]) -> FindingKind | None:
    """Return the mistake that a walk makes with every gradient alike."""
    pairs = [pair for each in alone for pair in _slopes(each)]
    done: dict[FindingKind, Callable[[float], float]]
    done = {"revisited": lambda x: 2 * x, **_FOLDED, "gradient": lambda x: -x}
    kinds = [kind for kind, to in done.items() if all(_is_near(to(x), got) for x, got in pairs)]
    return kinds[0] if kinds else None


def _depends_on_right(wrong: Sequence[Attempt], pairs: Sequence[tuple[float, float]]) -> bool:
    """Return whether the numbers of several operations are one function of the right numbers.

    The function is nondecreasing, such as clipping or rounding, in code that all of them share. It
    may map 0 to any number.
    """
    is_one = len({each.program.operation for each in wrong}) == 1
    if is_one or not wrong:
        return False
    rows = sorted(pairs)
    zeros = [got for true, got in rows if true == 0.0]
    others = pairwise([row for row in rows if row[0] != 0.0])
    return all(_is_near(zeros[0], got) for got in zeros) and all(
        _is_near(low, high) or (low < high and not _is_near(x, y)) for (x, low), (y, high) in others
    )


def _slopes(attempt: Attempt) -> list[tuple[float, float]]:
    """Return pairs of a leaf's right gradient and its gradient in the class."""
    return [*zip(attempt.right[0].grads, attempt.grads, strict=True)]


def _is_swapped(attempt: Attempt) -> bool:
    right, got = zip(*_slopes(attempt), strict=True)
    return len(right) > 1 and all(map(_is_near, reversed(right), got))


def _is_positive(program: TrialProgram) -> bool:
    """Return whether all contributions to a gradient are positive."""
    return program.operations <= _INCREASING and min(program.point) > 0


def _is_too_large(attempt: Attempt) -> bool:
    return any(got > true and not _is_near(true, got) for true, got in _slopes(attempt))


def _smallest(attempts: Sequence[Attempt]) -> Attempt:
    return min(attempts, key=lambda each: (len(each.program.text), each.program.use != "once"))


_MERGED: tuple[FindingKind, ...] = (
    *("overwrites", "incoming", "sign_lost", "negative_dropped", "detached", "forgotten"),
    *("repeated", "gradient", "not_done", "no_node", "changes_data", "second_pass", "numbers"),
)


def _merged(found: Sequence[Finding]) -> list[Finding]:
    """Merge the faults that several operations have for the same reason."""
    rows: dict[object, Finding] = {}
    for place, each in enumerate(found):
        key: object = place
        if each.kind in _MERGED and each.operations:
            is_left = each.program is not None and each.program.family == "left"
            key = (each.kind, each.slot, is_left)
        elif each.kind == "raises" and each.operations and each.raised:
            # A KeyError may name an `id`, which differs from program to program.
            key = (each.raised["type"], re.sub(r"\d+", "", each.raised["message"]))
        old = rows.setdefault(key, each)
        names = {*old.operations, *each.operations}
        known = [name for name in ("backward", *OPERATIONS) if name in names]
        rows[key] = old._replace(operations=(*known, *sorted(names - set(known))))
    many = [x for x in rows.values() if x.kind == "gradient" and len(x.operations) > _FEW]
    return [each._replace(operations=()) if each in many else each for each in rows.values()]
