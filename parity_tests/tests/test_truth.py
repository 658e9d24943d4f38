"""The true numbers of programs against MPFR's, at any levels of precision."""

from math import isinf
from random import Random
from typing import Any

import gmpy2
import pytest

from engine_py import OPERATIONS, GradientError, introspect, outline
from engine_py.accuracy import ball, functions, rows
from engine_py.accuracy.accuracy import explain
from engine_py.accuracy.asks import Why
from engine_py.accuracy.claims import Case, judge
from engine_py.accuracy.program import LEVELS, program_of
from engine_py.accuracy.truth import Told, Truth, true_numbers
from parity_tests.fuzz.cancellation import cancelling_program
from parity_tests.oracle import truth as oracle

Program = tuple[Any, dict[str, float]]

OTHER_LEVELS = (101, 333, 900, 2000, 5000)
FEW, MANY = 1500, 9000
"""Bits of the referee: with few it is quick, with many it is right."""
TOLERANCE = 1e-9


def programs(seed: str, count: int) -> list[Program]:
    random, found = Random(seed), list[Program]()
    while len(found) < count:
        text, values = cancelling_program(random)
        graph = outline(text)
        found.append((graph, {name: values[name] for name in graph["variables"]}))
    return found


def document_of(graph: Any, values: dict[str, float]) -> Any:
    try:
        return introspect(graph["expression"], values)
    except GradientError:
        return None


def agrees(told: Told, true: Any, bits: int) -> bool:
    """Compare with the referee, but not what is out of range, or counts as 0 with nothing told."""
    expected = oracle.nearest_double(true, bits)
    if told.true.reason == "too_large":
        return expected is not None and isinf(expected)
    if told.true.reason == "domain":
        return expected is None
    return is_strange(told) or told.true.reason == "depends" or told.true.double == expected


def is_strange(told: Told) -> bool:
    return told.true.counts or told.true.reason == "out_of_range"


def compared(graph: Any, values: dict[str, float]) -> tuple[int, int]:
    """Count the numbers and those without one, of which the referee says the same."""
    numbers = true_numbers(Truth(program_of(graph, values)), None)
    exponents = {edge["from"] for edge in graph["edges"] if not edge["differentiable"]}
    told: list[tuple[Told, Any, int]] = []
    for bits in (FEW, MANY):
        data, grads = oracle.true_numbers(graph, values, bits)
        pairs = list(zip(numbers.data, data, strict=True))
        slopes = enumerate(zip(numbers.grads, grads, strict=True))
        pairs += [pair for node, pair in slopes if node not in exponents]
        told = [(*pair, bits) for pair in pairs]
        if all(agrees(*each) for each in told):
            break
    wrong = [
        (each, oracle.nearest_double(*true)) for each, *true in told if not agrees(each, *true)
    ]
    assert wrong == [], (graph["expression"], values)
    return len(told), len([each for each, *_ in told if is_strange(each)])


def compare(seed: str, count: int) -> None:
    total = strange = 0
    for graph, values in programs(seed, count):
        try:
            found = compared(graph, values)
        except oracle.TooFarError:
            continue
        total, strange = total + found[0], strange + found[1]
    assert total > 10 * count
    assert strange < total / 500  # more would say that it compares too little


def test_every_operation_has_a_row() -> None:
    assert rows.ROWS.keys() == OPERATIONS.keys()


def test_the_true_numbers_of_random_programs_are_those_of_mpfr() -> None:
    compare("few", 300)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10))
def test_the_true_numbers_of_many_random_programs_are_those_of_mpfr(seed: int) -> None:
    compare(f"many {seed}", 5000)


def answers(graph: Any, values: dict[str, float], levels: tuple[int, ...]) -> list[Any]:
    """Tell all numbers, errors, culprits and verdicts, at these levels."""
    document = document_of(graph, values)
    truth = Truth(program_of(graph, values), levels=levels)
    numbers = true_numbers(truth, document)
    found: list[Any] = [*numbers.data, *numbers.grads, numbers.counts_as_zero]
    if document is None:
        return found
    leaves = [node["id"] for node in graph["nodes"] if node["kind"] == "input"]
    whys = [Why(graph["root"], "data"), *[Why(leaf, "grad") for leaf in leaves]]
    found += [explain(truth, document, numbers, why, 5) for why in whys]
    cases = [
        Case(leaf, (numbers.grads[leaf].true.double or 0.0) * part, document["nodes"][leaf]["grad"])
        for part in (1.0, 1 + 1e-12, 1 + 1e-9, -1.0, 0.0)
        for leaf in leaves
    ]
    return [*found, *judge(truth, numbers, cases, TOLERANCE)]


