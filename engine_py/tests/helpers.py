"""What several test files share: cases, the shape of a graph in words, and refusals."""

import json
import operator
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine_py import DEFAULT_LIMITS, OPERATIONS, GradientError, Limits, Value
from engine_py.errors import json_words
from engine_py.language.parser import Parsed, parse
from engine_py.language.tokens import tokenize
from engine_py.request import View

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
    """Read texts and values that a graph of Values can have too, and what is expected of them."""
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


def program_of(text: str, view: View = "folded", limits: Limits = DEFAULT_LIMITS) -> Parsed:
    return parse(tokenize(text), view, limits)


def shape_of(text: str, view: View = "folded") -> str:
    """Write the graph of a text with its operations in front: `a - 2` is `(- a 2)`."""
    graph, root, _ = program_of(text, view)
    written: list[str] = []
    for node, operation in enumerate(graph.operations):
        if operation:
            operands = " ".join(written[operand] for operand in graph.operands[node])
            written.append(f"({operation.symbol} {operands})")
        elif graph.is_variable(node):
            written.append(graph.labels[node] or "")
        else:
            written.append(f"{graph.literals[node]:g}")
    return written[root]


def values_of_text(text: str, values: Mapping[str, float]) -> list[Value]:
    """Build with Value, operator by operator, the folded graph of the text; the root is last."""
    graph = program_of(text).graph
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
    """Tell -0 from 0, and 1.0 from 1, where `==` does not."""
    return json.dumps(content)
