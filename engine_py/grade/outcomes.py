"""The child's numbers -> an outcome for each program: right, wrong, not done, left out, not tried.

Notes say where a class differs from the lessons without being wrong. The verdict depends on these
outcomes alone.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, Literal, NamedTuple

from engine_py.grade.programs import BINARY, OPERATIONS, PROGRAMS, REFLECTED, TrialProgram
from engine_py.grade.right import Right, right
from engine_py.grade.run import Answers

Outcome = Literal["right", "wrong", "not_done", "left_out", "not_tried"]
FindingKind = Literal[
    "load", "died", "time", "hangs", "raises", "recursion", "not_done", "initial_grad", "hides",
    "not_a_number", "changes_data", "data", "seed", "local_grad", "detached", "forgotten",
    "incoming", "sign_lost", "negative_dropped", "overwrites", "repeated", "order", "revisited",
    "unvisited", "silent", "equality", "gradient", "numbers", "reflected", "exponent", "in_place",
    "second_pass", "cleared", "resets", "once", "floats", "inexact", "no_node", "zero", "shares",
    "swapped",
]  # fmt: skip
Stage = Sequence[Any]
"""The numbers of a pass: the result's data before it, the leaves' gradients, the result's gradient,
and the data of the leaves and of the result."""

TOLERANCE, _NOTED = 1e-6, 1e-13
"""Relative tolerances of a number: one that is off by more than the second gets a note."""
_DOUBLE = 2.0**-53
_ROUNDINGS = 256
"""The tolerance in units of the last place, for classes with less than double precision."""
_SLOPE, _SINGLE_SLOPE = 1e-4, 0.02
"""Relative tolerances of a slope by finite differences, in double and in single precision."""
_SECOND_PASS_REFUSALS = ("RuntimeError", "AssertionError", "Exception")
"""Exceptions of a class that refuses to go backward twice."""
_REFUSED = ("TypeError", "AttributeError")
"""Exceptions of an operator that does not take a number there."""
_LONG = ("TooSlow", "MemoryError")
"""Exceptions in a deep program if the walk takes every path."""
_MISTAKES = ("NameError", "UnboundLocalError", "RecursionError", "TooSlow")
"""Exceptions that are mistakes, and not the refusal of a node as an exponent."""
_NONE = "NoneType"


class Wrong(NamedTuple):
    """A wrong number."""

    name: str
    """Such as `a.grad`; `data` and `grad` alone are those of the result."""
    expected: float
    got: float | str | None


class Finding(NamedTuple):
    """One mistake, or one note."""

    kind: FindingKind
    operations: tuple[str, ...] = ()
    slot: int | None = None
    """The operand by which a local gradient is taken, from 0."""
    program: TrialProgram | None = None
    """The smallest program that shows it."""
    wrong: Wrong | None = None
    raised: Mapping[str, Any] | None = None
    got: str = ""


class Attempt(NamedTuple):
    """A program with its right numbers, the child's reply, and the outcome."""

    program: TrialProgram
    right: Sequence[Right]
    reply: Mapping[str, Any]
    outcome: Outcome = "left_out"
    wrong: Wrong | None = None
    """The first wrong number."""
    is_inexact: bool = False

    @property
    def raised(self) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = self.reply.get("raised")
        return found

    @property
    def grads(self) -> list[float]:
        """The leaves' gradients after the first pass."""
        return [double(each) for each in self.reply["stages"][0][1]]

    @property
    def root_grad(self) -> float | str | None:
        """The result's own gradient after the first pass."""
        found: float | str | None = self.reply["stages"][0][2]
        return found


class Outcomes(NamedTuple):
    """All programs with their outcomes, and what else was found."""

    attempts: list[Attempt]
    notes: list[Finding]
    forgotten: Finding | None
    """The one operator that does not take a number on its left, if all others do."""


