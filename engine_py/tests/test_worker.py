import json
import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine_py import introspect, worker

ROOT = Path(__file__).parents[2]
WORKER = [sys.executable, "-m", "engine_py", "worker"]

START = {"kind": "start", "protocol": "1"}
STOP = {"kind": "stop"}
REQUEST = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
RUN = {"kind": "run", "sequence": 7, "command": "introspect", "request": REQUEST}
MALFORMED = [
    "",
    "nonsense",
    "{",
    "[]",
    "null",
    "3",
    "{}",
    '{"kind": 3}',
    '{"kind": "run", "sequence": 1}',
    '{"kind": "run", "sequence": 1, "command": "introspect"}',
    '{"kind": "run", "sequence": 1, "command": "evaluate", "request": {"operation": "?"}}',
]


def run(text: str | bytes, environment: Mapping[str, str] | None = None) -> list[Any]:
    """Give the worker its whole input at once; it must exit with 0 and write nothing else."""
    ended = subprocess.run(
        WORKER,
        input=text.encode() if isinstance(text, str) else text,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        timeout=30,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    return [json.loads(line) for line in ended.stdout.splitlines()]


def exchange(*messages: Any, environment: Mapping[str, str] | None = None) -> list[Any]:
    return run("".join(json.dumps(message) + "\n" for message in messages), environment)


def bits(*numbers: str) -> dict[str, Any]:
    """Evaluate one operation on rows of one operand each."""
    request = {"operation": "exp", "operands": [[number] for number in numbers]}
    return {"kind": "run", "sequence": 3, "command": "evaluate", "request": request}


def test_a_worker_starts_runs_and_stops() -> None:
    started, result, stopped = exchange(START, RUN, STOP)
    assert (started["kind"], started["protocol"]) == ("started", "1")
    assert started["implementation"]["name"] == "engine_py"
    assert started["implementation"]["language"] == "Python"
    assert started["contract"] == started["implementation"]["version"]
    assert (result["kind"], result["sequence"]) == ("result", 7)
    assert result["result"] == introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    assert stopped == {"kind": "stopped"}


def test_a_worker_reads_nothing_after_stop() -> None:
    assert exchange(STOP, RUN, STOP) == [{"kind": "stopped"}]


def test_a_worker_exits_with_0_at_the_end_of_its_input() -> None:
    assert run("") == []
    assert [response["kind"] for response in exchange(START, RUN)] == ["started", "result"]


def test_each_line_is_answered_before_the_next_is_written() -> None:
    with subprocess.Popen(
        WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as worker:
        assert worker.stdin
        assert worker.stdout
        for message, kind in [
            (START, "started"),
            (RUN, "result"),
            (RUN, "result"),
            (STOP, "stopped"),
        ]:
            worker.stdin.write(json.dumps(message).encode() + b"\n")
            worker.stdin.flush()
            assert json.loads(worker.stdout.readline())["kind"] == kind
        assert worker.wait(timeout=30) == 0


def test_an_error_of_the_contract_is_an_answer() -> None:
    request = {"expression": "a ** b", "values": {}}
    (error,) = exchange({**RUN, "request": request})
    assert (error["kind"], error["sequence"]) == ("error", 7)
    assert error["error"]["code"] == "exponent_not_literal"
    assert error["error"]["span"] == {"start": 5, "end": 6}
    assert error["error"]["message"]


def test_the_members_of_a_request_reach_the_engine() -> None:
    request = {"expression": "a - b", "values": {"a": 1, "b": 2, "c": 3}}
    full = {**request, "parameters": ["b"], "view": "primitive"}
    (response,) = exchange({**RUN, "request": full})
    assert response["result"]["view"] == "primitive"
    kinds = [node["kind"] for node in response["result"]["nodes"]]
    assert kinds == ["input", "parameter", "constant", "operation", "operation"]
    assert response["result"]["unused_values"] == ["c"]
    for member in ("parameters", "view"):
        (response,) = exchange({**RUN, "request": {**request, member: None}})
        assert response["error"]["pointer"] == f"/{member}"


def test_picture_answers_with_svg_and_layout() -> None:
    request = {"expression": "a", "values": {"a": 1}}
    (reply, refused) = exchange(
        {**RUN, "command": "picture", "request": request},
        {**RUN, "command": "picture", "limits": {"nodes": 4}},
    )
    assert reply["result"].keys() == {"svg", "layout"}
    assert reply["result"]["svg"].startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    card = {"id": 0, "x": 72, "y": 54, "width": 96, "height": 60}
    assert reply["result"]["layout"] == {"width": 144, "height": 108, "nodes": [card]}
    assert (refused["kind"], refused["error"]["limit"]) == ("error", 4)


def test_canonicalize_answers_with_text_and_digest() -> None:
    request = {"expression": "a", "values": {"a": 1e21}}
    (response, refused) = exchange(
        {**RUN, "command": "canonicalize", "request": request},
        {**RUN, "command": "canonicalize", "limits": {"nodes": 4}},
    )
    text = response["result"]["text"]
    assert text.startswith('{"backward_order":[0],"contract":"')
    assert text.endswith('"values":{"a":1e+21},"view":"folded"}')
    assert json.loads(text) == introspect("a", {"a": 1e21})
    assert response["result"] == {"text": text, "digest": sha256(text.encode()).hexdigest()}
    assert (refused["kind"], refused["error"]["limit"]) == ("error", 4)


def test_limits_reach_the_engine() -> None:
    responses = exchange({**RUN, "limits": {"nodes": 5}}, {**RUN, "limits": {"nodes": 4}})
    assert [response["kind"] for response in responses] == ["result", "error"]
    assert responses[1]["error"]["limit"] == 4
    responses = exchange({**RUN, "limits": {"variables": 2}}, {**RUN, "limits": {"characters": 10}})
    assert [response["error"]["name"] for response in responses] == ["variables", "characters"]


def test_numbers_are_read_as_doubles() -> None:
    values = '{"a": 9007199254740993, "b": 1e400}'
    text = json.dumps(RUN).replace(json.dumps(REQUEST["values"]), values)
    (response,) = run(text.replace("(a + b) * c", "a") + "\n")
    assert (response["error"]["code"], response["error"]["name"]) == ("invalid_value", "b")
    (response,) = run(text.replace("(a + b) * c", "a").replace("1e400", "-0") + "\n")
    assert response["result"]["result"] == 9007199254740992


def test_evaluate_answers_with_the_bits_of_each_result() -> None:
    one, e = "3ff0000000000000", "4005bf0a8b145769"
    zero, minus_zero, infinity = "0" * 16, "8" + "0" * 15, "7ff0000000000000"
    responses = exchange(
        bits(zero, minus_zero, one, "4090000000000000"),
        {**bits(), "request": {"operation": "log", "operands": [[one], [zero], [e]]}},
        {**bits(), "request": {"operation": "*", "operands": [[minus_zero, one]]}},
        bits(),
    )
    assert [response["result"] for response in responses] == [
        [one, one, e, infinity],
        [zero, None, one],
        [minus_zero],
        [],
    ]


@pytest.mark.parametrize("line", MALFORMED)
def test_a_malformed_line_is_refused_and_the_worker_goes_on(line: str) -> None:
    refused, result = run(line + "\n" + json.dumps(RUN) + "\n")
    assert refused["kind"] == "refused"
    assert refused["sequence"] == (1 if "sequence" in line else None)
    assert refused["reason"]
    assert result["kind"] == "result"


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


def test_a_request_without_its_members_is_refused_by_the_contract() -> None:
    messages = [{**RUN, "request": {}}, {**RUN, "request": {"expression": "a"}}]
    responses = run("".join(json.dumps(message) + "\n" for message in messages))
    assert [response["error"]["pointer"] for response in responses] == ["/expression", "/values"]


def test_an_unknown_command_is_skipped_with_its_name() -> None:
    [response] = run(json.dumps({**RUN, "command": "differentiate"}) + "\n")
    assert response["kind"] == "skipped"
    assert "differentiate" in response["reason"]


def test_bytes_that_are_not_utf_8_are_refused_and_the_worker_goes_on() -> None:
    for locale in ({}, {"PYTHONIOENCODING": "utf-8:strict"}):
        refused, result = run(b"\xff\xfe\n" + json.dumps(RUN).encode() + b"\n", locale)
        assert (refused["kind"], result["kind"]) == ("refused", "result")


@pytest.mark.parametrize(
    "locale",
    [
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
    ],
)
def test_text_is_utf_8_whatever_the_locale(locale: dict[str, str]) -> None:
    texts = {"a + é": "U+00E9", "a + 😀": "U+1F600"}
    messages = [{**RUN, "request": {"expression": text, "values": {}}} for text in texts]
    lines = "".join(json.dumps(message, ensure_ascii=False) + "\n" for message in messages)
    responses = run(lines, locale)
    for response, character in zip(responses, texts.values(), strict=True):
        assert response["error"]["span"] == {"start": 4, "end": 5}
        assert character in response["error"]["message"]


def test_a_last_line_without_its_end_is_a_line() -> None:
    assert run(json.dumps(STOP)) == [{"kind": "stopped"}]
