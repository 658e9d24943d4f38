from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from engine_py import GradientError, Limits, introspect, prepare, sweep
from engine_py.tests.helpers import refusal, to_the_bit

NEURON = "tanh(x1*w1 + x2*w2 + b)"


def test_gradients_are_those_of_the_document() -> None:
    program, random = prepare(NEURON), Random(1)
    assert program.variables == ["x1", "w1", "x2", "w2", "b"]
    for _ in range(50):
        values = {name: random.uniform(-2, 2) for name in program.variables}
        document = introspect(NEURON, values)
        assert to_the_bit(program.gradients(values)) == to_the_bit(document["gradients"])
        assert to_the_bit(program.introspect(values)) == to_the_bit(document)


def test_a_document_of_a_program_may_have_parameters_and_the_other_view() -> None:
    program = prepare("a - w", view="primitive")
    document = program.introspect({"a": 1, "w": 2}, parameters=["w"])
    expected = introspect("a - w", {"a": 1, "w": 2}, parameters=["w"], view="primitive")
    assert document == expected


def test_the_readmes_sweep_is_that_of_the_text() -> None:
    values = {"a": [1, 2, 3], "b": -3, "c": {"from": 0, "to": 1, "count": 11}}
    assert prepare("(a + b) * c").sweep(values) == sweep("(a + b) * c", values)


def test_threads_may_share_a_program() -> None:
    program = prepare("x * x * w")
    ranges = [{"x": [1, 2, 3], "w": w} for w in range(20)]
    with ThreadPoolExecutor(4) as pool:
        sweeps = list(pool.map(program.sweep, ranges))
    # d(x * x * w)/dx = 2 x w
    assert [each["gradients"]["x"] for each in sweeps] == (
        [[2.0 * w, 4.0 * w, 6.0 * w] for w in range(20)]
    )


def test_what_is_wrong_is_said_when_it_is_known() -> None:
    assert refusal(prepare, "2x")["code"] == "unexpected_token"
    assert refusal(prepare, "a", view="flat")["pointer"] == "/view"
    assert refusal(prepare, 2)["pointer"] == "/expression"
    program = prepare("a * b")
    assert refusal(program.gradients, {"a": 1})["names"] == ["b"]
    assert refusal(program.gradients, {"a": 1, "b": [2]})["code"] == "invalid_value"
    assert refusal(program.sweep, {"a": [1]})["names"] == ["b"]


def test_limits_are_given_once() -> None:
    program = prepare("a * a", limits=Limits(sweep_nodes=5, variables=2))
    assert refusal(program.sweep, {"a": [1, 2, 3]})["actual"] == 6
    with pytest.raises(GradientError, match="use fewer points or a larger `limits"):
        program.sweep({"a": [1, 2, 3]})
    assert refusal(program.gradients, dict.fromkeys("abc", 1))["name"] == "variables"
    with pytest.raises(ValueError, match="sweep_nodes"):
        prepare("a", limits=Limits(sweep_nodes=-1))
    with pytest.raises(GradientError):
        prepare("a * a", limits=Limits(nodes=1))


def test_a_program_is_shown_in_a_line() -> None:
    text = " + ".join(f"sin(x{number})" for number in range(900))
    assert repr(prepare("a * b")) == (
        "Program('a * b', view='folded', 3 nodes, variables=['a', 'b'])"
    )
    shown = repr(prepare(text))
    assert shown.startswith("Program('sin(x0) + ")
    assert "2699 nodes" in shown
    assert len(shown) < 150
