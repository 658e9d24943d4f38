"""Entries of engines.toml, and workers: they follow the protocol, and a fault names its case."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator

from engine_py import OPERATIONS
from parity_tests.kit.cases import load_lines
from parity_tests.kit.contract import contract_version, load_profiles
from parity_tests.kit.engines import ROOT, Engine, SetupError, find_program, load_engines
from parity_tests.kit.protocol import malformed
from parity_tests.kit.worker import Budget, Call, EngineFault, Json, Worker

# Entries


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("", "lists none"),
        ("[mine", "is not TOML"),
        ("mine = 3", "engine mine: `folder` is wrong"),
        ('[mine]\nargv = ["python"]', "engine mine: `folder` is wrong"),
        ('[mine]\nfolder = "gone"\nargv = ["python"]', "its folder gone is missing or empty"),
        ('[mine]\nfolder = "empty"\nargv = ["python"]', "its folder empty is missing or empty"),
        ('[mine]\nfolder = "."\nargv = "python"', "engine mine: `argv` is wrong"),
        (
            '[mine]\nfolder = "."\nargv = ["python"]\nknown_failure = []',
            "engine mine: `known_failure` is wrong",
        ),
        ('[mine]\nfolder = "."\nargv = []', "engine mine: `argv` is empty"),
        ('[mine]\nfolder = "."\nargv = ["./gone"]', "`./gone` is not a program in"),
    ],
)
def test_an_entry_that_cannot_be_used_is_refused(tmp_path: Path, entry: str, message: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "mine.toml").write_text(entry)
    with pytest.raises(SetupError, match=message):
        load_engines(tmp_path / "mine.toml")


def test_an_engine_is_found_and_started_next_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[mine]\nfolder = "."\nargv = ["python", "worker.py"]')
    engine = load_engines(tmp_path / "mine.toml")["mine"]
    assert engine.root == engine.folder == tmp_path.resolve()


def test_a_program_is_found_next_to_python_or_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    with pytest.raises(SetupError, match=r"neither in .*venv nor on PATH; install"):
        find_program("node")
    for folder in ("path", "venv"):
        program = tmp_path / folder / "node"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        assert find_program("node") == str(program)
    assert find_program("python") == str(tmp_path / "venv" / "python")


# A worker

PRODUCT: Call = ("introspect", {"expression": "a * b", "values": {"a": 2, "b": 3}}, None)
BAD: Call = ("introspect", {"expression": "bad", "values": {}}, None)
OBEDIENT = f"""
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    answer = {{"kind": "result", "sequence": request.get("sequence"), "result": request}}
    if request["kind"] == "start":
        answer = {{"kind": "started", "protocol": "1", "contract": "{contract_version()}",
            "profiles": ["core"]}}
    if request["kind"] == "stop":
        answer = {{"kind": "stopped"}}
    bad = request.get("request") == {{"expression": "bad", "values": {{}}}}
    #HERE
    print(json.dumps(answer), flush=True)
    if request["kind"] == "stop":
        break
