"""Programs that every engine can build from its own leaves and functions, and two other engines."""

import math
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from micrograd.engine import Value as MicrogradValue

from engine_py.bench.measure import Run

SENTENCE = ("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
NEURON = (
    "tanh(x1 * w1 + x2 * w2 + b)",
    {"x1": 2.0, "x2": 0.5, "w1": -3.0, "w2": 1.0, "b": 6.8813735870195432},
)


class Kit(NamedTuple):
    """Builders of a program: a leaf from its name and data, and functions of one operand."""

    leaf: Callable[[str, float], Any]
    relu: Callable[[Any], Any] = lambda x: x.relu()
    tanh: Callable[[Any], Any] = lambda x: x.tanh()


Build = Callable[[Kit], Any]
"""Builds a program, and returns its root."""


def five_nodes(kit: Kit) -> Any:
    """The lessons' (a + b) * c."""
    a, b, c = (kit.leaf(name, data) for name, data in SENTENCE[1].items())
    return (a + b) * c


def tanh_neuron(kit: Kit) -> Any:
    """The lessons' tanh(x1*w1 + x2*w2 + b), 10 nodes."""
    x1, x2, w1, w2, b = (kit.leaf(name, data) for name, data in NEURON[1].items())
    return kit.tanh(x1 * w1 + x2 * w2 + b)


def mlp_loss(kit: Kit) -> Any:
    """A 2-16-16-1 perceptron's squared error on eight points, about 5,500 nodes.

    Only + * relu ** are used, which micrograd builds as single nodes, too.
    """
    random = Random(1)
    leaf = kit.leaf
    sizes = [2, 16, 16, 1]
    layers = [
        [
            (
                [leaf(f"w{depth}_{j}_{i}", random.uniform(-1, 1)) for i in range(sizes[depth])],
                leaf(f"b{depth}_{j}", random.uniform(-1, 1)),
            )
            for j in range(sizes[depth + 1])
        ]
        for depth in range(3)
    ]
    losses = []
    for point in range(8):
        signals = [leaf(f"x{point}_{i}", random.uniform(-1, 1)) for i in range(2)]
        for layer in layers:
            sums = [_weighted_sum(weights, bias, signals) for weights, bias in layer]
            signals = sums if layer is layers[-1] else [kit.relu(each) for each in sums]
        losses.append((signals[0] + leaf(f"y{point}", random.choice([-1.0, 1.0]))) ** 2)
    total = losses[0]
    for loss in losses[1:]:
        total = total + loss
    return total * (1.0 / 8.0)


def wide(kit: Kit, nodes: int) -> Any:
    """Leaves, three layers of as many operations on any two below, and a balanced sum."""
    random = Random(2)
    layer = [kit.leaf(f"v{place}", random.uniform(-1, 1)) for place in range(nodes // 5)]
    for _ in range(3):
        pairs = [(random.choice(layer), random.choice(layer)) for _ in layer]
        layer = [x * y if place % 2 else x + y for place, (x, y) in enumerate(pairs)]
    while len(layer) > 1:
        rest = layer[len(layer) & ~1 :]
        layer = [x + y for x, y in zip(layer[::2], layer[1::2], strict=False)] + rest
    return layer[0]


def _weighted_sum(weights: list[Any], bias: Any, signals: list[Any]) -> Any:
    total = bias
    for weight, signal in zip(weights, signals, strict=True):
        total = total + weight * signal
    return total


def micrograd(build: Build) -> Run:
    """Return a step of Karpathy's micrograd, which has no tanh: this is the lecture's."""
    kit = Kit(lambda _, data: MicrogradValue(data), tanh=_micrograd_tanh)
    return lambda: build(kit).backward()


def _micrograd_tanh(x: Any) -> Any:
    t = math.tanh(x.data)
    out = MicrogradValue(t, (x,), "tanh")

    def pass_on() -> None:
        x.grad += (1 - t * t) * out.grad

    out._backward = pass_on
    return out


class LocalGradsValue:
    """A Value in the style of microgpt: it keeps its local gradients instead of a closure."""

    __slots__ = ("_children", "_local_grads", "data", "grad")

    def __init__(self, data: float, children: Any = (), local_grads: Any = ()) -> None:
        self.data, self.grad = data, 0.0
        self._children, self._local_grads = children, local_grads

    def __add__(self, other: Any) -> Any:
        other = other if isinstance(other, LocalGradsValue) else LocalGradsValue(other)
        return LocalGradsValue(self.data + other.data, (self, other), (1, 1))

    def __mul__(self, other: Any) -> Any:
        other = other if isinstance(other, LocalGradsValue) else LocalGradsValue(other)
        return LocalGradsValue(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, c: float) -> Any:
        return LocalGradsValue(self.data**c, (self,), (c * self.data ** (c - 1),))

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __truediv__(self, other: Any) -> Any:
        return self * other**-1

    def exp(self) -> Any:
        out = math.exp(self.data)
        return LocalGradsValue(out, (self,), (out,))

    def log(self) -> Any:
        return LocalGradsValue(math.log(self.data), (self,), (1 / self.data,))

    def relu(self) -> Any:
        return LocalGradsValue(max(0, self.data), (self,), (float(self.data > 0),))

    def tanh(self) -> Any:
        t = math.tanh(self.data)
        return LocalGradsValue(t, (self,), (1 - t * t,))

    def backward(self) -> None:
        """Sort by recursion, as the original does, and walk back."""
        order: list[Any] = []
        visited = set()

        def sort(value: Any) -> None:
            if value not in visited:
                visited.add(value)
                for child in value._children:
                    sort(child)
                order.append(value)

        sort(self)
        self.grad = 1
        for value in reversed(order):
            for child, local_grad in zip(value._children, value._local_grads, strict=True):
                child.grad += local_grad * value.grad
