import inspect
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from operator import add, mul, pow, sub, truediv  # noqa: A004
from random import Random
from typing import Any

import numpy as np
import pytest

from engine_py import OPERATIONS, GradientError, Limits, Value, introspect, introspect_value
from engine_py.tests.helpers import Json, apply, refusal, to_the_bit, units, value_of_text


def program_of_seed(seed: int) -> tuple[str, dict[str, float]]:
    """Write statements that use what is there already, the last of them using all."""
    random = Random(seed)
    names = ["a", "b", "c"]
    values = {name: random.choice([random.uniform(-3, 3), 0.0, 1e-310, 7.0]) for name in names}
    statements = []
    for index in range(random.randrange(1, 12)):
        x, y = random.choice(names), random.choice([*names, str(random.randrange(5)), "-0.5"])
        form = random.choice(
            ["{} + {}", "{} - {}", "{} * {}", "-{}", "relu({})", "tanh({})", "{} ** 2", "{} ** 3"]
        )
        statements.append(f"v{index} = {form.format(x, y)}")
        names.append(f"v{index}")
    return "; ".join([*statements, " + ".join(names)]), values


def leaves(*data: float) -> list[Value]:
    return [Value(number, label) for number, label in zip(data, "abcdef", strict=False)]


def gradients_of(root: Value) -> dict[str, float]:
    """Give the gradients of the labelled leaves below a root."""
    found, waiting = {}, [root]
    while waiting:
        value = waiting.pop()
        waiting += value._children
        if value.label and not value._op:
            found[value.label] = value.grad
    return found


def test_a_leaf_has_data_and_a_label_and_nothing_else() -> None:
    a = Value(2, label="a")
    assert (a.data, a.grad, a.label) == (2, 0, "a")
    assert (a._children, a._local_grads, a._op) == ((), (), "")
    assert Value(-1.5).label == ""
    assert type(a.data) is type(a.grad) is float


@units("operations", "points")
def test_an_operation_remembers_its_operands_and_local_gradients(case: Json) -> None:
    symbol, operands = case["operation"], [Value(float(operand)) for operand in case["operands"]]
    value = apply(symbol, *operands)
    expected = [None if local is None else float(local) for local in case["local_grads"]]
    assert to_the_bit([value.data, *value._local_grads]) == to_the_bit(
        [float(case["data"]), *expected]
    )
    assert (value._op, value.grad, value.label) == (symbol, 0, "")
    assert len(value._children) == len(operands)
    taken = 1 if symbol == "**" else 2  # an exponent is a plain number
    assert list(map(id, value._children))[:taken] == list(map(id, operands))[:taken]


def test_a_power_has_a_constant_exponent() -> None:
    a = Value(2, "a")
    cube = a**3
    assert (cube._op, cube.data, cube._local_grads) == ("**", 8, (12, None))
    base, exponent = cube._children
    assert base is a
    assert (exponent.data, exponent.label, exponent._op) == (3, "", "")
    cube.backward()
    assert (a.grad, exponent.grad) == (12, 0)
    assert (Value(4) ** 0.5).data == 2
    assert (Value(4) ** -1).data == 0.25


def test_a_number_stands_on_either_side() -> None:
    cases: list[tuple[Callable[[Any, Any], Value], float, float]] = [
        (add, 8, 8),
        (sub, 4, -4),
        (mul, 12, 12),
        (truediv, 3, 1 / 3),
    ]
    for operator, number_right, number_left in cases:
        a = Value(6, "a")
        right, left = operator(a, 2), operator(2, a)
        assert (right.data, left.data) == (number_right, number_left)
        assert [child.data for child in right._children] == [6, 2]
        assert [child.data for child in left._children] == [2, 6]
        assert right._children[0] is left._children[1] is a
        assert right._children[1].label == left._children[0].label == ""


def test_the_gradients_of_numbers_on_the_left() -> None:
    a = Value(2, "a")
    for value, grad in [(1 + a, 1), (2 - a, -1), (3 * a, 3), (6 / a, -1.5)]:
        a.grad = 0.0
        value.backward()
        assert a.grad == grad


