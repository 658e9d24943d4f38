"""Document -> its second derivatives, by name and name, and what changes along a vector."""

from collections.abc import Sequence
from typing import TypedDict

from engine_py.document import Document
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.lab.conditions import check_numbers, refuse
from engine_py.lab.conditions import variables as ids_of
from engine_py.lab.second_order import SecondOrder
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import described
from engine_py.value import Value, Values, document_of


class Hessian(TypedDict):
    """Second derivatives; the last two are None where no vector was given."""

    document: Document
    hessian: dict[str, dict[str, float]]
    product: dict[str, float] | None
    directional_derivative: float | None


def hessian(
    subject: Document | Value | str,
    *,
    values: Values | None = None,
    variables: Sequence[str] | None = None,
    vector: Values | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Hessian:
    """Differentiate the gradients of a document once more (CONTRACT.md R41).

    Args:
        subject: a document, a text or a Value.
        values: those of a text.
        variables: the names whose second derivatives are wanted; all of them, if it is None.
        vector: numbers for variables, 0 where it has none. The Hessian's product with it is given
            for every variable, and the result's derivative along it; it takes one direction.
        limits: of these, that of tangents, and those of the document.

    Raises:
        GradientError: a member is wrong, there are too many directions for so large a graph, or a
            tangent is not finite.
    """
    document = document_of(subject, values, limits=limits)
    ids = ids_of(document)
    chosen = _check_variables(ids, variables)
    direction = None if vector is None else check_numbers(document, "vector", vector)
    directions = len(chosen) + (direction is not None)
    _check_size(document, directions, check_limits(limits).tangents)
    order = SecondOrder(document)
    along = None if direction is None else order.along(direction)
    columns = {name: _named(ids, order.along({ids[name]: 1.0}).grads) for name in chosen}
    return {
        "document": document,
        "hessian": {one: {other: columns[other][one] for other in chosen} for one in chosen},
        "product": along and _named(ids, along.grads),
        "directional_derivative": along and _number(along.result),
    }


def _named(ids: dict[str, int], tangents: list[float | None]) -> dict[str, float]:
    return {name: _number(tangents[node]) for name, node in ids.items()}


def _number(tangent: float | None) -> float:
    return (tangent or 0.0) + 0.0


def _check_variables(ids: dict[str, int], variables: object) -> list[str]:
    if variables is None:
        return list(ids)
    if not isinstance(variables, list | tuple):
        refuse("variables", "an array of names", variables)
    chosen: dict[str, None] = {}
    for place, name in enumerate(variables):
        pointer = f"/variables/{place}"
        if not isinstance(name, str) or name not in ids:
            message = f"variables[{place}] must be the name of a variable, not {described(name)}"
            raise InvalidRequest(message, pointer=pointer)
        if name in chosen:
            message = f"`{name}` is listed twice under variables; list it once"
            raise InvalidRequest(message, pointer=pointer)
        chosen[name] = None
    return list(chosen)


def _check_size(document: Document, directions: int, limit: int) -> None:
    actual = directions * len(document["edges"])
    if actual > limit:
        message = f"{directions} directions in this graph take {actual} tangents; at most "
        message += f"{limit} are computed, so name fewer variables, or give a vector"
        raise LimitExceeded(message, name="tangents", limit=limit, actual=actual)
