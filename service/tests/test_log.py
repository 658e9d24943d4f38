import json
import logging
import logging.config
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from service.observe.log import LOGGING, write_line
from service.tests.processes import ROOT

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
    before = datetime.now(UTC)
    try:
        int("seven")
    except ValueError:
        logging.getLogger(name).exception("it %s", "broke", extra={"request_id": "7"})
    [line] = lines_of(capsys.readouterr().out)
    exception = line.pop("exception")
    assert exception.startswith("Traceback (most recent call last):\n")
    assert exception.endswith("ValueError: invalid literal for int() with base 10: 'seven'\n")
    assert before <= datetime.fromisoformat(line.pop("time")) <= datetime.now(UTC)
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


WRITER = """
import sys
from service.observe.log import write_line

for _ in range(100):
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
    while piece := os.read(reading, 1_000):  # in small pieces, so that the pipe is full
        log += piece
    os.close(reading)
    lines = lines_of(log.decode())
    assert [writer.wait() for writer in writers] == [0, 0]
    assert Counter(line["text"] for line in lines) == {"a" * 20_000: 100, "b" * 20_000: 100}
