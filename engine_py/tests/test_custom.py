"""Operations of one's own, and the other forms in which the lessons' code makes a Value."""

import math
from collections.abc import Callable
from math import inf, nan
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine_py import (
    Value,
    descend,
    digest,
    draw,
    experiment,
    hessian,
    introspect_value,
    paths,
)
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_tree, plain
from engine_py.tests.helpers import Json, refusal, to_the_bit

A, B = 0.5, -1.5


def sine(x: Value) -> Value:
    """Write a reader's first own operation, as the lessons' class has it."""
    return Value(math.sin(x.data), (x,), (math.cos(x.data),), "sine")


def area(x: Value, y: Value) -> Value:
    """Have two operands: x * y by another name."""
    return Value(x.data * y.data, [x, y], [y.data, x.data], "area", label="S")


def stale(node: int, name: str, *operands: float) -> Json:
    where = {"node": node, "name": name, "operands": list(operands)}
    return {"code": "stale_custom", "span": None, **where}


def test_an_operation_of_ones_own_has_the_numbers_that_it_is_given() -> None:
    x = Value(A, "x")
    y = sine(x)
    assert (y.data, y._local_grads, y._children, y._op) == (
        math.sin(A),
        (math.cos(A),),
        (x,),
        "sine",
    )
    (y * 3).backward()
    assert x.grad == 3 * math.cos(A)
    document = introspect_value(y * 3)
    node = document["nodes"][1]
    assert (node["operation"], node["name"], node["derived"]) == ("custom", "sine", False)
    assert document["gradients"] == {"x": 3 * math.cos(A)}
    assert len(digest(document)) == 64


def test_a_custom_operation_of_two_operands_stands_for_the_one_it_imitates() -> None:
    x, y = Value(A, "x"), Value(B, "y")
    own, known = introspect_value(area(x, y).tanh()), introspect_value((x * y).tanh())
    assert own["gradients"] == known["gradients"]
    assert to_the_bit(own["edges"]) == to_the_bit(known["edges"])
    assert paths(own, node="x")["sum"] == own["gradients"]["x"]
    assert experiment(own)["walks"][0]["differences"] == {"x": 0, "y": 0}


def test_without_a_name_it_is_custom() -> None:
    x = Value(A, "x")
    y = Value(1.0, (x,), (2,))
    assert (y._op, y._local_grads) == ("custom", (2,))
    assert introspect_value(y)["nodes"][1]["name"] == "custom"


def test_the_lessons_constructor_with_keywords() -> None:
    x = Value(A, label="x")
    y = Value(data=1.0, _children=(x,), _local_grads=(2.0,), label="y")
    y.backward()
    assert (y.label, x.grad) == ("y", 2)
    leaf = Value(2.0, (), "", "a")  # micrograd's leaf, by position
    assert (leaf.label, leaf._children, leaf._op) == ("a", (), "")
    assert Value(2.0, ())._prev == Value(2.0, [])._prev == set()


@pytest.mark.parametrize("number", [nan, inf, None, "1", 10**400])
def test_its_numbers_are_finite(number: Any) -> None:
    x = Value(A, "x")
    expected = {"code": "invalid_value", "span": None, "name": "y", "pointer": ""}
    assert refusal(Value, number, (x,), (1.0,), "f", "y") == expected
    assert refusal(Value, 1.0, (x, x), (1.0, number), "f", "y") == expected


def test_an_operand_that_became_no_number_is_refused() -> None:
    x = Value(A, "x")
    x.data = nan
    error = refusal(Value, 1.0, (Value(1.0), x), (1.0, 1.0), "f")
    assert (error["code"], error["stage"], error["operation"]) == ("non_finite", "data", "custom")
    assert (error["operands"], error["slot"]) == ([1, None], 1)


def test_what_is_no_operation_of_ones_own_is_refused_in_words() -> None:
    make: Any = Value
    x = Value(A, "x")
    for arguments in [
        (1.0, (x,), (1.0,), "tanh"),
        (1.0, (x,), (1.0, 2.0)),
        (1.0, (), (1.0,)),
        (1.0, (x, x, x), (1.0, 1.0, 1.0)),
        (1.0, (A,), (1.0,)),
        (1.0, (x,), (1.0,), 5),
        (1.0, x, (1.0,)),
        (1.0, "x", (1.0,)),
    ]:
        with pytest.raises(TypeError, match=r"a name of your own is not one of these$"):
            make(*arguments)


def test_it_is_stale_where_its_operands_have_other_data() -> None:
    x, y = Value(A, "x"), Value(B, "y")
    root = area(x.relu(), y) + 1
    assert introspect_value(root)["result"] == A * B + 1
    x.data = 2.0
    assert refusal(introspect_value, root) == stale(3, "area", 2, B)
    assert root._repr_svg_() is None  # a notebook shows the text instead
    x.data = A
    assert introspect_value(root)["result"] == A * B + 1


