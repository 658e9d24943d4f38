"""Experiments with wrong walks, and exact values. Fixtures have more numbers."""

from collections import defaultdict
from decimal import Decimal
from itertools import product
from random import Random
from typing import Any

import pytest

from engine_py import (
    OPERATIONS,
    GradientDocument,
    Limits,
    Value,
    introspect,
    introspect_value,
    outline,
    paths,
)
from engine_py.accuracy.accuracy import accuracy as accuracy_of
from engine_py.accuracy.attribution import ErrorShares
from engine_py.accuracy.ball import KNOWN, ZERO, add, sub, top
from engine_py.accuracy.truth import ball_program, passes, truth_work
from engine_py.errors import GradientError
from engine_py.lab.experiment import ACCUMULATE, DIRECTIONS, experiment
from engine_py.lab.formulas import formulas_of
from engine_py.lab.tape import Dual
from engine_py.operations import OutsideDomain
from engine_py.tests.helpers import Json, refusal, to_the_bit, units

DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", {"a": 2})


@pytest.mark.parametrize("seed", range(20))
def test_lost_contributions_explain_each_difference(seed: int) -> None:
    """A contribution lost at a node is missing below it, times the slopes; integers are exact.

    So is the root's gradient if no edge passes it on.
    """
    random = Random(seed)
    for walk, accumulate in product(DIRECTIONS, ACCUMULATE):
        document = introspect(*_program(random))
        edges, root = document["edges"], document["root"]
        order = random.sample(range(root + 1), random.randint(root - 1, root + 1))
        result = experiment(document, walk=walk, order=order, accumulate=accumulate)
        [wrong] = result["walks"]
        missing = [(edges[e["edge"]]["from"], e["node"], e["contribution"]) for e in wrong["lost"]]
        passing = {root} if walk == "push" else {e["from"] for e in edges if e["to"] == root}
        missing += [(root, node, 1.0) for node in passing.intersection(result["unvisited"])]
        for name, gradient in wrong["gradients"].items():
            slopes = _slopes(document, name)
            lost = [amount * slopes[node, visit] for node, visit, amount in missing]
            assert gradient + sum(lost) == document["gradients"][name]


def _program(random: Random) -> tuple[str, dict[str, int]]:
    """Write random sums and products of integers, each of two of the last four names."""
    names, lines = ["x", "y", "2"], []
    for place in range(random.randint(2, 7)):
        left, right = random.choices(names[-4:], k=2)
        lines.append(f"n{place} = {left} {random.choice('+-*')} {right}")
        names.append(f"n{place}")
    unused = [name for name in names if f" {name}" not in "".join(lines)]
    lines.append(" + ".join([*unused, "x * y"]))
    return "; ".join(lines), {name: random.randint(-3, 3) for name in "xy"}


def _slopes(document: GradientDocument, name: str) -> dict[tuple[int, int], float]:
    """Return the slope of each node by a variable: in total, and through each of its operands."""
    slopes: dict[tuple[int, int], float] = defaultdict(float)
    for node in document["nodes"]:
        slopes[node["id"], node["id"]] = float(node["label"] == name)
    for edge in document["edges"]:
        start, end = edge["from"], edge["to"]
        by_this = (edge["local_grad"] or 0.0) * slopes[start, start]
        slopes[end, start] += by_this
        slopes[end, end] += by_this
    return slopes


def test_the_number_of_steps_is_limited() -> None:
    """A sum of 2,001 leaves has 4,000 edges."""
    document = introspect("+".join(["a"] * 2001), {"a": 1})
    with pytest.raises(GradientError, match=r"6 passes .* take 24000 steps; at most 20000"):
        experiment(document, passes=6)


def test_a_label_of_two_nodes_is_rejected() -> None:
    a = Value(3.0, label="a")
    b, c = a * 2, a * 3
    b.label = c.label = "twin"
    with pytest.raises(GradientError) as caught:
        experiment(introspect_value(b * c), order=["twin"])
    assert caught.value.message.startswith("2 nodes have the label")


