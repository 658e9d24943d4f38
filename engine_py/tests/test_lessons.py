"""What readers of micrograd write runs here as it does there.

The programs are written after the behaviour of Karpathy's micrograd (an engine test, draw_dot's
walk) and of EurekaLabs' (its training loop with AdamW). Expected numbers come from fractions, or
from an MLP in plain floats below, whose gradients are the formulas of the textbook.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import exp, isclose, log, tanh
from random import Random
from typing import Any

import pytest

from engine_py import Value, introspect_value

Layer = list[tuple[list[Any], Any]]
"""For each neuron its weights and its bias."""
Point = tuple[list[float], int]


# By hand


def topological(root: Value) -> list[Value]:
    """The lessons' recursive build_topo; the order within a set is anybody's guess."""
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


def test_draw_dot_walks_along_prev_and_reads_op() -> None:
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


def test_a_value_takes_attributes_of_ones_own() -> None:
    p: Any = Value(1.0)
    p.m, p.v, p._vis_color = 0, 0, "lightgreen"
    p.m = 0.9 * p.m + 0.1
    assert (p.m, p.v, p._vis_color) == (0.1, 0, "lightgreen")
    assert (p * 2).data == 2
    assert not hasattr(p * 2, "m")


def test_the_backward_step_and_the_operands_of_a_result_cannot_be_replaced() -> None:
    result: Any = Value(1.0) + Value(2.0)
    with pytest.raises(AttributeError, match="backward step of a Value cannot be replaced"):
        result._backward = lambda: None
    with pytest.raises(AttributeError):
        result._prev = {Value(1.0)}


class OfTheLesson(Value):
    """The class of the lesson as it is written there: every operation with its local gradients."""

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


def test_the_lessons_own_class_runs_on_this_one() -> None:
    a, b, c = OfTheLesson(2, "a"), OfTheLesson(-3, "b"), OfTheLesson(10, "c")
    product = (a + b) * c
    product.backward()
    assert (product.data, a.grad, b.grad, c.grad) == (-10, 10, 10, -1)
    document = introspect_value(product)
    assert document["gradients"] == {"a": 10, "b": 10, "c": -1}
    assert [node.get("name") for node in document["nodes"]] == [None, None, "my +", None, "my *"]


def test_sums_and_augmented_assignments() -> None:
    a, b = Value(1.5, label="a"), Value(-2.0, label="b")
    total = sum([a, b, a])
    total += a
    total *= b
    total -= 1
    total /= 2
    assert total.data == (3 * 1.5 - 2) * -2 / 2 - 0.5
    total.backward()
    assert (a.grad, b.grad) == (-3.0, 0.25)  # d/da = 3b/2, d/db = (3a + 2b)/2
    a.grad = 0
    a.data -= 0.5
    assert (a.data, a.grad) == (1.0, 0)


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


# Training


def random_layers(random: Random, *sizes: int) -> list[Layer]:
    return [
        [([random.uniform(-1, 1) for _ in range(width)], random.uniform(-1, 1)) for _ in range(n)]
        for width, n in pairwise(sizes)
    ]


class Mlp:
    """A network of Values, written as the lessons write one."""

    def __init__(self, layers: list[Layer], activate: Callable[[Value], Value]) -> None:
        self.layers: list[Layer] = [
            [([Value(weight) for weight in weights], Value(bias)) for weights, bias in layer]
            for layer in layers
        ]
        self.activate = activate

    def __call__(self, x: list[Any]) -> list[Value]:
        for layer in self.layers:
            x = [sum((w * s for w, s in zip(weights, x, strict=True)), b) for weights, b in layer]
            if layer is not self.layers[-1]:
                x = [self.activate(activation) for activation in x]
        return x

    def parameters(self) -> list[Any]:
        return [p for layer in self.layers for weights, bias in layer for p in (*weights, bias)]


class Plain:
    """The same in plain floats; the gradients are propagated as the textbook has it."""

    def __init__(
        self,
        layers: list[Layer],
        activate: Callable[[float], float],
        slope: Callable[[float], float],
    ) -> None:
        self.layers = [[([*weights], bias) for weights, bias in layer] for layer in layers]
        self.activate, self.slope = activate, slope
        self.grads = [0.0] * len(self.parameters())

    def parameters(self) -> list[float]:
        return [p for layer in self.layers for weights, bias in layer for p in (*weights, bias)]

    def update(self, parameters: list[float]) -> None:
        left = iter(parameters)
        for layer in self.layers:
            layer[:] = [([next(left) for _ in weights], next(left)) for weights, _ in layer]

    def learn(self, x: list[float], errors: Callable[[list[float]], list[float]]) -> None:
        """Add the gradients of one point, whose loss has the slopes `errors(outputs)`."""
        signals = [x]
        for layer in self.layers:
            sums = [
                sum(w * s for w, s in zip(weights, signals[-1], strict=True)) + bias
                for weights, bias in layer
            ]
            last = layer is self.layers[-1]
            signals.append(sums if last else [self.activate(activation) for activation in sums])
        deltas, found = errors(signals.pop()), []
        for layer in reversed(self.layers):
            inputs = signals.pop()
            found.append([g for delta in deltas for g in (*(delta * s for s in inputs), delta)])
            back = [
                sum(delta * weights[i] for delta, (weights, _) in zip(deltas, layer, strict=True))
                for i in range(len(inputs))
            ]
            deltas = [b * self.slope(s) for b, s in zip(back, inputs, strict=True)]
        contributions = [g for grads in reversed(found) for g in grads]
        self.grads = [one + other for one, other in zip(self.grads, contributions, strict=True)]


class AdamW:
    """The optimizer as EurekaLabs' loop has it: its state lives on the parameters."""

    def __init__(self, parameters: list[Any]) -> None:
        self.parameters, self.t = parameters, 0
        for p in parameters:
            p.m = 0
            p.v = 0

    def step(self) -> None:
        self.t += 1
        for p in self.parameters:
            if p.grad is None:
                continue
            p.m = 0.9 * p.m + (1 - 0.9) * p.grad
            p.v = 0.95 * p.v + (1 - 0.95) * p.grad**2
            m, v = p.m / (1 - 0.9**self.t), p.v / (1 - 0.95**self.t)
            p.data -= 0.1 * (m / (v**0.5 + 1e-8) + 1e-4 * p.data)

    def zero_grad(self) -> None:
        for p in self.parameters:
            p.grad = 0