def outcomes(answers: Answers) -> Outcomes:
    head, replies, end = answers
    notes: list[Finding] = []
    absent, forgotten = _absent_forms(replies, frozenset(head["methods"]), notes)
    unit: float = head["unit"]
    attempts = []
    for place, program in enumerate(PROGRAMS):
        reply: Mapping[str, Any] = {"not_tried": program.plain <= head["operations"].keys()}
        if place < len(replies):
            reply = replies[place]
        if place == len(replies) and end:
            kind = "time" if end == "time" else "died"
            reply = {"raised": {"type": kind, "message": end, "line": None, "cell": None}}
        if program.operations & absent and "stages" not in reply:
            reply = {"left_out": True}
        attempts.append(_with_outcome(Attempt(program, right(program), reply), unit, notes))
    for other in replies[len(PROGRAMS) :]:
        stages = [Right(data, tuple(grads)) for data, grads in other["right"] or ()]
        attempt = Attempt(TrialProgram(*other["program"]), stages, other)
        attempts.append(_with_outcome(attempt, unit, notes))
    return Outcomes(attempts, notes, forgotten)


def double(number: Any) -> float:
    """Return a float unchanged; return 0 for anything else."""
    return number if isinstance(number, float) else 0.0


def _absent_forms(
    replies: Sequence[Mapping[str, Any]], methods: frozenset[str], notes: list[Finding]
) -> tuple[set[str], Finding | None]:
    """Return the forms that the class lacks, such as `number -` for `2 - a`.

    If it has all but one of the operators that Python calls when a number comes first, that one
    was forgotten, which is a fault; otherwise only an assignment can require them.
    """
    raised: dict[str, str] = {
        program.text: reply.get("raised", {}).get("type", "")
        for program, reply in zip(PROGRAMS, replies, strict=False)
        if program.use == "once" and "missing" not in reply and "left_out" not in reply
    }
    takes_left = [each for each in BINARY if REFLECTED[each] in methods]
    is_refused = all(raised.get(f"a {each} 2", _REFUSED[0]) in _REFUSED for each in BINARY)
    if is_refused and len(takes_left) <= 1:  # one may exist only for the 0 of `sum()`
        notes.append(
            Finding("numbers", tuple([each for each in BINARY if f"a {each} 2" in raised]))
        )
        forms = {f"{each} number" for each in BINARY}
        return forms | {f"number {each}" for each in (*BINARY, "**")}, None
    takes_nodes = raised.get("a ** b") == ""
    operators = [each for each in (*BINARY, *(["**"] * takes_nodes)) if f"2 {each} a" in raised]
    absent = [
        each
        for each in operators
        if raised[f"2 {each} a"] in _REFUSED and REFLECTED[each] not in methods
    ]
    forms = {f"number {each}" for each in (absent if takes_nodes else [*absent, "**"])}
    if len(absent) == 1 and len(operators) >= len(BINARY):
        first = next(each for each in PROGRAMS if each.text == f"2 {absent[0]} a")
        return forms, Finding("reflected", tuple(absent), program=first)
    if absent:
        notes.append(Finding("reflected", tuple(absent)))
    return forms, None


def _with_outcome(attempt: Attempt, unit: float, notes: list[Finding]) -> Attempt:
    program, reply = attempt.program, attempt.reply
    if "not_tried" in reply:
        return attempt._replace(outcome="not_tried" if reply["not_tried"] else "left_out")
    if "missing" in reply or "left_out" in reply:
        return attempt
    if attempt.raised:
        outcome = _outcome_of_exception(attempt, attempt.raised)
        if outcome == "left_out" and program.use == "whole":
            _add_note(notes, "floats", program, attempt.raised)
        elif outcome == "left_out" and program.family == "pass":
            _add_note(notes, "once", program)
        return attempt._replace(outcome=outcome)
    found = _first_wrong(attempt, reply["stages"], unit)
    if found and program.use == "losses":
        once, _ = attempt.right
        alone = Right(2 * once.data, tuple([2 * each for each in once.grads]))
        if not _first_wrong(attempt._replace(right=[once, alone]), reply["stages"], unit):
            _add_note(notes, "resets", program)
            return attempt._replace(outcome="right")
    if found is None and "reverse" in reply:
        other = reply["reverse"].get("stages")
        found = _first_wrong(attempt, other, unit) if other else None
    is_first_right = not _first_wrong(
        attempt._replace(right=attempt.right[:1]), reply["stages"][:1], unit
    )
    if found and is_first_right and reply.get("spent"):
        _add_note(notes, "once", program)
        return attempt
    inexact = unit == _DOUBLE and not found and _is_inexact(attempt)
    return attempt._replace(outcome="wrong" if found else "right", wrong=found, is_inexact=inexact)