@pytest.mark.parametrize(
    "number", [np.int64(3), np.float32(3), np.array(3), Fraction(3), Decimal(3)]
)
def test_a_number_of_another_package_stands_on_either_side(number: Any) -> None:
    a = Value(6, "a")
    for operator, right, left in [(add, 9, 9), (sub, 3, -3), (mul, 18, 18), (truediv, 2, 0.5)]:
        assert to_the_bit([operator(a, number).data, operator(number, a).data]) == to_the_bit(
            [float(right), float(left)]
        )
    assert (a**number).data == 216
    assert type(Value(number).data) is float
    assert introspect("a", {"a": number})["result"] == 3


def test_an_array_takes_part_item_by_item() -> None:
    a, b = leaves(2, 3)
    row = np.array([a, b]) * np.array([10.0, 100.0])
    assert [item.data for item in row] == [20, 300]
    product = np.array([a, b]) @ np.array([10, 100])
    product.backward()
    assert (product.data, a.grad, b.grad) == (320, 10, 100)
    assert [(np.float64(2) * a).data, *[item.data for item in np.array([1, 5]) * a]] == [4, 2, 10]


def test_data_set_to_a_number_of_numpy_is_read_as_a_double() -> None:
    a = set_to(np.float32(1.5), "a")
    assert to_the_bit((a * 2).data) == "3.0"
    assert introspect_value(a * 2)["values"] == {"a": 1.5}
    assert refusal(mul, set_to(np.float32(nan)), 2)["code"] == "non_finite"
    message = r"^the data of a Value must be a finite number, not a bool$"
    with pytest.raises(GradientError, match=message):
        mul(Value(1.0), np.True_)


def test_sum_starts_from_the_number_zero() -> None:
    total = sum(leaves(1, 2, 3))
    assert isinstance(total, Value)
    assert total.data == 6


def test_a_value_is_no_exponent() -> None:
    a, b = leaves(2, 3)
    expected = {"code": "exponent_not_literal", "span": None}
    assert refusal(pow, a, b) == expected
    assert refusal(pow, a, a) == expected
    assert refusal(pow, 2, a) == expected
    assert refusal(pow, 2.5, a) == expected


def test_backward_changes_only_what_the_root_depends_on() -> None:
    a, b = leaves(2, 3)
    inner = a * b
    outer = inner + a
    inner.backward()
    assert (a.grad, b.grad, inner.grad, outer.grad) == (3, 2, 1, 0)


def test_a_second_backward_adds_stale_inner_gradients_too() -> None:
    a, b, c = leaves(2, 3, 10)
    d = a * b + c
    d.backward()
    assert (a.grad, b.grad, c.grad) == (3, 2, 1)
    d.backward()
    # a * b has the gradient 1 + 1 by now, so a gets 3 + 2 * 3: not twice, but three times as much.
    assert (a.grad, b.grad, c.grad) == (9, 6, 2)


def test_gradients_at_depth_one_double_with_a_second_backward() -> None:
    a, b = leaves(2, 3)
    product = a * b
    product.backward()
    product.backward()
    assert (a.grad, b.grad, product.grad) == (6, 4, 1)


def test_a_chain_of_any_length_is_walked_without_recursion() -> None:
    length = 20_000
    a = Value(1.0, "a")
    root = a
    for _ in range(length):
        root = root + a
    root.backward()
    assert (root.data, a.grad) == (length + 1, length + 1)
    limits = Limits(nodes=length + 1)
    document = introspect_value(root, limits=limits)
    assert (document["root"], document["gradients"]) == (length, {"a": length + 1})


@units("value", "programs")
# Holds R29.1.
def test_a_graph_of_values_gives_the_document_of_its_text(case: Json) -> None:
    for expression, values in case["programs"]:
        document: Any = introspect(expression, values)
        root = value_of_text(expression, values)
        document["expression"] = None
        for node in document["nodes"]:
            node["span"] = None
        assert to_the_bit(introspect_value(root)) == to_the_bit(document)
        root.backward()
        assert (root.data, gradients_of(root)) == (document["result"], document["gradients"])


# Holds R29.1.
def test_random_graphs_of_values_give_the_documents_of_their_texts() -> None:
    written = 0
    for seed in range(300):
        expression, values = program_of_seed(seed)
        try:
            document: Any = introspect(expression, values)
        except GradientError as error:
            assert error.code == "non_finite"  # noqa: PT017
            continue
        document["expression"] = None
        for node in document["nodes"]:
            node["span"] = None
        root = value_of_text(expression, values)
        assert to_the_bit(introspect_value(root)) == to_the_bit(document)
        root.backward()
        assert root.data == document["result"]
        written += 1
    assert written > 200


