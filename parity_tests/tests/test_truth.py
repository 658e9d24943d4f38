"""The exact numbers of programs compared with MPFR's, at several precisions."""

from collections.abc import Callable
from contextlib import suppress
from math import isinf
from random import Random
from typing import Any

import gmpy2
import pytest

from engine_py import GradientError, introspect, outline
from engine_py.accuracy import ball, ball_functions
from engine_py.accuracy.claims import Case, judge
from engine_py.accuracy.truth import Compared, Truth, ball_program, true_numbers
from engine_py.numerics.exact import NoNumber
from parity_tests.kit.contract import load_operations
from parity_tests.oracle import truth as oracle

# Programs

Drawn = tuple[Any, dict[str, float]]

CALLS = [row.name for row in load_operations().values() if (row.form, row.arity) == ("call", 1)]
SIGNS = ("+", "-", "*", "/", "+", "-", "*")
CHOICES = ("min", "max")
EXPONENTS = (
    *("2", "3", "-1", "0.5", "-2", "1.5", "0", "1", "-0.5", "0.3", "7", "1e3", "-12.75", "1e-3"),
    *("40", "1e-300", "-1e17"),
)
LOSSES = (
    *("({0}) - ({0})", "log(exp({0}))", "({0}) / ({0})", "exp(log({0}))", "({0}) / 3 * 3"),
    *("(({0}) + 1e16) - 1e16", "sqrt({0}) ** 2", "sin({0})**2 + cos({0})**2", "-({0})"),
)
"""Formulas of any term that may lose bits."""
EDGES = (1 + 2**-52, 1 - 2**-53, 2**-53, 1e16, 1e-16, 20.0, 40.0, -745.0, 709.9, 2**-27 + 1)


def number(random: Random) -> float:
    """Draw a number that is small, simple, of any size, or at an edge."""
    kind = random.random()
    sign = random.choice([-1.0, 1.0])
    if kind < 0.35:
        return float(random.randint(-5, 6))
    if kind < 0.7:
        return round(random.uniform(-4, 4), random.choice([1, 2, 16]))
    if kind < 0.9:
        return float(sign * 10.0 ** random.uniform(-20, 20))
    return random.choice(EDGES) if kind < 0.97 else float(sign * 10.0 ** random.uniform(-320, 308))


def far_number(random: Random) -> float:
    """Draw a number whose exponential overflows a double, but not MPFR."""
    if random.random() < 0.5:
        return number(random)
    return float(random.choice([-1.0, 1.0]) * 10.0 ** random.uniform(3, 8.1))


def cancelling_program(
    random: Random, draw: Callable[[Random], float] = number
) -> tuple[str, dict[str, float]]:
    """Write a program whose numbers cancel, absorb each other, tie, overflow and underflow."""
    values = {name: draw(random) for name in "xyzw"[: random.randint(1, 4)]}
    names, lines = list(values), []
    for index in range(random.randint(0, 3)):
        lines.append(f"t{index} = {term(random, names, random.randint(1, 2))}")
        names.append(f"t{index}")
    text = term(random, names, random.randint(1, 4))
    used = "\n".join(lines) + text
    for name in names:
        text += f" + {name}" if used.count(name) < 2 else ""
    return "\n".join([*lines, text]), values


def term(random: Random, names: list[str], depth: int) -> str:
    kind = random.random()
    if depth <= 0 or kind < 0.12:
        return random.choice(names) if random.random() < 0.85 else repr(abs(number(random)))
    below = term(random, names, depth - 1)
    if kind < 0.45:
        return f"{random.choice(CALLS)}({below})"
    if kind < 0.53:
        return f"(({below}) ** {random.choice(EXPONENTS)})"
    if kind < 0.6:
        return f"({random.choice(LOSSES).format(below)})"
    other = term(random, names, depth - 1)
    if random.random() < 0.2:
        return f"{random.choice(CHOICES)}({below}, {other})"
    return f"(({below}) {random.choice(SIGNS)} ({other}))"


def programs(seed: str, count: int, draw: Callable[[Random], float] = number) -> list[Drawn]:
    random, found = Random(seed), list[Drawn]()
    while len(found) < count:
        text, values = cancelling_program(random, draw)
        graph = outline(text)
        found.append((graph, {name: values[name] for name in graph["variables"]}))
    return found


# Exact numbers

FEW, MANY = 1500, 9000
"""Precisions of the reference, in bits; few are quick, many are accurate."""
TOLERANCE = 1e-9


