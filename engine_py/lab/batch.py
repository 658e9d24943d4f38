"""Document + rows of inputs -> loss and its gradient, at any parameters."""

from math import isfinite
from typing import NamedTuple

from engine_py.backward import backward
from engine_py.document import Document
from engine_py.errors import GradientError, NonFinite
from engine_py.forward import forward
from engine_py.lab.rebuild import rebuild
from engine_py.lab.settings import Loss


class Slope(NamedTuple):
    """The loss over all rows, and its gradient by the parameters, in their order."""

    loss: float
    gradients: list[float]


class Failed(Exception):
    """There is no loss or no gradient at these parameters."""

    def __init__(self, row: int | None, error: GradientError) -> None:
        """Keep the error, and the row that has it; None where it is in the sum of all."""
        super().__init__(error.message)
        self.row = row
        self.error = error


class Batch:
    """A program, and the rows of inputs at which it is computed."""

    def __init__(self, document: Document, rows: list[dict[int, float]], loss: Loss) -> None:
        """Take the document's values for what a row leaves open."""
        self.parameters = [
            (node["label"] or "", node["id"])
            for node in document["nodes"]
            if node["kind"] == "parameter"
        ]
        """(name, node), in the order of the nodes."""
        self._rebuilt, self._root = rebuild(document), document["root"]
        self._divisor = float(len(rows)) if loss == "mean" else 1.0
        labels = {node["id"]: node["label"] or "" for node in document["nodes"]}
        self._rows = [
            {**document["values"], **{labels[node]: row[node] for node in row}} for row in rows
        ]

    def slope(self, parameters: list[float]) -> Slope:
        """Add up the rows' results and gradients, in order; divide them for a mean.

        Raises:
            Failed: a row has none, or a sum is not finite.
        """
        graph, order, steps = self._rebuilt
        names = [name for name, _ in self.parameters]
        moved = dict(zip(names, parameters, strict=True))
        loss, gradients = 0.0, [0.0] * len(names)
        for place, row in enumerate(self._rows):
            try:
                computed = forward(graph, order, steps, {**row, **moved})
                grads, *_ = backward(graph, order, steps, computed)
            except GradientError as error:
                raise Failed(place, error) from None
            loss += computed[0][self._root]
            for index, (_, node) in enumerate(self.parameters):
                gradients[index] += grads[node]
        self._refuse_infinite_sums(loss, gradients)
        return Slope(loss / self._divisor, [sum_ / self._divisor for sum_ in gradients])

    def _refuse_infinite_sums(self, loss: float, gradients: list[float]) -> None:
        if not isfinite(loss):
            raise Failed(None, too_large("data", "the loss, added up over all rows,", self._root))
        for (name, node), gradient in zip(self.parameters, gradients, strict=True):
            if not isfinite(gradient):
                what = f"the gradient of `{name}`, added up over all rows,"
                raise Failed(None, too_large("grad", what, node))


def too_large(stage: str, what: str, node: int, hint: str = "") -> NonFinite:
    """Say that a number is too large which belongs to no operation."""
    message = f"{what} is too large for a double{hint}"
    return NonFinite(message, stage=stage, node=node, operation=None, operands=[], slot=None)
