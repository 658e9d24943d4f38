"""The routes of the API, each of which reads, computes and writes, and those for operators."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib.resources import files
from itertools import islice
from typing import Any

from flask import Flask, Request, Response, request

from engine_py import (
    CONTRACT,
    Descending,
    GradientDocument,
    GradientError,
    __version__,
    introspect,
    rewrite,
)
from engine_py.accuracy.accuracy import MEMBERS, answer
from engine_py.canonical import digest
from engine_py.deadline import NEVER, Deadline
from engine_py.lab.commands import LAB
from engine_py.sweeps.axes import LARGEST
from service.compute.batch import (
    NDJSON,
    PIECE,
    answer_batch,
    load_batch,
    pieces_of_json,
    prefers_lines,
)
from service.compute.engine import Engine
from service.compute.places import Places
from service.compute.points import (
    SweepAnswer,
    SweepRequest,
    descent_as_json,
    descent_as_lines,
    sweep_schema,
)
from service.config import Config
from service.errors import NotReady
from service.observe.metrics import CONTENT_TYPE, Metrics
from service.observe.observation import RECORD, Record
from service.openapi import ANSWERS, members_of
from service.reply.formats import (
    JSON,
    Fields,
    Formats,
    asked_fields,
    cacheable_reply,
    json_bytes,
    json_reply,
    pick,
    write_document,
)
from service.reply.problems import content_of
from service.request.body import parse_json, read_body
from service.request.payloads import Requests, load_members, rewrite_schema, split
from service.request.query import hint_at_plus, read_query

_SMALL = 1_000
"""Bytes of a request that is computed at once: some hundred operations, a few milliseconds."""

_SLICE = 65_536
"""Bytes of a long reply that are given to the server at once."""

_DAY = 86_400
"""A question has the same answer for as long as the contract is the same."""

_HOUR = 3_600

_FIRST_LESSON = (-10.0, {"a": 10.0, "b": 10.0, "c": -1.0})


class Views:
    """The views of a service that is configured so.

    Each reads its request before it takes a place: a client may take its time to send it.
    """

    def __init__(self, config: Config, metrics: Metrics, places: Places) -> None:
        """Make what all requests share."""
        self._config = config
        self._metrics = metrics
        self._places = places
        self._requests = Requests(config.limits)
        self._programs = Requests(config.limits, with_values=False)
        self._rewrites = rewrite_schema(config.limits)
        self._sweep_schema = sweep_schema(config.limits)
        self._engine = Engine(config.limits, metrics)
        self._formats = Formats(config.max_picture_nodes)
        self._members = {route: members_of(result) for route, (_, result) in ANSWERS.items()}

    def gradient(self) -> Response:
        """Differentiate the program of the body (CONTRACT.md)."""
        current = _current_request()
        chosen = self._formats.choose(current)
        fields = asked_fields(current, form=chosen.name)
        text = self._read(current)
        large = len(text) > _SMALL or chosen.is_slow
        with self._place(current, large=large):
            document = self._answer(current, parse_json(text), fields, large=large)
            return write_document(document, chosen)

    def gradient_of_query(self) -> Response:
        """Differentiate the program of the query; caches may keep the reply."""
        current = _current_request()
        chosen = self._formats.choose(current)
        fields = asked_fields(current, form=chosen.name)
        query = current.query_string
        large = len(query) > _SMALL or chosen.is_slow
        with self._place(current, large=large):
            try:
                document = self._answer(current, read_query(current.args), fields, large=large)
            except GradientError as error:
                raise hint_at_plus(error, query) from None
            response = write_document(document, chosen)
        response.vary.add("Accept")
        suffix = "" if chosen is JSON else f".{chosen.name}"
        return cacheable_reply(response, _DAY, digest(document) + suffix)

    def gradients(self) -> Response:
        """Differentiate many programs; a fault in one does not affect the others."""
        current = _current_request()
        as_lines = prefers_lines(current)
        fields = asked_fields(current)
        requests = load_batch(parse_json(self._read(current)), self._config.max_batch_requests)
        record: Record = current.environ[RECORD]
        record.details["requests"] = len(requests)

        def results() -> Iterator[Any]:
            deadline, most_nodes = self._deadline(), self._config.max_batch_nodes
            answer = partial(self._differentiate, fields=fields, deadline=deadline)
            problem_of = partial(self._problem_in_batch, record)
            yield from answer_batch(requests, answer, problem_of, most_nodes, deadline)

        if as_lines:
            return self._stream(current, map(json_bytes, results()), NDJSON)
        return self._stream(current, pieces_of_json(results()), JSON.media_type)

    def parse(self) -> Response:
        """Say what the program of the body has before any value (CONTRACT.md R35)."""
        current = _current_request()
        fields = asked_fields(current, self._members["parse"])
        text = self._read(current)
        body = parse_json(text)
        self._note(current, body)
        with self._place(current, large=len(text) > _SMALL):
            return json_reply(pick(self._engine.outline(self._programs.load(body)), fields))

    def rewrite(self) -> Response:
        """Say which program the text of the body means (CONTRACT.md R42)."""
        current = _current_request()
        fields = asked_fields(current, self._members["rewrite"])
        text = self._read(current)
        body = parse_json(text)
        self._note(current, body)
        with self._place(current, large=len(text) > _SMALL):
            asked = load_members(self._rewrites, body)
            text, names = asked["expression"], asked["names"]
            found = rewrite(text, names, self._config.limits, self._deadline())
            return json_reply(pick(found, fields))

    def sweep(self) -> Response:
        """Differentiate the program of the body at many points (CONTRACT.md R39)."""
        current = _current_request()
        as_lines = prefers_lines(current)
        fields = asked_fields(current, self._members["sweep"], "NDJSON" if as_lines else "json")
        body = parse_json(self._read(current))
        record = self._note(current, body)

        def pieces() -> Iterator[bytes]:
            asked = SweepRequest(**load_members(self._sweep_schema, body))
            prepared = self._engine.prepared(asked.expression, asked.view)
            points = min(asked.values.size, LARGEST)  # grids may span any number of points
            record.details.update(nodes=len(prepared.order), points=points)
            answer = SweepAnswer(asked, prepared, self._config.limits, self._deadline())
            problem_of = partial(self._problem_of, record, body=body)
            yield from answer.lines(problem_of) if as_lines else answer.columns(fields)

        return self._stream(current, pieces(), NDJSON if as_lines else JSON.media_type)

    def accuracy(self) -> Response:
        """Put the true number beside every number of the body's program (CONTRACT.md R38)."""
        current = _current_request()
        fields = asked_fields(current, self._members["accuracy"])
        body = parse_json(self._read(current))
        record = self._note(current, body)
        own, members = split(body, MEMBERS)
        with self._place(current, large=True):
            checked = self._requests.load(own, MEMBERS)
            prepared = self._engine.prepared(checked.expression, checked.view)
            record.details["nodes"] = len(prepared.order)
            limits, deadline = self._config.limits, self._deadline()
            compared = answer(prepared, checked, limits=limits, deadline=deadline, **members)
            return json_reply(pick(compared, fields))

    def lab(self, name: str) -> Response:
        """Do with the document of the body what the lab does (CONTRACT.md R36 to R41)."""
        current = _current_request()
        fields = asked_fields(current, self._members[name])
        body = parse_json(self._read(current))
        with self._place(current, large=True):
            deadline = self._deadline()
            document, members = self._document_for(current, name, body, deadline)
            limits = self._config.limits
            result = LAB[name].run(document, **members, limits=limits, deadline=deadline)
            return json_reply(pick(result, fields))

    def descend(self) -> Response:
        """Move the parameters of the body's program against its gradient (CONTRACT.md R40)."""
        current = _current_request()
        as_lines = prefers_lines(current)
        fields = asked_fields(current, self._members["descend"], "NDJSON" if as_lines else "json")
        body = parse_json(self._read(current))
        record: Record = current.environ[RECORD]

        def begin() -> tuple[GradientDocument, Descending]:
            deadline, limits = self._deadline(), self._config.limits
            document, settings = self._document_for(current, "descend", body, deadline)
            return document, Descending(document, limits=limits, deadline=deadline, **settings)

        def lines() -> Iterator[bytes]:
            _, descending = begin()
            problem_of = partial(self._problem_of, record, body=body)
            yield from descent_as_lines(descending, problem_of)

        if as_lines:
            return self._stream(current, lines(), NDJSON)
        with self._place(current, large=True):
            return json_reply(pick(descent_as_json(*begin()), fields))

    def _read(self, current: Request) -> bytes:
        return read_body(current, self._config.max_body_bytes)

    def _place(self, current: Request, *, large: bool) -> AbstractContextManager[None]:
        return self._places.place(*_turn_of(current)) if large else nullcontext()

    def _deadline(self) -> Deadline:
        return Deadline(self._config.compute_seconds)

    def _stream(self, current: Request, pieces: Iterator[bytes], media_type: str) -> Response:
        """Send pieces while more are made; what fails before the first is a problem."""
        pieces = self._places.in_turns(*_turn_of(current), pieces)
        first = list(islice(pieces, 1))
        # A small piece of JSON is the only one, and then the reply's length is known.
        if media_type != NDJSON and len(first[0]) < PIECE:
            return Response(first, mimetype=media_type)
        rest = _slices(first, pieces)
        return Response(rest, mimetype=media_type, direct_passthrough=True)

    def _document_for(
        self, current: Request, name: str, body: Any, deadline: Deadline
    ) -> tuple[GradientDocument, dict[str, Any]]:
        """Differentiate for the lab; return the members that it reads itself, too."""
        members = LAB[name].members
        record = self._note(current, body)
        asked, own = split(body, members)
        document = self._engine.answer(self._requests.load(asked, members), deadline)
        record.details["nodes"] = len(document["nodes"])
        return document, own

    def _note(self, current: Request, body: Any) -> Record:
        record: Record = current.environ[RECORD]
        record.body = body  # a problem shows the place in the text
        if self._config.log_values:
            record.details["request"] = body
        return record

    def _answer(
        self, current: Request, body: Any, fields: Fields, *, large: bool
    ) -> GradientDocument:
        record = self._note(current, body)
        deadline = self._deadline() if large else NEVER  # a small one is done before its end
        document, nodes = self._differentiate(body, fields, deadline)
        record.details["nodes"] = nodes
        return document

    def _problem_in_batch(self, record: Record, fault: Exception, body: Any) -> dict[str, Any]:
        record.details["refused"] = record.details.get("refused", 0) + 1
        return self._problem_of(record, fault, body)

    def _problem_of(self, record: Record, fault: Exception, body: Any) -> dict[str, Any]:
        content = content_of(fault, body, record.trace.request_id)
        self._metrics.note_problem(content["code"])
        return content

    def _differentiate(
        self, body: Any, fields: Fields, deadline: Deadline
    ) -> tuple[GradientDocument, int]:
        return self._engine.part(self._requests.load(body), fields, deadline)


