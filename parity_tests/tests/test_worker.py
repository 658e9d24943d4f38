"""A worker keeps to the protocol, never deadlocks, and a fault names its case."""

import json
import sys

import pytest
from jsonschema import Draft202012Validator

from parity_tests.kit.contract import contract_version
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.worker import Call, Child, EngineFault, Worker

PRODUCT: Call = ("introspect", {"expression": "a * b", "values": {"a": 2, "b": 3}}, None)

OBEDIENT = f"""
import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    answer = {{"kind": "result", "sequence": request.get("sequence"), "result": request}}
    if request["kind"] == "start":
        answer = {{"kind": "started", "protocol": "1", "contract": "{contract_version()}"}}
    if request["kind"] == "stop":
        answer = {{"kind": "stopped"}}
    bad = request.get("request") == {{"expression": "bad", "values": {{}}}}
    #HERE
    print(json.dumps(answer), flush=True)
    if request["kind"] == "stop":
        break
"""

BAD: Call = ("introspect", {"expression": "bad", "values": {}}, None)


def fake(fault: str = "", *, seconds: float = 10.0) -> Worker:
    """A worker of a few lines that does one wrong thing."""
    code = OBEDIENT.replace("#HERE", fault)
    return Worker(Engine("fake", (sys.executable, "-c", code), ROOT), seconds=seconds)


def test_a_child_gets_the_request_and_nothing_else() -> None:
    with fake() as worker:
        received = worker.run(*PRODUCT)["result"]
    assert received == {
        "kind": "run",
        "sequence": 0,
        "command": "introspect",
        "request": PRODUCT[1],
    }


def test_calls_are_numbered_through() -> None:
    with fake() as worker:
        worker.run(*PRODUCT)
        responses = worker.run_many([PRODUCT, PRODUCT])
    assert [response["sequence"] for response in responses] == [1, 2]


def test_limits_are_handed_on() -> None:
    with fake() as worker:
        assert worker.run("introspect", {}, {"nodes": 5})["result"]["limits"] == {"nodes": 5}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("if bad: sys.exit('out of ideas')", "fake died with exit code 1"),
        ("if bad: sys.exit(0)", "fake died"),
        ("if bad: answer['sequence'] = 7", "fake responded with sequence 7 to 1"),
        ("if bad: answer = [1]", "no JSON object"),
        ("if bad: print('debugging')", "fake wrote no JSON object: .*b'debugging'"),
        ("if bad: answer['result'] = float('nan')", "no JSON object"),
        ("if bad: time.sleep(60)", "fake did not respond within 3 s"),
    ],
)
def test_a_fault_is_told_with_its_case_and_does_not_spoil_the_next(
    fault: str, message: str
) -> None:
    with fake(fault, seconds=3.0 if "respond within" in message else 10.0) as worker:
        with pytest.raises(EngineFault, match=rf'(?s){message}.*on: introspect .*"bad"'):
            worker.run_many([PRODUCT, BAD, PRODUCT])
        assert worker.run(*PRODUCT)["kind"] == "result"


def test_a_fault_shows_the_end_of_stderr() -> None:
    ends_with_a_reason = "if bad: sys.exit('out of ideas')"
    with fake(ends_with_a_reason) as worker, pytest.raises(EngineFault, match="out of ideas"):
        worker.run(*BAD)


@pytest.mark.parametrize(
    "fault",
    [
        "if request['kind'] == 'start': answer['contract'] = 'another'",
        "if request['kind'] == 'start': answer['protocol'] = '2'",
        "if request['kind'] == 'start': answer['kind'] = 'hello'",
    ],
)
def test_another_contract_or_protocol_is_refused(fault: str) -> None:
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
def test_a_child_must_end_well(fault: str, message: str) -> None:
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


@pytest.mark.parametrize("name", load_engines())
def test_both_sides_keep_to_the_protocol(
    name: str, validators: dict[str, Draft202012Validator], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    write, read_line = Child.write, Child.read_line

    def write_and_note(child: Child, said: list[str]) -> None:
        lines.extend(said)
        write(child, said)

    def read_and_note(child: Child, seconds: float) -> bytes:
        lines.append(read_line(child, seconds).decode())
        return lines[-1].encode()

    monkeypatch.setattr(Child, "write", write_and_note)
    monkeypatch.setattr(Child, "read_line", read_and_note)
    with Worker(load_engines()[name]) as worker:
        worker.run(*PRODUCT)
        worker.run("introspect", {"expression": "a +", "values": {}}, {"nodes": 5})
        bits = ["3ff0000000000000", "8000000000000000"]
        response = worker.run("evaluate", {"operation": "log", "operands": [[bit] for bit in bits]})
    assert response["result"] == ["0000000000000000", None]
    assert len(lines) == 10
    for line in lines:
        validators["protocol"].validate(json.loads(line))
