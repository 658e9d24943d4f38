"""Operations of one's own, and the other forms in which the lessons' code makes a Value."""

import math
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from engine_py import (
    Value,
    draw,
    introspect_value,
)
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_tree, plain

A = 0.5


def sine(x: Value) -> Value:
    """Write a reader's first own operation, as the lessons' class has it."""
    return Value(math.sin(x.data), (x,), (math.cos(x.data),), "sine")


def test_the_lessons_constructor_with_keywords() -> None:
    x = Value(A, label="x")
    y = Value(data=1.0, _children=(x,), _local_grads=(2.0,), label="y")
    y.backward()
    assert (y.label, x.grad) == ("y", 2)
    leaf = Value(2.0, (), "", "a")  # micrograd's leaf, by position
    assert (leaf.label, leaf._children, leaf._op) == ("a", (), "")
    assert Value(2.0, ())._prev == Value(2.0, [])._prev == set()
    assert Value(2.0, _children=(x, x), _op="max", label="m")._local_grads == (0.5, 0.5)


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