"""


def fake(fault: str = "") -> Worker:
    """Return a worker of a few lines with one planted fault."""
    code = OBEDIENT.replace("#HERE", fault)
    return Worker(Engine("fake", (sys.executable, "-c", code), ROOT), budget=Budget(60.0))


def test_a_worker_gets_numbered_requests_with_limits_and_nothing_else() -> None:
    with fake() as worker:
        received = worker.run(*PRODUCT)["result"]
        more = worker.run_many([PRODUCT, ("introspect", {}, {"nodes": 5})])
    assert received == {
        "kind": "run",
        "sequence": 0,
        "command": "introspect",
        "request": PRODUCT[1],
    }
    assert [response["sequence"] for response in more] == [1, 2]
    assert more[1]["result"]["limits"] == {"nodes": 5}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("if bad: sys.exit('out of ideas')", "fake died with exit code 1"),
        ("if bad: sys.exit(0)", "fake died"),
        ("if bad: answer['sequence'] = 7", "fake responded with sequence 7 to 1"),
        ("if bad: answer = [1]", "not a JSON object"),
        ("if bad: print('debugging')", "fake wrote invalid JSON: .*'debugging'"),
        ("if bad: print(end=chr(0xfeff))", "fake wrote invalid JSON: .*BOM"),
        ("if bad: print(end='half'); sys.exit(0)", "fake died.* after b'half' without a newline"),
        ("if bad: answer['result'] = float('nan')", "invalid JSON"),
    ],
)
def test_a_fault_is_reported_with_its_case_and_the_next_call_succeeds(
    fault: str, message: str
) -> None:
    with fake(fault) as worker:
        with pytest.raises(EngineFault, match=rf'(?s){message}.*on: introspect .*"bad"'):
            worker.run_many([PRODUCT, BAD, PRODUCT])
        assert worker.run(*PRODUCT)["kind"] == "result"


def test_a_fault_shows_the_end_of_stderr() -> None:
    ends = "if bad: sys.exit('out of ideas')"
    with fake(ends) as worker, pytest.raises(EngineFault, match="out of ideas"):
        worker.run(*BAD)


def test_a_silent_worker_is_killed_after_its_time_limit() -> None:
    with fake("if bad: time.sleep(3600)") as worker:
        worker.budget = Budget(0.1)
        with pytest.raises(
            EngineFault, match=r"fake did not respond within 0\.1 s, on: introspect"
        ):
            worker.run(*BAD)
        worker.budget = Budget(60.0)
        assert worker.run(*PRODUCT)["kind"] == "result"


def test_time_that_a_worker_waits_for_a_cpu_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("parity_tests.kit.worker._waits", lambda _: {"1": time.monotonic_ns()})
    with fake("if bad: time.sleep(0.5)") as worker:
        worker.budget = Budget(0.1, pace=0.0, grace=0.1)
        assert worker.run(*BAD)["kind"] == "result"


@pytest.mark.parametrize(
    "fault",
    [
        "if request['kind'] == 'start': sys.exit('no such file')",
        "if request['kind'] == 'start': answer['contract'] = 'another'",
        "if request['kind'] == 'start': answer['contract'] = '2.0'",
        "if request['kind'] == 'start': del answer['profiles']",
        "if request['kind'] == 'start': answer['protocol'] = '2'",
        "if request['kind'] == 'start': answer['kind'] = 'hello'",
    ],
)
def test_a_worker_with_an_invalid_started_message_is_refused(fault: str) -> None:
    with pytest.raises(EngineFault, match="on: start"), fake(fault):
        pass


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("if request['kind'] == 'stop': sys.exit(0)", "died"),
        ("if request['kind'] == 'stop': answer['kind'] = 'bye'", "did not respond with `stopped`"),
        (
            "if request['kind'] == 'stop': print('{\"kind\": \"stopped\"}'); sys.exit(3)",
            "ended with 3 instead of 0",
        ),
    ],
)
def test_a_worker_must_answer_stop_and_exit_with_0(fault: str, message: str) -> None:
    worker = fake(fault)
    worker.run(*PRODUCT)
    with pytest.raises(EngineFault, match=f"{message}.*on: stop"):
        worker.close()


@pytest.mark.parametrize("name", load_engines())
def test_full_pipes_do_not_deadlock(name: str, workers: dict[str, Worker]) -> None:
    long_sum = "+".join(["a"] * 600)
    calls: list[Call] = [("introspect", {"expression": long_sum, "values": {"a": 1}}, None)] * 40
    responses = workers[name].run_many(calls)
    assert [response["result"]["result"] for response in responses] == [600] * 40


def test_both_engines_claim_everything(workers: dict[str, Worker]) -> None:
    for worker in workers.values():
        assert worker.started.profiles == tuple(load_profiles())


# The protocol; test_cases.py checks the response to each of its lines


def test_the_engines_refuse_a_line_in_the_same_words(workers: dict[str, Worker]) -> None:
    for case in load_lines():
        assert case.line is not None
        ours, theirs = (worker.send(case.line) for worker in workers.values())
        assert ours == theirs or ours["kind"] == "started", case.name


def test_a_malformed_response_is_found_by_validation() -> None:
    assert malformed({"kind": "stopped"}) is None
    assert malformed({"kind": "stopped", "why": 1}) is not None
    assert malformed({"kind": "gone"}) is not None
    assert "document" in (malformed({"kind": "result", "sequence": 1, "result": {}}) or "")
    canonical = {"kind": "result", "sequence": 1, "result": {"text": "", "digest": "0" * 64}}
    assert malformed(canonical) is None
    canonical["result"] = {"text": "", "digest": "A" * 64}
    assert malformed(canonical) is not None
    card: dict[str, float] = {"id": 0, "x": 72, "y": 54, "width": 96, "height": 60}
    layout = {"width": 144, "height": 108, "nodes": [card]}
    picture = {"kind": "result", "sequence": 1, "result": {"svg": "", "layout": layout}}
    assert malformed(picture) is None
    card["x"] = 72.5
    assert malformed(picture) is not None


RUN = {
    "kind": "run",
    "sequence": 7,
    "command": "introspect",
    "request": {"expression": "a * a", "values": {"a": 3}},
    "limits": {"nodes": 5, "characters": 10, "variables": 1},
}
EVALUATE = {
    "kind": "run",
    "sequence": 0,
    "command": "evaluate",
    "request": {"operation": "*", "operands": [["4000000000000000", "3ff0000000000000"]]},
}
START = {"kind": "start", "protocol": "1"}
# A process that answers lines, one at a time, in UTF-8 under any locale

EVALUATION = {"operation": "exp", "operands": [["3ff0000000000000"]]}
STOP = {"kind": "stop"}
LOCALES = [
    {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    {"LC_ALL": "en_US.ISO-8859-1"},
    {"PYTHONIOENCODING": "ascii"},
]
FAILING = """
from engine_py.protocol import worker
def fail(*_, **__):
    raise TypeError("out of ideas")
