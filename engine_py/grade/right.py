"""The right numbers of a program, from the engine: its result, and the gradients of its leaves."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from engine_py.grade.programs import TrialProgram, applied, evaluated
from engine_py.value import Value


class Right(NamedTuple):
    """The right numbers of one pass."""

    data: float
    grads: tuple[float, ...]


@cache
def right(program: TrialProgram) -> list[Right]:
    """Return the right numbers for each pass of a program."""
    found = [_computed(program.text, point) for point in program.points]
    if program.use == "losses":  # the second pass is from twice the result, and adds to the first
        [(data, grads)] = found
        found.append(Right(2 * data, tuple([each + 2 * each for each in grads])))
    elif program.use in ("twice", "zeroed"):
        found *= 2
    return found


@cache
def has_zero(program: TrialProgram) -> bool:
    """Return whether a number in the text, or the data or gradient of a node, is 0."""
    leaves = [Value(x) for x in program.point]
    nodes = [*leaves]

    def noted(operation: str, operands: Sequence[Any]) -> Any:
        nodes.append(_applied(operation, operands))
        return nodes[-1]

    evaluated(program.text, leaves, noted).backward()
    is_written = any(each == "0" for each in re.findall(r"[\d.]+", program.text))
    return is_written or any(0.0 in (each.data, each.grad) for each in nodes)


def _computed(text: str, point: tuple[float, ...]) -> Right:
    leaves = [Value(x) for x in point]
    root = evaluated(text, leaves, _applied)
    root.backward()
    return Right(root.data, tuple([each.grad for each in leaves]))


def _applied(operation: str, operands: Sequence[Any]) -> Any:
    if operation == "**" and isinstance(operands[1], Value):  # the engine refuses such an exponent
        base, exponent = operands
        base = base if isinstance(base, Value) else Value(base)
        return (exponent * base.log()).exp()
    return applied(operation, operands)