def test_a_reread_walk_takes_it_as_long_as_its_operands_stay() -> None:
    x, y = Value(A, "x"), Value(B, "y")
    document = introspect_value(sine(x) * y)
    reread = experiment(document, mutate={"y": 5})["walks"][1]
    assert reread["gradients"] == {"x": 5 * math.cos(A), "y": math.sin(A)}
    assert refusal(experiment, document, mutate={"x": 5}) == stale(1, "sine", 5)


def test_a_descent_ends_where_it_is_stale() -> None:
    x, w = Value(A, "x"), Value(B, "w")
    settings: dict[str, Any] = {"steps": 2, "learning_rate": 0.5}
    on_input = introspect_value(sine(x) * w, parameters=["w"])
    descent = descend(on_input, **settings)
    assert [point["parameters"]["w"] for point in descent["trajectory"]] == [
        B,
        B - 0.5 * math.sin(A),
        B - 0.5 * math.sin(A) - 0.5 * math.sin(A),
    ]
    descent = descend(introspect_value(sine(x) * w, parameters=["x"]), **settings)
    moved = A - 0.5 * (B * math.cos(A))
    fault: Any = descent["fault"]
    assert (len(descent["trajectory"]), fault["step"], fault["row"]) == (1, 1, 0)
    del fault["error"]["message"]
    assert fault["error"] == stale(1, "sine", moved)


def test_second_derivatives_refuse_it_where_a_tangent_reaches_it() -> None:
    x, y = Value(A, "x"), Value(B, "y")
    document = introspect_value(sine(x) * y * y)
    assert hessian(document, variables=["y"])["hessian"] == {"y": {"y": 2 * math.sin(A)}}
    assert refusal(hessian, document) == stale(1, "sine", A)
    assert refusal(hessian, document, variables=[], vector={"x": 0}) == stale(1, "sine", A)


def test_micrograds_form_is_the_operation_of_the_table() -> None:
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    e = Value(a.data * b.data, (a, b), "*", label="e")
    assert (e.data, e._op, e.label, e._local_grads) == (-6, "*", "e", (-3, 2))
    n = Value(0.25, (e,), "neg")  # its data is taken as it is given
    assert (n.data, n._local_grads) == (0.25, (-1,))
    n.backward()
    assert (a.grad, b.grad) == (3, -2)
    assert introspect_value(n)["result"] == 6  # and computed anew from the leaves
    assert Value(2.0, _children=(a, a), _op="max", label="m")._local_grads == (0.5, 0.5)
    cube = Value(8.0, (a, Value(3.0)), "**")
    assert (cube._local_grads, introspect_value(cube)["edges"][1]["differentiable"]) == (
        (12, None),
        False,
    )
    assert refusal(Value, 8.0, (a, b), "**")["code"] == "exponent_not_literal"
    assert refusal(Value, 8.0, (b,), "log")["code"] == "domain_error"


class Noted(Value):
    """A reader's own class, with an operation and an attribute of its own."""

    def __init__(self, data: float, note: str) -> None:
        super().__init__(data, label=note)
        self.note = note

    def sine(self) -> Value:
        """Return a plain Value, as `sine` makes one."""
        return sine(self)


@pytest.mark.parametrize(
    "result",
    [
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: x**2,
        lambda x: -x,
        lambda x: abs(x).tanh(),
        lambda x: Value(2.0) * x,
        lambda x: x.max(Value(3.0)),
        lambda x: sum([x, x]),
    ],
)
def test_results_of_a_derived_class_are_of_that_class(result: Callable[[Any], Any]) -> None:
    x = Noted(2.0, "x")
    made = result(x)
    assert type(made) is Noted
    assert all(type(child) in (Noted, Value) for child in made._children)
    made.backward()
    assert introspect_value(made)["gradients"] == {"x": x.grad}
    assert type(Value(1.0) + 1) is Value


def test_a_constant_beside_a_derived_class_is_of_it() -> None:
    x = Noted(2.0, "x")
    assert [type(child) for child in (3 * x)._children] == [Noted, Noted]
    assert type(x.sine()) is Value


def test_pictures_and_trees_say_its_name_whatever_text_it_is() -> None:
    root = Value(1.0, (Value(A, "x"),), (2.0,), '<b>|{"&')
    document = introspect_value(root)
    names = [text.text for text in ET.fromstring(draw(document)).iter() if text.text]
    assert '<b>|{"&' in names
    assert draw_tree(document, plain)[1].startswith('<b>|{"&  ')
    assert r"n1_op [shape=circle" in to_dot(document)
    assert r'label="\<b\>\|\{\"&amp;"' in to_dot(document)
    assert '(("#60;b#62;#124;#123;#34;#38;"))' in to_mermaid(document)


def test_a_prefix_plus_adds_no_node() -> None:
    x = Value(2.0, "x")
    assert +x is x
