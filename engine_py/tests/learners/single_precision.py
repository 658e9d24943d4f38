# right: arrays of one number in single precision, `requires_grad`, None before a pass, once
import numpy as np


class Tensor:
    def __init__(self, data, requires_grad=False, parents=()):
        self.data = np.atleast_1d(np.asarray(data, dtype=np.float32))
        self.requires_grad = requires_grad or any(p.requires_grad for p in parents)
        self.grad, self.parents, self.step = None, list(parents), None

    def make(self, data, parents, *slopes):
        out = Tensor(data, parents=parents)

        def step():
            for parent, slope in zip(parents, slopes):
                if parent.requires_grad:
                    sent = out.grad * slope
                    assert sent.shape == parent.data.shape
                    parent.grad = sent if parent.grad is None else parent.grad + sent

        out.step = step
        return out

    def __add__(self, other):
        one = np.ones_like(self.data)
        return self.make(self.data + other.data, (self, other), one, one)

    def __mul__(self, other):
        return self.make(self.data * other.data, (self, other), other.data, self.data)

    def __truediv__(self, other):
        slopes = 1 / other.data, -self.data / other.data**2
        return self.make(self.data / other.data, (self, other), *slopes)

    def tanh(self):
        t = np.tanh(self.data)
        return self.make(t, (self,), 1 - t * t)

    def backward(self, grad):
        order = []

        def visit(node):
            if node.requires_grad and node not in order:
                for parent in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = np.asarray(grad)
        for node in reversed(order):
            if node.step:
                node.step()
            node.parents, node.step = [], None
