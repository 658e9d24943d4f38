"""What a text means, as a tree; its values, its text, and the changes that make it of the first."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import NamedTuple, TypedDict

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.errors import GradientError, SpanDict
from engine_py.forward import forward
from engine_py.language.parser import Parsed
from engine_py.language.spelling import Lexeme, Refused
from engine_py.operations import OPERATIONS
from engine_py.order import make_steps

SUM, PRODUCT, PREFIX, POWER, ATOM = range(5)
"""How tightly a part of a program holds together."""

DEEPEST = 150
"""Parts in one another, which the walks of a tree recur through."""
LARGEST = 65_536
"""Parts of a tree, where one that is used twice counts twice."""
POINTS = 24
"""Points at which readings are compared."""
_RANGES = (0.2, 2.5), (-2.5, 2.5), (2.0, 7.0)
_CLOSE, _ZERO = 1e-9, 1e-12
"""Readings that are equal but for rounding differ by less."""

_BLANKS = re.compile(r" {2,}")
_NO_BLANK = re.compile(r"[^ \t\r\n]")
_LEAST, _MOST = 1e-4, 1e15
"""Between them every language writes a double alike."""


class ChangeDict(TypedDict):
    """A change as the result writes it."""

    span: SpanDict
    replacement: str
    reason: str


class Node(NamedTuple):
    """What `text[start:end]` means, and what is written for it.

    `kind` is number, name, call, `+` (a sum, whose `text` has the sign before each term), `*` (a
    product, likewise), `neg` or `**`. `content` is what is written, `inside` what it holds in
    parentheses. `number` is the value of a tree of numbers alone.
    """

    kind: str
    text: str
    arguments: tuple["Node", ...]
    level: int
    start: int
    end: int
    content: tuple["Node | Lexeme", ...]
    number: float | None = None
    names: frozenset[str] = frozenset()
    size: int = 1
    depth: int = 1
    inside: "Node | None" = None

    @property
    def bare(self) -> "Node":
        """The node without its parentheses."""
        return self.inside or self


def leaf(token: Lexeme, number: float | None = None) -> Node:
    """Make a number or a name."""
    names = frozenset([token.text] if number is None else [])
    kind = "name" if number is None else "number"
    return Node(kind, token.text, (), ATOM, token.start, token.end, (token,), number, names)


def joined(
    what: tuple[str, str],
    arguments: Sequence[Node],
    level: int,
    span: tuple[int, int],
    content: Iterable[Node | Lexeme],
) -> Node:
    """Make a node of others, of this kind and text."""
    kind, text = what
    size = 1 + sum([each.size for each in arguments])
    depth = 1 + max(each.depth for each in arguments)
    if size > LARGEST or depth > DEEPEST:
        raise Refused("too_long" if size > LARGEST else "too_deep", *span)
    names = frozenset[str]().union(*[each.names for each in arguments])
    parts, number = tuple(arguments), None
    if not names:
        number = _applied(kind, text, [each.number for each in parts])
    return Node(kind, text, parts, level, *span, tuple(content), number, names, size, depth)


def held(node: Node, level: int) -> Node:
    """Put parentheses around what would come apart."""
    if node.level >= level:
        return node
    return enclosed(
        Lexeme("parentheses", "("), node, Lexeme("parentheses", ")"), node.start, node.end
    )


def enclosed(opening: Lexeme, node: Node, closing: Lexeme, start: int, end: int) -> Node:
    """Return a node in parentheses."""
    content = opening, node, closing
    return node._replace(level=ATOM, start=start, end=end, content=content, inside=node.bare)


def series(kind: str, items: Sequence[tuple[str, Lexeme, Node]]) -> Node:
    """Make a sum or a product of items, each a sign, how it is written, and a node."""
    level = SUM if kind == "+" else PRODUCT
    (_, _, first), *rest = items
    content: list[Node | Lexeme] = [held(first, level)]
    for _, token, node in rest:
        content += [token, held(node, level + 1)]
    signs, nodes = "".join([sign for sign, *_ in items]), [node for *_, node in items]
    return joined((kind, signs), nodes, level, (first.start, nodes[-1].end), content)


def negative(token: Lexeme, node: Node) -> Node:
    """Return a node with a minus before it."""
    content = token, held(node, PREFIX)
    return joined(("neg", ""), [node], PREFIX, (token.start, node.end), content)


def raised(base: Node, sign: Lexeme, exponent: Node) -> Node:
    """Raise to a number, which is written as it is if it is one of the text."""
    if exponent.kind == "number":
        token: Lexeme = exponent.content[0]  # type: ignore[assignment]
    else:
        token = Lexeme("power", decimal(exponent))
    content = held(base, ATOM), sign, token
    return joined(("**", ""), [base, exponent], POWER, (base.start, exponent.end), content)


def called(
    name: Lexeme, arguments: Sequence[Node], span: tuple[int, int], marks: Sequence[Lexeme] = ()
) -> Node:
    """Make a call of one of the language's functions; `marks` are its parentheses and commas."""
    commas = [Lexeme(name.kind, ", ")] * (len(arguments) - 1)
    opening, *between = marks or [Lexeme(name.kind, "("), *commas, Lexeme(name.kind, ")")]
    content: list[Node | Lexeme] = [name, opening]
    for each, mark in zip(arguments, between, strict=True):
        content += [each.bare, mark]
    return joined(("call", name.text), arguments, ATOM, span, content)


