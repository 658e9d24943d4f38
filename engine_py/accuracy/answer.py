"""Program and values -> accuracy: the document, or the error of its passes, beside the truth."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from engine_py.accuracy.accuracy import DEFAULTS, Accuracy, AccuracyMembers, compare
from engine_py.document import Document, build_outline
from engine_py.errors import DomainError, GradientError, NonFinite
from engine_py.introspect import Prepared, differentiate, prepare
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import Real, Request, View, check_request
from engine_py.value import Value, Values, document_of

MEMBERS = tuple(DEFAULTS)
"""What a request may say besides its program."""


def accuracy(
    subject: Document | Value | str,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Compare every number of a program's document with the true one (CONTRACT.md R38).

    The truth is that of the program over the real numbers, at the doubles given. It may exist where
    a pass of the document is an error, which then stands in the document's place.

    Args:
        subject: a text, a document or a Value.
        values: those of a text.
        parameters: the variables of a text or a Value to mark as parameters in the document.
        view: of a text, whether derived operations, such as -, are one each or built from others.
        limits: how large the request may be, and how much work the truth and the witnesses.
        members: `why`, the number whose error is explained, as {"node": id or label, "number":
            "data" or "grad"}, or None for the result; `claimed` gradients, by label or id, and the
            `tolerance` of what these may be off by, as a part of the true gradient (1e-9; 1e-4 for
            a program that computes in single precision); how many culprits to name at `most`, from
            0 to 100; whether to add `witnesses`, forward mode and central differences.

    Raises:
        GradientError: the request is wrong, or takes too much work.
        ValueError: a limit is no whole number from 0 up.
    """
    if isinstance(subject, str):
        return accuracy_of_text(
            subject, values or {}, parameters=parameters, view=view, limits=limits, **members
        )
    document = document_of(subject, parameters=parameters, limits=limits)
    return compare(document, document["values"], document, limits=limits, **members)


def accuracy_of_text(
    expression: str,
    values: Mapping[str, Real],
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Do so for members of a request, whose expression may be anything but should be a text."""
    check_limits(limits)
    request = check_request(expression, values, parameters, view, limits)
    prepared = prepare(request.expression, request.view, limits)
    return answer(prepared, request, limits=limits, **members)


def answer(
    prepared: Prepared,
    request: Request,
    *,
    limits: Limits = DEFAULT_LIMITS,
    **members: Unpack[AccuracyMembers],
) -> Accuracy:
    """Do so for a checked request, whose expression and view were prepared."""
    outcome: Document | GradientError
    try:
        outcome = differentiate(prepared, request)
    except (DomainError, NonFinite) as error:
        outcome = error
    outline = build_outline(request, prepared.graph, prepared.template)
    return compare(outline, request.values, outcome, limits=limits, **members)
