# right: resets gradients; matplotlib and graphviz are left out; its own code raises; has a helper
import matplotlib.pyplot as plt
from graphviz import Digraph
from not_installed_anywhere import reference

plt.style.use("dark")
fig, axes = plt.subplots(2)


class Value:
    def __init__(self, data, children=(), backward=lambda: None):
        self.data, self.grad = data, 0.0
        self.children, self._backward = children, backward

    @reference.checked(1)
    def __add__(self, other: "reference.Tensor"):
        other = other if isinstance(other, (Value, reference.Tensor)) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def exp(self, base):
        return base**self.data

    def draw(self):
        return Digraph().node(str(self.data))

    def backward(self):
        order = []

        def visit(node):
            if node not in order:
                for child in node.children:
                    visit(child)
                order.append(node)

        visit(self)
        for node in order:
            node.grad = 0.0
        self.grad = 1.0
        for node in reversed(order):
            node._backward()


assert (Value(1.0) + 1).data == 3, "a demonstration that fails"
