"""The parser: the shape of a graph, the place of an error, and the text of each span."""

from engine_py.tests.helpers import Json, program_of, refusal, shape_of, units


def slices(text: str) -> list[str]:
    """Return the text of every node's span."""
    graph = program_of(text).graph
    return [text[slice(*span)] for span in graph.spans if span]


@units("parser", "shapes")
def test_a_text_is_parsed_to_a_graph_of_this_shape(case: Json) -> None:
    view = case.get("view", "folded")
    assert {text: shape_of(text, view) for text in case["shapes"]} == case["shapes"]


@units("parser", "errors")
def test_an_error_has_the_span_of_its_place(case: Json) -> None:
    found = {}
    for text in case["errors"]:
        error = refusal(program_of, text)
        found[text] = [error["code"], error["span"]["start"], error["span"]["end"]]
    assert found == case["errors"]


@units("parser", "slices")
def test_a_node_has_the_span_of_its_text(case: Json) -> None:
    assert {text: slices(text) for text in case["slices"]} == case["slices"]