def document_of(graph: Any, values: dict[str, float]) -> Any:
    try:
        return introspect(graph["expression"], values)
    except GradientError:
        return None


def agrees(ours: Compared, true: Any, bits: int) -> bool:
    """Compare with the reference, except for numbers out of range or treated as 0."""
    expected = oracle.nearest_double(true, bits)
    if ours.true.reason == "too_large":
        return expected is not None and isinf(expected)
    if ours.true.reason == "domain":
        return expected is None
    return is_strange(ours) or ours.true.reason == "depends" or ours.true.double == expected


def is_strange(ours: Compared) -> bool:
    return ours.true.counts or ours.true.reason == "out_of_range"


def compared(graph: Any, values: dict[str, float]) -> tuple[int, int]:
    """Count numbers and missing numbers that agree with the reference."""
    numbers = true_numbers(Truth(ball_program(graph, values)), None)
    exponents = {edge["from"] for edge in graph["edges"] if not edge["differentiable"]}
    ours: list[tuple[Compared, Any, int]] = []
    for bits in (FEW, MANY):
        data, grads = oracle.true_numbers(graph, values, bits)
        pairs = list(zip(numbers.data, data, strict=True))
        slopes = enumerate(zip(numbers.grads, grads, strict=True))
        pairs += [pair for node, pair in slopes if node not in exponents]
        ours = [(*pair, bits) for pair in pairs]
        if all(agrees(*each) for each in ours):
            break
    wrong = [
        (each, oracle.nearest_double(*true)) for each, *true in ours if not agrees(each, *true)
    ]
    assert wrong == [], (graph["expression"], values)
    return len(ours), len([each for each, *_ in ours if is_strange(each)])


def compare(seed: str, count: int, draw: Callable[[Random], float] = number) -> None:
    total = strange = 0
    for graph, values in programs(seed, count, draw):
        try:
            found = compared(graph, values)
        except oracle.TooFarError:
            continue
        total, strange = total + found[0], strange + found[1]
    assert total > 10 * count
    assert strange < total / 500  # more would mean that too little is compared


def test_exact_numbers_of_random_programs_agree_with_mpfr() -> None:
    compare("few", 300)
    compare("far", 300, far_number)


@pytest.mark.thorough
def test_exact_numbers_of_many_random_programs_agree_with_mpfr() -> None:
    compare("many", 10_000)
    compare("many", 10_000, far_number)


# Derivatives


def test_exact_gradients_are_the_derivatives_of_programs() -> None:
    """By (f(x + h) - f(x - h)) / 2h, whose error is of order h**2 if no kink or end is within h."""
    differentiated = 0
    for graph, values in programs("derivatives", 300):
        with gmpy2.context(precision=MANY), suppress(oracle.TooFarError):
            grads = oracle.true_numbers(graph, values, MANY)[1]
            inputs = [node for node in graph["nodes"] if node["kind"] == "input"]
            for node in inputs:
                left, right = slopes(graph, values, node["label"])
                derivative = (left + right) / 2
                # sqrt(x - x) has no derivative by the rules, though it is 0 everywhere
                exists = grads[node["id"]] is not None
                if exists and abs(left - right) < abs(derivative) / 2**500:
                    differentiated += 1
                    assert abs(grads[node["id"]] / derivative - 1) < 2.0**-900, graph
    assert differentiated > 300


def slopes(graph: Any, values: dict[str, float], name: str) -> tuple[Any, Any]:
    """Return the slopes to the left and to the right; NaN if a number is missing there."""
    h = gmpy2.exp2(-600) * (abs(values[name]) or 1)
    below, here, above = (
        oracle.true_numbers(graph, {**values, name: values[name] + side * h}, MANY)[0][-1]
        for side in (-1, 0, 1)
    )
    if None in (below, here, above):
        return gmpy2.nan(), gmpy2.nan()
    return (here - below) / h, (above - here) / h


# Claims


def absorbing(random: Random) -> tuple[str, dict[str, float]]:
    """Write a function of a sum in which a large number absorbs the variable."""
    call = random.choice(["sigmoid", "sin", "cos", "tanh", "exp", "softplus", "relu", "abs"])
    large = f"1e{random.randint(8, 100)}"
    inner = random.choice(
        ["x + {0} - {0}", "x - {0} + {0}", "{0} * x - {0} * x + x", "{0} - ({0} - x)"]
    )
    scale = random.choice(["", "2 * ", "500 * ", "0.001 * "])
    return f"{call}({scale}({inner.format(large)} - 1))", {"x": random.uniform(-3, 3)}