def _turn_of(current: Request) -> tuple[str, float]:
    """Return by what large requests take turns. The log has the route of one that a stop cuts."""
    record: Record = current.environ[RECORD]
    record.route = str(current.url_rule)
    return str(current.remote_addr), record.started


def _slices(made: list[bytes], rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield what is made and then the rest, a little at a time: servers queue some of it."""
    while made:
        piece = made.pop()
        yield from (piece[at : at + _SLICE] for at in range(0, len(piece), _SLICE))
        made += islice(rest, 1)


def add_routes(app: Flask, config: Config, metrics: Metrics, places: Places) -> None:
    """Assign each view its path. A blueprint would be looked up four times a request."""
    views = Views(config, metrics, places)
    app.post("/v1/gradient")(views.gradient)
    app.get("/v1/gradient")(views.gradient_of_query)
    app.post("/v1/gradients")(views.gradients)
    app.post("/v1/parse")(views.parse)
    app.post("/v1/rewrite")(views.rewrite)
    app.post("/v1/sweep")(views.sweep)
    app.post("/v1/accuracy")(views.accuracy)
    app.post("/v1/descend")(views.descend)
    for name in LAB.keys() - {"descend"}:
        app.post(f"/v1/{name}", endpoint=name)(partial(views.lab, name))
    limits = {"contract": CONTRACT, **config.published_limits()}
    app.get("/v1/limits", endpoint="limits")(partial(json_reply, limits))
    for name in ("operations", "examples", "pitfalls"):
        app.get(f"/v1/{name}", endpoint=name)(_view_of_file(f"{name}.json"))


def _view_of_file(name: str) -> Callable[[], Response]:
    """Serve a file of the contract as it is."""
    content = files("schemas").joinpath(name).read_bytes()
    return lambda: cacheable_reply(Response(content, mimetype="application/json"), _HOUR)


def _current_request() -> Request:
    """Return the request itself: each use of Flask's proxy looks it up again."""
    current: Request = request.environ["werkzeug.request"]
    return current


def add_probes(app: Flask, metrics: Metrics) -> None:
    """Add the routes for operators: whether the process is alive and right, and its metrics."""

    @app.get("/healthz")
    def healthz() -> Response:
        """Say that the process answers, and the version of its software."""
        return json_reply({"status": "ok", "version": __version__})

    @app.get("/readyz")
    def readyz() -> Response:
        """Say that it answers rightly."""
        if not engine_is_right():
            raise NotReady("the engine fails the first example of the contract")
        return json_reply({"status": "ready"})

    @app.get("/metrics")
    def expose() -> Response:
        """Expose the metrics to Prometheus."""
        return Response(metrics.exposed(), content_type=CONTENT_TYPE)


def engine_is_right() -> bool:
    """Compute the first lesson's graph, whose gradients anyone can derive by hand."""
    document = introspect("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
    return (document["result"], document["gradients"]) == _FIRST_LESSON
