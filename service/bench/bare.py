"""`python -m service.bench.bare PORT` -> what a user would deploy: bare Flask routes on WSGI."""

import sys
from collections.abc import Callable

from flask import Flask, Response, request
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from service import Config, create_app
from service.bench.workloads import FULL, WORKLOADS


def main() -> None:
    """Serve until SIGTERM: one worker, one thread, no log."""
    server = Granian(
        "bare",
        port=int(sys.argv[1]),
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=1,
        log_level=LogLevels.error,
    )
    server.serve(target_loader=make_bare, wrap_loader=False)


def make_bare() -> Flask:
    """Give a route for each workload, whose reply is the service's, made once."""
    bare = Flask(__name__, static_folder=None)
    client = create_app(Config(log_requests=False)).test_client()
    for workload in WORKLOADS:
        reply = client.post(FULL, data=workload.body, content_type="application/json").data
        bare.post(workload.bare, endpoint=workload.name)(_view(reply))
    return bare


def _view(reply: bytes) -> Callable[[], Response]:
    def view() -> Response:
        request.get_data()
        return Response(reply, mimetype="application/json")

    return view


if __name__ == "__main__":
    main()