def judge_absorbing(seed: str, count: int) -> None:
    """The exact value always agrees; a claim off by more than the tolerance never does."""
    random = Random(seed)
    for _ in range(count):
        text, values = absorbing(random)
        graph, document = outline(text), document_of(outline(text), values)
        truth = Truth(ball_program(graph, values))
        numbers = true_numbers(truth, document)
        leaf = next(node["id"] for node in graph["nodes"] if node["kind"] == "input")
        true, own = numbers.grads[leaf].true.double, document and document["nodes"][leaf]["grad"]
        if true is None or numbers.counts_as_zero:
            continue
        claims = [true, true * (1 + 1e-6), 1e6]
        verdicts = judge(truth, numbers, [Case(leaf, x, own) for x in claims], TOLERANCE)
        assert verdicts[0].verdict == "agrees", (text, values)
        for claim, judged in zip(claims[1:], verdicts[1:], strict=True):
            assert (judged.verdict == "agrees") == (claim == true), (text, values, claim)


def test_no_right_gradient_differs_and_no_wrong_one_agrees_where_numbers_are_absorbed() -> None:
    judge_absorbing("few", 300)


@pytest.mark.thorough
def test_the_same_of_many_programs() -> None:
    judge_absorbing("many", 20_000)


# Balls

ENCLOSURES: dict[str, tuple[Any, Any]] = {
    "add": (ball.add, lambda x, y: x + y),
    "sub": (ball.sub, lambda x, y: x - y),
    "mul": (ball.mul, lambda x, y: x * y),
    "div": (ball.div, lambda x, y: x / y),
    "sqrt": (lambda a, b, p: ball.sqrt(a, p), lambda x, y: gmpy2.sqrt(x)),
    "exp": (lambda a, b, p: ball_functions.exp(a, p), lambda x, y: gmpy2.exp(x)),
    "log": (lambda a, b, p: ball_functions.log(a, p), lambda x, y: gmpy2.log(x)),
    "sin": (lambda a, b, p: ball_functions.wave(a, p, 0), lambda x, y: gmpy2.sin(x)),
    "cos": (lambda a, b, p: ball_functions.wave(a, p, 1), lambda x, y: gmpy2.cos(x)),
    "power": (lambda a, b, p: ball_functions.power(a, -2.5, p), lambda x, y: x ** gmpy2.mpfr(-2.5)),
    "root": (lambda a, b, p: ball_functions.power(a, 0.3, p), lambda x, y: x ** gmpy2.mpfr(0.3)),
}


def random_ball(random: Random, p: int) -> ball.Ball:
    bits = random.choice([1, 5, 53, p, p + 8])
    radius = random.choice([0, 0, random.getrandbits(3), random.getrandbits(32)])
    middle = random.getrandbits(bits) * random.choice([1, -1])
    exponents = [-bits, random.randint(-bits - 300, 25 - bits)]
    return middle, radius, random.choice(exponents)


def test_the_ball_of_a_result_contains_the_exact_results() -> None:
    for name, (operation, exact) in ENCLOSURES.items():
        random, ours = Random(name), 0
        with gmpy2.context(precision=3000, emax=2**30, emin=-(2**30)):
            for index in range(200):
                p = random.choice([20, 64, 128, 400]) if index % 20 else 1280
                a, b = random_ball(random, p), random_ball(random, p)
                with suppress(NoNumber):
                    out = operation(a, b, p)
                    ours += 1
                    assert all(is_in(out, exact, a, b, place) for place in (-1, 0, 1)), (a, b, p)
        assert ours > 50, name


def is_in(out: ball.Ball, exact: Any, a: ball.Ball, b: ball.Ball, place: int) -> bool:
    """Return whether `out` has the result at the lower ends, middles or upper ends of operands."""
    x, y = (gmpy2.mul_2exp(gmpy2.mpfr(m + place * r), 5000 + e) for m, r, e in (a, b))
    true = exact(gmpy2.div_2exp(x, 5000), gmpy2.div_2exp(y, 5000))
    m, r, e = out
    return bool(abs(true - scaled(m, e)) <= scaled(r, e) + abs(true) / 2**2900)


def scaled(n: int, e: int) -> Any:
    return gmpy2.mul_2exp(gmpy2.mpfr(n), e) if e >= 0 else gmpy2.div_2exp(gmpy2.mpfr(n), -e)
