"""Checked request -> document; the parts that depend only on the text are cached."""

import time
from functools import lru_cache
from typing import cast

from engine_py import GradientDocument, Limits, Outline
from engine_py.deadline import NEVER, Deadline
from engine_py.document import build_outline
from engine_py.introspect import Prepared, differentiate, prepare_text, refuse_missing_values
from engine_py.request import GradientRequest, View
from engine_py.sweeps.blocks import gradients_at, names_of_variables
from service.observe import Metrics
from service.reply.formats import KNOWN, NUMBERS, Fields, pick

_KEPT = 32
_LONGEST_KEPT = 256
"""Characters. Each can be a node of more than a kilobyte, so the cache has at most 12 MB."""


class Engine:
    """The engine with the cache and metrics of one process."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits = limits
        self._metrics = metrics
        self._kept = lru_cache(_KEPT)(self._prepare)

    def answer(self, request: GradientRequest, deadline: Deadline = NEVER) -> GradientDocument:
        """Differentiate, and measure it. Raises GradientError and DeadlineExceeded."""
        return self.part(request, KNOWN, deadline)[0]

    def part(
        self, request: GradientRequest, fields: Fields, deadline: Deadline
    ) -> tuple[GradientDocument, int]:
        """Compute the members `fields` of a document; return the number of its nodes, too.

        Raises:
            GradientError: the same for all `fields`.
            DeadlineExceeded: it takes too long.
        """
        started = time.perf_counter()
        prepared = self.prepared(request.expression, request.view)
        if fields is not KNOWN and NUMBERS.issuperset(fields):
            refuse_missing_values(prepared.graph, request.values, request.parameters)
            document = _numbers(prepared, request.values)
        else:
            document = differentiate(prepared, request, deadline=deadline)
        nodes = len(prepared.order)
        self._metrics.note_document(nodes, time.perf_counter() - started)
        return pick(document, fields), nodes

    def outline(self, request: GradientRequest) -> Outline:
        """Describe the program without values. Raises GradientError."""
        prepared = self.prepared(request.expression, request.view)
        return build_outline(request, prepared.graph, prepared.template)

    def prepared(self, expression: str, view: View) -> Prepared:
        """Compute the parts that depend only on the text, or take them from the cache."""
        kept = self._kept if len(expression) <= _LONGEST_KEPT else self._prepare
        return kept(expression, view)

    def _prepare(self, expression: str, view: View) -> Prepared:
        return prepare_text(expression, view, self._limits)


def _numbers(prepared: Prepared, values: dict[str, float]) -> GradientDocument:
    """Compute only the numbers of a document."""
    result, gradients = gradients_at(prepared, values)
    named = dict(zip(names_of_variables(prepared), gradients, strict=True))
    numbers = {"result": result, "gradients": named}
    return cast("GradientDocument", numbers)
