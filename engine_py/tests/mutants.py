"""Wrong classes by the thousand, and what is right for them by finite differences.

`python -m engine_py.tests.mutants SEED FIRST COUNT` grades a part of a shuffled list, a forked
process each, and prints a line of JSON for each mutant. A mutant is a right class with one place
of its syntax tree changed. The oracle knows no engine: it computes a program with plain Python
numbers, and takes central differences of that.
"""

import ast
import copy
import json
import math
import os
import random
import resource
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from engine_py.grade.judge import judge
from engine_py.grade.read import OPERATORS
from engine_py.grade.run import Answers

Json = dict[str, Any]
_BOOK = tomllib.loads(Path(__file__).with_name("test_grade.toml").read_text())
_SECONDS = 4
"""Of the processor, for a mutant; one that takes longer is wrong."""


def bases() -> dict[str, str]:
    """Return right classes of two forms: closures, and local gradients next to the operands."""
    return {n: _BOOK["forms"][n] + _BOOK["operators"] for n in ("micrograd", "microgpt")}


# Mutants.


class Mutant(NamedTuple):
    """A changed class."""

    base: str
    kind: str
    operation: str
    """That the changed place is of; "walk" for the pass, "node" for what makes a node."""
    line: int
    text: str


Change = Callable[[Any], Iterator[ast.AST | None]]
_KINDS: dict[str, Change] = {}
_NAMES = {side + name: operation for operation, name in OPERATORS.items() for side in ("", "r")}


def _kind(function: Change) -> Change:
    _KINDS[function.__name__.strip("_")] = function
    return function


