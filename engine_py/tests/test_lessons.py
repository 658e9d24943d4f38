"""Code written for micrograd has the same results here.

The programs follow the behaviour of Karpathy's micrograd (an engine test, draw_dot's
walk) and of EurekaLabs' (attributes on parameters). Expected numbers are computed with fractions.
"""

from fractions import Fraction
from math import isclose
from typing import Any

from engine_py import Value, introspect_value

# By hand


def topological(root: Value) -> list[Value]:
    """The lessons' recursive build_topo; the order within a set is arbitrary."""
    topo: list[Value] = []
    visited: set[Value] = set()

    def visit(value: Value) -> None:
        if value not in visited:
            visited.add(value)
            for child in value._prev:
                visit(child)
            topo.append(value)

    visit(root)
    return topo


def test_the_lessons_own_backward_gives_the_gradients_of_backward() -> None:
    def graph() -> tuple[Value, list[Value]]:
        a, b = Value(-2.0, label="a"), Value(3.0, label="b")
        return (a * b + a) * (a - b) ** 2 / 4 - b.relu(), [a, b]

    walked, leaves = graph()
    walked.grad = 1.0
    for value in reversed(topological(walked)):
        value._backward()
    root, others = graph()
    root.backward()
    assert [leaf.grad for leaf in leaves] == [other.grad for other in others]


def test_the_walk_of_draw_dot_finds_prev_and_op() -> None:
    a = Value(2.0, label="a")
    b = a * a
    c = b**2 + 1
    nodes, edges, waiting = set(), set(), [c]
    while waiting:
        value = waiting.pop()
        if value not in nodes:
            nodes.add(value)
            for child in value._prev:
                edges.add((child, value))
                waiting.append(child)
    power, one = c._children
    exponent = power._children[1]
    assert nodes == {a, b, c, power, one, exponent}
    assert edges == {(a, b), (b, power), (exponent, power), (power, c), (one, c)}
    assert [value._op for value in (a, b, power, c)] == ["", "*", "**", "+"]
    assert a._prev == set()
    document = introspect_value(c)
    pairs = {(edge["from"], edge["to"]) for edge in document["edges"]}
    assert (len(nodes), len(edges)) == (len(document["nodes"]), len(pairs))


def test_a_value_takes_other_attributes() -> None:
    p: Any = Value(1.0)
    p.m, p.v, p._vis_color = 0, 0, "lightgreen"
    p.m = 0.9 * p.m + 0.1
    assert (p.m, p.v, p._vis_color) == (0.1, 0, "lightgreen")
    assert (p * 2).data == 2
    assert not hasattr(p * 2, "m")


class OfTheLesson(Value):
    """A class as in the lesson: each operation computes its own local gradients."""

    def __add__(self, other: Any) -> Any:
        return OfTheLesson(self.data + other.data, (self, other), (1, 1), "my +")

    def __mul__(self, other: Any) -> Any:
        return OfTheLesson(self.data * other.data, (self, other), (other.data, self.data), "my *")

    def backward(self) -> None:
        topo: list[Value] = []
        visited: set[Value] = set()

        def build(value: Value) -> None:
            if value not in visited:
                visited.add(value)
                for child in value._children:
                    build(child)
                topo.append(value)

        build(self)
        self.grad = 1
        for value in reversed(topo):
            for child, local_grad in zip(value._children, value._local_grads, strict=True):
                child.grad += local_grad * value.grad  # type: ignore[operator]  # no exponent


def test_a_class_as_in_the_lesson_may_derive_from_value() -> None:
    a, b, c = OfTheLesson(2, "a"), OfTheLesson(-3, "b"), OfTheLesson(10, "c")
    product = (a + b) * c
    product.backward()
    assert (product.data, a.grad, b.grad, c.grad) == (-10, 10, 10, -1)
    document = introspect_value(product)
    assert document["gradients"] == {"a": 10, "b": 10, "c": -1}
    assert [node.get("name") for node in document["nodes"]] == [None, None, "my +", None, "my *"]


# Karpathy's engine test, whose results are rational


def test_more_ops() -> None:
    a, b = Value(-4.0), Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    g.backward()
    # c = -1 and d = 6, so e = -7 and f = 49; dg/de = 2e (1/2 - 10/f²), and the slopes of c and d
    # are 3 and 23 for a, 4 and 97 for b.
    slope = 2 * Fraction(-7) * (Fraction(1, 2) - Fraction(10, 49**2))
    expected = [Fraction(49, 2) + Fraction(10, 49), slope * (3 - 23), slope * (4 - 97)]
    for number, fraction in zip([g.data, a.grad, b.grad], expected, strict=True):
        assert isclose(number, fraction, rel_tol=1e-15)
