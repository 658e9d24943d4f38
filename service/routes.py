"""The routes of the API, each of which reads, computes and writes, and those for operators."""

from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any

from flask import Blueprint, Request, Response, request

from engine_py import CONTRACT, Descending, Document, GradientError, __version__, introspect
from engine_py.accuracy.accuracy import MEMBERS, answer
from engine_py.canonical import digest
from engine_py.lab.commands import LAB
from engine_py.sweeps.axes import LARGEST
from service.compute.batch import answer_batch, load_batch, prefers_lines, stream_results
from service.compute.engine import Engine
from service.compute.points import (
    SweepAnswer,
    load_sweep,
    reply_with_descent,
    stream_descent,
    sweep_schema,
)
from service.config import Config
from service.errors import NotReady
from service.lean import Whole
from service.observe.metrics import CONTENT_TYPE, Metrics
from service.observe.observation import RECORD, Record
from service.reply.formats import (
    JSON,
    Fields,
    Formats,
    asked_fields,
    cacheable_reply,
    json_reply,
    write_document,
)
from service.reply.problems import content_of
from service.request.body import parse_json, read_body
from service.request.payloads import load_request, request_schema, split
from service.request.query import hint_at_plus, read_query

_DAY = 86_400
"""A question has the same answer for as long as the contract is the same."""

_HOUR = 3_600

_FIRST_LESSON = (-10.0, {"a": 10.0, "b": 10.0, "c": -1.0})


class Views:
    """The views of a service that is configured so."""

    def __init__(self, config: Config, metrics: Metrics) -> None:
        """Make what all requests share."""
        self._config = config
        self._metrics = metrics
        self._schema = request_schema(config.limits)
        self._program_schema = request_schema(config.limits, with_values=False)
        self._sweep_schema = sweep_schema(config.limits)
        self._engine = Engine(config.limits, metrics)
        self._formats = Formats(config.max_picture_nodes)
        self._limits = {"contract": CONTRACT, **config.published_limits()}

    def gradient(self) -> Whole:
        """Differentiate the program of the body (CONTRACT.md)."""
        current = _current_request()
        chosen = self._formats.choose(current)
        fields = asked_fields(current, chosen)
        return write_document(self._answer(current, self._read(current), fields), chosen)

    def gradient_of_query(self) -> Response:
        """Differentiate the program of the query; caches may keep the reply."""
        current = _current_request()
        chosen = self._formats.choose(current)
        fields = asked_fields(current, chosen)
        try:
            document = self._answer(current, read_query(current.args), fields)
        except GradientError as error:
            raise hint_at_plus(error, current.query_string) from None
        body, headers = write_document(document, chosen)
        response = Response(body, headers=headers)
        response.vary.add("Accept")
        suffix = "" if chosen is JSON else f".{chosen.name}"
        return cacheable_reply(response, _DAY, digest(document) + suffix)

    def gradients(self) -> Response:
        """Differentiate many programs; a fault in one does not affect the others."""
        current = _current_request()
        as_lines = prefers_lines(current)
        fields = asked_fields(current, JSON)
        requests = load_batch(self._read(current), self._config.max_batch_requests)
        record: Record = current.environ[RECORD]
        record.details["requests"] = len(requests)
        problem_of = partial(self._problem_in_batch, record)
        answer = partial(self._differentiate, fields=fields)
        results = answer_batch(requests, answer, problem_of, self._config)
        return stream_results(results, as_lines=as_lines)

    def parse(self) -> Response:
        """Say what the program of the body has before any value (CONTRACT.md R35)."""
        current = _current_request()
        body = self._read(current)
        self._note(current, body)
        return json_reply(self._engine.outline(load_request(self._program_schema, body)))

    def sweep(self) -> Response:
        """Differentiate the program of the body at many points (CONTRACT.md R39)."""
        current = _current_request()
        as_lines = prefers_lines(current)
        body = self._read(current)
        record = self._note(current, body)
        asked = load_sweep(self._sweep_schema, body)
        prepared = self._engine.prepared(asked.expression, asked.view)
        points = min(asked.values.size, LARGEST)  # grids may span any number of points
        record.details.update(nodes=len(prepared.order), points=points)
        limits, seconds = self._config.limits, self._config.compute_seconds
        answer = SweepAnswer(asked, prepared, limits, seconds)
        if not as_lines:
            return answer.columns()
        request_id = record.trace.request_id
        return answer.lines(lambda fault: self._problem_of(request_id, fault, body))

    def accuracy(self) -> Response:
        """Put the true number beside every number of the body's program (CONTRACT.md R38)."""
        current = _current_request()
        body = self._read(current)
        record = self._note(current, body)
        request, members = split(body, MEMBERS)
        checked = load_request(self._schema, request, MEMBERS)
        prepared = self._engine.prepared(checked.expression, checked.view)
        record.details["nodes"] = len(prepared.order)
        return json_reply(answer(prepared, checked, limits=self._config.limits, **members))

    def lab(self, name: str) -> Response:
        """Do with the document of the body what the lab does (CONTRACT.md R36 to R41)."""
        document, members = self._document_for(name, _current_request())
        return json_reply(LAB[name].run(document, **members, limits=self._config.limits))

    def descend(self) -> Response:
        """Move the parameters of the body's program against its gradient (CONTRACT.md R40)."""
        current = _current_request()
        as_lines = prefers_lines(current)
        document, settings = self._document_for("descend", current)
        limits, seconds = self._config.limits, self._config.compute_seconds
        descending = Descending(document, limits=limits, **settings)
        if not as_lines:
            return reply_with_descent(document, descending, seconds)
        record: Record = current.environ[RECORD]
        problem_of = partial(self._problem_of, record.trace.request_id, body=record.body)
        return stream_descent(descending, seconds, problem_of)

    def limits(self) -> Response:
        """Publish how large a request may be here."""
        return json_reply(self._limits)

    def _document_for(self, name: str, current: Request) -> tuple[Document, dict[str, Any]]:
        """Differentiate for the lab; return the members that it reads itself, too."""
        members = LAB[name].members
        body = self._read(current)
        record = self._note(current, body)
        request, own = split(body, members)
        document = self._engine.answer(load_request(self._schema, request, members))
        record.details["nodes"] = len(document["nodes"])
        return document, own

    def _read(self, current: Request) -> Any:
        return parse_json(read_body(current, self._config.max_body_bytes))

    def _note(self, current: Request, body: Any) -> Record:
        record: Record = current.environ[RECORD]
        record.body = body  # a problem shows the place in the text
        if self._config.log_values:
            record.details["request"] = body
        return record

    def _answer(self, current: Request, body: Any, fields: Fields) -> Document:
        record = self._note(current, body)
        document, record.details["nodes"] = self._differentiate(body, fields)
        return document

    def _problem_in_batch(self, record: Record, fault: Exception, body: Any) -> dict[str, Any]:
        record.details["refused"] = record.details.get("refused", 0) + 1
        return self._problem_of(record.trace.request_id, fault, body)

    def _problem_of(self, request_id: str, fault: Exception, body: Any) -> dict[str, Any]:
        content = content_of(fault, body, request_id)
        self._metrics.note_problem(content["code"])
        return content

    def _differentiate(self, body: Any, fields: Fields) -> tuple[Document, int]:
        return self._engine.part(load_request(self._schema, body), fields)


