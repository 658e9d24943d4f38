"""Value: the lessons' object, on the same operations. Fixtures try its documents, too."""

import inspect
import math
import pickle
import re
from collections.abc import Callable
from copy import copy, deepcopy
from decimal import Decimal
from fractions import Fraction
from math import asinh, hypot, inf, nan
from operator import add, mul, pow, sub, truediv  # noqa: A004
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from engine_py import (
    OPERATIONS,
    GradientError,
    Limits,
    Value,
    draw,
    introspect,
    introspect_value,
)
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_tree, plain
from engine_py.tests.helpers import (
    Json,
    apply,
    carry_out,
    hold,
    make,
    programs_of_fixtures,
    refusal,
    to_the_bit,
    units,
    values_of_text,
)


def leaves(*data: float) -> list[Value]:
    return [Value(number, label) for number, label in zip(data, "abcdef", strict=False)]


def set_to(data: Any, label: str = "") -> Value:
    """Make a Value and then set its data, as a training step may do."""
    value = Value(2, label)
    value.data = data
    return value


def gradients_of(root: Value) -> dict[str, float]:
    """Return the gradients of the labelled leaves below a root."""
    found, waiting, seen = {}, [root], set[Value]()
    while waiting:
        value = waiting.pop()
        if value not in seen:
            seen.add(value)
            waiting += value._children
            if value.label and not value._op:
                found[value.label] = value.grad
    return found


# Operators and methods


@units("value", "graphs")
def test_a_graph_of_values_takes_the_steps(case: Json) -> None:
    carry_out(case)


@units("value", "made")
def test_invalid_arguments_of_value_are_refused(case: Json) -> None:
    nodes = {name: Value(0.5, name) for name in "xy"}
    for row in case["rows"]:
        hold(case, lambda row=row: make(row, nodes))  # type: ignore[misc]


def test_a_value_cannot_be_an_exponent() -> None:
    a, b = leaves(2, 3)
    for base, exponent in [(a, b), (a, a), (2, a), (2.5, a)]:
        assert refusal(pow, base, exponent) == {"code": "exponent_not_literal", "span": None}


@pytest.mark.parametrize(
    "number", [2, 2.0, np.int64(2), np.float32(2), np.array(2), Fraction(2), Decimal(2)]
)
def test_either_operand_may_be_a_number(number: Any) -> None:
    # operator, data of 6 and 2, data of 2 and 6, slope by 6 of the latter
    cases: list[tuple[Callable[[Any, Any], Value], float, float, float]] = [
        (add, 8, 8, 1),
        (sub, 4, -4, -1),
        (mul, 12, 12, 2),
        (truediv, 3, 1 / 3, -1 / 18),
    ]
    for operator, number_right, number_left, slope in cases:
        a = Value(6, "a")
        right, left = operator(a, number), operator(number, a)
        assert to_the_bit([right.data, left.data]) == to_the_bit(
            [*map(float, (number_right, number_left))]
        )
        assert [child.data for child in right._children] == [6, 2]
        assert [child.data for child in left._children] == [2, 6]
        assert right._children[0] is left._children[1] is a
        assert right._children[1].label == left._children[0].label == ""
        left.backward()
        assert a.grad == slope
    assert (Value(6) ** number).data == 36
    assert type(Value(number).data) is float


def test_an_array_is_combined_item_by_item() -> None:
    a, b = leaves(2, 3)
    row = np.array([a, b]) * np.array([10.0, 100.0])
    assert [item.data for item in row] == [20, 300]
    product = np.array([a, b]) @ np.array([10, 100])
    product.backward()
    assert (product.data, a.grad, b.grad) == (320, 10, 100)
    assert [(np.float64(2) * a).data, *[item.data for item in np.array([1, 5]) * a]] == [4, 2, 10]


def test_sum_and_abs_of_python_take_values() -> None:
    total: Any = sum(leaves(1, 2, 3))
    assert total.data == 6
    x = Value(-2.0)
    y = abs(x)
    y.backward()
    assert (y.data, y._op, x.grad) == (2.0, "abs", -1.0)


def test_methods_have_signatures_and_docstrings() -> None:
    assert str(inspect.signature(Value.min)) == "(x, y)"
    assert str(inspect.signature(Value.sqrt)) == "(x)"
    for name, row in OPERATIONS.items():
        if row.form == "call":
            method = getattr(Value, name)
            assert (method.__name__, method.__doc__) == (name, row.rule.__doc__)
            assert method.__doc__
    x: Any = Value(1.0)
    for call in (x.min, lambda: x.min(2, 3), lambda: x.sqrt(5)):
        with pytest.raises(TypeError, match="positional argument"):
            call()
    squashed: list[Value] = list(map(Value.tanh, (Value(0), Value(0.5))))  # and mypy knows it
    assert squashed[0].data == 0


