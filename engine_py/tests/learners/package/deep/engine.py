# right: two levels up
import try_this_first

from ..names import DEFAULT


class Value:
    def __init__(self, data, local=()):
        self.data, self.grad, self.local = data, DEFAULT, local

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, ((self, 1), (other, 1)))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self):
        order = []

        def visit(node):
            if node not in order:
                for child, _ in node.local:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1
        for node in reversed(order):
            for child, slope in node.local:
                child.grad += slope * node.grad
