"""Document + settings -> descent: its parameters moved against the gradient, step by step."""

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, TypedDict, Unpack

from engine_py.document import Document
from engine_py.lab.batch import Batch, Failed, too_large
from engine_py.lab.optimizers import optimizer_of
from engine_py.lab.settings import DEFAULTS, DescentSettings, check_settings
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.numerics import elementary
from engine_py.value import Value, Values, document_of

MEMBERS = tuple(DEFAULTS)
"""Of a request for a descent."""

_HINT = "; use a smaller learning rate"


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
        self,
        subject: Document | Value | str,
        *,
        values: Values | None = None,
        parameters: Sequence[str] = (),
        limits: Limits = DEFAULT_LIMITS,
        **settings: Unpack[DescentSettings],
    ) -> None:
        """Check the settings, which are those of `descend`. Raises GradientError."""
        self.fault: Fault | None = None
        document = document_of(subject, values, parameters=parameters, limits=limits)
        self.document = document
        self._settings = check_settings(document, settings, check_limits(limits))
        self._batch = Batch(document, self._settings.rows, self._settings.loss)
        self._optimizer = optimizer_of(self._settings, len(self._batch.parameters))
        self._names = [name for name, _ in self._batch.parameters]
        self._points = self._descend([document["values"][name] for name in self._names])

    def __next__(self) -> Point:
        """Give the next point that is listed."""
        return next(self._points)

    def _descend(self, parameters: list[float]) -> Iterator[Point]:
        steps, gradients = self._settings.steps, [0.0] * len(parameters)
        for step in range(steps + 1):
            try:
                if step > 0:
                    parameters = self._move(step, parameters, gradients)
                loss, slopes = self._batch.slope(parameters)
                gradients = slopes if self._settings.zero_grad else self._add(gradients, slopes)
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

    def _add(self, gradients: list[float], slopes: list[float]) -> list[float]:
        """Add to what the steps before have left. Raises Failed: a sum is too large."""
        sums: list[float] = []
        for place, (name, node) in enumerate(self._batch.parameters):
            sums.append(gradients[place] + slopes[place])
            if not isfinite(sums[place]):
                what = f"the gradient of `{name}`, added up over all steps,"
                raise Failed(None, too_large("grad", what, node))
        return sums

    def _move(self, step: int, parameters: list[float], gradients: list[float]) -> list[float]:
        """Move all parameters. Raises Failed: one is too large then."""
        is_linear = self._settings.schedule == "linear"
        left = 1.0 - (step - 1) / self._settings.steps if is_linear else 1.0
        self._optimizer.begin_step(self._settings.learning_rate * left)
        moved: list[float] = []
        for place, (name, node) in enumerate(self._batch.parameters):
            parameter = self._optimizer.move(place, parameters[place], gradients[place])
            if parameter is None:
                raise Failed(None, too_large("data", f"`{name}`, once moved,", node, _HINT))
            moved.append(parameter)
        return moved


def descend(
    subject: Document | Value | str,
    *,
    values: Values | None = None,
    parameters: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    **settings: Unpack[DescentSettings],
) -> Descent:
    """Move the parameters of a document against the gradient of its loss (CONTRACT.md R40).

    Args:
        subject: a text, a Value or a document, which says which variables are parameters.
        values: those of a text, where the parameters begin.
        parameters: the names of those of a text or of a Value.
        limits: of these, those of nodes to compute (the rows' are computed anew at each step) and
            of numbers to list.
        settings: `rows` (for each, numbers for inputs, in place of the document's), `loss` of all
            rows ("mean" or "sum"), `optimizer` ("sgd", "adam" or "adamw"), `learning_rate` and its
            `schedule` ("constant", or "linear" to 0); `momentum` of sgd; `beta1`, `beta2` and
            `epsilon` of adam and adamw; `weight_decay` of adamw; `zero_grad`, without which
            gradients add up over the steps; `steps`; `every` so many steps, and at the last, a
            point is listed.

    Raises:
        GradientError: a setting is wrong, or there is too much to compute or to list. An error
            on the way is no exception: it is the `fault` that ends the descent.
    """
    descending = Descending(
        subject, values=values, parameters=parameters, limits=limits, **settings
    )
    trajectory = list(descending)
    return {"document": descending.document, "trajectory": trajectory, "fault": descending.fault}


def _norm(gradients: list[float]) -> float | None:
    squares = 0.0
    for gradient in gradients:
        squares += gradient * gradient
    return elementary.sqrt(squares) if isfinite(squares) else None