def _expression(text: str, node: ast.AST) -> ast.AST:
    """Return an expression in which X is the node."""
    tree = ast.parse(text, mode="eval").body

    class Fill(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.AST:
            return copy.deepcopy(node) if name.id == "X" else name

    filled: ast.AST = Fill().visit(tree)
    return filled


def _changed(node: Any, **fields: Any) -> Any:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


@_kind
def operator_replaced(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp):
        for each in (ast.Add, ast.Sub, ast.Mult, ast.Div):
            if not isinstance(node.op, each):
                yield _changed(node, op=each())


@_kind
def operands_swapped(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Add | ast.Mult):
        yield _changed(node, left=node.right, right=node.left)


@_kind
def sign(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield _expression("-X", node)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        yield _changed(node, op=ast.Sub())


@_kind
def accumulation_lost(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        yield ast.Assign([node.target], node.value)


@_kind
def constant_wrong(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        number: Any = node.value
        for value in (number + 1, -number, 0, number * 0.5):
            if value != number:
                yield ast.Constant(value)


@_kind
def branch_wrong(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Gt | ast.Lt | ast.GtE):
        for each in (ast.Gt, ast.Lt, ast.NotEq):
            yield _changed(node, ops=[each()])
        yield ast.Constant(value=True)
        yield ast.Constant(value=False)
    if isinstance(node, ast.IfExp):
        yield _changed(node, body=node.orelse, orelse=node.body)


@_kind
def reflected_missing(node: Any) -> Iterator[None]:
    if isinstance(node, ast.FunctionDef) and node.name.startswith("__r"):
        yield None


@_kind
def operand_forgotten(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Tuple) and isinstance(node.parent, ast.Call):  # type: ignore[attr-defined]
        for gone in node.elts:
            yield _changed(node, elts=[each for each in node.elts if each is not gone])


@_kind
def wrong_place(node: Any) -> Iterator[ast.AST]:
    is_read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    if is_read and node.attr in ("data", "grad"):
        yield _changed(node, attr="grad" if node.attr == "data" else "data")
        names = ["self", "other", "out"]
        name = ast.unparse(node.value)
        for other in [each for each in names if name in names and each != name]:
            yield _changed(node, value=ast.Name(other, ast.Load()))


@_kind
def seed_wrong(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "self.grad":
        yield ast.Pass()
        yield _changed(node, value=ast.parse("self.data", mode="eval").body)


@_kind
def visited_twice(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Expr) and ast.unparse(node).startswith("visited.add"):
        yield ast.Pass()
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn):
        yield ast.Constant(value=True)


@_kind
def order_wrong(node: Any) -> Iterator[ast.AST]:
    text = ast.unparse(node) if isinstance(node, ast.Call) else ""
    if text.startswith("reversed("):
        yield node.args[0]
    if text.startswith("topo.append("):
        yield _changed(node, func=ast.parse("topo.insert", mode="eval").body,
                       args=[ast.Constant(0), *node.args])  # fmt: skip


@_kind
def incoming_folded(node: Any) -> Iterator[ast.AST]:
    is_read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    if is_read and node.attr == "grad":
        yield _expression("abs(X)", node)
        yield _expression("max(X, 0.0)", node)


@_kind
def unfinished(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef) and node.name != "__init__":
        yield _changed(node, body=ast.parse("raise NotImplementedError").body)
        yield _changed(node, body=[ast.Pass()])


def mutants() -> list[Mutant]:
    """Make all, each different from the others and from its base."""
    seen: dict[str, Mutant] = {}
    for base, text in bases().items():
        tree = ast.parse(text)
        seen[ast.unparse(tree)] = Mutant(base, "", "", 0, text)
        scopes: dict[ast.AST, str] = {}
        for parent in ast.walk(tree):
            scope = scopes.get(parent, "")
            scope = scope or (parent.name if isinstance(parent, ast.FunctionDef) else "")
            for child in ast.iter_child_nodes(parent):
                scopes[child], child.parent = scope, parent  # type: ignore[attr-defined]
        for place, node in enumerate(list(ast.walk(tree))):
            for kind, change in _KINDS.items():
                for new in change(node):
                    name = (scopes.get(node) or str(getattr(node, "name", ""))).strip("_")
                    of = {"backward": "walk", "init": "node"}.get(name, _NAMES.get(name, name))
                    changed = _replaced(text, place, new)
                    line = getattr(node, "lineno", 0)
                    seen.setdefault(changed, Mutant(base, kind, of, line, changed))
    return [each for each in seen.values() if each.kind]


def _replaced(text: str, place: int, new: ast.AST | None) -> str:
    tree = ast.parse(text)
    old = list(ast.walk(tree))[place]

    class Put(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return new if node is old else self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Put().visit(tree)))


# The oracle.


def _call(name: str) -> Callable[[Any], Any]:
    plain: Any = (lambda x: max(x, 0.0)) if name == "relu" else getattr(math, name)
    return lambda x: plain(x) if isinstance(x, float) else getattr(x, name)()


relu, exp, log, tanh = map(_call, ("relu", "exp", "log", "tanh"))


def _shared(w: Any, a: Any, b: Any) -> Any:
    return (w + a + a) * w - w * b


def _twice(w: Any, a: Any, b: Any) -> Any:
    return (w + a) * (w * b) + w * w


def _crossed(w: Any, v: Any, a: Any) -> Any:
    return w * v + v * w * a - v


Formula = Callable[[Any, Any, Any], Any]
_FORMULAS: tuple[Formula, ...] = (
    lambda a, b, c: a + b + 0.0 * c,
    lambda a, b, c: a * b - c,
    lambda a, b, c: c - a * b,
    lambda a, b, c: (a - b) / c,
    lambda a, b, c: 2 / a + 3 * b - (1 - c) + (2 + a),
    lambda a, b, c: a / 2 - b * 3 + (c - 1) + (b + 2),
    lambda a, b, c: c * (a + b) - (a - c) * b,
    lambda a, b, c: (a * b + c) ** 2 - a**3,
    lambda a, b, c: b * a**2 + c**-1,
    lambda a, b, c: a**1 - b**0 + c**2.0,
    lambda a, b, c: -a * b - -c,
    lambda a, b, c: a + a + b * b - a * a + c / a,
    lambda a, b, c: sum([a * a, a, b, c * b]),
    lambda a, b, c: _shared(a * b + c, a, b),
    lambda a, b, c: _twice(a - c, a, b),
    lambda a, b, c: _crossed(a + b, a * c, a),
    lambda a, b, c: c - relu(a) + relu(b) * 3,
    lambda a, b, c: relu(a * b - c) * b - relu(-a),
    lambda a, b, c: c * exp(a) - exp(b * a) + a,
    lambda a, b, c: b * tanh(a) - tanh(a * b - c) * tanh(c),
    lambda a, b, c: c * log(a * a) - log(exp(b) + exp(c)) * 2,
)
_POINTS = ((2.0, -3.0, 0.7), (-1.5, 0.5, -2.0), (0.4, 1.3, 3.0))
_STEP, _NEAR = 1e-4, 1e-5


def is_wrong(kind: Any) -> bool:
    """Tell whether a number of a class is not what finite differences say, or something raises."""
    for formula in _FORMULAS:
        absent = {"tanh", "log"} - {*dir(kind)}
        for point in _POINTS if absent.isdisjoint(formula.__code__.co_names) else ():
            try:
                if _differs(kind, formula, point):
                    return True
            except Exception:  # noqa: BLE001 - a mutant may raise anything
                return True
    return False


def _differs(kind: Any, formula: Formula, point: Sequence[float]) -> bool:
    leaves = [kind(x) for x in point]
    for shift in (0.0, 0.125):  # a second graph, of leaves that have moved
        at = [x + shift for x in point]
        for leaf, x in zip(leaves, at, strict=True):
            leaf.data, leaf.grad = x, 0.0
        root = formula(*leaves)
        root.backward()
        if not _is_near(root.data, formula(*at)):
            return True
        for place, leaf in enumerate(leaves):
            rows = [[x + (n == place) * d for n, x in enumerate(at)] for d in (_STEP, -_STEP)]
            above, below = [float(formula(*row)) for row in rows]
            if not _is_near(leaf.grad, (above - below) / (2 * _STEP)) or leaf.data != at[place]:
                return True
    return False


def _is_near(got: float, right: float) -> bool:
    return abs(got - right) <= _NEAR * max(1.0, abs(right))


# The grader, and the oracle, of a mutant each.


def graded(text: str, folder: Path) -> Json:
    """Return what the oracle and the grader say of a class, from a process each."""
    file = folder / "student.py"
    file.write_text(text)
    wrong = _forked(lambda: [_of_oracle(text)])
    answers = _forked(lambda: _replies(file))
    head, *replies = answers or [{}]
    judged = judge(Answers(head, replies, "" if answers else "time"))
    faults = [[each.kind, each.operations] for each in judged.faults]
    return {"wrong": wrong != [False], "verdict": judged.verdict, "faults": faults}


def _of_oracle(text: str) -> bool:
    namespace: Json = {}
    exec(compile(text, "mutant", "exec"), namespace)
    return is_wrong(namespace["Value"])


def _replies(file: Path) -> list[Json]:
    from engine_py.grade import child  # noqa: PLC0415 - it takes the package's modules away

    alone: Json = {"file": str(file), "base": str(file.parent), "above": None, "open": []}
    return list(child.replies(alone))


def _forked(work: Callable[[], list[Any]]) -> list[Any]:
    """Do work in a process of its own; an empty list where that was ended."""
    ours, theirs = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(ours)
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        try:
            with os.fdopen(theirs, "w") as output:
                output.write(json.dumps(work()))
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as found:
        text = found.read()
    os.waitpid(process, 0)
    done: list[Any] = json.loads(text) if text else []
    return done


def main(seed: int, first: int, count: int) -> None:
    """Grade a part of the list."""
    from engine_py.grade import child  # noqa: F401, PLC0415 - once, and not in each process

    rows = mutants()
    random.Random(seed).shuffle(rows)
    with TemporaryDirectory() as folder:
        for each in rows[first : first + count]:
            print(json.dumps(each._asdict() | graded(each.text, Path(folder))), flush=True)  # noqa: T201 - a tool of the test


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
