"""The programs on which a class is tried, made by rules, and their evaluation.

Each rule shows mistakes that no other rule shows; a comment says which. Texts are Python with the
names a, b, c, d. Cases in which right classes differ are not in the list: `0 ** 0`, a leaf as the
root, and a second pass over nodes that no caller can clear.

The child process imports this module too, so it imports nothing else of the package.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

Family = Literal[
    "alone", "incoming", "result", "again", "shared", "number", "left", "exponent", "place",
    "lesson", "walk", "pass", "deep",
]  # fmt: skip
Use = Literal[
    "once", "whole", "before", "after", "inner", "twice", "zeroed", "losses", "rebuilt", "steps",
]  # fmt: skip
"""How a program is run:

once: built, then one pass from its result
whole: the same, with whole numbers as the leaves' data
before: before the pass, another graph of the same leaves is built
after: after the pass, another graph of the same leaves is built; then the gradients are read
inner: the pass begins below the last result
twice: a second pass over the same graph
zeroed: a second pass over the same graph, after all gradients were cleared
losses: two results of the same leaves, with a pass from each
rebuilt: built and passed three times, with gradients cleared in between
steps: the same, while the leaves' data changes
"""


class TrialProgram(NamedTuple):
    """A program, and the kind of mistake that it shows."""

    text: str
    point: tuple[float, ...]
    family: Family
    operation: str = ""
    """The operation that is tried; empty for a walk."""
    use: Use = "once"
    incoming: float = 1.0
    """The gradient that comes into the operation."""

    @property
    def values(self) -> dict[str, float]:
        return dict(zip("abcd", self.point, strict=False))

    @property
    def points(self) -> list[tuple[float, ...]]:
        """The leaves' data, pass by pass; it changes in steps of descent."""
        if self.use == "steps":
            moves = 0.0, 0.05, 0.1  # the leaves' steps differ, so that `a - b` changes, too
            return [tuple([x - n * to for n, x in enumerate(self.point, 1)]) for to in moves]
        return [self.point] * (3 if self.use == "rebuilt" else 1)

    @property
    def operations(self) -> frozenset[str]:
        """Its operations, and forms such as `+=`, `number -` and `** node`."""
        taken = _operations(self.text)
        return taken | {"*"} if self.use in ("before", "inner", "losses") else taken

    @property
    def plain(self) -> frozenset[str]:
        """Its operations without forms."""
        return self.operations.intersection(OPERATIONS)

    def tries(self, form: str) -> bool:
        """Return whether it tests `form`: its own operation, or a form of that."""
        parts = form.removesuffix("=").split()
        return form in self.operations and self.operation in parts


BINARY = ("+", "*", "-", "/")
FUNCTIONS = (*("relu", "exp", "log", "tanh", "sqrt", "sin", "cos", "sigmoid", "softplus", "abs"),)
OPERATIONS = ("+", "*", "neg", "-", "/", "**", *FUNCTIONS)
"""Operations that others are commonly built from come first."""
METHODS = {"+": "add", "*": "mul", "neg": "neg", "-": "sub", "/": "truediv", "**": "pow"}
REFLECTED = {each: f"__r{METHODS[each]}__" for each in (*BINARY, "**")}
_POSITIVE = ("log", "sqrt")
"""Functions of positive numbers."""
DEPTH, DOUBLINGS = 200, 22
"""Lengths of chains that each walk must finish; that of `w + w` has 2 ** 22 paths."""


def rules() -> Iterator[TrialProgram]:
    for each in BINARY:
        yield from _binary(each)
    yield from _negation()
    yield from _powers()
    for each in FUNCTIONS:
        yield from function(each)
    yield from _lessons()
    yield from _walks()
    yield from _passes()


def _add(
    family: Family, operation: str, text: str, *points: Sequence[float], use: Use = "once"
) -> Iterator[TrialProgram]:
    for point in points:
        yield TrialProgram(text, tuple(map(float, point)), family, operation, use)


def _sent(
    operation: str, text: str, *rows: tuple[float, Sequence[float]]
) -> Iterator[TrialProgram]:
    """Make programs in which a gradient comes into the operation."""
    for incoming, point in rows:
        at = tuple(map(float, point))
        yield TrialProgram(text, at, "incoming", operation, incoming=float(incoming))


