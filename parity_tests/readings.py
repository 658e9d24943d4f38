"""Judge how `rewrite` reads texts as people write them, by tables of their meanings (R42).

python -m parity_tests.readings [TABLE.tsv ...]

A row has a text, the names that have values (`null`, or a list with commas), and the allowed
results, separated by ` || `: `=a program`, `?readings` separated by `|`, or `!a reason`. Programs
are compared by their values, which Python's own arithmetic computes.
"""

import ast
import math
import re
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine_py import rewrite

TABLE = Path(__file__).with_name("readings.tsv")
POINTS = 24
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*\b(?!\s*\()")
TOLERANCE = 1e-7
"""Python's arithmetic rounds more often than ours, and some formulas lose digits."""

_OF_PYTHON = (
    *("exp", "sin", "cos", "tan", "atan", "tanh", "sinh", "cosh", "asinh", "acosh", "atanh"),
    *("sqrt", "hypot", "log", "cbrt", "log1p", "expm1"),
)
FUNCTIONS: dict[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in _OF_PYTHON},
    "abs": abs,
    "max": max,
    "min": min,
    "ln": math.log,
    "relu": lambda x: max(x, 0.0),
    "sigmoid": lambda x: (1 + math.tanh(x / 2)) / 2,
    "softplus": lambda x: max(x, 0) + math.log1p(math.exp(-abs(x))),
    "sign": lambda x: (x > 0) - (x < 0),
    "sec": lambda x: 1 / math.cos(x),
    "csc": lambda x: 1 / math.sin(x),
}
OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.Pow: lambda x, y: float(x) ** y,
}


class Row(NamedTuple):
    """A text, the names that have values, and the allowed results."""

    text: str
    names: list[str] | None
    allowed: list[str]

    @property
    def programs(self) -> list[str]:
        """The programs that it may mean."""
        return [each[1:] for each in self.allowed if each[0] == "="]


def rows_of(table: Path) -> Iterator[Row]:
    """Read a table; `⏎` stands for the end of a line in a text."""
    for line in table.read_text("utf-8").splitlines():
        text, names, expected, *_ = line.split("\t")
        known = None if names == "null" else names.split(",")
        needs = re.compile(r" \{.*?\}")
        allowed = [needs.sub("", each.strip()) for each in expected.split(" || ")]
        yield Row(text.replace("⏎", "\n"), known, allowed)


def value_of(program: str, at: dict[str, float]) -> float:
    """Compute a program at a point.

    Raises:
        ArithmeticError, ValueError, TypeError: it has no value there.
    """
    names, result = {name + "_": number for name, number in at.items()}, math.nan
    program = _WORD.sub(r"\g<0>_", program)  # so that even `lambda` is a name
    for statement in filter(None, map(str.strip, program.replace("\n", ";").split(";"))):
        name, sign, expression = statement.partition("=")
        result = _computed(
            ast.parse((expression if sign else name).strip(), mode="eval").body, names
        )
        if sign:
            names[name.strip()] = result
    return result


def _computed(node: ast.expr, names: dict[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        inner = _computed(node.operand, names)
        return -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        pair = _computed(node.left, names), _computed(node.right, names)
        return OPERATORS[type(node.op)](*pair)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return FUNCTIONS[node.func.id](*[_computed(each, names) for each in node.args])
    raise TypeError(ast.dump(node))


def names_of(program: str) -> set[str]:
    """Return the variables of a program."""
    bound = {found[1] for found in re.finditer(r"(?:^|[;\n])\s*([A-Za-z_]\w*)\s*=", program)}
    return set(_WORD.findall(program)) - bound


def is_same(ours: str, meant: str) -> bool:
    """Compare two programs where both have values; `meant` must have one at some point."""
    ours, meant = (re.sub(r"\b([a-z]+)_(\d)\b", r"\1\2", each) for each in (ours, meant))
    names, random, met = sorted(names_of(ours) | names_of(meant)), Random(7), 0
    if names_of(meant) - {"pi", "e"} - names_of(ours):
        return False
    for place in range(POINTS):
        low, high = [(0.2, 2.0), (-2.0, 2.0), (2.0, 7.0)][place % 3]
        at = {"pi": math.pi, "e": math.e} | {
            name: random.uniform(low, high) for name in names if name not in ("pi", "e")
        }
        try:
            wanted = value_of(meant, at)
            if isinstance(wanted, complex):
                continue
        except (ArithmeticError, ValueError, TypeError):
            continue
        try:
            got = value_of(ours, at)
        except (ArithmeticError, ValueError, TypeError):
            got = math.nan
        if isinstance(got, complex) or math.isnan(got):
            if low > 0 and place % 3 == 0:
                return False
            continue
        met += 1
        if abs(got - wanted) > TOLERANCE * (1 + abs(wanted)):
            return False
    return met > 0 or not names


def verdict_of(row: Row) -> tuple[str, str]:
    """Return the verdict on a row, and the result of `rewrite`."""
    found = rewrite(row.text, row.names)
    program = found["expression"]
    if program is None:
        refused = found["refused"]
        assert refused is not None
        is_right = any(each[0] in "!?" for each in row.allowed)
        shown = f"{refused['reason']} {found['readings']} {refused.get('program')}"
        return ("refused rightly" if is_right else "refused though clear"), shown
    if any(program == each or is_same(program, each) for each in row.programs):
        return ("accepted" if program == row.text else "rightly"), program
    return "wrongly", program


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the verdicts of the tables; return 1 if a text is read wrongly."""
    parser = ArgumentParser(description="Judge rewritten texts by tables.")
    parser.add_argument("tables", nargs="*", type=Path, default=[TABLE], metavar="TABLE")
    wrong = 0
    for table in parser.parse_args(arguments).tables:
        counts = Counter[str]()
        for row in rows_of(table):
            verdict, shown = verdict_of(row)
            counts[verdict] += 1
            if verdict in ("wrongly", "refused though clear"):
                print(f"{verdict}: {row.text!r} {row.names} -> {shown}; allowed {row.allowed}")
        print(f"{table.name}: {dict(sorted(counts.items()))}, of {counts.total()}")
        wrong += counts["wrongly"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
