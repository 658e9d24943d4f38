"""Compare `rewrite`, on random texts as people write them, with SymPy (R42).

python -m parity_tests.rewrites --count 100000 --seed 1

Each text is written from a tree, and SymPy gets the tree, not the text; data and slopes are
compared at 20 points. The changes, applied to the text, must give the program.
"""

import json
import math
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import sympy

from engine_py import Rewritten, prepare, rewrite
from engine_py.operations import FUNCTIONS
from parity_tests.fuzz.texts import NAMES, Text, random_text
from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.terminal import progress

POINTS = 20
STEP, TOLERANCE = 1e-6, 1e-5
"""Slopes are central differences with this step."""
OWN = {"above": lambda x: (x > 0) + (x == 0) / 2, "log1p": math.log1p}
"""Functions that SymPy lacks, or whose SymPy formula loses all digits."""
FORMULAS: dict[str, str] = json.loads((SCHEMAS / "rewrites.json").read_text("utf-8"))["formulas"]
CALLS = [
    *(call for call, formula in FORMULAS.items() if "|" not in formula and call[:4] != "frac"),
    *(f"{name}(x)" for name, row in FUNCTIONS.items() if row.arity == 1),
    *("max(x, y)", "min(x, y)", "max(x, y, z)"),
]


DEFINITIONS = """
abs(x) = (above(x) - above(-x)) * x; max(x, y) = above(x - y) * x + above(y - x) * y
max(x, y, z) = max(max(x, y), z); relu(x) = above(x) * x
min(x, y) = above(y - x) * x + above(x - y) * y
log10(x) = log(x, 10); log2(x) = log(x, 2); expm1(x) = exp(x) - 1
exp2(x) = 2**x; exp10(x) = 10**x; sign(x) = above(x) - above(-x); square(x) = x * x
cbrt(x) = above(x) * x**(S(1) / 3) - above(-x) * (-x)**(S(1) / 3); rsqrt(x) = x ** (-S(1) / 2)
reciprocal(x) = x**-1; negative(x) = 0 - x; pow(x, y) = x**y; softplus(x) = log1p(exp(x))
sigmoid(x) = exp(x) / (exp(x) + 1); logit(x) = log(x) - log(1 - x)
logsigmoid(x) = -log1p(exp(-x)); silu(x) = x / (1 + exp(-x))
mish(x) = x * tanh(log1p(exp(x))); elu(x) = above(x) * x + above(-x) * (exp(x) - 1)
elu(x, y) = above(x) * x + above(-x) * y * (exp(x) - 1); celu(x) = elu(x)
leaky_relu(x, y) = above(x) * x + above(-x) * y * x
selu(x) = 1.0507009873554805 * elu(x, 1.6732632423543772)
relu6(x) = above(x) * above(6 - x) * x + 6 * above(x - 6)
hardtanh(x) = above(1 - x) * above(x + 1) * x + above(x - 1) - above(-1 - x)
softsign(x) = x / (1 + abs(x)); tanhshrink(x) = x - tanh(x); hypot(x, y) = sqrt(x * x + y * y)
add(x, y) = x + y; logaddexp(x, y) = log(exp(x) + exp(y)); logsumexp(x, y) = log(exp(x) + exp(y))
subtract(x, y) = x - y; multiply(x, y) = x * y; divide(x, y) = x / y; mse(x, y) = (x - y) * (x - y)
mae(x, y) = abs(x - y); avg(x, y) = x / 2 + y / 2; clip(x, y, z) = clamp(x, y, z)
clamp(x, y, z) = min(max(x, y), z); tensor(x) = x; float(x) = x; degrees(x) = x * 180 / pi
radians(x) = x * pi / 180; celu(x, y) = above(x) * x + above(-x) * y * (exp(x / y) - 1)
"""
"""Functions that SymPy lacks, or has for complex numbers, as numeric libraries define them."""