def _binary(op: str) -> Iterator[TrialProgram]:
    # abs, max(x, 0), int and rounding of data; 0 and 1 as an operand
    points = (2, -3), (-1.5, 4), (0, 2), (-2, -0.5), (512.3456, 0.25), (0.7071, -1.2345), (1, 4)
    zeros = ((2, 0), (0, 0)) if op != "/" else ()
    yield from _add("alone", op, f"a {op} b", *points, (4, 1), *zeros)
    # local gradients in a dict by operand: a - a is 0
    yield from _add("again", op, f"a {op} a", (3,), (-1.5,))
    # `abs(out.grad)`, `max(out.grad, 0)`, `=` of the local derivative, clipping
    rows = (-4, (-1.5, 4, -4)), (0.01, (-1.5, 4, 0.01)), (100, (-2, 0.5, 100))
    yield from _sent(op, f"c * (a {op} b)", *rows)
    yield from _sent(op, f"c - (a {op} b)", (-1, (2, -3, 1)), (-1, (1.5, 0.5, -2)))
    # a result that keeps no operands passes nothing on, though a leaf has its gradient
    yield from _add("result", op, f"(a {op} b) {op} c", (2, -3, 0.7), (-0.4, 0.5, 3))
    yield from _add("result", op, f"c {op} (a {op} b)", (2, -3, 0.7), (-0.4, 0.5, 3))
    # `=` for `+=`, for each operand, with two equal parts; then through a result
    yield from _add("again", op, f"(a {op} b) + (a {op} c)", (2, -3, -3))
    yield from _add("again", op, f"(b {op} a) + (c {op} a)", (2, -3, -3))
    yield from _add("again", op, f"(a {op} b) {op} a", (2, -3), (-0.5, 0.7))
    yield from _add("again", op, f"a {op} (b {op} a)", (2, -3), (-0.5, 0.7))
    # a number on the wrong side, or accepted only as `int` or as `float`
    for k in ("2", "-3", "2.5"):
        yield from _add("number", op, f"a {op} {k}", (4,), (-1.5,))
        yield from _add("number", op, f"b - (a {op} {k}) * a", (4, 1))
        yield from _add("left", op, f"{k} {op} a", (4,), (-1.5,))
        yield from _add("left", op, f"b - ({k} {op} a) * a", (4, 1))
    # `c += a` that changes c, or forgets a; for a leaf, too
    yield from _add("place", op, f"w = a * b; w {op}= a; w", (2, -3))
    yield from _add("place", op, f"w = a; w {op}= b; w", (2, -3))
    # results, local gradients or data kept from an earlier graph
    yield from _add("pass", op, f"a {op} b", (0.7, -1.2), use="steps")
    yield from _add("pass", op, f"2 {op} a", (0.7,), use="steps")
    # integer division, arrays of integers
    yield from _add("alone", op, f"a {op} b", (2, -3), use="whole")
    yield from _add("number", op, f"a {op} 2", (3,), use="whole")
    yield from _add("left", op, f"2 {op} a", (3,), use="whole")


def _negation() -> Iterator[TrialProgram]:
    yield from _add("alone", "neg", "-a", (2,), (-1.5217,))
    yield from _sent("neg", "c * (-a)", (-3, (2, 0, -3)), (0.7, (2, 0, 0.7)))
    yield from _sent("neg", "b - -a", (-1, (2, -3)))
    yield from _add("result", "neg", "-(-a)", (2,))
    yield from _add("result", "neg", "-(a * b)", (2, -3))
    yield from _add("again", "neg", "(-a) + (-a)", (2,))
    yield from _add("again", "neg", "(-a) * (-a)", (2,))
    yield from _add("shared", "neg", "-a * b - a", (2, -3))
    yield from _add("pass", "neg", "-a", (0.7,), use="steps")
    yield from _add("alone", "neg", "-a", (2,), use="whole")


