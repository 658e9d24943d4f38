"""Document + settings -> descent: its parameters moved against the gradient, step by step."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, Unpack, get_args

from engine_py.backward import backward
from engine_py.deadline import NEVER, Deadline, passes_per_check
from engine_py.document import GradientDocument
from engine_py.errors import GradientError, InvalidRequest, InvalidValue, LimitExceeded, NonFinite
from engine_py.forward import forward
from engine_py.lab.checks import (
    check_choice,
    check_flag,
    check_number,
    check_numbers,
    check_whole,
    refuse,
)
from engine_py.lab.tape import rebuild
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.numerics import elementary
from engine_py.request import Real, View, pointer_step
from engine_py.subject import Subject, Values, document_of

Loss = Literal["sum", "mean"]
LOSSES: tuple[Loss, ...] = get_args(Loss)
Optimizer = Literal["sgd", "adam", "adamw"]
OPTIMIZERS: tuple[Optimizer, ...] = get_args(Optimizer)
Schedule = Literal["constant", "linear"]
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)

MAX_ROWS = 1_000
MAX_STEPS = 10_000
_HINT = "; use a smaller learning rate"


class Settings(NamedTuple):
    """Checked members of a descent."""

    rows: list[dict[int, float]]
    """For each row, the data of variables, by id."""
    loss: Loss
    optimizer: Optimizer
    learning_rate: float
    schedule: Schedule
    """Whether the learning rate is constant or falls linearly, to 0 after the last step."""
    momentum: float
    """For `sgd`."""
    beta1: float
    """For `adam` and `adamw`, like the next two."""
    beta2: float
    epsilon: float
    weight_decay: float
    """For `adamw`."""
    zero_grad: bool
    """Whether gradients are set to 0 before each step; else they add up."""
    steps: int
    every: int
    """Every `every`-th step is listed, and the last one."""


class DescentSettings(TypedDict, total=False):
    """The settings of a descent, all of them optional."""

    rows: Sequence[Mapping[str, Real]]
    loss: Loss
    optimizer: Optimizer
    learning_rate: Real
    schedule: Schedule
    momentum: Real
    beta1: Real
    beta2: Real
    epsilon: Real
    weight_decay: Real
    zero_grad: bool
    steps: int
    every: int


DEFAULTS: DescentSettings = {
    "rows": [{}],
    "loss": "mean",
    "optimizer": "sgd",
    "learning_rate": 0.1,
    "schedule": "constant",
    "momentum": 0.0,
    "beta1": 0.9,
    "beta2": 0.999,
    "epsilon": 1e-8,
    "weight_decay": 0.01,
    "zero_grad": True,
    "steps": 100,
    "every": 1,
}
"""The defaults, in the order in which the members are checked."""

MEMBERS = tuple(DEFAULTS)
"""The members of a request for a descent."""


def check_settings(
    document: GradientDocument,
    members: Mapping[str, object],
    limits: Limits,
    deadline: Deadline = NEVER,
) -> Settings:
    """Check each member in turn; the first invalid one is the error (CONTRACT.md R40)."""
    given: dict[str, Any] = {**DEFAULTS, **members}
    if unknown := members.keys() - DEFAULTS.keys():
        raise TypeError(f"a descent has no setting {min(unknown)!r}")
    parameters = [node["id"] for node in document["nodes"] if node["kind"] == "parameter"]
    if not parameters:
        message = "a descent moves parameters, and no variable of the program is one; "
        message += "list under parameters those that it may move"
        raise InvalidRequest(message, pointer="/parameters")
    settings = Settings(
        _check_rows(document, given["rows"], deadline),
        check_choice("loss", given["loss"], LOSSES),
        check_choice("optimizer", given["optimizer"], OPTIMIZERS),
        _check_size("learning_rate", given),
        check_choice("schedule", given["schedule"], SCHEDULES),
        _check_part("momentum", given),
        _check_part("beta1", given),
        _check_part("beta2", given),
        check_number("epsilon", given["epsilon"], lambda number: number > 0.0, "a number above 0"),
        _check_size("weight_decay", given),
        check_flag("zero_grad", given["zero_grad"]),
        check_whole("steps", given["steps"], 0, MAX_STEPS),
        check_whole("every", given["every"], 1, MAX_STEPS),
    )
    _check_work(document, settings, limits.descent_nodes)
    _check_length(settings, len(parameters), limits.descent_numbers)
    return settings


def _check_rows(
    document: GradientDocument, rows: object, deadline: Deadline
) -> list[dict[int, float]]:
    if not isinstance(rows, list | tuple) or not 1 <= len(rows) <= MAX_ROWS:
        refuse("rows", f"an array of 1 to {MAX_ROWS} objects of numbers", rows)
    watched = enumerate(deadline.over(rows, passes_per_check(len(document["nodes"]))))
    return [_check_row(document, f"rows/{place}", row) for place, row in watched]


def _check_row(document: GradientDocument, member: str, row: object) -> dict[int, float]:
    doubles = check_numbers(document, member, row)
    for node in doubles:
        name = document["nodes"][node]["label"] or ""
        if document["nodes"][node]["kind"] == "parameter":
            message = f"`{name}` is a parameter, which the descent moves; take it out of the row"
            raise InvalidValue(message, name=name, pointer=f"/{member}" + pointer_step(name))
    return doubles


def _check_size(member: str, given: Mapping[str, Any]) -> float:
    expected = "a number of 0 or more"
    return check_number(member, given[member], lambda number: number >= 0.0, expected)


def _check_part(member: str, given: Mapping[str, Any]) -> float:
    expected = "a number from 0 to less than 1"
    return check_number(member, given[member], lambda number: 0.0 <= number < 1.0, expected)


def _check_work(document: GradientDocument, settings: Settings, limit: int) -> None:
    actual = (settings.steps + 1) * len(settings.rows) * len(document["nodes"])
    if actual > limit:
        message = f"{settings.steps} steps over {len(settings.rows)} rows compute {actual} nodes; "
        message += f"at most {limit} are computed"
        raise LimitExceeded(message, name="descent_nodes", limit=limit, actual=actual)


def _check_length(settings: Settings, parameters: int, limit: int) -> None:
    actual = (settings.steps // settings.every + 2) * parameters
    if actual > limit:
        message = f"the points of this descent have {actual} parameters in all; at most "
        message += f"{limit} are listed, so list fewer points with a larger `every`"
        raise LimitExceeded(message, name="descent_numbers", limit=limit, actual=actual)


class LossAndGradients(NamedTuple):
    """The loss over all rows, and its gradient by the parameters, in their order."""

    loss: float
    gradients: list[float]


class Failed(Exception):
    """The loss or its gradient does not exist at these parameters."""

    def __init__(self, row: int | None, error: GradientError) -> None:
        """Keep the error and its row, or None if it is in the sum over all rows."""
        super().__init__(error.message)
        self.row = row
        self.error = error


class Batch:
    """A program, and the rows of inputs at which it is computed."""

    def __init__(
        self,
        document: GradientDocument,
        rows: list[dict[int, float]],
        loss: Loss,
        deadline: Deadline = NEVER,
    ) -> None:
        """Complete the rows with the document's values."""
        self.parameters = [
            (node["label"] or "", node["id"])
            for node in document["nodes"]
            if node["kind"] == "parameter"
        ]
        """(name, node), in the order of the nodes."""
        self._rebuilt, self._root = rebuild(document), document["root"]
        self._deadline = deadline
        self._rows_per_check = passes_per_check(len(document["nodes"]))
        self._divisor = float(len(rows)) if loss == "mean" else 1.0
        labels = {node["id"]: node["label"] or "" for node in document["nodes"]}
        self._rows = [
            {**document["values"], **{labels[node]: row[node] for node in row}}
            for row in deadline.over(rows, self._rows_per_check)
        ]

    def differentiate(self, parameters: list[float]) -> LossAndGradients:
        """Return the sum or mean of the rows' results and gradients, added up in order.

        Raises:
            Failed: a row has no result, or a sum is not finite.
            DeadlineExceeded: the deadline has passed.
        """
        graph, order, steps = self._rebuilt
        names = [name for name, _ in self.parameters]
        moved = dict(zip(names, parameters, strict=True))
        loss, gradients = 0.0, [0.0] * len(names)
        for place, row in enumerate(self._deadline.over(self._rows, self._rows_per_check)):
            try:
                computed = forward(graph, order, steps, {**row, **moved}, self._deadline)
                grads, *_ = backward(graph, order, steps, computed)
            except GradientError as error:
                raise Failed(place, error) from None
            loss += computed[0][self._root]
            for index, (_, node) in enumerate(self.parameters):
                gradients[index] += grads[node]
        self._refuse_infinite_sums(loss, gradients)
        return LossAndGradients(loss / self._divisor, [sum_ / self._divisor for sum_ in gradients])

    def _refuse_infinite_sums(self, loss: float, gradients: list[float]) -> None:
        if not isfinite(loss):
            raise Failed(None, _too_large("data", "the loss, added up over all rows,", self._root))
        for (name, node), gradient in zip(self.parameters, gradients, strict=True):
            if not isfinite(gradient):
                quantity = f"the gradient of `{name}`, added up over all rows,"
                raise Failed(None, _too_large("grad", quantity, node))


