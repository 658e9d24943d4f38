"""Checked request -> document, with what follows from the text kept for the next request."""

import time
from functools import lru_cache
from typing import cast

from engine_py import Document, Limits, Outline
from engine_py.backward import backward
from engine_py.forward import forward
from engine_py.introspect import Prepared, differentiate, prepare, refuse_missing_values
from engine_py.outline import build_outline
from engine_py.points import gradients_at, names_of_variables
from engine_py.request import Request, View
from service.fields import KNOWN, NUMBERS, Fields, pick
from service.forms import Form, has_only_numbers, make_form
from service.observe.metrics import Metrics
from service.replies import json_bytes

_KEPT = 32
_WORTH_A_FORM = 3
"""Requests: to make a form takes as long as to write some ten documents."""

_LONGEST_KEPT = 256
"""Characters. Each can be a node, which takes more than a kilobyte, so all take 12 MB at most,
in the worker and in its child."""


class Engine:
    """The engine as one process of the service uses it."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        """Take the bounds, which are the same for all requests."""
        self._limits = limits
        self._metrics = metrics
        self._kept = lru_cache(_KEPT)(self._prepare)

    def answer(self, request: Request) -> Document:
        """Differentiate, and note how long it took. Raises GradientError."""
        return self.part(request, KNOWN)[0]

    def part(self, request: Request, fields: Fields) -> tuple[Document, int]:
        """Give these members of a document, and the number of the graph's nodes.

        Raises:
            GradientError: whichever members are asked for, the same.
        """
        started = time.perf_counter()
        prepared = self.prepared(request.expression, request.view)
        if fields is not KNOWN and NUMBERS.issuperset(fields):
            refuse_missing_values(prepared.graph, request.values, request.parameters)
            document = _numbers(prepared, request.values)
        else:
            document = differentiate(prepared, request)
        return pick(document, fields), self._note(prepared, started)

    def written(self, request: Request) -> tuple[bytes, int]:
        """Give a document as JSON, and the number of the graph's nodes. Raises GradientError."""
        started = time.perf_counter()
        program = self._program(request.expression, request.view)
        graph, order, steps, _ = prepared = program.prepared
        if form := program.form_for(request):
            computed = forward(graph, order, steps, request.values)
            text = form.fill(computed, backward(graph, order, steps, computed))
        else:
            text = json_bytes(differentiate(prepared, request))
        return text, self._note(prepared, started)

    def outline(self, request: Request) -> Outline:
        """Say what the program has before any value. Raises GradientError."""
        prepared = self.prepared(request.expression, request.view)
        return build_outline(request, prepared.graph, prepared.template)

    def prepared(self, expression: str, view: View) -> Prepared:
        """Give what follows from the text. Raises GradientError."""
        return self._program(expression, view).prepared

    def _program(self, expression: str, view: View) -> "_Program":
        kept = self._kept if len(expression) <= _LONGEST_KEPT else self._prepare
        return kept(expression, view)

    def _note(self, prepared: Prepared, started: float) -> int:
        """Count a document and how long it took; give the number of its nodes."""
        nodes = len(prepared.order)
        self._metrics.note_document(nodes, time.perf_counter() - started)
        return nodes

    def _prepare(self, expression: str, view: View) -> "_Program":
        return _Program(prepare(expression, view, self._limits))


class _Program:
    """A prepared program, with the form of its documents if it comes more than once."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self._form: Form | None = None
        self._came = 0

    def form_for(self, request: Request) -> Form | None:
        """Give the form, if the request's document can be made by it."""
        if not has_only_numbers(request, self.prepared):
            return None
        self._came += 1
        if self._came == _WORTH_A_FORM:
            self._form = make_form(request, self.prepared)
        return self._form


def _numbers(prepared: Prepared, values: dict[str, float]) -> Document:
    """Compute a document's numbers alone."""
    result, gradients = gradients_at(prepared, values)
    named = dict(zip(names_of_variables(prepared), gradients, strict=True))
    numbers = {"result": result, "gradients": named}
    return cast("Document", numbers)