def _powers() -> Iterator[TrialProgram]:
    # exp(n * log(x)), abs(x), n * out / x, int(n)
    for n in ("2", "3", "1", "-1", "-2", "2.0", "4"):
        yield from _add("alone", "**", f"a ** {n}", (3,), (-3,), (-0.5217,))
        yield from _sent("**", f"b - a ** {n}", (-1, (3, 1)), (-1, (-3, 1)))
        yield from _sent("**", f"b * a ** {n}", (0.01, (2, 0.01)), (-200, (-2, -200)))
        yield from _add("shared", "**", f"b * a ** {n} + a", (0.5, -2), (-1.5, -2))
    for n in ("0.5", "1.5", "-0.5", "2.5", "-1.5"):
        yield from _add("alone", "**", f"a ** {n}", (4,), (0.3217,))
        yield from _sent("**", f"b - a ** {n}", (-1, (4, 1)))
        yield from _sent("**", f"b * a ** {n}", (0.01, (4, 0.01)), (-200, (4, -200)))
    for n in ("1", "2", "3", "2.0"):
        yield from _add("alone", "**", f"a ** {n}", (0,))
        yield from _add("shared", "**", f"b - a ** {n} - a", (0, 1))
    yield from _add("alone", "**", "a ** 0", (3,), (-2,))
    yield from _add("again", "**", "a ** 2 + a ** 2", (3,))
    yield from _add("shared", "**", "b - a ** 0 * a", (3, 1))
    yield from _add("result", "**", "(a * b) ** 2", (2, 3))
    yield from _add("result", "**", "(a ** 2) ** 2", (-3,))
    for n in ("2", "-1", "0.5"):
        yield from _add("pass", "**", f"a ** {n}", (0.7,), use="steps")
    for n in ("2", "-1"):
        yield from _add("alone", "**", f"a ** {n}", (2,), use="whole")
    # an exponent that is a node, which a class may refuse, and `2 ** a`
    for text in ("a ** b", "c - a ** b", "a ** b * a - b"):
        points = (2, 3, 1), (0.5, -1.5, 1), (4, 0.5, -2), (0.3, 0.02, 1)
        yield from _add("exponent", "**", text, *points)
    yield from _add("exponent", "**", "2 ** a", (3,), (-0.5,))
    yield from _add("exponent", "**", "b - 2 ** a", (3, 1), (-0.5, 1))


def function(name: str) -> Iterator[TrialProgram]:
    """Try a function near and far from 0, on both sides of its kink, and within others."""
    positive = name in _POSITIVE
    xs: tuple[float, ...] = (0.5, 2, 3, 0.0321)
    xs = xs if positive else (0.5, -1, 3, -2.5, 0.0321, -0.0321)
    smooth = (0,) if not positive and name not in ("relu", "abs") else ()
    yield from _add("alone", name, f"{name}(a)", *[(x,) for x in (*xs, *smooth)])
    far = {"exp": (8, -8), "tanh": (20, -20)}.get(name, ())
    yield from _add("alone", name, f"{name}(a)", *[(x,) for x in far])
    # an incoming gradient that is folded, clipped or dropped by one function only
    for x in (0.5, -1, 2, 0.0321):
        rows = [(y, (x, y)) for y in (-3, 0.01, 200)] if x in xs else []
        yield from _sent(name, f"b * {name}(a)", *rows)
    yield from _sent(name, f"b - {name}(a)", *[(-1, (x, 1)) for x in xs])
    # a forgotten operand: a leaf has its gradient, a result passes nothing on
    signs = ((2, 0.25), (-1, -1.5)) if positive else ((2, 0.25), (-1, 1.5), (-1, -1.5))
    yield from _add("result", name, f"{name}(a * b)", *signs)
    if not positive:
        points = (0.7, 0.2, 1), (-1.2, -2, 1)
        yield from _add("result", name, f"c - {name}({name}(a) - b)", *points)
    # `=` for `+=` in one function only
    for x in (0.5, 2) if positive else (0.5, -1):
        yield from _add("again", name, f"{name}(a) + {name}(a)", (x,))
        yield from _add("shared", name, f"{name}(a) + a", (x,))
        yield from _add("shared", name, f"a - {name}(a) * {name}(a)", (x,))
    yield from _add("pass", name, f"{name}(a)", (0.7,), use="steps")


