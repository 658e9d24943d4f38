"""In every engine, only limits bound the depth and length of a program."""

import json
from collections.abc import Iterator
from math import nextafter
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Call, Json, Worker

DEEP = 70_000
"""Deeper than every stack, and than the default limits allow."""
LONG = 20_000


def answer(workers: dict[str, Worker], text: str, limits: dict[str, int] | None) -> Json:
    """Return the response of the engines at a = 0, which must be the same."""
    request = {"expression": text, "values": {"a": 0}}
    responses = [worker.run("introspect", request, limits) for worker in workers.values()]
    first, *others = (outcome(response, "introspect") for response in responses)
    for other in others:
        assert first_difference(first, other) is None
    return first


def test_by_default_a_text_may_nest_as_deep_as_it_is_long(workers: dict[str, Worker]) -> None:
    nested = answer(workers, "(" * 30_000 + "a" + ")" * 30_000, None)
    assert nested["document"]["result"] == 0
    chain = answer(workers, "-" * 9_999 + "a", None)["document"]
    assert (chain["root"], chain["result"], chain["gradients"]) == (9_999, 0, {"a": -1})
    error = {"code": "limit_exceeded", "name": "nodes", "limit": 10_000, "actual": 10_001}
    span = {"start": 0, "end": 10_001}
    assert answer(workers, "-" * 10_000 + "a", None) == {"error": {**error, "span": span}}


def test_a_sweep_of_more_points_than_any_double_is_refused(
    workers: dict[str, Worker],
) -> None:
    """300 grids of 2**53 - 1 points each are 10**4786 points."""
    grid = {"from": 0, "to": 1, "count": 2**53 - 1}
    request = {"expression": "a", "values": {"a": 0, **{f"b{i}": grid for i in range(300)}}}
    error = {"code": "limit_exceeded", "name": "sweep_nodes", "limit": 1_000_000, "span": None}
    for worker in workers.values():
        response = worker.run("sweep", request)
        assert outcome(response, "sweep") == {"error": {**error, "actual": 2**53 - 1}}


def test_only_limits_bound_depth_and_length(workers: dict[str, Worker]) -> None:
    limits = {"characters": 2_000_000, "nodes": 500_000}
    for text, code in [
        ("(" * DEEP + "a" + ")" * (DEEP + 1), "unexpected_token"),
        ("(" * DEEP, "unexpected_end"),
        ("relu(" * DEEP, "unexpected_end"),
        ("-" * DEEP, "unexpected_end"),
        ("1 / (" + "+".join(["a"] * LONG) + ")", "domain_error"),
        ("log(" + "-(" * LONG + "a" + ")" * (LONG + 1), "domain_error"),
        ("+".join(["a"] * LONG) + "+ 1e300" * 2 + " + exp(1000)", "non_finite"),
        ("\n".join(f"b{i} = {i}" for i in range(LONG)) + "\na", "unused_name"),
        ("a ** 2" * LONG, "unexpected_token"),
        ("9" * DEEP, "non_finite"),
    ]:
        assert answer(workers, text, limits)["error"]["code"] == code


# The lab's settings


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
"""Settings without which some of the others have no effect."""
COMMANDS = ("experiment", "paths", "accuracy", "descend", "hessian")
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def properties_of(command: str) -> dict[str, Json]:
    """Return the schemas of the members that a command adds to a program."""
    schema = json.loads((SCHEMAS / f"{command}_request.schema.json").read_text())
    ours = {*PROGRAM, "parameters", "view", *NEEDED.get(command, {})}
    return {name: each for name, each in schema["properties"].items() if name not in ours}


def candidates(member: Json) -> Iterator[Any]:
    """Yield the choices of a member, values at its bounds and next to them, and odd values."""
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
