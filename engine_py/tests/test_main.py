import json
import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine_py import __main__ as worker
from engine_py import introspect

ROOT = Path(__file__).parents[2]
WORKER = [sys.executable, "-m", "engine_py"]

START = {"kind": "start", "protocol": "1"}
STOP = {"kind": "stop"}
REQUEST = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
RUN = {"kind": "run", "sequence": 7, "command": "introspect", "request": REQUEST}
NONSENSE = [
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
    """Give the worker its whole input at once; it must end well and say nothing else."""
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


def ask(*messages: Any, environment: Mapping[str, str] | None = None) -> list[Any]:
    return run("".join(json.dumps(message) + "\n" for message in messages), environment)


def bits(*numbers: str) -> dict[str, Any]:
    """Ask for one operation on rows of one operand each."""
    request = {"operation": "exp", "operands": [[number] for number in numbers]}
    return {"kind": "run", "sequence": 3, "command": "evaluate", "request": request}


def test_a_worker_starts_runs_and_stops() -> None:
    started, result, stopped = ask(START, RUN, STOP)
    assert (started["kind"], started["protocol"]) == ("started", "1")
    assert started["implementation"]["name"] == "engine_py"
    assert started["implementation"]["language"] == "Python"
    assert started["contract"] == started["implementation"]["version"]
    assert (result["kind"], result["sequence"]) == ("result", 7)
    assert result["result"] == introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    assert stopped == {"kind": "stopped"}


def test_a_worker_hears_nothing_after_stop() -> None:
    assert ask(STOP, RUN, STOP) == [{"kind": "stopped"}]


def test_a_worker_ends_well_at_the_end_of_its_input() -> None:
    assert run("") == []
    assert [reply["kind"] for reply in ask(START, RUN)] == ["started", "result"]


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
    (error,) = ask({**RUN, "request": request})
    assert (error["kind"], error["sequence"]) == ("error", 7)
    assert error["error"]["code"] == "exponent_not_literal"
    assert error["error"]["span"] == {"start": 5, "end": 6}
    assert error["error"]["message"]


def test_the_members_of_a_request_reach_the_engine() -> None:
    request = {"expression": "a - b", "values": {"a": 1, "b": 2, "c": 3}}
    asked = {**request, "parameters": ["b"], "view": "primitive"}
    (reply,) = ask({**RUN, "request": asked})
    assert reply["result"]["view"] == "primitive"
    kinds = [node["kind"] for node in reply["result"]["nodes"]]
    assert kinds == ["input", "parameter", "constant", "operation", "operation"]
    assert reply["result"]["unused_values"] == ["c"]
    for member in ("parameters", "view"):
        (reply,) = ask({**RUN, "request": {**request, member: None}})
        assert reply["error"]["pointer"] == f"/{member}"


def test_canonicalize_answers_with_text_and_digest() -> None:
    request = {"expression": "a", "values": {"a": 1e21}}
    (reply, refused) = ask(
        {**RUN, "command": "canonicalize", "request": request},
        {**RUN, "command": "canonicalize", "limits": {"nodes": 4}},
    )
    text = reply["result"]["text"]
    assert text.startswith('{"backward_order":[0],"contract":"')
    assert text.endswith('"values":{"a":1e+21},"view":"folded"}')
    assert json.loads(text) == introspect("a", {"a": 1e21})
    assert reply["result"] == {"text": text, "digest": sha256(text.encode()).hexdigest()}
    assert (refused["kind"], refused["error"]["limit"]) == ("error", 4)


def test_limits_reach_the_engine() -> None:
    replies = ask({**RUN, "limits": {"nodes": 5}}, {**RUN, "limits": {"nodes": 4}})
    assert [reply["kind"] for reply in replies] == ["result", "error"]
    assert replies[1]["error"]["limit"] == 4
    replies = ask({**RUN, "limits": {"variables": 2}}, {**RUN, "limits": {"characters": 10}})
    assert [reply["error"]["name"] for reply in replies] == ["variables", "characters"]


def test_numbers_are_read_as_doubles() -> None:
    values = '{"a": 9007199254740993, "b": 1e400}'
    text = json.dumps(RUN).replace(json.dumps(REQUEST["values"]), values)
    (reply,) = run(text.replace("(a + b) * c", "a") + "\n")
    assert (reply["error"]["code"], reply["error"]["name"]) == ("invalid_value", "b")
    (reply,) = run(text.replace("(a + b) * c", "a").replace("1e400", "-0") + "\n")
    assert reply["result"]["result"] == 9007199254740992


def test_evaluate_answers_with_the_bits_of_each_result() -> None:
    one, e = "3ff0000000000000", "4005bf0a8b145769"
    zero, minus_zero, infinity = "0" * 16, "8" + "0" * 15, "7ff0000000000000"
    replies = ask(
        bits(zero, minus_zero, one, "4090000000000000"),
        {**bits(), "request": {"operation": "log", "operands": [[one], [zero], [e]]}},
        {**bits(), "request": {"operation": "*", "operands": [[minus_zero, one]]}},
        bits(),
    )
    assert [reply["result"] for reply in replies] == [
        [one, one, e, infinity],
        [zero, None, one],
        [minus_zero],
        [],
    ]


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_refused_and_the_worker_lives_on(nonsense: str) -> None:
    refused, result = run(nonsense + "\n" + json.dumps(RUN) + "\n")
    assert refused["kind"] == "refused"
    assert refused["sequence"] == (1 if "sequence" in nonsense else None)
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
    asks = [{**RUN, "request": {}}, {**RUN, "request": {"expression": "a"}}]
    replies = run("".join(json.dumps(ask) + "\n" for ask in asks))
    assert [reply["error"]["pointer"] for reply in replies] == ["/expression", "/values"]


def test_an_unknown_command_is_skipped_with_its_name() -> None:
    [reply] = run(json.dumps({**RUN, "command": "differentiate"}) + "\n")
    assert reply["kind"] == "skipped"
    assert "differentiate" in reply["reason"]


def test_bytes_that_are_no_text_are_refused_and_the_worker_lives_on() -> None:
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
    replies = run(lines, locale)
    for reply, character in zip(replies, texts.values(), strict=True):
        assert reply["error"]["span"] == {"start": 4, "end": 5}
        assert character in reply["error"]["message"]


def test_a_last_line_without_its_end_is_a_line() -> None:
    assert run(json.dumps(STOP)) == [{"kind": "stopped"}]