def thirds(random: Random, count: int) -> list[Point]:
    """Points of a square in three classes, by their distance from a corner."""
    pairs = [[random.uniform(0, 1), random.uniform(0, 1)] for _ in range(count)]
    return [(pair, min(int(2 * (pair[0] ** 2 + pair[1] ** 2)), 2)) for pair in pairs]


def cross_entropy(logits: list[Value], target: int) -> Value:
    powers = [logit.exp() for logit in logits]
    return -(powers[target] / sum(powers)).log()


def class_losses_here(layers: list[Layer], points: list[Point]) -> Iterator[float]:
    model = Mlp(layers, Value.tanh)
    optimizer = AdamW(model.parameters())
    for _ in range(5):
        total = Value(0.0)
        for x, y in points:
            total = total + cross_entropy(model(x), y)
        loss = total * (1.0 / len(points))
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        yield loss.data


class Slot:
    """A parameter in plain floats."""

    def __init__(self, data: float) -> None:
        self.data, self.grad = data, 0.0


def class_losses_in_floats(layers: list[Layer], points: list[Point]) -> Iterator[float]:
    model = Plain(layers, tanh, lambda out: 1 - out * out)
    slots = [Slot(p) for p in model.parameters()]
    optimizer = AdamW(slots)
    for _ in range(5):
        losses: list[float] = []

        def errors(outputs: list[float], y: int, losses: list[float] = losses) -> list[float]:
            total = sum(map(exp, outputs))
            losses.append(log(total) - outputs[y])
            return [(exp(z) / total - (i == y)) / len(points) for i, z in enumerate(outputs)]

        model.grads = [0.0] * len(slots)
        for x, y in points:
            model.learn(x, lambda outputs, y=y: errors(outputs, y))  # type: ignore[misc]
        for slot, grad in zip(slots, model.grads, strict=True):
            slot.grad = grad
        optimizer.step()
        model.update([slot.data for slot in slots])
        yield sum(losses) / len(points)


def test_adamw_learns_three_classes_with_the_losses_of_platform_functions() -> None:
    random = Random(42)
    layers, points = random_layers(random, 2, 8, 3), thirds(random, 20)
    here = list(class_losses_here(layers, points))
    there = list(class_losses_in_floats(layers, points))
    # exp, log and tanh of the platform are an ulp off now and then.
    assert all(isclose(one, other, rel_tol=1e-11) for one, other in zip(here, there, strict=True))
    assert here[-1] < here[0]
