# wrong: detached sigmoid; local_grad tanh:0; incoming square; local_grad swish:0
import math


class value:
    def __init__(self, v, prev=(), *, requires_gradient=False):
        self.v, self.d, self.prev, self.send = v, 0, prev, None

    def __add__(self, o):
        out = value(self.v + o.v, (self, o))

        def send(d):
            self.d += d
            o.d += d

        out.send = send
        return out

    def __mul__(self, o):
        out = value(self.v * o.v, (self, o))

        def send(d):
            self.d += d * o.v
            o.d += d * self.v

        out.send = send
        return out

    def Tanh(self):
        out = value(math.tanh(self.v), (self,))
        out.send = lambda d: setattr(self, "d", self.d + d * (1 - self.v**2))
        return out

    def log_(self):
        out = value(math.log(self.v + 1e-9), (self,))
        out.send = lambda d: setattr(self, "d", self.d + d / self.v)
        return out

    def sigmoid(self):
        out = value(1 / (1 + math.exp(-self.v)), (self,))

        def send(d):
            self.d += d * out.v * (1 - out.v)

        return out

    def square(self):
        out = value(self.v**2, (self,))
        out.send = lambda d: setattr(self, "d", self.d + 2 * self.v)
        return out

    def swish(self):
        s = 1 / (1 + math.exp(-self.v))
        out = value(self.v * s, (self,))
        out.send = lambda d: setattr(self, "d", self.d + d * s)
        return out

    def relu(self, x):
        return max(x, 0)

    def back_prop(self, seed=1.0):
        order = []

        def visit(x):
            if x not in order:
                for p in x.prev:
                    visit(p)
                order.append(x)

        visit(self)
        self.d = seed
        for x in order[::-1]:
            if x.send:
                x.send(x.d)
