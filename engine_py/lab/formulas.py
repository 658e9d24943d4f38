"""The local gradients again, as formulas of the calculus itself.

They are bit-identical to the table's, but can be computed from operands other than those of `out`,
and can be differentiated, too.
"""

from collections.abc import Callable, Sequence

from engine_py.lab.tape import Dual, apply
from engine_py.operations import CUSTOM, Operation, StaleRow, shares, slope_of_power

Formula = Dual | float | None

Formulas = Callable[..., tuple[Formula, ...]]
"""(out, *operands) -> local gradients; None as in LocalGrads."""


def formulas_of(operation: Operation, out: Dual, operands: Sequence[Dual]) -> tuple[Formula, ...]:
    """Compute the local gradients of an operation; those of a custom one are plain numbers.

    Raises:
        StaleRow: a custom operation has other operands, or its second derivative is needed.
        OutsideDomain: a formula has no value at these operands.
    """
    if operation.symbol != CUSTOM:
        return FORMULAS[operation.symbol](out, *operands)
    if any(operand.tangent is not None for operand in operands):
        raise StaleRow(operation.name)
    local_grads: tuple[Formula, ...] = operation.rule(*[each.data for each in operands])[1:]
    return local_grads


def _power(_out: Dual, x: Dual, c: Dual) -> tuple[Formula, ...]:
    if c.data == 0.0 or (x.data == 0.0 and 0.0 < c.data < 1.0):
        return slope_of_power(x.data, c.data), None
    size = apply("neg", x) if x.data < 0.0 else x
    slope = apply("*", c, apply("**", size, c.data - 1.0))
    return (apply("neg", slope) if x.data < 0.0 and c.data % 2.0 == 0.0 else slope), None


FORMULAS: dict[str, Formulas] = {
    "+": lambda _, x, y: (1.0, 1.0),
    "*": lambda _, x, y: (y, x),
    "**": _power,
    "-": lambda _, x, y: (1.0, -1.0),
    "/": lambda out, x, y: (apply("/", 1.0, y), apply("neg", apply("/", out, y))),
    "neg": lambda _, x: (-1.0,),
    "relu": lambda _, x: (1.0 if x.data > 0.0 else 0.0,),
    "exp": lambda out, x: (out,),
    "log": lambda _, x: (apply("/", 1.0, x),),
    "tanh": lambda out, x: (apply("-", 1.0, apply("*", out, out)),),
    "abs": lambda _, x: (float((x.data > 0.0) - (x.data < 0.0)),),
    "min": lambda _, x, y: shares(y.data - x.data),
    "max": lambda _, x, y: shares(x.data - y.data),
    "sin": lambda _, x: (apply("cos", x),),
    "cos": lambda _, x: (apply("neg", apply("sin", x)),),
    "atan": lambda _, x: (apply("/", 1.0, apply("+", 1.0, apply("*", x, x))),),
    "sqrt": lambda out, x: (apply("/", 0.5, out),),
    "sigmoid": lambda out, x: (apply("*", out, apply("-", 1.0, out)),),
    "softplus": lambda _, x: (apply("sigmoid", x),),
    "log1p": lambda _, x: (apply("/", 1.0, apply("+", 1.0, x)),),
    "expm1": lambda _, x: (apply("exp", x),),
}
