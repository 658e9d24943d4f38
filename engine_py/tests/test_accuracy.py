"""Every number of a document compared with its exact value."""

from typing import Any

from engine_py import introspect, introspect_value, outline
from engine_py.accuracy.accuracy import accuracy as accuracy_of
from engine_py.accuracy.accuracy import bits, compare
from engine_py.accuracy.attribution import ErrorShares
from engine_py.accuracy.ball import KNOWN, ZERO, add, sub, top
from engine_py.accuracy.truth import ball_program, passes, truth_work
from engine_py.tests.helpers import Json, refusal, units, values_of_text

accuracy: Any = accuracy_of


@units("accuracy", "losses")
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


@units("accuracy", "bits")
def test_bits_counts_the_correct_bits(case: Json) -> None:
    assert bits(case["true"], case["error"]) == case["bits"]


def test_a_graph_of_values_has_exact_values() -> None:
    document = introspect_value(values_of_text("sqrt(x + 1) - sqrt(x)", {"x": 1e12})[-1])
    compared = compare(document, document["values"], document)
    assert compared["nodes"] == accuracy("sqrt(x + 1) - sqrt(x)", {"x": 1e12})["nodes"]


def test_a_claim_of_minus_0_is_returned_as_0() -> None:
    claims = accuracy("x * x", {"x": 0}, claimed={"x": -0.0})["claims"]
    assert str(claims["x"]["value"]) == "0.0"


def test_too_much_work_is_rejected() -> None:
    """128 bits suffice for the product; the difference is 0, which needs all the bits."""
    steps = "; ".join(["t0 = x", *[f"t{i + 1} = log(exp(t{i}))" for i in range(1200)]])
    easy, hard = f"{steps}; t1200 * x", f"{steps}; relu(t1200 - x)"
    error = refusal(accuracy, hard, {"x": 1.5})
    assert (error["code"], error["name"]) == ("limit_exceeded", "truth_work")
    assert error["actual"] == truth_work(ball_program(outline(hard), {"x": 1.5}), KNOWN)
    assert accuracy(easy, {"x": 1.5})["result"]["true"] == 2.25