_LOSS = " + ".join(["0", *(f"(a * {x} + b - {y}) ** 2" for x, y in ((1, -2), (-2, 3), (0.5, 0)))])
_HINGE = " + ".join(
    ["0", *(f"relu(1 + {-y} * (a * {x} + b))" for x, y in ((1, 1), (-2, -1), (0.5, 1)))]
)
"""The terms of `sum([...])`, which begins with 0."""


def _lessons() -> Iterator[TrialProgram]:
    """Use the lessons' own programs: many operations together, at points of both signs."""
    rows: tuple[tuple[str, tuple[tuple[float, ...], ...]], ...] = (
        ("0 + a * a + a", ((2,), (-1.5,))),
        ("(0 + a + b + c) * a", ((2, -3, 0.5),)),
        (_LOSS, ((2, -3), (-1, 1))),
        (f"({_HINGE}) * 0.25 + 0.0001 * (a * a + b * b)", ((0.2, -0.3), (-1, 1))),
        ("tanh(a * b + c * d + 0.5)", ((2, -3, 0, 1), (0.3, -1, 1, -0.5))),
        ("relu(a * b + c) * d", ((2, 3, 1, -2), (2, -3, 1, -2))),
        ("-log(exp(a) / (exp(a) + exp(b)))", ((0.5, -1),)),
        ("log(exp(a) + exp(b))", ((0.5, -1), (-2, -1))),
        ("(exp(2 * a) - 1) / (exp(2 * a) + 1)", ((0.5,), (-1,))),
        ("(1 + exp(-a)) ** -1", ((0.5,), (-1,))),
        ("relu(a) + relu(-a)", ((2,), (-3,))),
        ("relu(a - b) * relu(b - a)", ((2, 1), (-3, 1))),
        ("(a ** 2 + b ** 2) ** 0.5", ((3, -4),)),
        ("(a - b) ** 2 + (b - c) ** 2", ((2, -3, 0.5), (1, 1, -1))),
        ("(a - 2) * (3 - b) + c / 2", ((2, -0.3, 1), (-1.5, 0.5, -2))),
        ("(a * b - c) ** 2", ((2, -3, 1), (-0.5, 0.7, 2), (1, 2, 2))),
        ("a - b - c", ((2, -3, 0.7), (-1.5, 0.4, -2))),
        ("a / b / c", ((2, -3, 0.7), (-1.5, 0.4, -2))),
        ("a - (b - c)", ((2, -3, 0.7), (-1.5, 0.4, -2))),
        ("a / (b / c)", ((2, -3, 0.7), (-1.5, 0.4, -2))),
        ("(a + b) * -3", ((2, 3), (-1.5, -0.5))),
        ("a + 0 * b", ((3, 2),)),
        ("c * (a * b)", ((2, 3, 0),)),
    )
    for text, points in rows:
        yield from _add("lesson", "", text, *points)


def _walks() -> Iterator[TrialProgram]:
    """Share results, so that the order of visits matters; use equal data, and deep graphs."""
    for text in (
        *("a * b + c * d", "(a + b) * (c + d)", "(a * b) + (a * b)"),
        *("w = a + b; w + w", "w = a * b; w * w", "w = a - b; w - w", "w = a / b; w / w * a"),
        *("w = a * b; (w + a) * (w * b)", "w = a * b; w * (w + a + a)"),
        *("w = a * b; (w + a + a) * w", "w = a + 1; v = a * 3; w * v"),
        "w = a + 1; v = a * 3; v * w",
        *("w = a + b; v = w * w; v * w - v", "w = a * a; v = w * a; v * w * a"),
        *("a + a + a", "a * a * a", "a - (a - (a - b))"),
        *("w = a * b; v = w + a; u = w * v; u + v * w", "w = a - b; v = w * a; v - w"),
        *("w = a * b; v = tanh(w); v * w - v * a", "w = exp(a); w / (w + b)", "w = -a; w * a - w"),
        "w = a + b; v = w + a; u = v + w; t = u + v; t * w - u * v",
    ):  # fmt: skip
        yield from _add("walk", "", text, (2, -3, 5, 7), (2, 2, 2, 2))
    for times, point, text in (
        (8, (0.7,), "w = w * a + w * 0.5"),
        (8, (-0.9,), "w = w * a + w * 0.5"),
        (DEPTH, (1, 2), "w = w + b"),
        (120, (1, 0.2), "w = w * 1.01 - b"),
        (60, (1, 0.5), "w = w * b + a"),
        (30, (1, -1.2), "w = tanh(w * b)"),
        (DOUBLINGS, (1,), "w = w + w"),
    ):
        yield from _add("deep", "", "; ".join(["w = a + a", *[text] * times, "w"]), point)