def _add_note(
    notes: list[Finding],
    kind: FindingKind,
    program: TrialProgram,
    raised: Mapping[str, Any] | None = None,
) -> None:
    if not any(each.kind == kind for each in notes):
        notes.append(Finding(kind, program=program, raised=raised))


def _outcome_of_exception(attempt: Attempt, raised: Mapping[str, Any]) -> Outcome:
    program = attempt.program
    if "** node" in program.operations and raised["type"] not in _MISTAKES:
        return "left_out"  # a class may refuse a node as exponent
    is_nothing = raised["type"] == "NoNode" and raised["message"] == _NONE
    if raised["type"] == "NotImplementedError" or is_nothing or is_late(attempt):
        return "not_done"
    if program.use == "whole" and raised["type"] not in _MISTAKES:
        return "left_out"  # a class may take floats only, as numpy's arrays do
    refuses = program.use in ("twice", "zeroed") and raised["type"] in _SECOND_PASS_REFUSALS
    return "left_out" if refuses else "wrong"


def is_late(attempt: Attempt) -> bool:
    """Return whether a program that takes long has ended without a number."""
    kind = attempt.raised["type"] if attempt.raised else ""
    return kind == "time" or (attempt.program.family == "deep" and kind in _LONG)


def _first_wrong(attempt: Attempt, stages: Sequence[Stage], unit: float) -> Wrong | None:
    """Return the first wrong number, pass by pass.

    The gradients of a second pass over the same graph may not be smaller than those of the first.
    There are three right ways: to begin at 0 again, to add up as PyTorch does, and micrograd's,
    which sends the gradients left in the results once more.
    """
    use = attempt.program.use
    for place, (true, stage) in enumerate(zip(attempt.right, stages, strict=True)):
        tolerance = _tolerance(attempt, true, unit)
        for name, expected, got in _named_numbers(attempt, place, stage):
            is_right = isinstance(got, float) and abs(got - expected) <= tolerance(expected)
            if place and use == "twice" and name.endswith(".grad"):
                least = abs(expected) * (1 - TOLERANCE) - tolerance(0.0)
                is_right = isinstance(got, float) and least <= abs(got) < inf
            if not is_right:
                return Wrong(name, expected, got)
        is_seed = stage[2] in (1.0, 0.0, None) or abs(double(stage[2]) - 1.0) <= tolerance(1.0)
        if not (is_seed or (place and use in ("twice", "losses"))):
            return Wrong("grad", 1.0, stage[2])
    return None


def _named_numbers(attempt: Attempt, place: int, stage: Stage) -> list[tuple[str, float, Any]]:
    """List a pass's numbers with their names and the right numbers."""
    data, grads, _, (*leaves, after) = stage
    true, points = attempt.right[place], attempt.program.points
    point = points[min(place, len(points) - 1)]
    rows = [("data", true.data, data)]
    rows += [(f"{n}.data", x, got) for n, x, got in zip("abcd", point, leaves, strict=False)]
    rows += [("data", true.data, after)]
    slopes = zip("abcd", true.grads, grads, strict=False)
    return rows + [(f"{n}.grad", x, got) for n, x, got in slopes]


def _tolerance(attempt: Attempt, true: Right, unit: float) -> Callable[[float], float]:
    """Return a function from a right number to its tolerance."""
    relative, rounding = TOLERANCE, 0.0
    if attempt.program.operation not in ("", *OPERATIONS):
        relative = _SLOPE if unit == _DOUBLE else _SINGLE_SLOPE
    if unit > _DOUBLE:  # each number is rounded when it is stored
        rounding = _ROUNDINGS * unit * max(1.0, abs(true.data), *map(abs, true.grads))
    return lambda expected: relative * max(1.0, abs(expected)) + rounding


def _is_inexact(attempt: Attempt) -> bool:
    rows = _named_numbers(attempt, 0, attempt.reply["stages"][0])
    return any(abs(double(got) - true) > _NOTED * max(1.0, abs(true)) for _, true, got in rows)