@units("lab", "lost")
def test_a_sentence_names_the_lost_contribution(case: Json) -> None:
    [walk] = experiment(DIAMOND, **case["conditions"])["walks"]
    assert [lost["sentence"] for lost in walk["lost"]] == case["sentences"]


@units("lab", "refused")
def test_invalid_members_are_rejected(case: Json) -> None:
    for conditions, pointer, words in case["conditions"]:
        with pytest.raises(GradientError) as caught:
            experiment(DIAMOND, **conditions)
        assert (caught.value.code, caught.value.data["pointer"]) == (case["code"], pointer)
        assert words in caught.value.as_dict()["message"]


def test_zeros_have_no_sign() -> None:
    result = experiment(introspect("-a * 0", {"a": 1}), order=[])
    assert to_the_bit(result["walks"][0]["gradients"]) == to_the_bit({"a": 0.0})
    [walk] = experiment(introspect("-a * 0", {"a": 1}))["walks"]
    assert "-0.0" not in repr(walk)


def test_a_count_of_paths_is_exact_beyond_4300_digits() -> None:
    """By default Python does not convert such an integer to a string."""
    lines = [f"n{place + 1} = 0.5 * (n{place} + n{place})" for place in range(15_000)]
    limits = Limits(characters=10**6, nodes=50_000)
    document = introspect("\n".join(["n0 = x", *lines]), {"x": 0}, limits=limits)
    result = paths(document, node="x", most=0)
    assert Decimal(result["count"]) == Decimal(2**15_000)
    assert (result["gradient"], result["paths"], result["sum"]) == (1, [], None)


@pytest.mark.parametrize("symbol", OPERATIONS)
def test_the_formulas_of_an_operation_return_its_local_gradients(symbol: str) -> None:
    row = OPERATIONS[symbol]
    pairs = [(0.3, 2.0), (2.5, -1.0), (-2.5, -2.0), (1.0, 1.0), (-0.7, 3.0), (40.0, 0.0)]
    for operands in [*pairs, (1e-160, 2.5), (-3e8, 5.0), (5e-324, 1.0), (-1e-9, -1e9)]:
        try:
            data, *local_grads = row.rule(*operands[: row.arity])
        except OutsideDomain:
            continue
        terms = [Dual(operand) for operand in operands[: row.arity]]
        formulas = formulas_of(row, Dual(data), terms)
        computed = [each.data if isinstance(each, Dual) else each for each in formulas]
        assert to_the_bit(computed) == to_the_bit(local_grads)


# Exact values


accuracy: Any = accuracy_of


@units("lab", "losses")
def test_the_shares_add_up_to_the_error(case: Json) -> None:
    document = introspect(case["program"], case["values"])
    program, (node, number) = ball_program(document, document["values"]), case["why"].values()
    found = passes(program, 1280, last=False)
    shares = ErrorShares(program, document, found)
    of = shares.of_data if number == "data" else shares.of_grad
    true: Any = found.data[node] if number == "data" else found.grads[node]
    doubles = shares.data if number == "data" else shares.grads
    error, total = sub(doubles[node], true, 1280), ZERO
    for rounding in of(node):
        share: Any = shares.share(rounding)
        total = add(total, share, 1280)
    assert top(sub(error, total, 1280)) < top(error) - 200


def test_too_much_work_is_rejected() -> None:
    """128 bits suffice for the product; the difference is 0, which needs all the bits."""
    steps = "; ".join(["t0 = x", *[f"t{i + 1} = log(exp(t{i}))" for i in range(1200)]])
    easy, hard = f"{steps}; t1200 * x", f"{steps}; relu(t1200 - x)"
    error = refusal(accuracy, hard, {"x": 1.5})
    assert (error["code"], error["name"]) == ("limit_exceeded", "truth_work")
    assert error["actual"] == truth_work(ball_program(outline(hard), {"x": 1.5}), KNOWN)
    assert accuracy(easy, {"x": 1.5})["result"]["true"] == 2.25
