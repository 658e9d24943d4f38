# wrong: forgotten *; not_done neg
class Value:
    def __init__(self, data, children=()):
        self.data, self._grad, self.children = data, 0.0, children
        self.push = lambda: None

    @property
    def grad(self):
        return self._grad

    @grad.setter
    def grad(self, to):
        self._grad = float(to)

    def __add__(self, other):
        out = Value(self.data + other.data, [self, other])

        def push():
            self.grad += out.grad
            other.grad += out.grad

        out.push = push
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, [self, other])

        def push():
            self.grad += other.grad * out.grad
            other.grad += self.grad * out.grad

        out.push = push
        return out

    def __neg__(self):
        Value(-self.data, [self])

    def backward(self):
        order = []

        def visit(node):
            if node not in order:
                for child in node.children:
                    visit(child)
                order.append(node)

        visit(self)
        self.grad = 1
        for node in reversed(order):
            node.push()
