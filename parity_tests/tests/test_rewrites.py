"""What people write, beside SymPy's reading of it, and the table schemas/rewrites.json."""

import json
import math
from random import Random
from typing import Any

import pytest
import sympy
from sympy.parsing import sympy_parser as reader

from engine_py import GradientError, introspect, rewrite
from parity_tests.kit.engines import ROOT

TABLES = json.loads((ROOT / "schemas" / "rewrites.json").read_text())
UNITS = json.loads((ROOT / "parity_tests" / "units" / "rewrite.json").read_text())
TEXTS = [text for case in UNITS["programs"] if case["names"] is None for text in case["rows"]]
for unlike in ("2 sin x cos x", "EXP(-x)"):  # to SymPy, sin(x cos x) and a product of letters
    TEXTS.remove(unlike)
LOOSELY = (
    *reader.standard_transformations,
    *(reader.convert_xor, reader.implicit_multiplication, reader.function_exponentiation),
    *(reader.implicit_application, reader.rationalize),
)
DEFINITIONS = """
log10(x) = log(x, 10); log2(x) = log(x, 2); log1p(x) = log(1 + x); expm1(x) = exp(x) - 1
exp2(x) = 2**x; exp10(x) = 10**x; cbrt(x) = sign(x) * Abs(x) ** Rational(1, 3); square(x) = x * x
rsqrt(x) = x ** Rational(-1, 2); reciprocal(x) = x**-1; negative(x) = 0 - x
sigmoid(x) = exp(x) / (exp(x) + 1); logit(x) = log(x) - log(1 - x)
logsigmoid(x) = -log(1 + exp(-x)); silu(x) = x / (1 + exp(-x)); swish(x) = x / (1 + exp(-x))
mish(x) = x * tanh(log(1 + exp(x))); elu(x, y=1) = Piecewise((x, x > 0), (y * (exp(x) - 1), True))
celu(x) = Piecewise((x, x > 0), (exp(x) - 1, True))
leaky_relu(x, y) = Piecewise((x, x > 0), (y * x, True))
selu(x) = 1.0507009873554805 * Piecewise((x, x > 0), (1.6732632423543772 * (exp(x) - 1), True))
relu6(x) = Piecewise((0, x < 0), (6, x > 6), (x, True))
hardtanh(x) = Piecewise((-1, x < -1), (1, x > 1), (x, True)); softsign(x) = x / (1 + Abs(x))
tanhshrink(x) = x - tanh(x); hypot(x, y) = Abs(x + I * y); add(x, y) = x + y
logaddexp(x, y) = log(exp(x) + exp(y)); logsumexp(x, y) = log(exp(x) + exp(y))
subtract(x, y) = x - y; multiply(x, y) = x * y; divide(x, y) = x / y; frac(x, y) = x / y
mse(x, y) = (x - y) * (x - y); mae(x, y) = Abs(x - y); avg(x, y) = x / 2 + y / 2
clip(x, y, z) = Min(Max(x, y), z); clamp(x, y, z) = Min(Max(x, y), z); max(*x) = Max(*x)
min(*x) = Min(*x)
"""
"""What SymPy does not have, by the definitions of the libraries that have it."""
NAMES: dict[str, Any] = {"e": sympy.E}
for definition in DEFINITIONS.strip().replace("\n", "; ").split("; "):
    call, meaning = definition.split(" = ")
    name, _, arguments = call.partition("(")
    NAMES[name] = eval(f"lambda {arguments[:-1]}: {meaning}", vars(sympy).copy())


def assert_same(text: str, meant: Any) -> int:
    """Compare data and slopes at 20 points; return at how many there are some."""
    random, tried = Random(text), 0
    program = str(rewrite(text)["expression"])
    names = sorted(str(symbol) for symbol in meant.free_symbols)
    real = {name: sympy.Symbol(name, real=True) for name in names}
    meant = meant.subs(real)
    for _ in range(20):
        values = {name: random.uniform(-2, 2) for name in names}
        at = {real[name]: value for name, value in values.items()}
        expected = [meant, *(meant.diff(symbol) for symbol in real.values())]
        numbers = [complex(each.subs(at).evalf(20)) for each in expected]
        try:
            found = introspect(program, values)
        except GradientError:
            continue  # outside the domain
        if all(math.isclose(abs(number.imag), 0, abs_tol=1e-15) for number in numbers):
            slopes = [found["gradients"].get(name, 0) for name in names]
            wanted = pytest.approx([each.real for each in numbers], rel=1e-9, abs=1e-12)
            assert [found["result"], *slopes] == wanted, program
            tried += 1
    return tried


@pytest.mark.parametrize(
    "call", [call for call, formula in TABLES["formulas"].items() if " | " not in formula]
)
def test_a_formula_is_the_function_that_it_stands_for(call: str) -> None:
    text = call.replace("y, z", "-0.5, 0.75")
    meant = reader.parse_expr(text, NAMES)
    assert assert_same(text, meant) >= 2


def test_sympy_reads_the_same() -> None:
    compared = 0
    for text in TEXTS:
        try:
            meant = reader.parse_expr(text, NAMES, LOOSELY)
        except (SyntaxError, TypeError, ValueError, AttributeError):
            continue  # SymPy does not read it
        if isinstance(meant, sympy.Expr):
            compared += assert_same(text, meant) > 0
    assert compared >= 25