def test_a_value_shows_its_data_gradient_and_label() -> None:
    a = Value(2, "a")
    (a * -3).backward()
    assert repr(a) == "Value(data=2.0, grad=-3.0, label='a')"
    assert repr(Value(-0.5)) == "Value(data=-0.5, grad=0.0)"


# Gradients


def gradient_is_complete(document: Any) -> bool:
    edges = [edge for edge in document["edges"] if edge["differentiable"]]
    return all(edge["running_grad"] is not None for edge in edges)


def test_values_have_the_documents_and_gradients_of_texts() -> None:
    tried = 0
    for expression, values, expected in programs_of_fixtures():
        if "document" not in expected:
            continue
        document: Any = introspect(expression, values)
        if any(node["kind"] == "constant" and node["label"] for node in document["nodes"]):
            continue  # a leaf with a label is a variable
        document |= {"expression": None, "unused_values": []}
        for node in document["nodes"]:
            node["span"] = None
        root = values_of_text(expression, values)[-1]
        assert to_the_bit(introspect_value(root)) == to_the_bit(document)
        assert root.data == document["result"]
        if gradient_is_complete(document):
            root.backward()
            assert gradients_of(root) == document["gradients"]
        else:  # that of a constant, which backward treats as a variable
            assert refusal(root.backward)["code"] == "non_finite"
        tried += 1
    assert tried > 300


def test_values_have_the_errors_of_their_texts() -> None:
    tried = 0
    for expression, values, expected in programs_of_fixtures():
        code = expected.get("error", {}).get("code")
        if code in ("domain_error", "non_finite"):
            with pytest.raises(GradientError) as caught:
                values_of_text(expression, values)[-1].backward()
            assert (caught.value.code, caught.value.data["node"]) == (code, None)
            tried += 1
    assert tried > 50


def test_a_chain_of_any_length_is_walked_without_recursion() -> None:
    length = 20_000
    root = a = Value(1.0, "a")
    for _ in range(length):
        root = root + a
    root.backward()
    assert (root.data, a.grad) == (length + 1, length + 1)
    document = introspect_value(root, limits=Limits(nodes=length + 1))
    assert (document["root"], document["gradients"]) == (length, {"a": length + 1})


def test_a_shared_value_is_visited_once() -> None:
    doubled = a = Value(1, "a")
    for _ in range(60):
        doubled = doubled + doubled
    doubled.backward()
    assert a.grad == 2**60


# Code written for micrograd


def test_a_value_is_converted_and_compared_as_its_data() -> None:
    a, b = leaves(2.0, 3.0)
    assert (a.item(), float(a), f"{a:.4f}", f"{a}") == (2.0, 2.0, "2.0000", repr(a))
    assert (a < b, a <= 2, a > 2.5, b >= a, a == b) == (True, True, False, True, False)
    assert max(a, b) is b
    for truth in (True, np.float64(2.0) > 0):
        assert ((truth * a).data, Value(truth).data) == (2.0, 1.0)


def test_a_value_as_data_or_as_exponent_is_refused_with_a_cure() -> None:
    a, b = leaves(2.0, 3.0)
    make: Any = Value
    with pytest.raises(TypeError, match=r"write Value\(x.data\) for a leaf of its own"):
        make(a)
    with pytest.raises(GradientError, match=r"write \(b \* a.log\(\)\).exp\(\) for a \*\* b"):
        make(2.0) ** b
    assert refusal(introspect, "x + 1", {"x": a})["code"] == "invalid_value"


def test_op_and_prev_can_be_set_on_a_leaf_but_not_on_a_result() -> None:
    make: Any = Value
    leaf = make(2.0, _op="input")
    assert (leaf._op, leaf._children) == ("input", ())
    leaf._op, leaf._prev = "leaf", set()
    result: Any = leaf * 3
    result.backward()
    assert (leaf._op, leaf.grad) == ("leaf", 3.0)
    for name, content in (("_op", "mul"), ("_prev", {leaf})):
        with pytest.raises(AttributeError, match="cannot be replaced: its gradients come from"):
            setattr(result, name, content)
    with pytest.raises(AttributeError, match=r"operands of .* write Value\(data, children, local"):
        leaf._prev = {result}


def test_zero_grad_sets_all_below_to_0() -> None:
    a, b = leaves(2.0, 3.0)
    root = a * b + a
    root.backward()
    root.zero_grad()
    assert [node.grad for node in (a, b, root)] == [0.0, 0.0, 0.0]
    root.backward()
    assert (a.grad, b.grad) == (4.0, 2.0)


