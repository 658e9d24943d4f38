"""Hundreds of wrong classes, and an oracle for them by finite differences.

`python -m engine_py.tests.mutants SEED FIRST COUNT` grades half of a sample, each mutant in a
forked process, and prints a line of JSON for each. A mutant is a right class with one node of its
syntax tree changed. The oracle uses no engine: it computes programs with plain Python numbers, and
their gradients by central differences.
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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any, NamedTuple

from engine_py.grade.clock import TooSlow, limited
from engine_py.grade.judge import judge
from engine_py.grade.programs import METHODS, PROGRAMS
from engine_py.grade.right import right
from engine_py.grade.run import Answers

Json = dict[str, Any]
_BOOK = tomllib.loads(Path(__file__).with_name("test_grade.toml").read_text())
_SECONDS = 4
"""CPU time for a mutant; one that takes longer is wrong."""


def bases() -> dict[str, str]:
    """Return right classes of two forms: closures, and local gradients next to the operands."""
    return {n: _BOOK["forms"][n] + _BOOK["operators"] for n in ("micrograd", "microgpt")}


class Mutant(NamedTuple):
    """A changed class."""

    base: str
    kind: str
    operation: str
    """The changed operation; "walk" for the pass, "node" for the constructor."""
    line: int
    text: str


_SCOPES = {side + name: operation for operation, name in METHODS.items() for side in ("", "r")}
_SCOPES |= {"backward": "walk", "init": "node"}


def mutants() -> list[Mutant]:
    """Make all mutants, each different from the others and from its base."""
    seen: dict[str, Mutant] = {}
    for base, text in bases().items():
        for node, scope in _scoped(ast.parse(text)):
            for kind, new in _changes(node):
                if new is not None and ast.dump(new) == ast.dump(node):
                    continue
                changed = _replaced(text, node, new)
                row = (base, kind, _SCOPES.get(scope, scope), node.lineno, changed)
                seen.setdefault(changed, Mutant(*row))
    return [*seen.values()]


def sample(seed: int, count: int) -> list[Mutant]:
    """Choose mutants of all kinds in turn, so that a small sample leaves none out."""
    rows = mutants()
    random.Random(seed).shuffle(rows)
    met: Counter[str] = Counter()

    def turn(each: Mutant) -> int:
        met[each.kind] += 1
        return met[each.kind]

    return sorted(rows, key=turn)[:count]


def _scoped(tree: ast.AST, scope: str = "") -> Iterator[tuple[Any, str]]:
    """Yield all nodes, each with the name of its method."""
    for node in ast.iter_child_nodes(tree):
        name = node.name.strip("_") if isinstance(node, ast.FunctionDef) else ""
        yield node, scope or name
        yield from _scoped(node, scope or name)


def _replaced(text: str, node: Any, new: ast.AST | None) -> str:
    """Replace a node of a text; the rest of the text does not change."""
    lines = text.splitlines(keepends=True)
    first = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    written = "pass" if new is None else ast.unparse(ast.fix_missing_locations(new))
    written = indent(written, " " * node.col_offset).lstrip()
    return text[:first] + (f"({written})" if isinstance(new, ast.expr) else written) + text[end:]


def _changed(node: Any, **fields: Any) -> Any:
    new = copy.copy(node)
    new.__dict__.update(fields)
    return new


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _changes(node: Any) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield replacements of a node, each with the kind of the mistake; None removes the node."""
    text = ast.unparse(node)
    for each in (_arithmetic, _comparison, _naming, _calling, _statement):
        yield from each(node, text)


def _arithmetic(node: Any, _text: str) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.BinOp(left, operator, right):
            for each in (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv):
                if not isinstance(operator, each):
                    yield "operator_replaced", _changed(node, op=each())
            if isinstance(operator, ast.Mult):
                yield "sign", ast.UnaryOp(ast.USub(), node)
            elif not isinstance(operator, ast.Add):
                yield "operands_swapped", _changed(node, left=right, right=left)
        case ast.UnaryOp(ast.USub(), operand):
            yield "sign", operand
        case ast.AugAssign(ast.Attribute() as target):
            yield "sign", _changed(node, op=ast.Sub())
            yield "accumulation_lost", ast.Assign([target], node.value)


def _comparison(node: Any, _text: str) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(ops=[ast.NotIn()]):
            yield "visited_twice", ast.Constant(value=True)
        case ast.Compare():
            for each in (ast.Gt, ast.Lt, ast.NotEq):
                yield "branch_wrong", _changed(node, ops=[each()])
            yield "branch_wrong", ast.Constant(value=True)
            yield "branch_wrong", ast.Constant(value=False)
        case ast.IfExp(body=body, orelse=other):
            yield "branch_wrong", _changed(node, body=other, orelse=body)


def _naming(node: Any, text: str) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            for value in (number + 1, -number, 0, number * 0.5):
                if value != number:
                    yield "constant_wrong", ast.Constant(value)
        case ast.Attribute(owner, "data" | "grad" as name, ast.Load()):
            yield "wrong_place", _changed(node, attr="grad" if name == "data" else "data")
            owners = ["self", "other", "out"]
            for each in owners if ast.unparse(owner) in owners else ():
                yield "wrong_place", _changed(node, value=ast.Name(each, ast.Load()))
            for folded in ("abs({})", "max({}, 0.0)") if name == "grad" else ():
                yield "incoming_folded", _parsed(folded.format(text))


