"""The routes for operators: whether the process is alive, whether it is ready, its metrics."""

from collections.abc import Callable

from flask import Blueprint, Response

from engine_py import __version__, introspect
from service.errors import NotReady
from service.observe.metrics import CONTENT_TYPE, Metrics
from service.reply.replies import json_reply

_FIRST_LESSON = (-10.0, {"a": 10.0, "b": 10.0, "c": -1.0})


def make_probes(metrics: Metrics, is_draining: Callable[[], bool]) -> Blueprint:
    """Make the routes; a process that is draining is not ready."""
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