def filled(template: Node, slots: Mapping[str, Node], span: tuple[int, int], reason: str) -> Node:
    """Return what a formula makes of its arguments."""
    if template.kind == "number":
        return leaf(Lexeme(reason, template.text, *span), template.number)
    if template.kind == "name":
        return held(slots[template.text], ATOM)
    nodes = [filled(each, slots, span, reason) for each in template.arguments]
    if template.kind == "call":
        return called(Lexeme(reason, template.text), nodes, span)
    if template.kind == "neg":
        return negative(Lexeme(reason, "-", *span), nodes[0])
    if template.kind == "**":
        return raised(nodes[0], Lexeme(reason, " ** "), nodes[1])
    signs = [Lexeme(reason, f" {sign} ") for sign in template.text]
    return series(template.kind, [*zip(template.text, signs, nodes, strict=True)])


def decimal(node: Node) -> str:
    """Write a number that was computed, where every language writes it alike."""
    number = node.number or 0.0
    if number and not _LEAST <= abs(number) < _MOST:
        raise Refused("exponent", node.start, node.end)
    return repr(number + 0.0).removesuffix(".0")


# Values


def _applied(kind: str, text: str, numbers: Sequence[float | None]) -> float | None:
    """Apply an operation of the language; None where it has no finite value."""
    operands = [each for each in numbers if each is not None]
    if len(operands) < len(numbers):
        return None
    try:
        if kind in ("+", "*"):
            made = operands[0]
            for sign, number in zip(text[1:], operands[1:], strict=True):
                made = OPERATIONS[sign].rule(made, number)[0]
        else:
            made = OPERATIONS[text or kind].rule(*operands)[0]
    except (ArithmeticError, ValueError):
        return None
    return made if isfinite(made) else None


def computing(program: Parsed) -> Callable[[Mapping[str, float]], float | None]:
    """Return what computes a program where names have these values; None where it has no value."""
    graph, root, _ = program
    order = range(len(graph.operations))
    steps = make_steps(graph, order)

    def at(values: Mapping[str, float]) -> float | None:
        try:
            return forward(graph, order, steps, values)[0][root]
        except GradientError:
            return None

    return at