def make_routes(config: Config, metrics: Metrics) -> Blueprint:
    """Assign each view its path."""
    routes, views = Blueprint("routes", __name__), Views(config, metrics)
    routes.post("/v1/gradient")(views.gradient)
    routes.get("/v1/gradient")(views.gradient_of_query)
    routes.post("/v1/gradients")(views.gradients)
    routes.post("/v1/parse")(views.parse)
    routes.post("/v1/sweep")(views.sweep)
    routes.post("/v1/accuracy")(views.accuracy)
    routes.post("/v1/descend")(views.descend)
    for name in LAB.keys() - {"descend"}:
        routes.post(f"/v1/{name}", endpoint=name)(partial(views.lab, name))
    routes.get("/v1/limits")(views.limits)
    for name in ("operations", "examples", "pitfalls"):
        routes.get(f"/v1/{name}", endpoint=name)(_view_of_file(f"{name}.json"))
    return routes


def _view_of_file(name: str) -> Callable[[], Response]:
    """Serve a file of the contract as it is."""
    content = files("schemas").joinpath(name).read_bytes()
    return lambda: cacheable_reply(Response(content, mimetype="application/json"), _HOUR)


def _current_request() -> Request:
    """Return the request itself: each use of the proxy looks it up again."""
    return request._get_current_object()  # type: ignore[attr-defined, no-any-return]  # noqa: SLF001


def make_probes(metrics: Metrics, is_draining: Callable[[], bool]) -> Blueprint:
    """Make the routes for operators: whether the process is alive and ready, and its metrics.

    A process that is draining is not ready.
    """
    probes = Blueprint("probes", __name__)

    @probes.get("/healthz")
    def healthz() -> Response:
        """Say that the process answers, and the version of its software."""
        return json_reply({"status": "ok", "version": __version__})

    @probes.get("/readyz")
    def readyz() -> Response:
        """Say that it answers rightly, and go on for a while."""
        if is_draining():
            raise NotReady("the service is stopping; send requests elsewhere")
        if not engine_is_right():
            raise NotReady("the engine fails the first example of the contract")
        return json_reply({"status": "ready"})

    @probes.get("/metrics")
    def expose() -> Response:
        """Expose the metrics to Prometheus."""
        return Response(metrics.exposed(), content_type=CONTENT_TYPE)

    return probes


def engine_is_right() -> bool:
    """Compute the first lesson's graph, whose gradients anyone can derive by hand."""
    document = introspect("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
    return (document["result"], document["gradients"]) == _FIRST_LESSON
