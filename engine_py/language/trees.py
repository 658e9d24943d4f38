"""The meaning of a text as a tree: its values, its program, and the changes that lead there."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import NamedTuple, TypedDict

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.errors import GradientError, Span, SpanDict
from engine_py.forward import forward
from engine_py.language.parser import Parsed
from engine_py.language.spelling import Lexeme, Placed, Refused
from engine_py.operations import OPERATIONS
from engine_py.order import make_steps

SUM, PRODUCT, PREFIX, POWER, ATOM = range(5)
"""How tightly a part of a program binds."""
_SHAPES = {
    **dict.fromkeys(("number", "name", "call"), (ATOM, SUM, SUM)),
    "+": (SUM, SUM, PRODUCT),
    "*": (PRODUCT, PRODUCT, PREFIX),
    "neg": (PREFIX, PREFIX, PREFIX),
    "**": (POWER, ATOM, ATOM),
}
"""Kind -> how tightly it binds, and how tightly its first part and its others must."""

DEEPEST = 150
"""The deepest nesting of a tree; its walks recurse through it."""
LARGEST = 65_536
"""The maximum number of parts of a tree; one that is used twice counts twice."""
POINTS = 24
"""Points at which readings are compared."""
_RANGES = (0.2, 2.5), (-2.5, 2.5), (2.0, 7.0)
_CLOSE, _ZERO = 1e-9, 1e-12
"""Readings that are equal up to rounding differ by less."""

_BLANKS = re.compile(r" {2,}")
_NO_BLANK = re.compile(r"[^ \t\r\n]")
_MIN, _MAX = 1e-4, 1e15
"""Between these bounds, every language writes a double alike."""


_PARENTHESES = Lexeme("parentheses", "("), Lexeme("parentheses", ")")


class ChangeDict(TypedDict):
    """A change as the result writes it."""

    span: SpanDict
    replacement: str
    reason: str


class Node(NamedTuple):
    """The meaning of `text[start:end]`.

    `kind` is number, name, call, `+` (a sum), `*` (a product), `neg` or `**`; `text` is a number, a
    name, or the signs between the arguments. `content` is what is written: the arguments and the
    pieces between them, without the `parentheses` around them. `number` is the value of a tree
    without names.
    """

    kind: str
    text: str
    arguments: tuple["Node", ...]
    content: tuple["Node | Lexeme", ...]
    start: int
    end: int
    number: float | None = None
    names: frozenset[str] = frozenset()
    size: int = 1
    depth: int = 1
    parentheses: tuple[Lexeme, ...] = ()

    @property
    def bare(self) -> "Node":
        """The node without its parentheses."""
        return self._replace(parentheses=()) if self.parentheses else self

    def held(self, level: int) -> "Node":
        """The node, in parentheses if it binds less tightly than `level`."""
        is_held = self.parentheses or _SHAPES[self.kind][0] >= level
        return self if is_held else self._replace(parentheses=_PARENTHESES)


def leaf(token: Lexeme, number: float | None = None) -> Node:
    """Make a number or a name."""
    names = frozenset([token.text] if number is None else [])
    kind = "name" if number is None else "number"
    return Node(kind, token.text, (), (token,), token.start, token.end, number, names)


def joined(kind: str, content: Sequence[Node | Lexeme], span: Placed | None = None) -> Node:
    """Make a node of its arguments and the pieces between them."""
    _, first, other = _SHAPES[kind]
    arguments = [each for each in content if isinstance(each, Node)]
    parts = [
        each.held(other if place else first) if isinstance(each, Node) else each
        for place, each in enumerate(content)
    ]
    texts = [each.text for each in content if isinstance(each, Lexeme)]
    text = texts[0] if kind == "call" else "".join(texts).replace(" ", "")
    start, end = (span or arguments[0]).start, (span or arguments[-1]).end
    size = 1 + sum([each.size for each in arguments])
    depth = 1 + max(each.depth for each in arguments)
    if size > LARGEST or depth > DEEPEST:
        raise Refused("too_long" if size > LARGEST else "too_deep", Span(start, end))
    names = frozenset[str]().union(*[each.names for each in arguments])
    number = None if names else _applied(kind, text, [each.number for each in arguments])
    own = tuple(arguments), tuple(parts), start, end
    return Node(kind, text, *own, number, names, size, depth)


def series(kind: str, nodes: Sequence[Node], signs: Sequence[Lexeme]) -> Node:
    """Return a sum or a product of nodes with signs between them; return a single node as it is."""
    content = [each for pair in zip(signs, nodes[1:], strict=True) for each in pair]
    return joined(kind, [nodes[0], *content]) if signs else nodes[0]


def enclosed(opening: Lexeme, node: Node, closing: Lexeme) -> Node:
    """Enclose a node in parentheses that the text has."""
    around = (opening, *node.parentheses, closing)
    return node._replace(start=opening.start, end=closing.end, parentheses=around)


def negative(signs: Sequence[Lexeme], node: Node) -> Node:
    """Negate a node once for each minus."""
    for sign in reversed(signs):
        node = joined("neg", [sign, node], Span(sign.start, node.end))
    return node


def raised(base: Node, sign: Lexeme, exponent: Node) -> Node:
    """Raise to a number; a number of the text keeps its spelling."""
    if exponent.kind != "number":
        token = Lexeme("power", decimal(exponent), exponent.start, exponent.end)
        exponent = leaf(token, exponent.number)
    return joined("**", [base, sign, exponent.bare])


def called(name: Lexeme, arguments: Sequence[Node], span: Placed, marks: Sequence[Lexeme]) -> Node:
    """Make a call of one of the language's functions; `marks` are its parentheses and commas."""
    content: list[Node | Lexeme] = [name]
    for index, each in enumerate(arguments):
        mark = Lexeme(name.kind, ", " if index else "(")
        content += [marks[index] if marks else mark, each.bare]
    return joined("call", [*content, marks[-1] if marks else Lexeme(name.kind, ")")], span)


