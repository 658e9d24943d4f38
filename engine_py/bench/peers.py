"""Other engines on the same programs: a step builds from fresh leaves, and walks back."""

import gc
import math
from collections.abc import Callable
from typing import Any

import autograd
import autograd.numpy
import casadi
from micrograd.engine import Value as MicrogradValue

from engine_py.bench.measure import Run
from engine_py.bench.workloads import Build, Kit


def micrograd(build: Build) -> Run:
    """Karpathy's micrograd, which has no tanh: here is the lecture's."""
    kit = Kit(lambda _, data: MicrogradValue(data), tanh=_micrograd_tanh)
    return lambda: build(kit).backward()


def micrograd_collected(build: Build) -> Run:
    """Collect the step's garbage at once, while it is in the cache: the least that it can cost.

    micrograd's nodes are cycles, so nothing else frees them.
    """
    step = micrograd(build)

    def collected() -> None:
        step()
        gc.collect()

    return collected


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
        """Give e**x."""
        out = math.exp(self.data)
        return LocalGradsValue(out, (self,), (out,))

    def log(self) -> Any:
        """Give the natural logarithm."""
        return LocalGradsValue(math.log(self.data), (self,), (1 / self.data,))

    def relu(self) -> Any:
        """Give x where x > 0, else 0."""
        return LocalGradsValue(max(0, self.data), (self,), (float(self.data > 0),))

    def tanh(self) -> Any:
        """Give the hyperbolic tangent."""
        t = math.tanh(self.data)
        return LocalGradsValue(t, (self,), (1 - t * t,))

    def backward(self) -> None:
        """Sort by recursion, as the original does."""
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


def microgpt(build: Build) -> Run:
    """Give a step of the class above."""
    kit = Kit(lambda _, data: LocalGradsValue(data))
    return lambda: build(kit).backward()


def hips_autograd(build: Build) -> Run:
    """HIPS autograd, which traces the function anew for each gradient; leaves are one list."""
    leaves: list[float] = []

    def leaf(_: str, data: float) -> LocalGradsValue:
        leaves.append(data)
        return LocalGradsValue(data)

    build(Kit(leaf))
    numpy = autograd.numpy

    def run(values: Any) -> Any:
        drawn = iter(values)
        return build(Kit(lambda *_: next(drawn), lambda x: numpy.maximum(x, 0.0), numpy.tanh))

    gradient = autograd.grad(run)
    return lambda: gradient(leaves)


def casadi_sx(build: Build) -> Run:
    """CasADi's SX, cold: symbols, graph, gradient and function, then one call."""

    def step() -> Any:
        symbols: list[Any] = []
        values: list[float] = []

        def leaf(name: str, data: float) -> Any:
            symbols.append(casadi.SX.sym(name))
            values.append(data)
            return symbols[-1]

        root = build(Kit(leaf, lambda x: casadi.fmax(x, 0.0), casadi.tanh))
        inputs = casadi.vertcat(*symbols)
        function = casadi.Function("f", [inputs], [root, casadi.gradient(root, inputs)])
        return function(values)

    return step


PEERS: dict[str, Callable[[Build], Run]] = {
    "micrograd": micrograd,
    "micrograd, collect() each step": micrograd_collected,
    "microgpt's Value": microgpt,
    "HIPS autograd": hips_autograd,
    "CasADi SX, cold": casadi_sx,
}
