"""The operations: domain, data, local gradients (R2, R3) and expansions (R26), by symbol."""

from math import isfinite

import reals

FUNCTIONS = ("tanh", "relu", "log", "exp", "abs", "min", "max", "sqrt", "sin", "cos", "sigmoid", "softplus")
ARITY = {
    **dict.fromkeys(("neg", *FUNCTIONS), 1),
    **dict.fromkeys(("+", "-", "*", "/", "**", "min", "max"), 2),
}
DERIVED = {"-": 3, "/": 3, "neg": 2, "sqrt": 2, "sigmoid": 7, "softplus": 4}
"""How many nodes the primitive view takes for each."""


def outside(symbol, x, y=None):
    if symbol == "log":
        return x <= 0.0
    if symbol == "sqrt":
        return x < 0.0
    if symbol == "/":
        return y == 0.0
    if symbol == "**":
        return (x == 0.0 and y < 0.0) or (x < 0.0 and y != y // 1.0)
    return False


def data(symbol, x, y=None):
    match symbol:
        case "+":
            return x + y
        case "-":
            return x - y
        case "*":
            return x * y
        case "/":
            return x / y
        case "**":
            return reals.power(x, y)
        case "neg":
            return -x
        case "relu":
            return x if x > 0.0 else 0.0
        case "exp":
            return reals.exp(x)
        case "log":
            return reals.log(x)
        case "tanh":
            return reals.tanh(x)
        case "abs":
            return -x if x < 0.0 else x
        case "min":
            return x if x < y else y
        case "max":
            return x if x > y else y
        case "sqrt":
            return reals.power(x, 0.5)
        case "sin":
            return reals.sin(x)
        case "cos":
            return reals.cos(x)
        case "sigmoid":
            return reals.sigmoid(x)
        case "softplus":
            return reals.softplus(x)


def slope(symbol, slot, out, x, y=None):
    """Give one local gradient; None for an exponent."""
    match symbol, slot:
        case "*", _:
            return x if slot else y
        case "/", 0:
            return 1.0 / y
        case "/", 1:
            return -(out / y)
        case "**", 1:
            return None
        case "**", 0:
            return slope_of_power(x, y)
        case ("-", 1) | ("neg", 0):
            return -1.0
        case "relu", 0:
            return 1.0 if x > 0.0 else 0.0
        case "exp", 0:
            return out
        case "log", 0:
            return 1.0 / x
        case "tanh", 0:
            return 1.0 - out * out
        case "abs", 0:
            return mean_step(x) - mean_step(-x)
        case ("min", 0) | ("max", 1):
            return mean_step(y - x)
        case ("min", 1) | ("max", 0):
            return mean_step(x - y)
        case "sqrt", 0:
            return 0.5 / out if out else float("inf")
        case "sin", 0:
            return reals.cos(x)
        case "cos", 0:
            return -reals.sin(x)
        case "sigmoid", 0:
            return out * (1.0 - out)
        case "softplus", 0:
            return reals.sigmoid(x)
    return 1.0


def mean_step(x):
    """Give 1 above 0, 0 below, and at 0 the mean."""
    return 0.5 if x == 0.0 else float(x > 0.0)


def slope_of_power(x, c):
    if c == 0.0:
        return 0.0
    if x == 0.0 and c - 1.0 < 0.0:
        return float("inf")
    positive = c * reals.power(abs(x), c - 1.0)
    return -positive if x < 0.0 and c % 2.0 == 0.0 else positive


def expand(symbol, build, constant, x, y=None):
    """Build a derived operation of others; the first operand's side is built last."""
    if symbol == "neg":
        return build("*", x, constant(-1.0))
    if symbol == "sqrt":
        return build("**", x, constant(0.5))
    if symbol == "softplus":
        return build("log", build("+", build("exp", x), constant(1.0)))
    if symbol == "sigmoid":
        power = build("exp", build("*", x, constant(-1.0)))
        return build("**", build("+", power, constant(1.0)), constant(-1.0))
    if symbol == "/":
        inverse = build("**", y, constant(-1.0))
        return build("*", x, inverse)
    negated = build("*", y, constant(-1.0))
    return build("+", x, negated)


def evaluate(symbol, operands):
    """Give the data, or None outside the domain and for what is no finite double."""
    if not all(isfinite(operand) for operand in operands) or outside(symbol, *operands):
        return None
    return data(symbol, *operands)