def filled(template: Node, slots: Mapping[str, Node], span: Placed, reason: str) -> Node:
    """Fill the slots of a formula."""
    kind = template.kind
    if kind == "number":
        return leaf(Lexeme(reason, template.text, span.start, span.end), template.number)
    if kind == "name":
        return slots[template.text].held(ATOM)
    content: list[Node | Lexeme] = []
    for each in template.content:
        if isinstance(each, Node):
            made = filled(each, slots, span, reason)
            content.append(made.bare if kind == "call" else made)
        else:
            text = f" {each.text.strip()} " if kind in ("+", "*", "**") else each.text
            content.append(Lexeme(reason, ", " if text == "," else text))
    return joined(kind, content, span)


def decimal(node: Node) -> str:
    """Write a computed number; refuse one that languages write differently."""
    number = node.number or 0.0
    if number and not _MIN <= abs(number) < _MAX:
        raise Refused("exponent", node)
    return repr(number + 0.0).removesuffix(".0")


# Values


def _applied(kind: str, text: str, numbers: Sequence[float | None]) -> float | None:
    """Apply an operation of the language; None if the result is not finite."""
    operands = [each for each in numbers if each is not None]
    if len(operands) < len(numbers):
        return None
    made = operands[0]
    try:
        if kind in ("+", "*"):
            for sign, operand in zip(text, operands[1:], strict=True):
                made = OPERATIONS[sign].rule(made, operand)[0]
        else:
            made = OPERATIONS[text if kind == "call" else kind].rule(*operands)[0]
    except (ArithmeticError, ValueError):
        return None
    return made if isfinite(made) else None


def computing(program: Parsed) -> Callable[[Mapping[str, float]], float | None]:
    """Return a function that computes a program at given values; None if it has no value there."""
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
    """Return whether two programs are equal at all points, and not constant there."""
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
    """Return whether two numbers are equal up to rounding."""
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


def written(content: Sequence[Node | Lexeme], most: int, deadline: Deadline) -> list[Lexeme]:
    """Return the pieces of the program, which has at most `most` characters."""
    waiting, pieces, count = [*reversed(content)], list[Lexeme](), 0
    while waiting:
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        each, count = waiting.pop(), count + 1
        if isinstance(each, Node):
            around, half = each.parentheses, len(each.parentheses) // 2
            waiting += reversed((*around[:half], *each.content, *around[half:]))
            continue
        most -= len(each.text)
        if most < 0:
            raise Refused("too_long", next(each for each in content if isinstance(each, Node)))
        pieces.append(each)
    return pieces


def aligned(
    text: str, plain: str, tokens: Sequence[Lexeme], written: Iterable[Lexeme]
) -> tuple[str, list[ChangeDict]]:
    """Return the program and the changes; a token that keeps its order stays where it is."""
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
            is_same = replacement.replace(" ", "") == old.replace(" ", "")  # except for blanks
            if not is_same:
                span = SpanDict(start=at, end=end)
                changes.append(ChangeDict(span=span, replacement=replacement, reason=reason))
            result.append(old if is_same else replacement)
            at = end
        last, new, why = token.place, "", "character"
    return "".join(result), changes
