"""Prepared text + axes -> the values at each point, and the result and the gradients there."""

from collections.abc import Mapping, Sequence

from engine_py.backward import backward
from engine_py.forward import forward
from engine_py.introspect import Prepared
from engine_py.sweeps.axes import Axes


class Points:
    """All points of some axes, each by its index from 0."""

    def __init__(self, axes: Axes) -> None:
        """Make the points of the grids."""
        self.numbers = axes.numbers
        """What is the same at every point, by name."""
        self.columns: list[tuple[str, Sequence[float], int]] = []
        """(name, numbers, stride): at `index` it has number `index // stride`, from 0 again."""
        self.count = stride = axes.size
        for axis in axes.lists():
            stride //= len(next(iter(axis.values())))
            self.columns += [(name, numbers, stride) for name, numbers in axis.items()]

    def at(self, index: int) -> dict[str, float]:
        """Give the values at a point."""
        values = self.numbers.copy()
        for name, numbers, stride in self.columns:
            values[name] = numbers[index // stride % len(numbers)]
        return values


def names_of_variables(prepared: Prepared) -> list[str]:
    """Give the names of the variables, in the order of their ids."""
    return [name for name, *_ in prepared.template.variables]


def gradients_at(prepared: Prepared, values: Mapping[str, float]) -> tuple[float, list[float]]:
    """Compute the result, and the gradients in the order of the template's variables.

    Raises:
        GradientError: there is no result.
    """
    graph, order, steps, template = prepared
    computed = forward(graph, order, steps, values)
    grads, *_ = backward(graph, order, steps, computed)
    return computed[0][order[-1]] + 0.0, [grads[node] + 0.0 for _, node, _ in template.variables]