def _too_large(stage: str, quantity: str, node: int, hint: str = "") -> NonFinite:
    """Return the error for a number that is too large and belongs to no operation."""
    message = f"{quantity} is too large for a double{hint}"
    return NonFinite(message, stage=stage, node=node, operation=None, operands=[], slot=None)


class UpdateRule(Protocol):
    """The rule by which parameters move, with its state for each parameter, by index."""

    def begin_step(self, rate: float) -> None:
        """Set the learning rate of the step, before the first parameter moves."""

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move a parameter, rounding each operation (CONTRACT.md R40); None if it overflows."""


class Sgd:
    """Gradient descent with momentum."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Start with velocity 0."""
        self._momentum, self._rate = settings.momentum, 0.0
        self._velocities = [0.0] * count

    def begin_step(self, rate: float) -> None:
        """Set the learning rate."""
        self._rate = rate

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Move by the velocity: the gradient plus `momentum` times the last velocity."""
        velocity = self._momentum * self._velocities[place] + gradient
        self._velocities[place] = velocity
        moved = parameter - self._rate * velocity
        return moved + 0.0 if isfinite(velocity) and isfinite(moved) else None


class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019), which may be 0: Adam."""

    def __init__(self, settings: Settings, count: int, weight_decay: float) -> None:
        """Start with moments 0."""
        self._settings, self._weight_decay, self._rate = settings, weight_decay, 0.0
        self._means, self._squares = [0.0] * count, [0.0] * count
        self._power1 = self._power2 = 1.0

    def begin_step(self, rate: float) -> None:
        """Set the rate, and multiply the running powers of the betas once more."""
        self._rate = rate
        self._power1 *= self._settings.beta1
        self._power2 *= self._settings.beta2

    def move(self, place: int, parameter: float, gradient: float) -> float | None:
        """Decay the weight, then move by the mean over the root of the mean square."""
        rate, beta1, beta2 = self._rate, self._settings.beta1, self._settings.beta2
        mean = beta1 * self._means[place] + (1.0 - beta1) * gradient
        square = beta2 * self._squares[place] + (1.0 - beta2) * (gradient * gradient)
        self._means[place], self._squares[place] = mean, square
        unbiased = square / (1.0 - self._power2)
        if not (isfinite(mean) and isfinite(unbiased)):
            return None
        root = elementary.sqrt(unbiased)
        step = mean / (1.0 - self._power1) / (root + self._settings.epsilon)
        moved = parameter * (1.0 - rate * self._weight_decay) - rate * step
        return moved + 0.0 if isfinite(moved) else None


