from typing import Any

import pytest

from engine_py import OPERATIONS, GradientError, Limits
from engine_py.errors import WrongArity
from engine_py.language.parser import Parsed
from engine_py.operations import FUNCTIONS
from engine_py.tests.helpers import Json, program_of, refusal, shape_of, units

PLENTY = Limits(characters=10**7, nodes=10**7)


def slices(text: str) -> list[str]:
    """Return the text of every node's span."""
    graph = program_of(text).graph
    return [text[slice(*span)] for span in graph.spans if span]


def size(program: Parsed) -> int:
    return len(program.graph.operations)


def columns_of(program: Parsed) -> dict[str, Any]:
    graph = program.graph
    return {
        "labels": graph.labels,
        "operands": [list(operands) for operands in graph.operands],
        "literals": graph.literals,
        "spans": [list(span or ()) for span in graph.spans],
        "variables": graph.variables,
        "bindings": [[name, node, *span] for name, node, span in program.bindings],
    }


@units("parser", "shapes")
def test_a_text_has_the_shape(case: Json) -> None:
    view = case.get("view", "folded")
    assert {text: shape_of(text, view) for text in case["shapes"]} == case["shapes"]


@units("parser", "faults")
def test_a_fault_is_refused_where_it_stands(case: Json) -> None:
    found = {}
    for text in case["faults"]:
        error = refusal(program_of, text)
        found[text] = [error["code"], error["span"]["start"], error["span"]["end"]]
    assert found == case["faults"]


@units("parser", "slices")
def test_a_span_has_the_text(case: Json) -> None:
    assert {text: slices(text) for text in case["slices"]} == case["slices"]


@units("parser", "graphs")
def test_a_graph_has_the_columns(case: Json) -> None:
    found = columns_of(program_of(case["text"], case.get("view", "folded")))
    expected = {name: column for name, column in case.items() if name in found}
    assert expected
    assert {name: found[name] for name in expected} == expected


@units("parser", "limits")
def test_the_limit_of_nodes_is_met_at_the_construct_that_needs_one_more(case: Json) -> None:
    text, view, nodes = case["text"], case.get("view", "folded"), case["nodes"]
    if case["at"] is None:
        assert size(program_of(text, view, Limits(nodes=nodes))) == nodes
        return
    error = refusal(program_of, text, view, Limits(nodes=nodes))
    assert text[slice(*error.pop("span").values())] == case["at"]
    expected = {"code": "limit_exceeded", "name": "nodes", "limit": nodes, "actual": nodes + 1}
    assert error == expected


def test_a_call_takes_as_many_arguments_as_its_row_says(monkeypatch: pytest.MonkeyPatch) -> None:
    larger = OPERATIONS["*"]._replace(symbol="larger", name="larger", form="call")
    monkeypatch.setitem(FUNCTIONS, "larger", larger)
    monkeypatch.setitem(OPERATIONS, "larger", larger)
    shapes = {
        "larger(a, b)": "(larger a b)",
        "larger(a + 1, -b) * 2": "(* (larger (+ a 1) (neg b)) 2)",
        "larger(larger(a, 2), (b))": "(larger (larger a 2) b)",
        "exp(larger(a,\nb))": "(exp (larger a b))",
    }
    assert {text: shape_of(text) for text in shapes} == shapes
    assert slices("1 + larger( a , b )") == [
        "1",
        "a",
        "b",
        "larger( a , b )",
        "1 + larger( a , b )",
    ]
    for call, actual in {"larger()": 0, "larger(a)": 1, "larger(a, b, c + 1)": 3}.items():
        with pytest.raises(WrongArity) as caught:
            program_of(f"2 * {call} * 3")
        hint = f"larger takes 2 arguments, not {actual}; write larger(x, y)"
        span = {"start": 4, "end": 4 + len(call)}
        data = {"name": "larger", "expected": 2, "actual": actual}
        assert caught.value.as_dict() == {
            "code": "wrong_arity",
            "message": hint,
            "span": span,
            **data,
        }
    assert refusal(program_of, "larger(a, (b, c))")["code"] == "unexpected_token"
    assert refusal(program_of, "larger(a,)")["span"] == {"start": 9, "end": 10}
    with pytest.raises(GradientError, match=r"write `larger\(x, y\)` to call the function"):
        program_of("larger a")


def test_depth_and_length_are_bounded_by_the_limits_alone() -> None:
    def parsed(text: str) -> int:
        return size(program_of(text, limits=PLENTY))

    assert parsed("(" * 70_000 + "a" + ")" * 70_000) == 1
    assert parsed("a" + " + a" * 20_000) == 20_001
    assert parsed("-" * 20_000 + "a") == 20_001
    assert parsed("+-" * 20_000 + "3") == 20_000
    assert parsed("relu(" * 20_000 + "a" + ")" * 20_000) == 20_001
    assert parsed("(1 + " * 20_000 + "a" + ")" * 20_000) == 40_001
    assert parsed("v0 = a + 1" + "".join(f"; v{i + 1} = v{i} + a" for i in range(5_000))) == 5_003
    assert refusal(parsed, "(" * 70_000 + "a")["code"] == "unexpected_end"


def test_a_deep_program_meets_the_limit_of_nodes() -> None:
    error = refusal(program_of, "-" * 60_000 + "a")
    assert (error["code"], error["limit"]) == ("limit_exceeded", 10_000)