def _calling(node: Any, text: str) -> Iterator[tuple[str, ast.AST]]:
    if not isinstance(node, ast.Call):
        return
    for place, each in enumerate(node.args):
        operands = each.elts if isinstance(each, ast.Tuple) else []
        for gone in operands:
            kept = ast.Tuple([x for x in operands if x is not gone], ast.Load())
            rest = [*node.args[:place], kept, *node.args[place + 1 :]]
            yield "operand_forgotten", _changed(node, args=rest)
    if text.startswith("reversed("):
        yield "order_wrong", node.args[0]
    if text.startswith("topo.append("):
        first = [ast.Constant(0), *node.args]
        yield "order_wrong", _changed(node, func=_parsed("topo.insert"), args=first)


def _statement(node: Any, text: str) -> Iterator[tuple[str, ast.AST | None]]:
    match node:
        case ast.FunctionDef(name=name) if name != "__init__":
            if name.startswith("__r"):
                yield "reflected_missing", None
            yield "unfinished", _changed(node, body=ast.parse("raise NotImplementedError").body)
            yield "unfinished", _changed(node, body=[ast.Pass()])
        case ast.Assign() if text.startswith("self.grad = "):
            yield "seed_wrong", ast.Pass()
            yield "seed_wrong", _changed(node, value=_parsed("self.data"))
        case ast.Expr() if text.startswith("visited.add"):
            yield "visited_twice", ast.Pass()


# The oracle.


def _call(name: str) -> Callable[[Any], Any]:
    plain: Any = (lambda x: max(x, 0.0)) if name == "relu" else getattr(math, name)
    return lambda x: plain(x) if isinstance(x, float) else getattr(x, name)()


relu, exp, log, tanh = map(_call, ("relu", "exp", "log", "tanh"))
_FORMULAS: tuple[Callable[[Any, Any, Any], Any], ...] = (
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
    lambda a, b, c: ((w := a * b + c) + a + a) * w - w * b,
    lambda a, b, c: ((w := a - c) + a) * (w * b) + w * w,
    lambda a, b, c: (w := a + b) * (v := a * c) + v * w * a - v,
    lambda a, b, c: c - relu(a) + relu(b) * 3 - relu(b) * relu(a),
    lambda a, b, c: relu(a * b - c) * b - relu(-a),
    lambda a, b, c: c * exp(a) - exp(b * a) + a,
    lambda a, b, c: b * tanh(a) - tanh(a * b - c) * tanh(c),
    lambda a, b, c: c * log(a * a) - log(exp(b) + exp(c)) * 2,
)
_POINTS = ((2.0, -3.0, 0.7), (-1.5, 0.5, -2.0), (0.4, 1.3, 3.0), (3, -2, 5))
_STEP, _NEAR = 1e-4, 1e-5


def is_wrong(kind: Any) -> bool:
    """Return whether a class raises, or a number differs from finite differences."""
    absent = {"tanh", "log"} - {*dir(kind)}
    formulas = [each for each in _FORMULAS if absent.isdisjoint(each.__code__.co_names)]
    try:
        return any(_differs(kind, formula, point) for formula in formulas for point in _POINTS)
    except Exception:  # noqa: BLE001 - a mutant may raise anything
        return True


def _differs(kind: Any, formula: Callable[..., Any], point: Sequence[float]) -> bool:
    leaves = [kind(x) for x in point]
    for shift in (0, 0.125):  # then a second graph, with changed data of the leaves
        at = [x + shift for x in point]
        for leaf, x in zip(leaves, at, strict=True):
            leaf.data, leaf.grad = x, 0.0
        root = formula(*leaves)
        root.backward()
        pairs = [(root.data, formula(*map(float, at)))]
        for place, leaf in enumerate(leaves):
            rows = [[x + (n == place) * d for n, x in enumerate(at)] for d in (_STEP, -_STEP)]
            above, below = [float(formula(*row)) for row in rows]
            pairs += [(leaf.grad, (above - below) / (2 * _STEP)), (leaf.data, at[place])]
        if not all(abs(got - right) <= _NEAR * max(1.0, abs(right)) for got, right in pairs):
            return True
    return False


# The grader and the oracle on one mutant.


def graded(text: str, folder: Path) -> Json:
    """Return the results of the oracle and of the grader for a class, in a forked process."""
    file = folder / "student.py"
    file.write_text(text)
    late = {"wrong": True, "verdict": "not read", "faults": [("time", [])]}
    return _forked(lambda: {"wrong": _of_oracle(text), **_of_grader(file)}) or late


def _of_oracle(text: str) -> bool:
    namespace: Json = {}
    try:
        with limited():
            exec(compile(text, "mutant", "exec"), namespace)
            return is_wrong(namespace["Value"])
    except TooSlow:
        return True


def _of_grader(file: Path) -> Json:
    from engine_py.grade import child  # noqa: PLC0415 - it replaces the package's modules

    alone: Json = {"file": str(file), "base": str(file.parent), "above": None, "open": []}
    head, *replies = child.replies(alone)
    judged = judge(Answers(head, replies, ""))
    faults = [(each.kind, each.operations) for each in judged.faults]
    return {"verdict": judged.verdict, "faults": faults}


def _forked(work: Callable[[], Json]) -> Json:
    """Run `work` in a forked process; return {} if that was killed."""
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
    done: Json = json.loads(text) if text else {}
    return done


def main(seed: int, first: int, count: int) -> None:
    """Grade every second mutant of a sample."""
    from engine_py.grade import child  # noqa: F401, PLC0415 - once, and not in each process

    for program in PROGRAMS:
        right(program)  # cached before the forks
    with TemporaryDirectory() as folder:
        for each in sample(seed, count)[first::2]:
            print(json.dumps({**each._asdict(), **graded(each.text, Path(folder))}), flush=True)  # noqa: T201 - a tool of the test


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