def _update_rule(settings: Settings, count: int) -> UpdateRule:
    """Make the optimizer of the settings for `count` parameters."""
    if settings.optimizer == "sgd":
        return Sgd(settings, count)
    return AdamW(settings, count, settings.weight_decay if settings.optimizer == "adamw" else 0.0)


class Point(TypedDict):
    """The state after `step` steps. `gradient_norm` is None if it overflows."""

    step: int
    loss: float
    gradient_norm: float | None
    parameters: dict[str, float]


class Fault(TypedDict):
    """Why step `step` is missing. `row` is None if the error is in no single row."""

    step: int
    row: int | None
    error: dict[str, Any]


class Descent(TypedDict):
    """A whole descent; `fault` is None if all steps were made."""

    document: GradientDocument
    trajectory: list[Point]
    fault: Fault | None


class Descending(Iterator[Point]):
    """A descent that computes each point on demand, so it can be paused.

    After the last point, `fault` says what ended it, or is None. If the deadline passes within a
    step, DeadlineExceeded is raised: the points before it stay valid, and there are no more.
    """

    def __init__(  # noqa: PLR0913 - as for `descend`
        self,
        subject: Subject,
        values: Values | None = None,
        *,
        parameters: Sequence[str] = (),
        view: View = "folded",
        limits: Limits = DEFAULT_LIMITS,
        deadline: Deadline = NEVER,
        **settings: Unpack[DescentSettings],
    ) -> None:
        """Check the settings, which are those of `descend`.

        Raises:
            GradientError: a setting is invalid, or there is too much to compute or to list.
            DeadlineExceeded: the deadline has passed.
        """
        self.fault: Fault | None = None
        document = document_of(
            subject, values, parameters=parameters, view=view, limits=limits, deadline=deadline
        )
        self.document, self._deadline = document, deadline
        self._settings = check_settings(document, settings, check_limits(limits), deadline)
        self._batch = Batch(document, self._settings.rows, self._settings.loss, deadline)
        self._optimizer = _update_rule(self._settings, len(self._batch.parameters))
        self._names = [name for name, _ in self._batch.parameters]
        self._points = self._descend([document["values"][name] for name in self._names])

    def __next__(self) -> Point:
        """Make steps up to the next listed point, and return it."""
        return next(self._points)

    def _descend(self, parameters: list[float]) -> Iterator[Point]:
        steps, gradients = self._settings.steps, [0.0] * len(parameters)
        nodes = len(self._settings.rows) * len(self.document["nodes"])
        for step in self._deadline.over(range(steps + 1), passes_per_check(nodes)):
            try:
                if step > 0:
                    parameters = self._move(step, parameters, gradients)
                loss, slopes = self._batch.differentiate(parameters)
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
        """Add to the gradients of earlier steps. Raises Failed if a sum is too large."""
        sums: list[float] = []
        for place, (name, node) in enumerate(self._batch.parameters):
            sums.append(gradients[place] + slopes[place])
            if not isfinite(sums[place]):
                quantity = f"the gradient of `{name}`, added up over all steps,"
                raise Failed(None, _too_large("grad", quantity, node))
        return sums

    def _move(self, step: int, parameters: list[float], gradients: list[float]) -> list[float]:
        """Move all parameters. Raises Failed if one becomes too large."""
        is_linear = self._settings.schedule == "linear"
        left = 1.0 - (step - 1) / self._settings.steps if is_linear else 1.0
        self._optimizer.begin_step(self._settings.learning_rate * left)
        moved: list[float] = []
        for place, (name, node) in enumerate(self._batch.parameters):
            parameter = self._optimizer.move(place, parameters[place], gradients[place])
            if parameter is None:
                raise Failed(None, _too_large("data", f"`{name}`, once moved,", node, _HINT))
            moved.append(parameter)
        return moved


