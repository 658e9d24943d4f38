"""Carry out the steps of a table's row; `about` in parity_tests/units/value.json names them."""

import json
import operator
from collections.abc import Callable
from typing import Any

import pytest

import engine_py
from engine_py import GradientError, Limits, Value
from engine_py.tests.helpers import Json, refusal, values_of_text

NOT_IN_JSON = {"NaN", "Infinity", "-Infinity"}

Nodes = dict[str, Value]


def carry_out(row: Json) -> None:
    nodes: Nodes = {}
    for number, value in enumerate(values_of_text(row["program"], row["values"])):
        nodes[str(number)] = value
        nodes[value.label or str(number)] = value
    for step in row["steps"]:
        hold(step, lambda step=step: take(step, nodes))  # type: ignore[misc]
        for place, expected in step.get("is", {}).items():
            node, *keys = place.split(".")
            content: Any = nodes[node]
            for key in keys:
                content = content[int(key)] if key.isdecimal() else getattr(content, key)
            assert plain(content, nodes) == expected, place


def hold(step: Json, call: Callable[[], Any]) -> None:
    """Compare a refusal with `error` and `says`, or what was returned with `gives`."""
    if "says" in step:
        with pytest.raises((GradientError, TypeError)) as caught:
            call()
        assert step["says"] in str(caught.value)
    if "error" in step:
        assert refusal(call) == step["error"]
    if not step.keys() & {"says", "error"}:
        made = call()
        for path, expected in step.get("gives", {}).items():
            assert member_at(made, path) == expected, path


def take(step: Json, nodes: Nodes) -> Any:
    if "set" in step:
        for place, content in step["set"].items():
            node, member = place.split(".")
            setattr(nodes[node], member, double(content))
    if "make" in step:
        made = make(step["make"], nodes)
        nodes[step.get("to", made.label)] = made
    if "call" in step:
        made = call_method(step, nodes)
        nodes[step.get("to", "")] = made
    if "ask" in step:
        return ask(step, nodes[step["of"]])
    return None


def make(arguments: list[Any], nodes: Nodes) -> Value:
    data, *rest = arguments
    if rest and isinstance(rest[0], list):
        rest[0] = [nodes.get(each, each) for each in rest[0]]
    if len(rest) > 1 and isinstance(rest[1], list):
        rest[1] = [double(each) for each in rest[1]]
    made: Any = Value
    return made(double(data), *rest)  # type: ignore[no-any-return]


def call_method(step: Json, nodes: Nodes) -> Any:
    value, name = nodes[step["of"]], step["call"]
    if "with" not in step:
        return getattr(value, name)()
    return getattr(operator, name)(value, nodes.get(step["with"], step["with"]))


def ask(step: Json, subject: object, **options: Any) -> Any:
    """Call a function of the package with a text, a Value or a document."""
    members = {**step.get("members", {}), **options}
    if "limits" in members:
        members["limits"] = Limits(**members["limits"])
    values = [step["values"]] if "values" in step else []
    return getattr(engine_py, step["ask"])(subject, *values, **members)


def double(content: Any) -> Any:
    return float(content) if isinstance(content, str) and content in NOT_IN_JSON else content


def plain(content: Any, nodes: Nodes) -> Any:
    """Write a member as JSON has it, with the names of nodes, where they have any."""
    if isinstance(content, set):
        return sorted(plain(tuple(content), nodes))
    if isinstance(content, tuple):
        return [plain(each, nodes) for each in content]
    if isinstance(content, Value):
        return max(name if node is content else "" for name, node in nodes.items())
    return content


def member_at(content: Any, path: str) -> Any:
    for key in path.split("."):
        if key == "length":
            return len(content)
        content = content[int(key)] if isinstance(content, list) else content[key]
    return json.loads(json.dumps(content))
