"""Unchecked members + document -> settings of a descent: its rows, and how parameters move."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypedDict, get_args

from engine_py.document import Document
from engine_py.errors import InvalidRequest, InvalidValue, LimitExceeded
from engine_py.lab.conditions import check_choice, check_number, check_numbers, check_whole, refuse
from engine_py.limits import Limits
from engine_py.request import Real, pointer_step

Loss = Literal["sum", "mean"]
LOSSES: tuple[Loss, ...] = get_args(Loss)
Optimizer = Literal["sgd", "adam", "adamw"]
OPTIMIZERS: tuple[Optimizer, ...] = get_args(Optimizer)
Schedule = Literal["constant", "linear"]
SCHEDULES: tuple[Schedule, ...] = get_args(Schedule)

MOST_ROWS = 1_000
MOST_STEPS = 10_000


class Settings(NamedTuple):
    """Checked members of a descent."""

    rows: list[dict[int, float]]
    """For each row, the data of variables, by id."""
    loss: Loss
    optimizer: Optimizer
    learning_rate: float
    schedule: Schedule
    """Whether the learning rate stays or falls in a line, to 0 after the last step."""
    momentum: float
    """Of `sgd`."""
    beta1: float
    """Of `adam` and `adamw`, as the two below."""
    beta2: float
    epsilon: float
    weight_decay: float
    """Of `adamw`."""
    zero_grad: bool
    """Whether gradients are set to 0 before each step; else they add up."""
    steps: int
    every: int
    """The points that are listed: each so many steps, and the last."""


class DescentSettings(TypedDict, total=False):
    """What a caller may say of a descent; what is left out has its default."""

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
"""The members, in the order in which they are checked."""


def check_settings(document: Document, members: Mapping[str, object], limits: Limits) -> Settings:
    """Check each member in turn; the first fault is the error (CONTRACT.md R40)."""
    given: dict[str, Any] = {**DEFAULTS, **members}
    if unknown := members.keys() - DEFAULTS.keys():
        raise TypeError(f"a descent has no setting {min(unknown)!r}")
    parameters = [node["id"] for node in document["nodes"] if node["kind"] == "parameter"]
    if not parameters:
        message = "a descent moves parameters, and no variable of the program is one; "
        message += "list under parameters those that it may move"
        raise InvalidRequest(message, pointer="/parameters")
    settings = Settings(
        _check_rows(document, given["rows"]),
        check_choice("loss", given["loss"], LOSSES),
        check_choice("optimizer", given["optimizer"], OPTIMIZERS),
        _check_size("learning_rate", given),
        check_choice("schedule", given["schedule"], SCHEDULES),
        _check_part("momentum", given),
        _check_part("beta1", given),
        _check_part("beta2", given),
        check_number("epsilon", given["epsilon"], lambda number: number > 0.0, "a number above 0"),
        _check_size("weight_decay", given),
        _check_flag("zero_grad", given),
        check_whole("steps", given["steps"], 0, MOST_STEPS),
        check_whole("every", given["every"], 1, MOST_STEPS),
    )
    _check_work(document, settings, limits.descent_nodes)
    _check_length(settings, len(parameters), limits.descent_numbers)
    return settings


def _check_rows(document: Document, rows: object) -> list[dict[int, float]]:
    if not isinstance(rows, list | tuple) or not 1 <= len(rows) <= MOST_ROWS:
        refuse("rows", f"an array of 1 to {MOST_ROWS} objects of numbers", rows)
    return [_check_row(document, f"rows/{place}", row) for place, row in enumerate(rows)]


def _check_row(document: Document, member: str, row: object) -> dict[int, float]:
    doubles = check_numbers(document, member, row)
    for node in doubles:
        name = document["nodes"][node]["label"] or ""
        if document["nodes"][node]["kind"] == "parameter":
            message = f"`{name}` is a parameter, which the descent moves; take it out of the row"
            raise InvalidValue(message, name=name, pointer=f"/{member}" + pointer_step(name))
    return doubles


def _check_size(member: str, given: Mapping[str, Any]) -> float:
    what = "a number from 0 up"
    return check_number(member, given[member], lambda number: number >= 0.0, what)


def _check_part(member: str, given: Mapping[str, Any]) -> float:
    what = "a number from 0 to less than 1"
    return check_number(member, given[member], lambda number: 0.0 <= number < 1.0, what)


def _check_flag(member: str, given: Mapping[str, Any]) -> bool:
    flag = given[member]
    return flag if isinstance(flag, bool) else refuse(member, "true or false", flag)


def _check_work(document: Document, settings: Settings, limit: int) -> None:
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