def point(names: Sequence[str], place: int) -> dict[str, float]:
    """Return values for names: most are small, some negative, a few larger."""
    low, high = _RANGES[0 if place < POINTS // 2 else 1 + place % 2]
    steps = [(place * 7919 + index * 104_729 + 12_345) % 65_537 for index in range(len(names))]
    return {
        name: low + step / 65_537 * (high - low) for name, step in zip(names, steps, strict=True)
    }


def agree(first: Parsed, second: Parsed) -> bool:
    """Return whether two programs have equal values, which are not one number, at all points."""
    (one, *_), (other, *_) = first, second
    names = sorted(one.variables)
    if names != sorted(other.variables):
        return False
    columns = [
        (each.operations, each.operands, each.labels, each.literals) for each in (one, other)
    ]
    if columns[0] == columns[1]:
        return True
    met, computed = set[float](), [computing(each) for each in (first, second)]
    for place in range(POINTS if names else 1):
        ours, theirs = [at(point(names, place)) for at in computed]
        if (ours is None) != (theirs is None) or not is_close(ours or 0.0, theirs or 0.0):
            return False
        met |= {ours} if ours is not None else set()
    return len(met) > (1 if names else 0)


def is_close(first: float, second: float) -> bool:
    """Return whether two numbers are equal but for rounding."""
    return abs(first - second) <= _ZERO + _CLOSE * max(abs(first), abs(second))


def positive(node: Node) -> bool:
    """Return whether a node is above 0 wherever it has a value."""
    each = node.arguments
    if node.number is not None:
        return node.number > 0
    if node.kind == "call":
        return node.text in ("exp", "sigmoid", "softplus") or (
            node.text == "max" and any(map(positive, each))
        )
    if node.kind == "+":
        return "-" not in node.text and any(map(positive, each)) and all(map(_not_negative, each))
    return node.kind in ("*", "**") and all(map(positive, each if node.kind == "*" else each[:1]))


def _not_negative(node: Node) -> bool:
    even = node.kind == "**" and (node.arguments[1].number or 1.0) % 2 == 0
    return even or positive(node) or (node.kind == "call" and node.text in ("abs", "sqrt", "relu"))


# Text


def lexemes_of(content: Sequence[Node | Lexeme], most: int, deadline: Deadline) -> Iterator[Lexeme]:
    """Walk what is written, which may be `most` characters."""
    waiting, count = [*reversed(content)], 0
    while waiting:
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        each, count = waiting.pop(), count + 1
        if isinstance(each, Node):
            waiting += reversed(each.content)
            continue
        most -= len(each.text)
        if most < 0:
            first = next(each for each in content if isinstance(each, Node))
            raise Refused("too_long", first.start, first.end)
        yield each


def aligned(
    text: str, plain: str, tokens: Sequence[Lexeme], written: Iterable[Lexeme]
) -> tuple[str, list[ChangeDict]]:
    """Return the program, and what changes; a token that keeps its order stays where it is."""
    result: list[str] = []
    changes: list[ChangeDict] = []
    at, last, new, why = 0, -1, "", "character"
    for token in [*written, tokens[-1]]:
        if token.place <= last:
            new += token.text
            why = token.kind if token.place < 0 else why
            continue
        before = max(at, tokens[token.place - 1].end if token.place else 0)
        skips = token.place > last + 1 and not new.startswith(")")
        lead = _NO_BLANK.sub("", plain[at : tokens[last + 1].start]) if skips else ""
        trail = "" if new.endswith("(") else _NO_BLANK.sub("", plain[before : token.start])
        between = _BLANKS.sub(" ", lead + new + trail) if new else lead + trail
        kind = token.kind if token.kind.isalpha() else "sign"
        for end, replacement, reason in (token.start, between, why), (token.end, token.text, kind):
            old = text[at:end]
            is_same = replacement.replace(" ", "") == old.replace(" ", "")  # but for blanks
            if not is_same:
                span = SpanDict(start=at, end=end)
                changes.append(ChangeDict(span=span, replacement=replacement, reason=reason))
            result.append(old if is_same else replacement)
            at = end
        last, new, why = token.place, "", "character"
    return "".join(result), changes
