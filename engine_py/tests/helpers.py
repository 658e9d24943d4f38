"""Shared by the tests: cases of tables, graphs of Values, and refusals."""

import json
import operator
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

import engine_py
from engine_py import DEFAULT_LIMITS, OPERATIONS, GradientError, Limits, Value
from engine_py.errors import json_words
from engine_py.language.parser import parse
from engine_py.language.tokens import tokenize

PARITY_TESTS = Path(__file__).parents[2] / "parity_tests"

Json = dict[str, Any]
Test = TypeVar("Test", bound=Callable[..., object])


def units(module: str, table: str) -> Callable[[Test], Test]:
    """Run a test for each case of a table that the tests of both engines read."""
    cases: list[Json] = json.loads(
        (PARITY_TESTS / "units" / f"{module}.json").read_text(encoding="utf-8")
    )[table]
    assert cases, f"{module}.json: {table} is empty"
    names = [case["name"] for case in cases]
    assert len({*names}) == len(names), f"{module}.json: two cases of {table} have one name"
    with_cases = pytest.mark.parametrize("case", cases, ids=names)
    return lambda test: pytest.mark.units(with_cases(test))


def programs_of_fixtures() -> Iterator[tuple[str, dict[str, float], Json]]:
    """Yield the fixtures that a graph of Values can have, too: text, values and expected answer."""
    for file in sorted((PARITY_TESTS / "fixtures").glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            if case.keys() & {"command", "limits"}:
                continue
            request = case["request"]
            if request.get("view", "folded") == "folded":
                yield request.get("expression"), request.get("values"), case["expect"]


def refusal(call: Callable[..., object], *arguments: Any, **options: Any) -> dict[str, Any]:
    """Return code, span and data of the error; the message is for people and may change."""
    with pytest.raises(GradientError) as caught:
        call(*arguments, **options)
    error = caught.value.as_dict()
    assert error.pop("message") == json_words(str(caught.value))
    return error


def values_of_text(text: str, values: Mapping[str, float]) -> list[Value]:
    """Build with Value, operator by operator, the folded graph of the text; the root is last."""
    graph = parse(tokenize(text), "folded", DEFAULT_LIMITS).graph
    built: list[Value] = []
    for node, operation in enumerate(graph.operations):
        label = graph.labels[node] or ""
        operands = [built[operand] for operand in graph.operands[node]]
        if operation is None:
            data = values[label] if graph.is_variable(node) else graph.literals[node]
            built.append(Value(data, label))
        else:
            built.append(apply(operation.symbol, *operands))
            built[-1].label = label
    return built


def apply(symbol: str, x: Value, *others: Value) -> Value:
    """Write an operation as Python does: a call as a method, the rest with an operator."""
    row = OPERATIONS[symbol]
    if row.form == "call":
        return getattr(x, row.name)(*others)  # type: ignore[no-any-return]
    if symbol == "**":
        return x ** others[0].data
    write = getattr(operator, {"div": "truediv"}.get(row.name, row.name))
    return write(x, *others)  # type: ignore[no-any-return]


def to_the_bit(content: Any) -> str:
    """Write a value so that -0 differs from 0, and 1.0 from 1, as they do not with `==`."""
    return json.dumps(content)


# The steps of a table's row; `about` in parity_tests/units/value.json defines them.


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
    """Return a member as JSON, with each Value replaced by its name."""
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