def test_backward_gives_the_gradients_of_the_document() -> None:
    for seed in range(100):
        expression, values = program_of_seed(seed)
        try:
            root = value_of_text(expression, values)
            root.backward()
        except GradientError as error:
            assert error.code == "non_finite"  # noqa: PT017
            continue
        assert gradients_of(root) == introspect_value(root)["gradients"]


def test_introspection_leaves_the_values_as_they_are() -> None:
    a, b = leaves(2, 3)
    root = a * b
    root.grad = 7.0
    introspect_value(root)
    assert [value.grad for value in (a, b, root)] == [0, 0, 7]
    assert root._local_grads == (3, 2)


# Holds R29.3.
def test_introspection_computes_anew_from_the_leaves() -> None:
    a, b = leaves(2, 3)
    root = a * b + 1
    a.data, root.data = 5.0, 99.0
    document = introspect_value(root)
    assert document["values"] == {"a": 5, "b": 3}
    assert (document["result"], document["gradients"]) == (16, {"a": 3, "b": 5})
    assert (root.data, root._children[0].data) == (99, 6)


# Holds R29.5.
def test_introspection_refuses_changed_data_that_has_no_answer() -> None:
    a = Value(2, "a")
    root = a.log() * 2
    a.data = -1.0
    error = refusal(introspect_value, root)
    assert error == {
        "code": "domain_error",
        "span": None,
        "node": 1,
        "operation": "log",
        "operands": [-1],
    }


# Holds R29.5.
def test_a_leaf_whose_data_became_no_finite_number_is_refused() -> None:
    for nonsense in (inf, -inf, nan):
        for build in (lambda a: a, lambda a: a + 1, Value.relu):
            a = Value(2, "a")
            root = build(a)
            a.data = nonsense
            assert refusal(introspect_value, root)["code"] in ("invalid_value", "non_finite")


def test_a_leaf_with_broken_data_is_named() -> None:
    for label in ("a", ""):
        a = Value(2, label)
        root = a + 1
        a.data = nan
        expected = {"code": "invalid_value", "span": None, "name": label, "pointer": ""}
        assert refusal(introspect_value, root) == expected


def test_a_shared_value_is_found_once() -> None:
    a = Value(1, "a")
    doubled = a
    for _ in range(60):
        doubled = doubled + doubled
    doubled.backward()
    assert a.grad == 2**60


# Holds R29.2.
def test_an_unlabelled_leaf_is_a_constant() -> None:
    document: Any = introspect_value(Value(2, "a") * Value(3) + 4)
    kinds = [(node["kind"], node["label"], node["data"]) for node in document["nodes"]]
    assert kinds[0] == ("input", "a", 2)
    assert [kinds[node] for node in (1, 3)] == [("constant", None, 3), ("constant", None, 4)]
    assert document["values"] == {"a": 2}
    assert document["gradients"] == {"a": 3}


# Holds R29.8.
def test_a_constant_without_a_gradient_is_refused_by_backward_alone() -> None:
    root = Value(3, "x") * Value(0).sqrt()
    document = introspect_value(root)
    assert [node["grad"] for node in document["nodes"]] == [0, None, 3, 1]
    error = refusal(root.backward)
    assert (error["stage"], error["operation"], error["slot"]) == ("local_grad", "sqrt", 0)


# Holds R29.2.
def test_a_label_given_later_counts() -> None:
    a = Value(2)
    root = a * a
    a.label, root.label = "a", "square"
    document = introspect_value(root)
    assert [node["label"] for node in document["nodes"]] == ["a", "square"]
    assert document["gradients"] == {"a": 4}


def test_an_operation_may_have_the_label_of_a_leaf() -> None:
    root = Value(2, "a") + Value(3, "b")
    root.label = "a"
    document = introspect_value(root)
    assert [node["kind"] for node in document["nodes"]] == ["input", "input", "operation"]
    assert document["values"] == {"a": 2, "b": 3}


# Holds R29.2.
def test_two_leaves_with_one_label_are_a_duplicate_name() -> None:
    expected = {"code": "duplicate_name", "span": None, "name": "a"}
    assert refusal(introspect_value, Value(2, "a") + Value(2, "a")) == expected
    assert introspect_value(Value(2) + Value(2))["result"] == 4
    a = Value(2, "a")
    assert introspect_value(a + a)["gradients"] == {"a": 2}


