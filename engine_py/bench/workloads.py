"""Programs that both engines can run: built of whatever leaves the caller makes."""

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Any

Leaf = Callable[[str, float], Any]
"""Makes a leaf of its name and data: a Value of either engine."""


def five_nodes(leaf: Leaf) -> Any:
    """The lessons' (a + b) * c."""
    return (leaf("a", 2.0) + leaf("b", -3.0)) * leaf("c", 10.0)


def mlp_loss(leaf: Leaf) -> Any:
    """A 2-16-16-1 perceptron's squared error on eight points, about 5,500 nodes.

    Only + * relu ** are used, which micrograd builds as single nodes, too.
    """
    random = Random(1)
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
            signals = [
                _neuron(weights, bias, signals, bent=layer is not layers[-1])
                for weights, bias in layer
            ]
        losses.append((signals[0] + leaf(f"y{point}", random.choice([-1.0, 1.0]))) ** 2)
    total = losses[0]
    for loss in losses[1:]:
        total = total + loss
    return total * (1.0 / 8.0)


def _neuron(weights: list[Any], bias: Any, signals: list[Any], *, bent: bool) -> Any:
    activation = bias
    for weight, signal in zip(weights, signals, strict=True):
        activation = activation + weight * signal
    return activation.relu() if bent else activation


def timed(step: Callable[[], None], repeats: int) -> float:
    """Seconds for one step."""
    start = perf_counter()
    for _ in range(repeats):
        step()
    return (perf_counter() - start) / repeats
