"""Both workers give each line of `protocol_lines.json` the response that stands beside it."""

import json
import subprocess
from functools import cache
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine_py import OPERATIONS
from parity_tests.kit.cases import LINES, line_of
from parity_tests.kit.engines import load_engines

Json = Any

CASES: list[dict[str, Json]] = json.loads(LINES.read_text(encoding="utf-8"))
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
STRAYS: list[Json] = [None, True, -1, 0, 2.0, 2.5, 2**53, "", "x", "run", "evaluate", [], {}, [[]]]


def responses_to(name: str, lines: list[bytes]) -> list[dict[str, Json]]:
    """Send all lines to one worker, which must answer each and then end well."""
    engine = load_engines()[name]
    ended = subprocess.run(
        engine.argv,
        input=b"\n".join([*lines, b'{"kind": "stop"}', b""]),
        capture_output=True,
        cwd=engine.root,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    *responses, stopped = [json.loads(line) for line in ended.stdout.splitlines()]
    assert stopped == {"kind": "stopped"}
    assert len(responses) == len(lines)
    return responses


@cache
def played(name: str) -> list[dict[str, Json]]:
    return responses_to(name, [line_of(case) for case in CASES])


def contains(response: Json, expected: Json) -> bool:
    """Objects may have more members than those expected."""
    if isinstance(expected, dict) and isinstance(response, dict):
        return all(
            name in response and contains(response[name], expected[name]) for name in expected
        )
    return bool(response == expected)


@pytest.mark.parametrize("name", load_engines())
def test_each_line_has_its_response(name: str, validators: dict[str, Draft202012Validator]) -> None:
    wrong = [
        (case["title"], response)
        for case, response in zip(CASES, played(name), strict=True)
        if not contains(response, case["response"])
    ]
    assert wrong == []
    for response in played(name):
        validators["protocol"].validate(response)


def test_the_engines_give_the_same_responses_and_messages() -> None:
    ours, theirs = (
        [response for response in played(name) if response["kind"] != "started"]
        for name in load_engines()
    )
    assert [pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]] == []


def changed(random: Random, value: Json) -> Json:
    """Take away, add or replace one member, somewhere in a copy of the value."""
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
    """What no JSON Schema says: each row of an operation has as many operands as that takes."""
    if message["kind"] != "run" or message["command"] != "evaluate":
        return True
    operation = OPERATIONS.get(message["request"]["operation"])
    rows = message["request"]["operands"]
    return operation is None or all(len(row) == operation.arity for row in rows)


def test_what_is_refused_is_what_the_schema_refuses(
    validators: dict[str, Draft202012Validator],
) -> None:
    random = Random(5)
    messages = [changed(random, random.choice([RUN, EVALUATE, START])) for _ in range(3_000)]
    valid = validators["message request"].is_valid
    good = [valid(message) and has_its_operands(message) for message in messages]
    assert 300 < sum(good) < 2_700
    lines = [json.dumps(message).encode() for message in messages]
    for name in load_engines():
        kinds = [response["kind"] for response in responses_to(name, lines)]
        assert "crashed" not in kinds
        refused = [kind == "refused" for kind in kinds]
        wrong = [line for line, one, no in zip(lines, good, refused, strict=True) if one == no]
        assert wrong == [], name
