"""operations.json -> each function's example and curves, computed by the engine."""

import re
from typing import Any, NamedTuple

from engine_py import GradientDocument, introspect, sweep
from engine_py.notebook import scene_of
from engine_py.show.explanation import explained, plain
from engine_py.show.program import request_of
from service.openapi import table

_EDGE = 4.0
"""The picture reaches from -4 to 4, both ways."""
_POINTS = 161
_FAR = 100.0
"""Points farther away are drawn here, which is also out of sight."""
_OPERAND = re.compile(r"\b[a-z]\b")
_UNARY = {"x": 0.5}
_BINARY = {"x": 3.0, "y": 2.0}


class Function(NamedTuple):
    """A row of operations.json with an example."""

    row: dict[str, Any]
    slopes: dict[str, str | None]
    """By operand, the derivative; None for an exponent."""
    document: GradientDocument
    values: list[str]
    """The curve of the result over x, one list of points for each stretch without a problem."""
    gradients: list[str]

    @property
    def command(self) -> str:
        """The arguments of the command that prints the example."""
        values = (f"{name}={value:g}" for name, value in self.document["values"].items())
        return f'"{self.document["expression"]}" {" ".join(values)}'

    @property
    def printed(self) -> str:
        """The output of the command."""
        return "\n".join(explained(self.document, plain))

    @property
    def scene(self) -> str:
        """The example as a fragment of the sandbox's address."""
        return scene_of(request_of(self.document))


def functions() -> list[Function]:
    """Return all functions and operators, in the order of the table."""
    return [_function(row) for row in table("operations")]


def _function(row: dict[str, Any]) -> Function:
    operands = _OPERAND.findall(row["syntax"])
    # An exponent is a number in the text, which no other operand is.
    expression = row["syntax"].replace("c", "2") if "c" in operands else row["syntax"]
    variables = _OPERAND.findall(expression)
    values = {name: (_BINARY if len(operands) > 1 else _UNARY)[name] for name in variables}
    axis = {"from": -_EDGE, "to": _EDGE, "count": _POINTS}
    curve = sweep(expression, {**values, "x": axis})
    xs = curve["axes"][0]["x"]
    return Function(
        row,
        dict(zip(operands, row["local_gradients"], strict=True)),
        introspect(expression, values),
        _stretches(xs, curve["results"]),
        _stretches(xs, curve["gradients"]["x"]),
    )


def _stretches(xs: list[float], ys: list[float | None]) -> list[str]:
    """Write the points as in SVG, y downwards, with gaps where there is no result."""
    stretches: list[list[str]] = [[]]
    for x, y in zip(xs, ys, strict=True):
        if y is not None:
            stretches[-1].append(f"{x:.3g},{-max(-_FAR, min(y, _FAR)):.4g}")
        elif stretches[-1]:
            stretches.append([])
    return [" ".join(points) for points in stretches if points]
