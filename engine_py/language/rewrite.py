"""What people write -> a program that means the same, where it has one meaning (CONTRACT.md R42).

A text is read with every doubt at its likeliest choice, then with each other choice of each kind of
doubt. The readings are compared by their values: one meaning is a program, more are refused.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.errors import GradientError, SpanDict
from engine_py.language import cures, trees
from engine_py.language.parser import parse
from engine_py.language.reader import Reader
from engine_py.language.spelling import Lexeme, Refused, as_double
from engine_py.language.tokens import tokenize
from engine_py.language.trees import Node, Statement
from engine_py.language.words import Doubt, glued_pieces
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.request import check_expression, check_parameters

MOST_READINGS, MOST_RUNS = 3, 10
"""Readings that are returned, and times that a text is read."""

_OF_GRAMMAR = ("arity", "comma", "unclosed", "unopened", "unexpected", "ended", "no_value")
"""A reading that is refused for one of these is none."""


class RefusedDict(TypedDict):
    """Why there is no program, and where; `program` may be meant."""

    reason: str
    span: SpanDict
    program: str | None


class Rewritten(TypedDict):
    """The program, or why there is none; `readings` are programs where there are several."""

    expression: str | None
    changes: list[trees.ChangeDict]
    needs: list[str]
    refused: RefusedDict | None
    readings: list[str]


class Read(NamedTuple):
    """One reading: its trees, and the program that is written for it."""

    trees: Sequence[Statement]
    expression: str
    changes: list[trees.ChangeDict]
    needs: list[str]


class Asked(NamedTuple):
    """What is asked for."""

    text: str
    names: Sequence[str] | None
    limits: Limits
    deadline: Deadline


def rewrite(
    text: str,
    names: Sequence[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Rewritten:
    """Return the program that a text means, with what changes; a program is returned as it is.

    Args:
        text: what was written, such as `2x^2`.
        names: the names that have values; None where they are not known.
        limits: how large the text and the program may be.
        deadline: when it has to be done.

    Raises:
        GradientError: the text is none or too long, or the names are none or too many.
        DeadlineExceeded: the deadline has passed.
    """
    check_expression(text, limits)
    check_names(names, limits)
    asked = Asked(text, names, limits, deadline)
    found = meaning(asked)
    if isinstance(found, Read):
        made = {"expression": found.expression, "changes": found.changes, "needs": found.needs}
        return {**made, "refused": None, "readings": []}  # type: ignore[typeddict-item]
    error, readings = found
    refused: RefusedDict = {"reason": error.reason, "span": error.span, "program": None}
    if error.reason != "two_readings":
        readings = []
        refused["program"] = _cure(asked, error)
    return {
        "expression": None,
        "changes": [],
        "needs": [],
        "refused": refused,
        "readings": [*dict.fromkeys(each.expression for each in readings)][:MOST_READINGS],
    }


def check_names(names: object, limits: Limits) -> list[str] | None:
    """Accept names as those of parameters, or None."""
    return None if names is None else check_parameters(names, limits, "names")


def meaning(asked: Asked) -> Read | tuple[Refused, list[Read]]:
    """Return the one reading, or why there is none, and those that there are."""
    variables = _variables(asked.text, asked.limits)
    is_own = variables is not None and (asked.names is None or variables <= {*asked.names})
    own = [_as_it_is(asked.text)] if is_own else []
    if own and (asked.names is not None or not any(map(_is_glued, variables or ()))):
        return own[0]
    readings, refused, doubt = _read_every_way(asked)
    distinct = own + [each for each in readings if not own or each.expression != own[0].expression]
    meant = [(run, each) for run, each in refused if each.reason not in _OF_GRAMMAR]
    if len(distinct) == 1 and not meant:
        return distinct[0]
    first = refused[0][1] if refused else None
    error = doubt if distinct and doubt else meant[0][1] if meant else first or doubt
    if meant and meant[0][0] == 0:
        error = meant[0][1]  # what is likeliest has no program
    return error or Refused("no_program", 0, len(asked.text)), distinct


def _read_every_way(asked: Asked) -> tuple[list[Read], list[tuple[int, Refused]], Refused | None]:
    """Read with each choice of each doubt; return readings, refusals by run, the first doubt."""
    waiting: list[dict[str, int]] = [{}]
    seen: set[tuple[tuple[str, int], ...]] = {()}
    readings, refused = list[Read](), list[tuple[int, Refused]]()
    doubted: Refused | None = None
    for run in range(MOST_RUNS):
        if run >= len(waiting) or len(readings) == MOST_READINGS:
            break
        doubt = Doubt(waiting[run])
        try:
            known = [each.trees for each in readings]
            if made := read_once(asked, doubt, known):
                readings.append(made)
        except Refused as error:
            refused.append((run, error))
        for kind, (count, start, end) in doubt.asked.items():
            doubted = doubted or Refused("two_readings", start, end)
            for choice in range(1, count) if kind not in doubt.fixed else ():
                fixed = {**doubt.fixed, kind: choice}
                mark = tuple(sorted(fixed.items()))
                if mark not in seen:
                    seen.add(mark)
                    waiting.append(fixed)
    if len(waiting) > MOST_RUNS and doubted:
        refused.append((MOST_RUNS, doubted))  # what was not read may differ
    return readings, refused, doubted


def read_once(
    asked: Asked,
    doubt: Doubt,
    known: Sequence[Sequence[Statement]] = (),
    instead: Mapping[str, str] | None = None,
) -> Read | None:
    """Read a text with one choice of each doubt, and write the program; None if it is known.

    Raises:
        Refused: with these choices there is no program.
    """
    text, names, limits, deadline = asked
    reader = Reader(text, names, doubt, deadline, instead)
    made, content = reader.program()
    if any(trees.agree(made, other) for other in known):
        return None
    whole = _listed(content, made)
    written = trees.lexemes_of(whole, limits.characters, deadline)
    expression, changes = trees.aligned(text, reader.words.plain, reader.tokens, written)
    variables = _variables(expression, limits)
    if variables is None:
        raise Refused("no_program", 0, len(text))
    if names is not None and (missing := variables - {*names}):
        least = min(missing)
        at = next((each for each in reader.tokens if each.text == least), reader.tokens[-1])
        raise Refused("no_value", at.start, at.end)
    needed = trees.lexemes_of(_listed(reader.needs, made), limits.characters, deadline)
    needs = "".join([each.text for each in needed]).split("\n")[:-1]
    return Read(made, expression, changes, [*dict.fromkeys(needs)])


def _listed(content: Sequence[Node | Lexeme], made: Sequence[Statement]) -> Node:
    """Return what is written one after the other as a node."""
    return made[0].node._replace(content=tuple(content), inside=None)


def _variables(text: str, limits: Limits) -> set[str] | None:
    """Return the variables of a program, None where the text is none."""
    try:
        return {*parse(tokenize(text), "folded", limits).graph.variables}
    except GradientError:
        return None


def _as_it_is(text: str) -> Read:
    """Return a program with the numbers that it is computed with."""
    pieces, changes, at = list[str](), list[trees.ChangeDict](), 0
    for kind, number, start in zip(*tokenize(text), strict=True):
        if kind == "number" and (held := as_double(number)) != number:
            end = start + len(number)
            span = SpanDict(start=start, end=end)
            changes.append({"span": span, "replacement": held, "reason": kind})
            pieces += [text[at:start], held]
            at = end
    return Read([], "".join([*pieces, text[at:]]), changes, [])


def _is_glued(name: str) -> bool:
    return bool(glued_pieces(name, begins=False))


def _cure(asked: Asked, error: Refused) -> str | None:
    """Return a program that may be meant by a text that is refused."""
    for text, instead in cures.texts_of(asked.text, error.reason):
        if len(text) > asked.limits.characters:
            continue
        each = asked._replace(text=text.strip(" \t\n\r"))
        try:
            found = read_once(each, Doubt({}), (), instead) if instead else meaning(each)
        except Refused:
            continue
        if isinstance(found, Read):
            return found.expression
    return None
