"""The routes of the API, which read, compute and write, and the operators' routes."""

from collections.abc import Callable, Iterator
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
from engine_py.lab.commands import LAB
from engine_py.sweeps.axes import LARGEST
from service.compute import (
    NDJSON,
    PIECE,
    Engine,
    SweepAnswer,
    answer_batch,
    descent_as_json,
    descent_as_lines,
    load_batch,
    pieces_of_json,
    prefers_lines,
)
from service.config import Config
from service.errors import NotReady
from service.observe import CONTENT_TYPE, RECORD, Metrics, Record
from service.openapi import ANSWERS, members_of
from service.reply import (
    JSON,
    Fields,
    Format,
    Formats,
    asked_fields,
    cacheable_reply,
    content_of,
    json_bytes,
    json_reply,
    pick,
    problem_reply,
    write_document,
)
from service.request import (
    Requests,
    SweepRequest,
    check_media_type,
    hint_at_plus,
    load_members,
    parse_json,
    read_query,
    rewrite_schema,
    split,
    sweep_schema,
)
from service.turns import SMALL_BYTES, Turn

_SLICE = 65_536
"""Bytes of a long reply that the server gets at a time."""

_DAY = 86_400
"""Seconds. The same request has the same answer until the contract changes."""

_HOUR = 3_600

_FIRST_LESSON = (-10.0, {"a": 10.0, "b": 10.0, "c": -1.0})


Handler = Callable[[Request, bytes, Turn], Response]
"""A request, its body or query, and its turn -> response."""