def descend(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
    **settings: Unpack[DescentSettings],
) -> Descent:
    """Move the parameters of a document against the gradient of its loss (CONTRACT.md R40).

    Args:
        subject: a text, a Value or a document, which says which variables are parameters.
        values: by name, for a text; the parameters start there.
        parameters: their names, for a text or a Value.
        view: for a text: "folded", or "primitive" to build -, / and others from + * **.
        limits: `descent_nodes` to compute (those of all rows at each step), `descent_numbers` to
            list, and those of the document.
        deadline: of the computation.
        settings: `rows` (for each, numbers for inputs, in place of the document's), `loss` of all
            rows ("mean" or "sum"), `optimizer` ("sgd", "adam" or "adamw"), `learning_rate` and its
            `schedule` ("constant", or "linear" to 0); `momentum` of sgd; `beta1`, `beta2` and
            `epsilon` of adam and adamw; `weight_decay` of adamw; `zero_grad`, without which
            gradients add up over the steps; `steps`; `every`: every N-th step is listed, and the
            last one.

    Raises:
        GradientError: a setting is invalid, or there is too much to compute or to list. An error in
            a step is not raised: it is the `fault` that ends the descent.
        DeadlineExceeded: the deadline has passed.
    """
    descending = Descending(
        subject,
        values,
        parameters=parameters,
        view=view,
        limits=limits,
        deadline=deadline,
        **settings,
    )
    trajectory = list(descending)
    return {"document": descending.document, "trajectory": trajectory, "fault": descending.fault}


def _norm(gradients: list[float]) -> float | None:
    squares = 0.0
    for gradient in gradients:
        squares += gradient * gradient
    return elementary.sqrt(squares) if isfinite(squares) else None
