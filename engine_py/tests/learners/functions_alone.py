# right: `add(x)`s and `backward(x)` as functions, a label first, and a gradient made by the pass
from math import exp as e


class Scalar:
    def __init__(self, label, number, sources=()):
        self.label, self.number, self.sources = label, number, sources


def add(x, y):
    return Scalar("+", x.number + y.number, [(x, 1), (y, 1)])


def mul(x, y):
    return Scalar("*", x.number * y.number, [(x, y.number), (y, x.number)])


def exp(x):
    y = e(x.number)
    return Scalar("exp", y, [(x, y)])


def sort(x, order):
    if x not in order:
        for source, _ in x.sources:
            sort(source, order)
        order.append(x)
    return order


def backward(x):
    order = sort(x, [])
    for node in order:
        node.derivative = 0
    x.derivative = 1
    for node in order[::-1]:
        for source, slope in node.sources:
            source.derivative += slope * node.derivative
