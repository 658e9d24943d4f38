"""Every number of a document beside the true one."""

from typing import Any

import pytest

from engine_py import introspect, introspect_value, outline
from engine_py.accuracy.accuracy import bits, compare
from engine_py.accuracy.answer import accuracy as accuracy_of
from engine_py.accuracy.ball import ZERO, add, sub, top
from engine_py.accuracy.program import LEVELS, passes, program_of
from engine_py.accuracy.shares import Shares
from engine_py.accuracy.truth import truth_work
from engine_py.tests.helpers import Json, refusal, units, value_of_text

accuracy: Any = accuracy_of


@units("accuracy", "losses")
def test_the_rounding_that_lost_it_is_named(case: Json) -> None:
    said = accuracy(case["program"], case["values"], why=case["why"])
    beside = said["nodes"][case["why"]["node"]][case["why"]["number"]]
    first = said["why"]["culprits"][0]
    span = said["document"]["nodes"][first["node"]]["span"]
    assert beside["true"] == case["true"]
    assert beside["error"] == said["why"]["error"] != 0.0
    assert [first["kind"], case["program"][span["start"] : span["end"]]] == case["culprit"]


@units("accuracy", "losses")
def test_the_shares_add_up_to_the_error(case: Json) -> None:
    document = introspect(case["program"], case["values"])
    program, (node, number) = program_of(document, document["values"]), case["why"].values()
    found = passes(program, 1280, last=False)
    shares = Shares(program, document, found)
    of = shares.of_data if number == "data" else shares.of_grad
    true: Any = found.data[node] if number == "data" else found.grads[node]
    doubles = shares.data if number == "data" else shares.grads
    error, total = sub(doubles[node], true, 1280), ZERO
    for rounding in of(node):
        share: Any = shares.share(rounding)
        total = add(total, share, 1280)
    assert top(sub(error, total, 1280)) < top(error) - 200


@units("accuracy", "claims")
def test_a_claim_is_compared_with_the_truth(case: Json) -> None:
    for name, claim, verdict in case["claims"]:
        said = accuracy(case["program"], case["values"], claimed={name: claim})["claims"][name]
        assert (said["value"], said["verdict"]) == (claim, verdict), (name, claim)


@units("accuracy", "numbers")
def test_each_true_number_is_told_or_why_there_is_none(case: Json) -> None:
    said = accuracy(case["program"], case["values"])
    for node, expected in case["numbers"].items():
        beside = said["nodes"][int(node)]
        found = [beside[part]["reason"] or beside[part]["true"] for part in ("data", "grad")]
        assert found == expected, node
    assert said["counts_as_zero"] == case["counts_as_zero"]


@units("accuracy", "bits")
def test_right_bits_are_counted(case: Json) -> None:
    assert bits(case["true"], case["error"]) == case["bits"]


@units("accuracy", "refused")
def test_a_wrong_member_is_refused(case: Json) -> None:
    document = introspect("x ** 2 + 1 + x", {"x": 3})
    error = refusal(compare, document, {"x": 3.0}, document, **case["members"])
    assert (error["code"], error["pointer"]) == (case["code"], case["pointer"])


def test_a_graph_of_values_has_a_truth_too() -> None:
    document = introspect_value(value_of_text("sqrt(x + 1) - sqrt(x)", {"x": 1e12}))
    said = compare(document, document["values"], document)
    assert said["nodes"] == accuracy("sqrt(x + 1) - sqrt(x)", {"x": 1e12})["nodes"]


def test_without_a_document_the_truth_is_told_alone() -> None:
    said = accuracy("log(exp(x))", {"x": 800})
    assert (said["document"], said["error"]["code"]) == (None, "non_finite")
    assert said["result"] == {
        "true": 800,
        "error": None,
        "ulps": None,
        "bits": None,
        "reason": None,
    }
    assert said["why"] == {"node": 2, "number": "data", "error": None, "culprits": []}


def test_a_claim_of_minus_0_is_written_0() -> None:
    claims = accuracy("x * x", {"x": 0}, claimed={"x": -0.0})["claims"]
    assert str(claims["x"]["value"]) == "0.0"


def test_an_exponent_has_no_gradient() -> None:
    nodes = accuracy("x ** 3", {"x": 2})["nodes"]
    assert [node["grad"] is None for node in nodes] == [False, True, False]


def test_work_is_refused_where_it_is_too_much() -> None:
    """2,400 logarithms and exponentials: 128 bits are enough, or the last level is asked for."""
    steps = "; ".join(["t0 = x", *[f"t{i + 1} = log(exp(t{i}))" for i in range(1200)]])
    easy, hard = f"{steps}; t1200 * x", f"{steps}; relu(t1200 - x)"
    error = refusal(accuracy, hard, {"x": 1.5})
    assert (error["code"], error["name"]) == ("limit_exceeded", "truth_work")
    assert error["actual"] == truth_work(program_of(outline(hard), {"x": 1.5}), LEVELS[-1])
    assert accuracy(easy, {"x": 1.5})["result"]["true"] == 2.25


def test_witnesses_say_numbers_and_what_they_are_off_by() -> None:
    """By hand: x**2 has the central difference 2x for any h, x**3 one of 3x**2 + h**2."""
    said = accuracy("x * x * x + y", {"x": 1, "y": 0}, witnesses=True)["witnesses"]
    x, y = said["variables"]["x"], said["variables"]["y"]
    assert x["forward"] == {"value": 3, "error": 0}
    assert x["central"][0] == {"step": 2**-4, "value": 3 + 2**-8, "error": 2**-8}
    assert [each["step"] for each in y["central"]] == [2.0**-k for k in range(4, 53, 4)]
    assert said["cost"] == {
        "reverse": {"passes": 2, "multiplications": 6},
        "forward": {"passes": 2, "multiplications": 12},
        "central": {"passes": 52, "multiplications": 0},
    }


def test_a_central_difference_that_leaves_the_domain_has_no_value() -> None:
    central = accuracy("log(x)", {"x": 1e-300}, witnesses=True)["witnesses"]["variables"]["x"][
        "central"
    ]
    assert all(each["value"] is not None for each in central)
    assert accuracy("log(x + 1)", {"x": -1 + 2**-50}, witnesses=True)["witnesses"]["variables"][
        "x"
    ]["central"][0] == {"step": pytest.approx(2**-4), "value": None, "error": None}


def test_too_many_evaluations_are_refused() -> None:
    text = " + ".join(f"x{i}" for i in range(200))
    error = refusal(accuracy, text, {f"x{i}": 1.0 for i in range(200)}, witnesses=True)
    assert (error["name"], error["actual"]) == ("evaluations", 200 * 399 * 26)