def test_a_deep_graph_is_copied_and_pickled_with_what_it_shares() -> None:
    x, own = Value(2.0, "x"), Value(5.0)
    own = Value(25.0, (own,), (10.0,), "sq", "y")
    root = x * own
    for _ in range(20_000):
        root = root + x
    vars(x)["m"] = [1.0]
    both: list[Any] = [x, root]
    for leaf, copied in (deepcopy(both), pickle.loads(pickle.dumps(both))):
        copied.backward()
        assert (leaf.grad, copied.data, leaf.m, leaf.label) == (20_025.0, root.data, [1.0], "x")
        assert leaf.m is not vars(x)["m"]
    assert (x.grad, root.grad) == (0.0, 0.0)
    again: Any = pickle.loads(pickle.dumps(own + 1))
    assert introspect_value(again)["nodes"][1]["operation"] == "custom"
    assert copy(own)._children == own._children


def test_the_rows_of_the_page_for_users_of_micrograd_are_true() -> None:
    page = Path(__file__).parents[1].joinpath("FROM_MICROGRAD.md").read_text()
    rows = re.findall(r"^\| `(.+?)` \| (.+?) \| `(.+?)` \|$", page, re.MULTILINE)
    assert len(rows) > 10
    for theirs, here, instead in rows:
        a, b = leaves(2.0, 3.0)
        names = {"Value": Value, "a": a, "b": b, "c": a * b, "asinh": asinh, "hypot": hypot}
        names |= {"deepcopy": deepcopy, "pickle": pickle}
        if here.startswith("refused"):
            with pytest.raises((GradientError, TypeError, AttributeError)):
                exec(theirs, names)
        else:
            exec(theirs, names)
        exec(instead, names)


# Invalid and non-finite numbers


def test_the_data_of_a_value_must_be_a_finite_number() -> None:
    expected = {"code": "invalid_value", "span": None, "name": "w", "pointer": ""}
    nonsense: list[Any] = [None, "2", [], 1j, np.array([2.0]), nan, inf, -inf, 10**400, 10**5_000]
    for data in nonsense:
        assert refusal(Value, data, "w") == expected
        for operator in (add, sub, mul, truediv, pow):
            assert refusal(operator, Value(2, "a"), data) == {**expected, "name": ""}


@pytest.mark.parametrize("symbol", OPERATIONS)
def test_an_operand_whose_data_was_set_to_a_non_finite_number_is_refused(symbol: str) -> None:
    arity = OPERATIONS[symbol].arity
    slots = [0] if symbol == "**" else range(arity)  # an exponent is a plain number
    unfit: list[Any] = [nan, inf, -inf, 10**400, np.float32(nan)]
    for slot in slots:
        expected: list[float | None] = [3] * arity
        expected[slot] = None
        where = {"stage": "data", "node": None, "operation": symbol, "slot": slot}
        non_finite = {"code": "non_finite", "span": None, **where, "operands": expected}
        for data in unfit:
            operands = [Value(3) for _ in range(arity)]
            operands[slot] = set_to(data, "w")
            assert refusal(apply, symbol, *operands) == non_finite


def test_data_set_to_another_number_is_read_as_a_double() -> None:
    assert to_the_bit(set_to(3).data) == "3.0"
    assert to_the_bit(set_to(True).data) == "1.0"
    assert (set_to(2**53 + 1) + 0).data == 2**53
    a = set_to(np.float32(1.5), "a")
    assert to_the_bit((a * 2).data) == "3.0"
    assert introspect_value(a * 2)["values"] == {"a": 1.5}


def test_a_grad_may_be_an_integer_and_the_roots_is_overwritten() -> None:
    a, b = leaves(2, 3)
    root = a * b
    a.grad, root.grad = 0, nan
    root.backward()
    assert to_the_bit([a.grad, b.grad, root.grad]) == "[3.0, 2.0, 1.0]"


# Operations of your own, and the other forms in which the lessons' code makes a Value


A = 0.5


def sine(x: Value) -> Value:
    """Return a custom operation, written as for the lessons' class."""
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
    """A derived class with an operation and an attribute of its own."""

    def __init__(self, data: float, note: str) -> None:
        super().__init__(data, label=note)
        self.note = note

    def sine(self) -> Value:
        """Return a plain Value, as the function does."""
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
def test_operations_on_a_derived_class_return_that_class(result: Callable[[Any], Any]) -> None:
    x = Noted(2.0, "x")
    made = result(x)
    assert type(made) is Noted
    assert all(type(child) in (Noted, Value) for child in made._children)
    made.backward()
    assert introspect_value(made)["gradients"] == {"x": x.grad}
    assert type(Value(1.0) + 1) is Value


def test_a_number_next_to_a_derived_value_becomes_one() -> None:
    x = Noted(2.0, "x")
    assert [type(child) for child in (3 * x)._children] == [Noted, Noted]
    assert type(x.sine()) is Value


def test_pictures_and_trees_show_any_name_of_an_operation() -> None:
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