worker.introspect = fail
worker.main()
"""
BROKEN = "Array.prototype.toReversed = () => { throw new TypeError('out of ideas'); };"
each_engine = pytest.mark.parametrize("engine", load_engines().values(), ids=lambda each: each.name)


def lines_of(*messages: Any) -> bytes:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in messages).encode()


def answered(engine: Engine, text: bytes, **environment: str) -> list[Json]:
    """Give a worker all its input at once; it must exit with 0 and write nothing to stderr."""
    ended = subprocess.run(
        engine.argv,
        input=text,
        capture_output=True,
        cwd=engine.root,
        env={**os.environ, **environment},
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    return [json.loads(line) for line in ended.stdout.splitlines()]


@each_engine
def test_a_worker_ends_at_stop_or_at_the_end_of_its_input(engine: Engine) -> None:
    assert answered(engine, lines_of(STOP, RUN, STOP)) == [{"kind": "stopped"}]
    assert answered(engine, b"") == []
    kinds = [response["kind"] for response in answered(engine, lines_of(START, RUN))]
    assert kinds == ["started", "result"]
    assert answered(engine, json.dumps(STOP).encode()) == [{"kind": "stopped"}]  # no line break


@each_engine
def test_a_crash_of_the_engine_is_reported_with_its_traceback(engine: Engine) -> None:
    if engine.name == "engine_py":
        engine = engine._replace(argv=(sys.executable, "-c", FAILING))
    options = f'--import "data:text/javascript,{quote(BROKEN)}"'
    [crashed] = answered(engine, lines_of(RUN), NODE_OPTIONS=options)
    assert (crashed["kind"], crashed["sequence"]) == ("crashed", 7)
    assert crashed["message"] == "TypeError: out of ideas"
    assert re.search(r"Traceback|\n +at ", crashed["traceback"])


@each_engine
@pytest.mark.parametrize("locale", LOCALES)
def test_input_and_output_are_utf_8_under_any_locale(
    engine: Engine, locale: dict[str, str]
) -> None:
    texts = {"a + é": "U+00E9", "a + 😀": "U+1F600"}
    messages = [{**RUN, "request": {"expression": text, "values": {}}} for text in texts]
    responses = answered(engine, lines_of(*messages), **locale)
    for response, character in zip(responses, texts.values(), strict=True):
        assert response["error"]["span"] == {"start": 4, "end": 5}
        assert character in response["error"]["message"]


@each_engine
def test_a_character_may_arrive_in_two_chunks(engine: Engine) -> None:
    line = lines_of({**RUN, "request": {"expression": "é", "values": {}}})
    first, second = line.split(b"\xa9")  # the second byte of é
    with subprocess.Popen(
        engine.argv, cwd=engine.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(lines_of(START) + first)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["kind"] == "started"
        written, _ = process.communicate(b"\xa9" + second)
    assert "U+00E9" in json.loads(written)["error"]["message"]
    assert process.returncode == 0


def refused_lines() -> Iterator[tuple[bytes, str]]:
    """Yield lines that no engine accepts, and a part of the reason."""
    plain = {name: member for name, member in RUN.items() if name != "limits"}
    table = json.loads((ROOT / "parity_tests" / "units" / "message.json").read_text("utf-8"))
    for wrong, expected in (row for case in table["refused"] for row in case["rows"]):
        message = {**plain, **wrong["run"]} if "run" in wrong else wrong
        if "evaluate" in wrong:
            message = {
                **plain,
                "command": "evaluate",
                "request": {**EVALUATION, **wrong["evaluate"]},
            }
        yield json.dumps(message).encode(), expected
    deep = b"[" * 101 + b"]" * 101
    yield b'"\xff"', "the line is not UTF-8"
    yield b"[1,]", "the line is not JSON"
    yield deep, "arrays and objects nest deeper than 100"
    yield deep[1:-2] + b", []]", "a message must be an object, not an array"


def test_a_refusal_names_the_invalid_member_and_what_it_must_be(
    workers: dict[str, Worker],
) -> None:
    for worker in workers.values():
        for line, expected in refused_lines():
            refused = worker.send(line)
            assert (refused["kind"], expected in refused["reason"]) == ("refused", True), line


STRAYS: list[Any] = [None, True, -1, 0, 2.0, 2.5, 2**53, "", "x", "run", "evaluate", [], {}, [[]]]


def changed(random: Random, value: Any) -> Any:
    """Return a copy of the value in which one member is removed, added or replaced."""
    if isinstance(value, list) and value and random.random() < 0.7:
        place = random.randrange(len(value))
        return [*value[:place], changed(random, value[place]), *value[place + 1 :]]
    if not isinstance(value, dict) or not value or random.random() < 0.1:
        return random.choice(STRAYS)
    name = random.choice(list(value))
    if random.random() < 0.2:
        return {member: content for member, content in value.items() if member != name}
    if random.random() < 0.2:
        return {**value, random.choice(["x", "limits", "protocol"]): random.choice(STRAYS)}
    return {**value, name: changed(random, value[name])}


def has_its_operands(message: Json) -> bool:
    """Check that each row has as many operands as its operation, which no JSON Schema can."""
    if message["kind"] != "run" or message["command"] != "evaluate":
        return True
    operation = OPERATIONS.get(message["request"]["operation"])
    rows = message["request"]["operands"]
    return operation is None or all(len(row) == operation.arity for row in rows)


def test_engines_refuse_what_the_schema_refuses(
    validators: dict[str, Draft202012Validator], workers: dict[str, Worker]
) -> None:
    random = Random(5)
    messages = [changed(random, random.choice([RUN, EVALUATE, START])) for _ in range(1_000)]
    valid = validators["message request"].is_valid
    good = [valid(message) and has_its_operands(message) for message in messages]
    assert 100 < sum(good) < 900
    for worker in workers.values():
        for message, is_good in zip(messages, good, strict=True):
            response = worker.send(json.dumps(message).encode())
            expected = {"refused"} if not is_good else {"started", "result", "error", "skipped"}
            assert response["kind"] in expected, message
