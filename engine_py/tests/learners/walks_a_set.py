# wrong: order
class Value:
    def __init__(self, data, slopes=None):
        self.data, self.grad, self.slopes = data, 0.0, slopes or {}

    def __add__(self, other):
        if other is self:
            return Value(self.data * 2, {self: 2})
        return Value(self.data + other.data, {self: 1, other: 1})

    def __mul__(self, other):
        if other is self:
            return self**2
        return Value(self.data * other.data, {self: other.data, other: self.data})

    def __pow__(self, k):
        k = getattr(k, "data", k)
        return Value(self.data**k, {self: k * self.data ** (k - 1)})

    def backward(self):
        found = {self}
        while True:
            more = found | {each for node in found for each in node.slopes}
            if more == found:
                break
            found = more
        self.grad = 1.0
        for node in found:
            for each, slope in node.slopes.items():
                each.grad += slope * node.grad
