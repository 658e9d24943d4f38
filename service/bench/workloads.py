"""The service and, beside it, bare Flask routes that take and give as many bytes."""

from collections.abc import Callable, Iterable
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
from flask import Flask, Response, request

from service import Config, create_app

FULL, BARE = "/v1/gradient", "/bare"

_NEURONS = """\
h1 = tanh(x1*w1 + x2*w2 + b)
h2 = relu(x1*w3 + x2*w4 + b)
(h1*w5 + h2*w6 - y) ** 2"""


class Workload(NamedTuple):
    """A request, and the share of a bare route's speed that it should have."""

    name: str
    body: bytes
    in_process_goal: float
    served_goal: float

    @property
    def bare(self) -> str:
        """The path of the bare route that answers with as many bytes."""
        return f"{BARE}/{self.name}"


def _body(expression: str, **values: float) -> bytes:
    return orjson.dumps({"expression": expression, "values": values})


_VALUES = {
    "x1": 0.5,
    "x2": -1.0,
    "w1": 0.3,
    "w2": 0.7,
    "w3": -0.4,
    "w4": 0.9,
    "w5": 1.1,
    "w6": -0.2,
}

WORKLOADS = (
    Workload("lesson", _body("(a + b) * c", a=2, b=-3, c=10), 0.40, 0.50),
    Workload("neurons", _body(_NEURONS, **_VALUES, b=0.1, y=0.25), 0.25, 0.30),
)


def make_application(config: Config) -> WSGIApplication:
    """Give one application that has both."""
    full, bare = create_app(config), Flask(__name__, static_folder=None)
    client = create_app(Config(log_requests=False)).test_client()
    for workload in WORKLOADS:
        reply = client.post(FULL, data=workload.body, content_type="application/json").data
        bare.post(workload.bare, endpoint=workload.name)(_bare_view(reply))

    def application(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        is_bare = environ["PATH_INFO"].startswith(BARE)
        return (bare if is_bare else full)(environ, start)

    return application


def _bare_view(reply: bytes) -> Callable[[], Response]:
    def view() -> Response:
        request.get_data()
        return Response(reply, mimetype="application/json")

    return view