def same_at_other_levels(seed: str, count: int) -> None:
    for graph, values in programs(seed, count):
        here, there = (answers(graph, values, levels) for levels in (LEVELS, OTHER_LEVELS))
        assert here == there, (graph["expression"], values)


def test_the_answers_do_not_depend_on_the_levels_of_precision() -> None:
    same_at_other_levels("levels", 100)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(10))
def test_many_answers_do_not_depend_on_the_levels_of_precision(seed: int) -> None:
    same_at_other_levels(f"levels {seed}", 1000)


def absorbing(random: Random) -> tuple[str, dict[str, float]]:
    """Write a program that loses its variable beside a large number, under a function."""
    call = random.choice(["sigmoid", "sin", "cos", "tanh", "exp", "softplus", "relu", "abs"])
    large = f"1e{random.randint(8, 100)}"
    inner = random.choice(
        ["x + {0} - {0}", "x - {0} + {0}", "{0} * x - {0} * x + x", "{0} - ({0} - x)"]
    )
    scale = random.choice(["", "2 * ", "500 * ", "0.001 * "])
    return f"{call}({scale}({inner.format(large)} - 1))", {"x": random.uniform(-3, 3)}


def judge_absorbing(seed: str, count: int) -> None:
    """The truth always agrees; what is off by more than the tolerance never does."""
    random = Random(seed)
    for _ in range(count):
        text, values = absorbing(random)
        graph, document = outline(text), document_of(outline(text), values)
        truth = Truth(program_of(graph, values))
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
@pytest.mark.parametrize("seed", range(10))
def test_the_same_of_many_programs(seed: int) -> None:
    judge_absorbing(f"many {seed}", 10_000)


ENCLOSURES: dict[str, tuple[Any, Any]] = {
    "add": (ball.add, lambda x, y: x + y),
    "sub": (ball.sub, lambda x, y: x - y),
    "mul": (ball.mul, lambda x, y: x * y),
    "div": (ball.div, lambda x, y: x / y),
    "sqrt": (lambda a, b, p: ball.sqrt(a, p), lambda x, y: gmpy2.sqrt(x)),
    "exp": (lambda a, b, p: functions.exp(a, p), lambda x, y: gmpy2.exp(x)),
    "log": (lambda a, b, p: functions.log(a, p), lambda x, y: gmpy2.log(x)),
    "sin": (lambda a, b, p: functions.wave(a, p, 0), lambda x, y: gmpy2.sin(x)),
    "cos": (lambda a, b, p: functions.wave(a, p, 1), lambda x, y: gmpy2.cos(x)),
    "power": (lambda a, b, p: functions.power(a, -2.5, p), lambda x, y: x ** gmpy2.mpfr(-2.5)),
    "root": (lambda a, b, p: functions.power(a, 0.3, p), lambda x, y: x ** gmpy2.mpfr(0.3)),
}


def random_ball(random: Random, p: int) -> ball.Ball:
    bits = random.choice([1, 5, 53, p, p + 8])
    radius = random.choice([0, 0, random.getrandbits(3), random.getrandbits(32)])
    middle = random.getrandbits(bits) * random.choice([1, -1])
    exponents = [-bits, random.randint(-bits - 300, 25 - bits)]
    return middle, radius, random.choice(exponents)


@pytest.mark.parametrize("name", ENCLOSURES)
def test_what_is_in_the_operands_balls_is_in_the_results(name: str) -> None:
    operation, exact = ENCLOSURES[name]
    random, told = Random(name), 0
    with gmpy2.context(precision=3000, emax=2**30, emin=-(2**30)):
        for index in range(200):
            p = random.choice([20, 64, 128, 400]) if index % 20 else 1280
            a, b = random_ball(random, p), random_ball(random, p)
            try:
                m, r, e = operation(a, b, p)
            except ball.NoNumber:
                continue
            told += 1
            for place in (-1, 0, 1):
                x, y = (
                    gmpy2.mul_2exp(gmpy2.mpfr(c[0] + place * c[1]), 5000 + c[2]) for c in (a, b)
                )
                out = exact(gmpy2.div_2exp(x, 5000), gmpy2.div_2exp(y, 5000))
                off = abs(out - scaled(m, e))
                assert off <= scaled(r, e) + abs(out) / 2**2900, (a, b, p)
    assert told > 50


def scaled(n: int, e: int) -> Any:
    return gmpy2.mul_2exp(gmpy2.mpfr(n), e) if e >= 0 else gmpy2.div_2exp(gmpy2.mpfr(n), -e)