def test_parameters_are_marked_and_checked() -> None:
    root = Value(2, "x") * Value(3, "w")
    kinds = [node["kind"] for node in introspect_value(root, parameters=["w"])["nodes"]]
    assert kinds == ["input", "parameter", "operation"]
    error = refusal(introspect_value, root, parameters=["w", "w"])
    assert error == {"code": "invalid_request", "span": None, "pointer": "/parameters/1"}
    error = refusal(introspect_value, root, parameters=["w", "zz"])
    assert error == {"code": "missing_value", "span": None, "name": "zz", "names": ["zz"]}


# Holds R29.4.
def test_the_limit_of_nodes_holds_for_values() -> None:
    root = Value(2, "a") + 1
    assert introspect_value(root, limits=Limits(nodes=3))["root"] == 2
    error = refusal(introspect_value, root, limits=Limits(nodes=2))
    data = {"name": "nodes", "limit": 2, "actual": 3}
    assert error == {"code": "limit_exceeded", "span": None, **data}


# Holds R29.7.
def test_a_value_is_made_of_a_finite_number() -> None:
    nonsense: list[Any] = [None, True, "2", [], nan, inf, -inf, 10**400]
    for data in nonsense:
        expected = {"code": "invalid_value", "span": None, "name": "w", "pointer": ""}
        assert refusal(Value, data, "w") == expected
        for operator in (add, sub, mul, truediv, pow):
            error = refusal(operator, Value(2, "a"), data)
            assert error == {**expected, "name": ""}


def test_an_integer_that_python_refuses_to_write_is_refused_like_any_other() -> None:
    assert refusal(Value, 10**5_000)["code"] == "invalid_value"
    assert refusal(add, Value(2), 10**5_000)["code"] == "invalid_value"


@units("operations", "outside")
def test_an_operation_outside_its_domain_is_refused_at_once(case: Json) -> None:
    for row in case["operands"]:
        operands = [Value(float(operand)) for operand in row]
        where = {"node": None, "operation": case["operation"]}
        error = refusal(apply, case["operation"], *operands)
        assert to_the_bit(error["operands"]) == to_the_bit([float(x) + 0.0 for x in row])
        assert error == {"code": "domain_error", "span": None, **where, "operands": row}


def test_data_beyond_the_doubles_is_refused_at_once() -> None:
    big = Value(1e200, "big")
    for symbol, operands in [("*", [big, big]), ("exp", [big]), ("**", [big, Value(2)])]:
        assert refusal(apply, symbol, *operands) == {
            "code": "non_finite",
            "span": None,
            "stage": "data",
            "node": None,
            "operation": symbol,
            "operands": [operand.data for operand in operands],
            "slot": None,
        }


def test_gradients_beyond_the_doubles_are_refused_by_backward() -> None:
    a, b = leaves(0, 1e200)
    product = a * b
    root = product * b
    error = refusal(root.backward)
    assert (error["code"], error["operation"]) == ("non_finite", "*")
    assert error["operands"] == [0, 1e200]
    assert refusal(introspect_value, root)["stage"] == "contribution"
    assert (error["stage"], error["slot"]) == ("contribution", 0)
    error = refusal(Value(5e-324, "a").log().backward)  # 1 / 5e-324 is beyond the doubles
    assert (error["stage"], error["slot"]) == ("local_grad", 0)


def test_a_value_shows_its_data_gradient_and_label() -> None:
    a = Value(2, "a")
    (a * -3).backward()
    assert repr(a) == "Value(data=2.0, grad=-3.0, label='a')"
    assert repr(Value(-0.5)) == "Value(data=-0.5, grad=0.0)"


def set_to(data: Any, label: str = "") -> Value:
    """Make a Value whose data was set to anything afterwards, as a training step may do."""
    value = Value(2, label)
    value.data = data
    return value


@pytest.mark.parametrize("symbol", OPERATIONS)
@pytest.mark.parametrize("data", [nan, inf, -inf, 10**400])
# Holds R29.6.
def test_an_operand_whose_data_was_set_to_no_finite_number_is_refused(
    symbol: str, data: float
) -> None:
    arity = OPERATIONS[symbol].arity
    slots = [0] if symbol == "**" else range(arity)  # an exponent is a plain number
    for slot in slots:
        operands = [Value(3) for _ in range(arity)]
        operands[slot] = set_to(data, "w")
        expected: list[float | None] = [3] * arity
        expected[slot] = None
        error = refusal(apply, symbol, *operands)
        where = {"stage": "data", "node": None, "operation": symbol, "slot": slot}
        assert error == {"code": "non_finite", "span": None, **where, "operands": expected}


