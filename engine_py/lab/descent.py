"""Document + settings -> descent: its parameters moved against the gradient, step by step."""

from collections.abc import Iterator
from math import isfinite
from typing import Any, TypedDict

from engine_py import numerics
from engine_py.document import Document
from engine_py.lab.batch import Batch, Failed, too_large
from engine_py.lab.optimizers import optimizer_of
from engine_py.lab.settings import DEFAULTS, MOST_NODES, check_settings

MEMBERS = tuple(DEFAULTS)
"""Of a request for a descent."""

_CURE = "; use a smaller learning rate"


class Point(TypedDict):
    """Where the descent is after so many steps. The norm is None where it is no double."""

    step: int
    loss: float
    gradient_norm: float | None
    parameters: dict[str, float]


class Fault(TypedDict):
    """Why there is no such step. `row` is None where the error is in no single row."""

    step: int
    row: int | None
    error: dict[str, Any]


class Descent(TypedDict):
    """A descent in full; `fault` is None where all steps were made."""

    document: Document
    trajectory: list[Point]
    fault: Fault | None


class Descending(Iterator[Point]):
    """A descent that makes a step when it is asked for the next point, so it can be paused.

    After the last point, `fault` says what ended it, or None.
    """

    def __init__(
        self, document: Document, *, most_nodes: int = MOST_NODES, **settings: Any
    ) -> None:
        """Check the settings, which are those of `descend`. Raises GradientError."""
        self.fault: Fault | None = None
        self._settings = check_settings(document, settings, most_nodes)
        self._batch = Batch(document, self._settings.rows, self._settings.loss)
        self._optimizer = optimizer_of(self._settings, len(self._batch.parameters))
        self._names = [name for name, _ in self._batch.parameters]
        self._points = self._descend([document["values"][name] for name in self._names])

    def __next__(self) -> Point:
        """Give the next point that is listed."""
        return next(self._points)

    def _descend(self, parameters: list[float]) -> Iterator[Point]:
        steps, gradients = self._settings.steps, list[float]()
        for step in range(steps + 1):
            try:
                if step > 0:
                    parameters = self._move(parameters, gradients)
                loss, gradients = self._batch.slope(parameters)
            except Failed as failed:
                self.fault = {"step": step, "row": failed.row, "error": failed.error.as_dict()}
                return
            if step % self._settings.every == 0 or step == steps:
                yield {
                    "step": step,
                    "loss": loss + 0.0,
                    "gradient_norm": _norm(gradients),
                    "parameters": dict(zip(self._names, parameters, strict=True)),
                }

    def _move(self, parameters: list[float], gradients: list[float]) -> list[float]:
        """Move all parameters. Raises Failed: one is too large then."""
        self._optimizer.begin_step()
        moved: list[float] = []
        for place, (name, node) in enumerate(self._batch.parameters):
            parameter = self._optimizer.move(place, parameters[place], gradients[place])
            if parameter is None:
                raise Failed(None, too_large("data", f"`{name}`, once moved,", node, _CURE))
            moved.append(parameter)
        return moved


def descend(document: Document, *, most_nodes: int = MOST_NODES, **settings: Any) -> Descent:
    """Move the parameters of a document against the gradient of its loss (CONTRACT.md R40).

    Args:
        document: what `introspect` or `introspect_value` returned; it says which variables are
            parameters, and where they begin.
        most_nodes: to compute; the rows' nodes are computed anew at each step.
        settings: `rows` (for each, numbers for inputs, in place of the document's), `loss` of all
            rows ("mean" or "sum"), `optimizer` ("sgd" or "adamw"), `learning_rate`; `momentum` of
            sgd; `beta1`, `beta2`, `epsilon` and `weight_decay` of adamw; `steps`; `every` so many
            steps, and at the last, a point is listed.

    Raises:
        GradientError: a setting is wrong, or there is too much to compute or to list. An error
            on the way is no exception: it is the `fault` that ends the descent.
    """
    descending = Descending(document, most_nodes=most_nodes, **settings)
    trajectory = list(descending)
    return {"document": document, "trajectory": trajectory, "fault": descending.fault}


def _norm(gradients: list[float]) -> float | None:
    squares = 0.0
    for gradient in gradients:
        squares += gradient * gradient
    return numerics.sqrt(squares) if isfinite(squares) else None