class Handlers:
    """The handlers of one service.

    A handler runs in its request's turn: it reads JSON, computes, and writes the answer or a
    problem. Only the body is received before that, since a slow client may be sending it.
    """

    def __init__(self, config: Config, metrics: Metrics) -> None:
        self._config = config
        self._metrics = metrics
        self._requests = Requests(config.limits)
        self._programs = Requests(config.limits, with_values=False)
        self._rewrites = rewrite_schema(config.limits)
        self._sweep_schema = sweep_schema(config.limits)
        self._engine = Engine(config.limits, metrics)
        self._formats = Formats(config.picture_nodes)
        self._members = {route: members_of(result) for route, (_, result) in ANSWERS.items()}

    def in_turn(self, handler: Handler, *, is_large: bool = False) -> Callable[[], Response]:
        """Return a view that lets a handler answer in the turn of its request.

        Args:
            handler: answers one request.
            is_large: whether every request of the route is large.
        """

        def answer_in_turn() -> Response:
            current = _current_request()
            record: Record = current.environ[RECORD]
            received, turn = record.received, record.turn
            if current.method == "POST":
                check_media_type(current)
            if isinstance(received, Exception):
                raise received
            if is_large or len(received) > SMALL_BYTES:
                record.route = str(current.url_rule)  # for the log, if a stop cuts it
                turn.grow()
            try:
                return handler(current, received, turn)
            except Exception as error:  # noqa: BLE001 - every error becomes a problem
                return problem_reply(error, turn)

        return answer_in_turn

    def gradient(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Differentiate the program of the body (CONTRACT.md)."""
        chosen = self._formats.choose(current)
        fields = asked_fields(current, form=chosen.name)
        document = self._answer(current, parse_json(received), fields, chosen, turn)
        return write_document(document, chosen)

    def gradient_of_query(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Differentiate the program of the query; caches may keep the reply."""
        chosen = self._formats.choose(current)
        fields = asked_fields(current, form=chosen.name)
        try:
            document = self._answer(current, read_query(current.args), fields, chosen, turn)
        except GradientError as error:
            raise hint_at_plus(error, received) from None
        response = write_document(document, chosen)
        response.vary.add("Accept")
        suffix = "" if chosen is JSON else f".{chosen.name}"
        return cacheable_reply(response, _DAY, digest(document) + suffix)

    def gradients(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Differentiate many programs; an error in one does not affect the others."""
        as_lines = prefers_lines(current)
        fields = asked_fields(current)
        requests = load_batch(parse_json(received), self._config.batch_requests)
        record: Record = current.environ[RECORD]
        record.details["requests"] = len(requests)
        differentiate = partial(self._differentiate, fields=fields, turn=turn)
        problem_of = partial(self._problem_in_batch, record, turn)
        most_nodes = self._config.batch_nodes
        results = answer_batch(requests, differentiate, problem_of, most_nodes, turn)
        if as_lines:
            return self._stream(turn, map(json_bytes, results), NDJSON)
        return self._stream(turn, pieces_of_json(results), JSON.media_type)

    def parse(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Describe the program of the body without values (CONTRACT.md R35)."""
        fields = asked_fields(current, self._members["parse"])
        body = parse_json(received)
        self._note(current, body, turn)
        return json_reply(pick(self._engine.outline(self._programs.load(body)), fields))

    def rewrite(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Return the program that the text of the body means (CONTRACT.md R42)."""
        fields = asked_fields(current, self._members["rewrite"])
        body = parse_json(received)
        self._note(current, body, turn, is_slow=True)
        asked = load_members(self._rewrites, body)
        found = rewrite(asked["expression"], asked["names"], self._config.limits, turn)
        return json_reply(pick(found, fields))

    def sweep(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Differentiate the program of the body at many points (CONTRACT.md R39)."""
        as_lines = prefers_lines(current)
        fields = asked_fields(current, self._members["sweep"], "NDJSON" if as_lines else "json")
        body = parse_json(received)
        record = self._note(current, body, turn)
        asked = SweepRequest(**load_members(self._sweep_schema, body))
        prepared = self._engine.prepared(asked.expression, asked.view)
        points = min(asked.values.size, LARGEST)  # grids may span any number of points
        record.details.update(nodes=len(prepared.order), points=points)
        swept = SweepAnswer(asked, prepared, self._config.limits, turn)
        if as_lines:
            return self._stream(turn, swept.lines(partial(self._problem_of, record, turn)), NDJSON)
        return self._stream(turn, swept.columns(fields), JSON.media_type)

    def accuracy(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Compare every number of the body's program with its exact value (CONTRACT.md R38)."""
        fields = asked_fields(current, self._members["accuracy"])
        body = parse_json(received)
        record = self._note(current, body, turn)
        own, members = split(body, MEMBERS)
        checked = self._requests.load(own, MEMBERS)
        prepared = self._engine.prepared(checked.expression, checked.view)
        record.details["nodes"] = len(prepared.order)
        limits = self._config.limits
        compared = answer(prepared, checked, limits=limits, deadline=turn, **members)
        return json_reply(pick(compared, fields))

    def lab(self, name: str, current: Request, received: bytes, turn: Turn) -> Response:
        """Run a command of the lab on the document of the body (CONTRACT.md R36 to R41)."""
        fields = asked_fields(current, self._members[name])
        document, members = self._document_for(current, name, parse_json(received), turn)
        result = LAB[name].run(document, **members, limits=self._config.limits, deadline=turn)
        return json_reply(pick(result, fields))

    def descend(self, current: Request, received: bytes, turn: Turn) -> Response:
        """Move the parameters of the body's program against its gradient (CONTRACT.md R40)."""
        as_lines = prefers_lines(current)
        fields = asked_fields(current, self._members["descend"], "NDJSON" if as_lines else "json")
        document, settings = self._document_for(current, "descend", parse_json(received), turn)
        limits, record = self._config.limits, current.environ[RECORD]
        descending = Descending(document, limits=limits, deadline=turn, **settings)
        if as_lines:
            problem_of = partial(self._problem_of, record, turn)
            return self._stream(turn, descent_as_lines(descending, problem_of), NDJSON)
        return json_reply(pick(descent_as_json(document, descending), fields))

    def _stream(self, turn: Turn, pieces: Iterator[bytes], media_type: str) -> Response:
        """Send pieces while more are computed; an error before the first becomes a problem."""
        first = list(islice(pieces, 1))
        # A small piece of JSON is the only one, and then the reply's length is known.
        if media_type != NDJSON and len(first[0]) < PIECE:
            return Response(first, mimetype=media_type)
        rest = _slices(first, turn.pieces(pieces))
        return Response(rest, mimetype=media_type, direct_passthrough=True)

    def _document_for(
        self, current: Request, name: str, body: Any, turn: Turn
    ) -> tuple[GradientDocument, dict[str, Any]]:
        """Differentiate for a command of the lab; return the members for the command, too."""
        members = LAB[name].members
        record = self._note(current, body, turn)
        asked, own = split(body, members)
        document = self._engine.answer(self._requests.load(asked, members), turn)
        record.details["nodes"] = len(document["nodes"])
        return document, own

    def _note(self, current: Request, body: Any, turn: Turn, *, is_slow: bool = False) -> Record:
        """Keep a body for problems and the log; its text decides whether the request is large."""
        record: Record = current.environ[RECORD]
        record.body = body  # a problem shows its place in the text
        if self._config.log_values:
            record.details["request"] = body
        if isinstance(body, dict):
            turn.weigh(body.get("expression"), is_slow=is_slow)
        return record

    def _answer(
        self, current: Request, body: Any, fields: Fields, chosen: Format, turn: Turn
    ) -> GradientDocument:
        record = self._note(current, body, turn, is_slow=chosen.is_slow)
        document, nodes = self._differentiate(body, fields, turn)
        record.details["nodes"] = nodes
        return document

    def _problem_in_batch(
        self, record: Record, turn: Turn, error: Exception, body: Any
    ) -> dict[str, Any]:
        record.details["refused"] = record.details.get("refused", 0) + 1
        return self._problem_of(record, turn, error, body)

    def _problem_of(
        self, record: Record, turn: Turn, error: Exception, body: Any = None
    ) -> dict[str, Any]:
        content = content_of(error, body, turn, record.request_id)
        self._metrics.note_problem(content["code"])
        return content

    def _differentiate(self, body: Any, fields: Fields, turn: Turn) -> tuple[GradientDocument, int]:
        return self._engine.part(self._requests.load(body), fields, turn)


def _slices(made: list[bytes], rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield `made` and then `rest` in slices, since servers queue several."""
    while made:
        piece = made.pop()
        yield from (piece[at : at + _SLICE] for at in range(0, len(piece), _SLICE))
        made += islice(rest, 1)


def add_routes(app: Flask, config: Config, metrics: Metrics) -> None:
    """Assign each handler its path. A blueprint would cost four lookups per request."""
    handlers = Handlers(config, metrics)
    small, large = handlers.in_turn, partial(handlers.in_turn, is_large=True)
    app.post("/v1/gradient", endpoint="gradient")(small(handlers.gradient))
    app.get("/v1/gradient", endpoint="gradient_of_query")(small(handlers.gradient_of_query))
    app.post("/v1/parse", endpoint="parse")(small(handlers.parse))
    app.post("/v1/rewrite", endpoint="rewrite")(small(handlers.rewrite))
    app.post("/v1/gradients", endpoint="gradients")(large(handlers.gradients))
    app.post("/v1/sweep", endpoint="sweep")(large(handlers.sweep))
    app.post("/v1/accuracy", endpoint="accuracy")(large(handlers.accuracy))
    app.post("/v1/descend", endpoint="descend")(large(handlers.descend))
    for name in LAB.keys() - {"descend"}:
        app.post(f"/v1/{name}", endpoint=name)(large(partial(handlers.lab, name)))
    limits = {"contract": CONTRACT, **config.published_limits()}
    app.get("/v1/limits", endpoint="limits")(partial(json_reply, limits))
    for name in ("operations", "examples", "pitfalls"):
        app.get(f"/v1/{name}", endpoint=name)(_file_handler(f"{name}.json"))


def _file_handler(name: str) -> Callable[[], Response]:
    """Serve a file of the contract unchanged."""
    content = files("schemas").joinpath(name).read_bytes()
    return lambda: cacheable_reply(Response(content, mimetype="application/json"), _HOUR)


def _current_request() -> Request:
    """Return the request itself; each use of Flask's proxy would look it up again."""
    current: Request = request.environ["werkzeug.request"]
    return current


def add_probes(app: Flask, metrics: Metrics) -> None:
    """Add the operators' routes: liveness, readiness and metrics."""

    @app.get("/healthz")
    def healthz() -> Response:
        """Report that the process answers, and its version."""
        return json_reply({"status": "ok", "version": __version__})

    @app.get("/readyz")
    def readyz() -> Response:
        """Report that the engine computes correctly."""
        if not engine_is_right():
            raise NotReady("the engine fails the first example of the contract")
        return json_reply({"status": "ready"})

    @app.get("/metrics")
    def expose() -> Response:
        """Expose the metrics to Prometheus."""
        return Response(metrics.exposed(), content_type=CONTENT_TYPE)


def engine_is_right() -> bool:
    """Compute the first lesson's graph, whose gradients are known by hand."""
    document = introspect("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
    return (document["result"], document["gradients"]) == _FIRST_LESSON
