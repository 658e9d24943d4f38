import json
import logging
import logging.config
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from typing import Any

import pytest

from service.observe.log import LOGGING, write_line
from service.tests.processes import ROOT, eventually, started, stop, workers_of
from service.tests.validated import EXAMPLE

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def configured() -> Iterator[None]:
    """Logging as the server configures it, undone afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    logging.config.dictConfig(LOGGING)
    yield
    root.handlers[:] = before
    root.setLevel(level)


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", ["service", "uvicorn", "some.library"])
@pytest.mark.usefixtures("configured")
def test_what_any_logger_says_is_a_line_with_its_traceback(capsys: Capture, name: str) -> None:
    try:
        int("seven")
    except ValueError:
        logging.getLogger(name).exception("it %s", "broke", extra={"request_id": "7"})
    [line] = lines_of(capsys.readouterr().out)
    exception = line.pop("exception")
    assert exception.startswith("Traceback (most recent call last):\n")
    assert exception.endswith("ValueError: invalid literal for int() with base 10: 'seven'\n")
    age = datetime.now(UTC) - datetime.fromisoformat(line.pop("time"))
    assert timedelta(0) <= age < timedelta(minutes=1)
    assert line == {"level": "error", "logger": name, "message": "it broke", "request_id": "7"}


@pytest.mark.usefixtures("configured")
def test_a_line_without_a_traceback_or_a_request_has_no_members_for_them(capsys: Capture) -> None:
    logging.getLogger("some.library").warning("beware")
    logging.getLogger("some.library").info("chatter")
    [line] = lines_of(capsys.readouterr().out)
    assert set(line) == {"time", "level", "logger", "message"}


def test_a_line_says_what_json_can_have_of_it(capsys: Capture) -> None:
    """Neither an integer of more than 64 bits nor half a surrogate pair has a place in a line."""
    write_line("info", points=2**64, message="half \ud800", nodes=3, status=422)
    [line] = lines_of(capsys.readouterr().out)
    assert (line["level"], line["nodes"], line["status"]) == ("info", 3, 422)
    assert line["points"] == "<int: Integer exceeds 64-bit range>"
    assert line["message"].startswith("<str: ")


FAULTY = """
import service.compute.engine
from service.server.run import main

def fail(*_):
    raise RuntimeError("a fault of the engine")

service.compute.engine.differentiate = fail
main()
"""


def test_requests_faults_and_deaths_are_lines_on_stdout_and_stderr_is_empty() -> None:
    with started(("-c", FAULTY), GRADIENT_LOG_REQUESTS="1") as server:
        assert server.post(json.dumps(EXAMPLE).encode()).status == 500
        [worker] = workers_of(server)
        os.kill(worker, signal.SIGKILL)
        assert eventually(lambda: [worker] != workers_of(server) != [])
        code, stdout, stderr = stop(server, signal.SIGTERM)
    fault, request, death, *_ = lines_of(stdout)
    assert fault["exception"].endswith("RuntimeError: a fault of the engine\n")
    assert (fault["level"], fault["request_id"]) == ("error", request["request_id"])
    assert (request["level"], request["status"]) == ("error", 500)
    assert death["level"] == "error"
    assert death["message"] == "a worker has ended with -9; another takes its place"
    assert (code, stderr) == (0, "")


def test_no_line_of_many_is_lost_or_cut_at_a_stop() -> None:
    with started(GRADIENT_LOG_REQUESTS="1") as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
        names = [f"request-{number}" for number in range(200)]
        for name in names:
            connection.request("GET", "/v1/limits", headers={"X-Request-Id": name})
            connection.getresponse().read()
        connection.close()
        _, stdout, _ = stop(server, signal.SIGTERM)
    assert [line["request_id"] for line in lines_of(stdout)] == names


WRITER = """
import sys, time
from service.observe.log import write_line

end = time.monotonic() + 2
while time.monotonic() < end:
    write_line("info", text=sys.argv[1] * 20_000)
"""


def test_long_lines_of_two_processes_do_not_mix() -> None:
    reading, writing = os.pipe()
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, text], cwd=ROOT, stdout=writing)
        for text in "ab"
    ]
    os.close(writing)
    log = bytearray()
    while piece := os.read(reading, 1_000):
        log += piece
        time.sleep(0.0001)  # so slowly that the pipe is full
    os.close(reading)
    lines = lines_of(log.decode())
    assert [writer.wait() for writer in writers] == [0, 0]
    assert {line["text"] for line in lines} == {"a" * 20_000, "b" * 20_000}
