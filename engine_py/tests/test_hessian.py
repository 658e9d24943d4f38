"""Second derivatives beside closed forms and beside differences of gradients."""

from math import exp, tanh

import pytest

from engine_py import Limits, Value, hessian, introspect, introspect_value
from engine_py.tests.helpers import refusal

NEURON = "n = x1*w1 + x2*w2 + b; o = tanh(n); (o - y) ** 2"
AT = {"x1": 2, "x2": -0.5, "w1": 0.3, "w2": -0.7, "b": 0.1, "y": 0.4}
OF_PYTORCH = {
    "x1": [-0.014571166604149907, 0.1997353390559618, 0.03399938874301645],
    "w1": [0.1997353390559618, -0.6476074046288849, 0.22666259162010968],
    "x2": [0.03399938874301645, 0.2266625916201097, -0.0793319070670384],
    "w2": [0.024285277673583183, 0.16190185115722122, 0.2402108018452671],
    "b": [-0.048570555347166366, -0.32380370231444244, 0.11333129581005484],
    "y": [-0.23326729152150094, -1.5551152768100063, 0.5442903468835022],
}
"""Of NEURON, by x1, w1, x2; then by w2, b, y. Printed by torch.autograd.functional.hessian of
PyTorch 2.13.0 in float64, of the same operations node by node."""
REST_OF_PYTORCH = {
    "x1": [0.02428527767358318, -0.04857055534716636, -0.23326729152150094],
    "w1": [0.16190185115722122, -0.32380370231444244, -1.5551152768100063],
    "x2": [0.2402108018452671, 0.11333129581005486, 0.5442903468835022],
    "w2": [-0.040475462789305305, 0.08095092557861061, 0.38877881920250157],
    "b": [0.08095092557861061, -0.16190185115722122, -0.7775576384050031],
    "y": [0.38877881920250157, -0.7775576384050031, 2.0],
}


def test_a_function_of_two_variables_has_the_second_derivatives_of_its_closed_form() -> None:
    x, y = 1.5, 0.5
    out, e = tanh(y), exp(x * y)
    text = "x**2 * y + tanh(y) / x - exp(x * y) + log(y) + relu(x)"
    found = hessian(introspect(text, {"x": x, "y": y}))["hessian"]
    mixed = 2 * x - (1 - out**2) / x**2 - e * (1 + x * y)
    below = -2 * out * (1 - out**2) / x - x**2 * e - 1 / y**2
    assert found["x"] == pytest.approx({"x": 2 * y + 2 * out / x**3 - y**2 * e, "y": mixed})
    assert found["y"] == pytest.approx({"x": mixed, "y": below})


def test_the_neurons_second_derivatives_are_the_differences_of_its_gradients() -> None:
    found = hessian(introspect(NEURON, AT))["hessian"]
    step = 2.0**-17
    for name, value in AT.items():
        above, below = (
            introspect(NEURON, {**AT, name: value + h})["gradients"] for h in (step, -step)
        )
        for other in AT:
            quotient = (above[other] - below[other]) / (2 * step)
            assert found[other][name] == pytest.approx(quotient, rel=1e-7, abs=1e-9)


def test_the_neurons_second_derivatives_are_pytorchs() -> None:
    found = hessian(introspect(NEURON, AT))["hessian"]
    for name, row in found.items():
        theirs = [*OF_PYTORCH[name], *REST_OF_PYTORCH[name]]
        assert list(row.values()) == pytest.approx(theirs, rel=1e-13)


def test_a_product_with_a_vector_is_that_of_the_whole_matrix() -> None:
    vector = {"x1": 1, "w2": -2, "b": 0.5}
    result = hessian(introspect(NEURON, AT), vector=vector)
    rows, product = result["hessian"], result["product"]
    assert product is not None
    for name in AT:
        whole = sum(rows[name][other] * part for other, part in vector.items())
        assert product[name] == pytest.approx(whole, rel=1e-13, abs=1e-15)


def test_a_directional_derivative_is_that_of_the_gradients() -> None:
    vector = {"x1": 1, "w2": -2, "b": 0.5}
    result = hessian(introspect(NEURON, AT), variables=[], vector=vector)
    gradients = result["document"]["gradients"]
    by_gradients = sum(gradients[name] * part for name, part in vector.items())
    assert result["directional_derivative"] == pytest.approx(by_gradients, rel=1e-13)


def test_second_derivatives_are_symmetric_but_for_rounding() -> None:
    found = hessian(introspect(NEURON, AT))["hessian"]
    for one in AT:
        for other in AT:
            assert found[one][other] == pytest.approx(found[other][one], rel=1e-13, abs=1e-15)


def test_a_graph_of_values_has_second_derivatives() -> None:
    x, y = Value(3, "an x"), Value(2, "y")
    result = hessian(introspect_value(x * x * y), variables=["an x"], vector={"y": 1})
    assert result["hessian"] == {"an x": {"an x": 4}}
    assert result["product"] == {"an x": 6, "y": 0}


def test_a_zero_is_written_without_a_sign() -> None:
    result = hessian(introspect("x * -0.0 * x", {"x": -1}), vector={"x": -1})
    assert str(result["hessian"]) == "{'x': {'x': 0.0}}"
    assert str(result["product"]) == "{'x': 0.0}"


def test_as_many_tangents_as_the_bound_are_computed() -> None:
    document = introspect("x * y", {"x": 1, "y": 2})
    limits = Limits(tangents=4)
    assert hessian(document, limits=limits)["product"] is None
    error = refusal(hessian, document, vector={}, limits=limits)
    assert (error["name"], error["limit"], error["actual"]) == ("tangents", 4, 6)
