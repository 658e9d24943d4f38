# wrong: data relu
class Node:
    def __init__(self, *operands):
        self.operands, self.adjoint = operands, 0.0
        self.value = self.forward(*[each.value for each in operands])

    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)

    def backward(self):
        order = []

        def visit(node):
            if not any(node is each for each in order):
                [visit(each) for each in node.operands]
                order.append(node)

        visit(self)
        self.adjoint = 1.0
        for node in reversed(order):
            for each, slope in zip(node.operands, node.slopes()):
                each.adjoint += slope * node.adjoint


class Variable(Node):
    def __init__(self, value):
        self.operands, self.adjoint, self.value = (), 0.0, value

    def slopes(self):
        return ()


class Add(Node):
    def forward(self, x, y):
        return x + y

    def slopes(self):
        return 1.0, 1.0


class Mul(Node):
    def forward(self, x, y):
        return x * y

    def slopes(self):
        x, y = self.operands
        return y.value, x.value


class ReLU(Node):
    def forward(self, x):
        return abs(x)

    def slopes(self):
        return (float(self.operands[0].value > 0),)
