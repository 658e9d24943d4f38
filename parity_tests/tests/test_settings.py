"""The engines check the lab's settings by hand: bounds, choices and defaults are the schemas'."""

import json
from collections.abc import Iterator
from math import nextafter
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Call, Json, Worker

DOUBLINGS = "c = a + a; d = c + c; e = d + d; f = e + e; g = f + f; h = g + g; i = h + h"
PROGRAM: Json = {
    "expression": f"{DOUBLINGS}; exp(i / 300) * sin(b) / 3",
    "values": {"a": 2, "b": 3},
}
"""128 paths lead to a, and some results are rounded, so that a default shows in the answer."""
NEEDED: dict[str, Json] = {"paths": {"node": "a"}, "descend": {"parameters": ["a"]}}
OTHERS: dict[str, Json] = {
    "descend": {"optimizer": "adamw"},
    "accuracy": {"why": {"node": "a", "number": "grad"}, "claimed": {"a": 0.0471}},
}
"""Settings without which some of the others change nothing."""
COMMANDS = ("experiment", "paths", "accuracy", "descend", "hessian")
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def properties_of(command: str) -> dict[str, Json]:
    """Return the schemas of the members that a command adds to a program."""
    schema = json.loads((SCHEMAS / f"{command}_request.schema.json").read_text())
    ours = {*PROGRAM, "parameters", "view", *NEEDED.get(command, {})}
    return {name: each for name, each in schema["properties"].items() if name not in ours}


def candidates(member: Json) -> Iterator[Any]:
    """Yield the choices of a member, what stands at its bounds and next to them, and odd values."""
    yield from member.get("enum", ())
    for bound in (member[name] for name in BOUNDS if name in member):
        yield bound
        if member["type"] == "integer":
            yield from (bound - 1, bound + 1, bound + 0.5)
        elif abs(bound) < 1e300:  # beyond the largest double there is no number in JSON
            yield from (nextafter(bound, -1e300), nextafter(bound, 1e300))
    yield from ("", "sum ", True, False, -1, [[]], 0.25)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_engines_accept_the_settings_that_the_schema_accepts(
    command: str, workers: dict[str, Worker], validators: dict[str, Draft202012Validator]
) -> None:
    base = PROGRAM | NEEDED.get(command, {})
    settings = [(n, each) for n, row in properties_of(command).items() for each in candidates(row)]
    calls: list[Call] = [(command, base | {name: each}, None) for name, each in settings]
    for engine, worker in workers.items():
        for call, (name, each), response in zip(
            calls, settings, worker.run_many(calls), strict=True
        ):
            place = response.get("error", {}).get("pointer") or ""
            refused = place == f"/{name}" or place.startswith(f"/{name}/")
            valid = validators[f"{command}_request"].is_valid(call[1])
            assert refused != valid, (engine, name, each, response)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("others", [{}, OTHERS])
def test_a_setting_that_is_left_out_has_the_default_of_the_schema(
    command: str, others: dict[str, Json], workers: dict[str, Worker]
) -> None:
    base = PROGRAM | NEEDED.get(command, {}) | others.get(command, {})
    rows = properties_of(command).items()
    defaults = {name: row["default"] for name, row in rows if "default" in row and name not in base}
    assert defaults
    for engine, worker in workers.items():
        plain = worker.run(command, base)["result"]
        for name, default in defaults.items():
            result = worker.run(command, base | {name: default})["result"]
            assert result == plain, (engine, name)
