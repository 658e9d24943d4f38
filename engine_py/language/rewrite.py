"""Text as people write it -> the program that it means, if that is only one (CONTRACT.md R42).

A text is read with the most likely choice for every doubt, then with each other choice for each
kind of doubt. The readings are compared by their values: a text with several meanings is refused.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.errors import GradientError, Span, SpanDict
from engine_py.language import cures, trees
from engine_py.language.parser import Parsed, parse
from engine_py.language.reader import Reader
from engine_py.language.spelling import Refused, as_double
from engine_py.language.tokens import tokenize
from engine_py.language.words import CONSTANTS, Doubt, glued_pieces
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.request import check_expression, check_parameters

MAX_READINGS, MAX_RUNS = 3, 10
"""The maximum number of readings that are returned, and of times that a text is read."""

_OF_GRAMMAR = ("arity", "comma", "unclosed", "unopened", "unexpected", "ended", "no_value")
"""A reading refused for one of these reasons does not count as one."""


_OF_CIRCLE = ("sin", "cos")
"""Next to one of these functions, `pi` is never a variable."""


class RefusedDict(TypedDict):
    """Why there is no program, and where; `program` may be the one that was meant."""

    reason: str
    span: SpanDict
    program: str | None


class Rewritten(TypedDict):
    """The program, or why there is none; `readings` are the programs that it may be."""

    expression: str | None
    changes: list[trees.ChangeDict]
    needs: list[str]
    refused: RefusedDict | None
    readings: list[str]


class Read(NamedTuple):
    """One reading: its program and its graph."""

    parsed: Parsed
    expression: str
    changes: list[trees.ChangeDict]
    needs: list[str]


class Asked(NamedTuple):
    """The arguments of `rewrite`."""

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
    """Return the program that a text means, and the changes; a program is returned as it is.

    Args:
        text: what was written, such as `2x^2`.
        names: the names that have values; None if unknown.
        limits: how large the text and the program may be.
        deadline: bounds the time.

    Raises:
        GradientError: the text is not a string or too long, or the names are invalid or too many.
        DeadlineExceeded: the deadline has passed.
    """
    check_expression(text, limits)
    check_names(names, limits)
    asked = Asked(text, names, limits, deadline)
    found, error = meaning(asked)
    made = Rewritten(expression=None, changes=[], needs=[], refused=None, readings=[])
    if error is None:
        _, made["expression"], made["changes"], made["needs"] = found[0]
        return made
    is_doubt = error.reason == "two_readings"
    program = None if is_doubt else _cure(asked, error)
    made["refused"] = {"reason": error.reason, "span": error.span.as_dict(), "program": program}
    programs = dict.fromkeys(each.expression for each in found if is_doubt)
    made["readings"] = [*programs][:MAX_READINGS]
    return made


def check_names(names: object, limits: Limits) -> list[str] | None:
    """Check names like those of parameters; accept None, too."""
    return None if names is None else check_parameters(names, limits, "names")


def meaning(asked: Asked) -> tuple[list[Read], Refused | None]:
    """Return the one reading, or all readings and why the text is refused."""
    parsed, names = _parsed(asked.text, asked.limits), asked.names
    variables = {*parsed.graph.variables} if parsed else set[str]()
    known = variables if names is None else {*names}
    own = [_as_it_is(asked, parsed)] if parsed and variables <= known else []
    if own and (
        names is not None or not any(glued_pieces(each, begins=False) for each in variables)
    ):
        return own, None
    readings, refused, doubted = _read_every_way(asked)
    distinct = own + [each for each in readings if not own or each.expression != own[0].expression]
    meant = [(run, each) for run, each in refused if each.reason not in _OF_GRAMMAR]
    if len(distinct) == 1 and not meant:
        return distinct, None
    if distinct and doubted and not (meant and meant[0][0] == 0):
        return distinct, doubted  # unless the most likely reading has no program
    errors = [*(each for _, each in (*meant, *refused)), *([doubted] if doubted else [])]
    return distinct, errors[0] if errors else Refused("no_program", Span(0, len(asked.text)))


def _read_every_way(asked: Asked) -> tuple[list[Read], list[tuple[int, Refused]], Refused | None]:
    """Read with each choice of each doubt; return readings, refusals by run, the first doubt."""
    waiting: list[dict[str, int]] = [{}]
    readings, refused = list[Read](), list[tuple[int, Refused]]()
    doubted: Refused | None = None
    for run in range(MAX_RUNS):
        if run >= len(waiting) or len(readings) == MAX_READINGS:
            break
        doubt = Doubt(waiting[run])
        try:
            made = read_once(asked, doubt)
            if not any(trees.agree(made.parsed, each.parsed) for each in readings):
                readings.append(made)
        except Refused as error:
            refused.append((run, error))
        for kind, (count, span) in doubt.asked.items():
            doubted = doubted or Refused("two_readings", span)
            for choice in range(1, count) if kind not in doubt.fixed else ():
                fixed = {**doubt.fixed, kind: choice}
                waiting += [fixed] if fixed not in waiting else []
    if len(waiting) > MAX_RUNS and doubted:
        refused.append((MAX_RUNS, doubted))  # a reading that was not tried may differ
    return readings, refused, doubted


def read_once(asked: Asked, doubt: Doubt, instead: Mapping[str, str] | None = None) -> Read:
    """Read a text with one choice for each doubt, and write its program.

    Raises:
        Refused: with these choices there is no program.
    """
    text, names, limits, deadline = asked
    reader = Reader(text, names, doubt, deadline, instead)
    written = trees.written(reader.program(), limits.characters, deadline)
    expression, changes = trees.aligned(text, reader.plain, reader.tokens, written)
    parsed = _parsed(expression, limits)
    if parsed is None:
        raise Refused("no_program", Span(0, len(text)))
    if names is not None and (missing := {*parsed.graph.variables} - {*names}):
        least, tokens = min(missing), reader.tokens
        raise Refused("no_value", next((each for each in tokens if each.text == least), tokens[-1]))
    if defined := reader.defined:
        call = asked._replace(text=defined.strip("\0&:= \t\n\r"), names=None)
        if not trees.agree(parsed, read_once(call, Doubt({})).parsed):
            raise Refused("equation", Span(0, len(defined)))
    needed = trees.written(reader.needs, limits.characters, deadline)
    needs = "".join([each.text for each in needed]).split("\n")[:-1]
    return Read(parsed, expression, changes, [*dict.fromkeys(needs)])


def _parsed(text: str, limits: Limits) -> Parsed | None:
    """Parse a program; return None if the text is not one."""
    try:
        return parse(tokenize(text), "folded", limits)
    except GradientError:
        return None


def _as_it_is(asked: Asked, parsed: Parsed) -> Read:
    """Write a program's numbers as they are computed; next to sin or cos, pi is a number."""
    pi = {"pi", "PI"} & parsed.graph.variables.keys() if asked.names is None else set[str]()
    if pi and not any(each and each.symbol in _OF_CIRCLE for each in parsed.graph.operations):
        pi = set()
    pieces, changes, at = list[str](), list[trees.ChangeDict](), 0
    for kind, piece, start in zip(*tokenize(asked.text), strict=True):
        held = as_double(piece) if kind == "number" else piece
        held = CONSTANTS[piece] if piece in pi else held
        if held != piece:
            span = SpanDict(start=start, end=start + len(piece))
            changes.append({"span": span, "replacement": held, "reason": kind})
            pieces += [asked.text[at:start], held]
            at = span["end"]
    return Read(parsed, "".join([*pieces, asked.text[at:]]), changes, [])


def _cure(asked: Asked, error: Refused) -> str | None:
    """Return the program that a refused text may mean."""

    def program(text: str) -> Parsed:
        return read_once(asked._replace(text=text, names=None), Doubt({})).parsed

    for text, instead in cures.texts_of(asked.text, error.reason, program):
        if len(text) > asked.limits.characters:
            continue
        each = asked._replace(text=text.strip(" \t\n\r"))
        try:
            found, refused = (
                ([read_once(each, Doubt({}), instead)], None) if instead else meaning(each)
            )
        except Refused:
            continue
        if refused is None:
            return found[0].expression
    return None