def _passes() -> Iterator[TrialProgram]:
    """Go backward again, to find what is kept from one pass or graph to the next."""
    uses: tuple[Use, ...] = ("before", "inner", "rebuilt", "steps", "losses", "twice")
    for use in uses:
        for text in (
            *("a * b + c", "w = a * b; w * w - w", "tanh(a * b) - c * a"),
            *("relu(a * c) + exp(b) - a", "(a - b) ** 2 - c / a"),
            *("(a - 2) * (3 - b) + c / 2", "2 / a + (1 + b) - c * 2"),
        ):
            yield from _add("pass", "", text, (2, -0.3, 1), use=use)
    # operands whose gradients are cleared when a result is made
    yield from _add("pass", "", "a * b + c", (2, -0.3, 1), use="after")
    # not `a - b`, which may make nodes that no caller can clear
    yield from _add("pass", "", "a * b + c", (2, -0.3, 1), use="zeroed")
    for text in ("c - a * b", "tanh(a * b) - c * a", "relu(a) * b + c"):
        yield from _add("lesson", "", text, (2, -3, 5), (1, 2, 1), use="whole")


# The operations of a text, and its value.

_SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.USub: "neg",
}
Apply = Callable[[str, Sequence[Any]], Any]
"""Applies an operation to nodes and numbers; an in-place one has `=` after its name."""


@cache
def _parsed(text: str) -> list[ast.stmt]:
    return ast.parse(text.replace("; ", "\n")).body


def evaluated(text: str, leaves: Sequence[Any], apply: Apply) -> Any:
    """Compute a program's text with nodes for a, b, c, d."""
    names = dict(zip("abcd", leaves, strict=False))

    def value(tree: Any) -> Any:
        match tree:
            case ast.Constant():
                return tree.value
            case ast.Name():
                return names[tree.id]
            case ast.UnaryOp(operand=ast.Constant(number)):
                return -number  # type: ignore[operator]  # always a number in these texts
            case ast.UnaryOp():
                return apply("neg", [value(tree.operand)])
            case ast.Call(func=ast.Name(name)):
                return apply(name, [value(tree.args[0])])
        return apply(_SYMBOLS[type(tree.op)], [value(tree.left), value(tree.right)])

    *before, last = _parsed(text)
    for each in before:
        match each:
            case ast.Assign(targets=[ast.Name(name)]):
                names[name] = value(each.value)
            case ast.AugAssign(target=ast.Name(name)):
                operands = [names[name], value(each.value)]
                names[name] = apply(f"{_SYMBOLS[type(each.op)]}=", operands)
    return value(last.value)  # type: ignore[attr-defined]  # always an expression in these texts


def applied(operation: str, operands: Sequence[Any]) -> Any:
    """Apply an operator of Python, or call the method of a function."""
    method = METHODS.get(operation.removesuffix("="), operation)
    name = f"__i{method}__" if operation.endswith("=") else f"__{method}__"
    known = getattr(operator, name, None)
    return known(*operands) if known else getattr(operands[0], operation)()


@cache
def _operations(text: str) -> frozenset[str]:
    found: set[str] = set()

    def note(operation: str, operands: Sequence[Any]) -> str:
        name = operation.removesuffix("=")
        found.update({operation, name})
        if operands[0] != "node":
            found.add(f"number {name}")
        elif operands[-1] != "node" and name != "**":
            found.add(f"{name} number")
        elif name == "**" and operands[1] == "node":
            found.add("** node")
        return "node"

    evaluated(text, ["node"] * 4, note)
    return frozenset(found)


PROGRAMS = tuple(dict.fromkeys(rules()))
