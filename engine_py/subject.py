"""Text at values, graph of Values or document -> its document."""

from collections.abc import Mapping, Sequence

from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import InvalidRequest
from engine_py.introspect import introspect
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.request import Real, View
from engine_py.value import Value
from engine_py.value_graph import differentiate_values

Values = Mapping[str, Real]
"""Numbers by name."""

Subject = GradientDocument | Value | str
"""A document, or the text or Value to make one from."""


def introspect_value(
    root: Value,
    *,
    parameters: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> GradientDocument:
    """Return the document of a graph of Values, with expression and spans null.

    Data and gradients are recomputed from the leaves' data; the Values do not change.

    Raises:
        GradientError: a number is invalid, or two leaves have one label.
        DeadlineExceeded: the deadline has passed.
    """
    return differentiate_values(root, parameters, limits, deadline)


def document_of(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> GradientDocument:
    """Return the document of a text at values or of a graph of Values; return a document unchanged.

    Raises:
        GradientError: the program is invalid, or `values` came with a document or a Value.
        DeadlineExceeded: the deadline has passed.
    """
    if isinstance(subject, str):
        return introspect(
            subject,
            values or {},
            parameters=parameters,
            view=view,
            limits=limits,
            deadline=deadline,
        )
    refuse_values(values)
    if isinstance(subject, Value):
        return introspect_value(subject, parameters=parameters, limits=limits, deadline=deadline)
    return subject


def refuse_values(values: Values | None) -> None:
    """Refuse `values` together with a document or a Value, which has its own."""
    if values:
        raise InvalidRequest(
            "values belong to a text; a document or a Value has its own", pointer="/values"
        )