def test_the_message_names_the_operand_and_the_hint() -> None:
    with pytest.raises(GradientError) as caught:
        Value(1, "x") * set_to(nan, "w")
    assert caught.value.message == (
        "the data of operand 1 (`w`) of `*` is not finite; if training set it, use a smaller "
        "learning rate"
    )
    with pytest.raises(GradientError, match=r"^the data of operand 0 of `log` is not finite;"):
        set_to(inf).log()


# Holds R29.7.
def test_an_operand_whose_data_is_no_number_is_refused() -> None:
    for data in (None, True, "2", [1.0], 1j):
        for label in ("w", ""):
            expected = {"code": "invalid_value", "span": None, "name": label, "pointer": ""}
            assert refusal(add, set_to(data, label), 1) == expected
            assert refusal(mul, Value(1), set_to(data, label)) == expected
            assert refusal(set_to(data, label).relu) == expected


def test_an_operand_whose_data_was_set_to_an_integer_is_read_as_a_double() -> None:
    assert to_the_bit((set_to(3) * 2).data) == "6.0"
    assert (set_to(2**53 + 1) + 0).data == 2**53


# Holds R29.6.
def test_a_grad_that_was_set_to_no_finite_number_is_refused_before_anything_changes() -> None:
    where: dict[str, Any] = {"node": None, "operation": None, "operands": [], "slot": None}
    non_finite = {"code": "non_finite", "span": None, "stage": "grad", **where}
    invalid = {"code": "invalid_value", "span": None, "name": "inner", "pointer": ""}
    cases: list[tuple[Any, Any]] = [
        (nan, non_finite),
        (inf, non_finite),
        (None, invalid),
        ("0", invalid),
    ]
    for grad, expected in cases:
        a, b = leaves(2, 3)
        inner = a * b
        root = inner + a
        inner.grad, inner.label = grad, "inner"
        assert refusal(root.backward) == expected
        assert (a.grad, b.grad) == (0, 0)
        with pytest.raises(GradientError, match=r"grad \(`inner`\) before backward.* set it to 0"):
            root.backward()


def test_a_grad_set_to_the_integer_zero_is_a_grad() -> None:
    a, b = leaves(2, 3)
    a.grad = 0
    (a * b).backward()
    assert to_the_bit([a.grad, b.grad]) == "[3.0, 2.0]"


# Holds R29.6.
def test_the_grad_of_the_root_is_set_by_backward_whatever_it_was() -> None:
    a = Value(2, "a")
    root = a * 3
    root.grad = nan
    root.backward()
    assert (root.grad, a.grad) == (1, 3)


def test_an_error_of_backward_writes_data_that_is_no_finite_number_as_null() -> None:
    a, b = leaves(0, 1e200)
    product = a * b
    root = product * b
    a.data = nan
    error = refusal(root.backward)
    assert (error["stage"], error["operation"], error["operands"]) == (
        "contribution",
        "*",
        [None, 1e200],
    )


def test_gradients_belong_to_the_data_at_which_the_operations_were_computed() -> None:
    a, b = leaves(2, 3)
    product = a * b
    a.data = nan
    product.backward()
    assert (a.grad, b.grad) == (3, 2)


@pytest.mark.parametrize(
    ("steep", "name"),
    [(lambda x: x.sqrt(), "`sqrt`"), (lambda x: x**0.5, "`x ** c` with c < 1")],
)
def test_an_infinite_slope_is_told_with_its_hint(
    steep: Callable[[Value], Value], name: str
) -> None:
    with pytest.raises(GradientError) as caught:
        steep(Value(0.0)).backward()
    assert caught.value.message.endswith(
        f"is infinite: {name} has no finite slope at 0; use a value above 0"
    )


def test_methods_say_what_they_take() -> None:
    assert str(inspect.signature(Value.min)) == "(x, y)"
    assert str(inspect.signature(Value.sqrt)) == "(x)"
    x: Any = Value(1.0)
    for call in (x.min, lambda: x.min(2, 3), lambda: x.sqrt(5)):
        with pytest.raises(TypeError, match="positional argument"):
            call()


def test_abs_of_a_value_is_its_method() -> None:
    x = Value(-2.0)
    y = abs(x)
    y.backward()
    assert (y.data, y._op, x.grad) == (2.0, "abs", -1.0)