def _namespace() -> dict[str, Any]:
    """Return the names that meanings use."""
    found = {**vars(sympy), **{name: sympy.Function(name) for name in OWN}}
    # In a program pi is a double: SymPy's own pi makes sin(pi) 0, which changes its sign.
    found["pi"] = sympy.Float(math.pi)
    of_count: dict[tuple[str, int], Any] = {}
    for definition in DEFINITIONS.strip().replace("\n", "; ").split("; "):
        call, meaning = definition.split(" = ")
        name, _, letters = call[:-1].partition("(")
        symbols = sympy.symbols(letters, real=True, seq=True)
        names = {str(each): each for each in symbols}
        formula = sympy.Lambda(symbols, sympy.sympify(meaning, found | names))
        of_count[name, letters.count(",")] = formula
        found[name] = lambda *given, name=name: of_count[name, len(given) - 1](*given)
    variables = {name: sympy.Symbol(name, real=True) for name in NAMES.values()}
    return found | variables


MEANT = _namespace()


def numbers_at(compute: Callable[..., Any], at: list[float]) -> list[float]:
    """Return data and slopes; an empty list if they are not real, or differences are inaccurate."""
    try:
        numbers = [data := compute(*at)]
        for index, value in enumerate(at):
            below, above = (
                compute(*at[:index], value + step, *at[index + 1 :]) for step in (-STEP, STEP)
            )
            if abs(above + below - 2 * data) > TOLERANCE * (1 + abs(data)) / 100:
                return []  # such as the sine of a large number
            numbers.append((above - below) / (2 * STEP))
    except (ArithmeticError, ValueError, TypeError, NameError):  # or all are complex
        return []
    return [] if any(isinstance(each, complex) for each in numbers) else numbers


def is_meant(program: str, meaning: str, random: Random) -> bool:
    """Return whether a program has the data and slopes of `meaning`, at points where both exist.

    Both lose digits at some points, but at fewer than one in four.
    """
    points = {name: [random.uniform(-2, 3) for _ in range(POINTS)] for name in NAMES.values()}
    found = prepare(program).sweep({**points, "e": math.e, "pi": math.pi})  # which may be names
    try:
        formula = sympy.sympify(meaning, MEANT)
        names = sorted(str(each) for each in formula.free_symbols)
        compute = sympy.lambdify(names, formula, modules=[OWN, "math"])
    except ArithmeticError:  # SymPy cannot write a division by 0
        return True
    compared = differing = 0
    for place, result in enumerate(found["results"]):
        wanted = numbers_at(compute, [points[name][place] for name in names])
        if result is None or not wanted:
            continue
        ours = [result, *(found["gradients"][name][place] or 0.0 for name in names)]
        scale = 1 + abs(result)
        pairs = zip(ours, wanted, strict=True)
        differing += any(abs(a - b) > TOLERANCE * (scale + abs(b)) for a, b in pairs)
        compared += 1
    return differing * 4 <= compared


def fault_of(text: Text, found: Rewritten, random: Random) -> str:
    """Describe the error in a rewritten text; an empty string if there is none."""
    program = found["expression"]
    if program is None:
        programs = found["readings"] if len(text.meanings) > 1 else []
        meanings = text.meanings[: len(programs)]
    else:
        programs, meanings = [program], text.meanings
        pieces, at = [], 0
        for change in found["changes"]:
            pieces += [text.text[at : change["span"]["start"]], change["replacement"]]
            at = change["span"]["end"]
        if "".join(pieces) + text.text[at:] != program:
            return f"the changes give {''.join(pieces) + text.text[at:]}"
    if len(programs) != len(meanings):
        return f"one reading of two: {programs}"
    for each, meaning in zip(programs, meanings, strict=True):
        if not is_meant(each, meaning, random):
            return f"`{each}` is not {meaning}"
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = ArgumentParser(description="Compare rewritten texts with SymPy.")
    parser.add_argument("--count", type=int, default=100_000, help="texts to write")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same texts")
    options = parser.parse_args(arguments)
    random, reported, wrong = Random(options.seed), Counter[str](), 0
    for _ in progress(range(options.count), options.count, "texts"):
        text = random_text(random, CALLS)
        found = rewrite(text.text, text.names)
        reported[found["refused"]["reason"] if found["refused"] else "a program"] += 1
        if fault := fault_of(text, found, random):
            wrong += 1
            print(f"{text.text!r}: {fault}")
    print(*(f"{count:9,} {reason}" for reason, count in reported.most_common()), sep="\n")
    print(f"{options.count:,} texts of seed {options.seed}, {wrong:,} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
