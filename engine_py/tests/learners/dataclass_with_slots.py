# right: data in `val`, gradient in `der`, `backprop()`
import math
from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Num:
    val: float
    parents: tuple = ()
    der: float = field(default=0.0, kw_only=True)

    def __add__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        return Num(self.val + other.val, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Num) else Num(other)
        return Num(self.val * other.val, ((self, other.val), (other, self.val)))

    def __pow__(self, other):
        if isinstance(other, Num):
            power = self.val**other.val
            slopes = other.val * power / self.val, power * math.log(self.val)
            return Num(power, ((self, slopes[0]), (other, slopes[1])))
        return Num(self.val**other, ((self, other * self.val ** (other - 1)),))

    def exp(self):
        return Num(math.exp(self.val), ((self, math.exp(self.val)),))

    __radd__, __rmul__ = __add__, __mul__

    def backprop(self):
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, is_done = stack.pop()
            if is_done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack += [(node, True), *((parent, False) for parent, _ in node.parents)]
        self.der = 1.0
        for node in reversed(order):
            for parent, slope in node.parents:
                parent.der += slope * node.der
