"""The worker answers lines of the protocol, one at a time, in UTF-8 whatever the locale is."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from engine_py.protocol import worker
from engine_py.tests.helpers import Json, units

ROOT = Path(__file__).parents[2]
WORKER = [sys.executable, "-m", "engine_py", "worker"]

START = {"kind": "start", "protocol": "1"}
STOP = {"kind": "stop"}
REQUEST = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
RUN = {"kind": "run", "sequence": 7, "command": "introspect", "request": REQUEST}


EVALUATION = {"operation": "exp", "operands": [["3ff0000000000000"]]}


def lines_of(*messages: Any) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in messages).encode()


@pytest.fixture
def exchange(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have the worker answer these lines in this process."""

    def answered(text: bytes) -> list[Any]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        with redirect_stdout(io.StringIO()) as written:
            worker.main()
        return [json.loads(line) for line in written.getvalue().splitlines()]

    return answered


def answered_by_a_process(text: bytes, environment: Mapping[str, str]) -> list[Any]:
    """Give a worker its whole input at once; it must exit with 0 and write nothing else."""
    ended = subprocess.run(
        WORKER,
        input=text,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_a_worker_ends_at_stop_or_at_the_end_of_its_input(exchange: Any) -> None:
    assert exchange(lines_of(STOP, RUN, STOP)) == [{"kind": "stopped"}]
    assert exchange(b"") == []
    kinds = [response["kind"] for response in exchange(lines_of(START, RUN))]
    assert kinds == ["started", "result"]
    assert exchange(json.dumps(STOP).encode()) == [{"kind": "stopped"}]  # without a line's end


def test_a_fault_of_the_engine_is_answered_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexError("out of ideas")

    monkeypatch.setattr(worker, "introspect", fail)
    crashed = worker.answer(json.dumps(RUN).encode())
    assert (crashed["kind"], crashed["sequence"]) == ("crashed", 7)
    assert crashed["message"] == "IndexError: out of ideas"
    assert "Traceback" in crashed["traceback"]


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_text_is_utf_8_whatever_the_locale(locale: dict[str, str]) -> None:
    texts = {"a + é": "U+00E9", "a + 😀": "U+1F600"}
    messages = [{**RUN, "request": {"expression": text, "values": {}}} for text in texts]
    responses = answered_by_a_process(lines_of(*messages), locale)
    for response, character in zip(responses, texts.values(), strict=True):
        assert response["error"]["span"] == {"start": 4, "end": 5}
        assert character in response["error"]["message"]


@units("message", "refused")
def test_a_refusal_names_the_member_and_what_it_must_be(case: Json) -> None:
    for wrong, expected in case["rows"]:
        message = {**RUN, **wrong["run"]} if "run" in wrong else wrong
        if "evaluate" in wrong:
            message = {**RUN, "command": "evaluate", "request": {**EVALUATION, **wrong["evaluate"]}}
        refused = worker.answer(json.dumps(message).encode())
        assert refused["kind"] == "refused"
        assert expected in refused["reason"]


def test_a_line_that_cannot_be_read_is_refused_with_the_reason() -> None:
    deep = b"[" * 101 + b"]" * 101
    for line, reason in [
        (b'"\xff"', "the line is not UTF-8"),
        (b"[1,]", "the line is not JSON"),
        (deep, "arrays and objects nest deeper than 100"),
        (deep[1:-2] + b", []]", "a message must be an object, not an array"),
    ]:
        assert worker.answer(line) == {"kind": "refused", "sequence": None, "reason": reason}
