import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from service.server.healthcheck import main
from service.tests.processes import free_port


class Instance(BaseHTTPRequestHandler):
    status = 200
    paths: list[str]

    def do_GET(self) -> None:
        self.paths.append(self.path)
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def instance(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Instance]]:
    kind = type("One", (Instance,), {"paths": []})
    with HTTPServer(("127.0.0.1", 0), kind) as server:
        monkeypatch.setenv("PORT", str(server.server_port))
        monkeypatch.setenv("GRADIENT_HOST", "127.0.0.1")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield kind
        server.shutdown()
        thread.join()


def test_a_service_that_answers_200_is_healthy(instance: type[Instance]) -> None:
    assert main() is None
    assert instance.paths == ["/healthz"]


def test_any_other_status_is_not(instance: type[Instance]) -> None:
    instance.status = 503
    assert main() == "healthcheck: /healthz answers 503, expected 200"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "localhost"])
def test_a_service_that_listens_everywhere_is_asked_on_this_machine(
    instance: type[Instance], monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("GRADIENT_HOST", host)
    assert main() is None


@pytest.mark.parametrize("port", [None, "none", "70000"])
def test_no_answer_is_said_with_the_address(
    monkeypatch: pytest.MonkeyPatch, port: str | None
) -> None:
    port = port or str(free_port())
    monkeypatch.setenv("PORT", port)
    monkeypatch.delenv("GRADIENT_HOST", raising=False)
    assert f"no answer from 127.0.0.1, port {port}: " in str(main())


def test_it_needs_nothing_but_the_standard_library() -> None:
    file = Path(__file__).parents[1] / "server" / "healthcheck.py"
    command = [sys.executable, "-IS", str(file)]
    done = subprocess.run(
        command, env={"PORT": str(free_port())}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "healthcheck: no answer" in done.stderr
