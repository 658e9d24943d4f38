"""The health check of the image, which needs the standard library alone."""

import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from service.healthcheck import main as check_health

FILE = Path(__file__).parents[1] / "healthcheck.py"


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", ""])
@pytest.mark.parametrize(
    ("status", "told"), [(200, None), (503, "healthcheck: /healthz answers 503, expected 200")]
)
def test_it_fails_unless_the_status_is_200(
    monkeypatch: pytest.MonkeyPatch, host: str, status: int, told: str | None
) -> None:
    class Instance(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Instance) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        monkeypatch.setenv("GRADIENT_HOST", host)
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        assert check_health() == told
        thread.join()


def test_it_needs_the_standard_library_alone_and_says_who_does_not_answer() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # and does not listen
        port = silent.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-IS", str(FILE)],
            env={"PORT": str(port)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert f"healthcheck: no answer from 127.0.0.1, port {port}: " in done.stderr
