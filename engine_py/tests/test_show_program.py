"""A graph of Values is written as a program whose document has the same numbers, to the bit."""

from collections.abc import Callable
from random import Random

import pytest

from engine_py import Value, introspect, introspect_value
from engine_py.show.program import request_of
from engine_py.tests.helpers import to_the_bit

OPERATIONS: list[Callable[[Value, Value], Value]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: x * y,
    lambda x, _: -x,
    lambda x, y: x.tanh() / (y * y + 1),
    lambda x, _: x.sin() ** 3,
    lambda x, y: x.min(y),
]


def written(root: Value) -> str:
    return request_of(introspect_value(root)).expression


def leaves(*names: str) -> list[Value]:
    return [Value(0.5 + place, name) for place, name in enumerate(names)]


def test_a_shared_node_is_a_statement_and_keeps_its_label() -> None:
    [a] = leaves("a")
    b = a + 1
    b.label = "b"
    c = a * 3
    assert written(b * c + c) == "b = a + 1; n4 = a * 3; b * n4 + n4"


def test_a_shared_constant_is_a_statement_but_an_exponent_a_number() -> None:
    [a], k = leaves("a"), Value(2.0)
    assert written(Value(0.25, (a, k), "**") * k + k) == "n1 = 2; a ** 2 * n1 + n1"


def test_the_result_keeps_its_label_too() -> None:
    a, b = leaves("a", "b")
    total = a + b
    total.label = "total"
    assert written(total) == "total = a + b"
    assert written(a) == "a"


def test_labels_that_are_no_names_or_not_the_only_ones_become_names() -> None:
    x, y, taken = Value(1.0, "x 1"), Value(2.0, "θ"), Value(3.0, "x_1")
    product, total = x * y, x + y
    product.label = total.label = "h"
    # The ids: x is 0 and θ 1, their product 2, then x_1 and the sum
    assert written(product * taken + total) == ("h = x_1_0 * n1; h_5 = x_1_0 + n1; h * x_1 + h_5")
    request = request_of(introspect_value(x * taken * y))
    assert request.values == {"x_1_0": 1, "x_1": 3, "n3": 2}


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda a, b, c: a + b + c, "a + b + c"),
        (lambda a, b, c: a + (b + c), "a + (b + c)"),
        (lambda a, b, c: a - (b - c), "a - (b - c)"),
        (lambda a, b, c: (a + b) * c, "(a + b) * c"),
        (lambda a, b, c: a / (b * c), "a / (b * c)"),
        (lambda a, b, c: a * b / c, "a * b / c"),
        (lambda a, b, c: -a * b, "-a * b"),
        (lambda a, b, c: -(a * b), "-(a * b)"),
        (lambda a, b, c: -(b * -a), "-(b * -a)"),
        (lambda a, b, c: -a.__neg__(), "-(-a)"),
        (lambda a, b, c: -(a**2), "-a ** 2"),
        (lambda a, b, c: (-a) ** 2, "(-a) ** 2"),
        (lambda a, b, c: (a**2) ** -0.5, "(a ** 2) ** -0.5"),
        (lambda a, b, c: a * -3 - -b, "a * -3 - -b"),
        (lambda a, b, c: a + -Value(3.0), "a + -(3)"),
        (lambda a, b, c: a + -(Value(3.0) ** 2), "a + -(3 ** 2)"),
        (lambda a, b, c: a + Value(-3.0) ** 2, "a + (-3) ** 2"),
        (lambda a, b, c: (a + b).max(-c).tanh(), "tanh(max(a + b, -c))"),
        (lambda a, b, c: a * 1e-7 + 1e22, "a * 1e-07 + 1e+22"),
    ],
)
def test_parentheses_stand_where_the_graph_needs_them(
    write: Callable[..., Value], text: str
) -> None:
    root = write(*leaves("a", "b", "c"))
    assert written(root) == text
    same_numbers(root)


def same_numbers(root: Value) -> None:
    """Compare the program's document with that of the Values, and with their backward()."""
    document = introspect_value(root)
    found = introspect(*request_of(document)[:2])
    assert to_the_bit(without_text(found)) == to_the_bit(without_text(document))
    root.backward()
    passed = {value.label: value.grad + 0.0 for value in leaves_of(root)}
    assert to_the_bit(found["gradients"]) == to_the_bit(
        {name: passed[name] for name in found["gradients"]}
    )


def without_text(document: object) -> object:
    """Leave out spans and labels, which a text adds; the numbers, the ids and the edges stay."""
    if isinstance(document, dict):
        text = ("expression", "span", "label")
        return {key: without_text(each) for key, each in document.items() if key not in text}
    return [without_text(each) for each in document] if isinstance(document, list) else document


def leaves_of(root: Value) -> list[Value]:
    found, waiting = {root}, [root]
    while waiting:
        fresh = waiting.pop()._prev - found
        found |= fresh
        waiting += fresh
    return [value for value in found if value.label and not value._prev]


def test_the_neuron_of_the_lesson_has_its_gradients() -> None:
    x1, x2 = Value(2.0, "x1"), Value(0.0, "x2")
    w1, w2, b = Value(-3.0, "w1"), Value(1.0, "w2"), Value(6.8813735870195432, "b")
    root = (x1 * w1 + x2 * w2 + b).tanh()
    assert written(root) == "tanh(x1 * w1 + x2 * w2 + b)"
    same_numbers(root)


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs_have_the_same_numbers(seed: int) -> None:
    """Of shared nodes, constants among them, which are not shared as exponents."""
    draw = Random(seed)
    values = [*leaves("a", "b", "c"), Value(-1.25)]
    for _ in range(12):
        left, right = draw.choice(values), draw.choice(values)
        values.append(draw.choice(OPERATIONS)(left, right))
        if draw.random() < 0.3:
            values[-1].label = draw.choice(["h", "out", "x1 * w1"])
    same_numbers(values[-1])


def test_an_operation_of_ones_own_is_refused_by_its_name() -> None:
    [a] = leaves("a")
    with pytest.raises(ValueError, match="`atan` at node 1 is an operation of your own"):
        written(Value(0.4636, (a,), (0.8,), "atan"))


def test_a_document_of_a_text_is_its_own_request() -> None:
    document = introspect("w - x", {"w": 1, "x": 2}, parameters=["w"], view="primitive")
    assert request_of(document) == ("w - x", {"w": 1, "x": 2}, ["w"], "primitive")


def test_parameters_are_marked_by_their_labels_which_are_names() -> None:
    document = introspect_value(Value(1.0, "w") * Value(2.0, "x 1"), parameters=["w"])
    assert request_of(document) == ("w * x_1", {"w": 1, "x_1": 2}, ["w"], "folded")
