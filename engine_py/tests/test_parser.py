"""Text -> graph, in words: its shape, the place of a fault, and the text of each span."""

from engine_py.tests.helpers import Json, program_of, refusal, shape_of, units


def slices(text: str) -> list[str]:
    """Return the text of every node's span."""
    graph = program_of(text).graph
    return [text[slice(*span)] for span in graph.spans if span]


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
