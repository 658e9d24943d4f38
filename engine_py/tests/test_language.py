"""Messages about a text, and the programs that texts are rewritten to. Fixtures show the rest."""

import pytest

from engine_py import DEFAULT_LIMITS, GradientError, Limits, Rewritten, introspect, rewrite, sweep
from engine_py.operations import FUNCTIONS
from engine_py.tests.helpers import Json, units

# Messages: the place, the thing, and what to write instead


def refused(text: str, values: dict[str, float], limits: Limits = DEFAULT_LIMITS) -> GradientError:
    with pytest.raises(GradientError) as caught:
        introspect(text, values, limits=limits)
    assert len(caught.value.message) < 300
    return caught.value


@units("hints", "hints")
def test_a_mistake_of_a_beginner_gets_a_hint(case: Json) -> None:
    for text, words in case["messages"].items():
        assert words in refused(text, {"x": 2, "y": 3}).message


@units("hints", "messages")
def test_a_message_names_the_place_and_the_cure(case: Json) -> None:
    for text, values, words in case["messages"]:
        error = refused(text, values, Limits(characters=20, variables=4, nodes=4))
        assert error.code == case["code"]
        message = error.as_dict()["message"]
        assert [word for word in words if word not in message] == []


@units("hints", "grids")
def test_a_message_about_a_grid_names_the_wrong_member(case: Json) -> None:
    for grid, words in case["messages"]:
        with pytest.raises(GradientError) as caught:
            sweep("x", {"x": grid})
        assert words in caught.value.message


@pytest.mark.parametrize("text", ["{}(x)", "2 {}", "x ** {}"])
def test_a_message_repeats_the_beginning_of_a_long_word(text: str) -> None:
    error = refused(text.format("a" * 60_000), {"x": 2})
    assert f"`{'a' * 40}...`" in error.message
    assert error.data.get("name", "a" * 60_000) == "a" * 60_000


def test_a_message_lists_at_most_ten_missing_values() -> None:
    message = refused(" + ".join("abcdfghijk") + " + e + pi", {}).message
    assert message.endswith("`k` and 2 more have no values; add them to values")


def test_a_message_about_an_unknown_function_lists_all_functions() -> None:
    known = f"the functions are {', '.join(FUNCTIONS)}"
    assert known in refused("foo(x)", {"x": 2}).message


# Rewritten texts


def applied(text: str, found: Rewritten) -> str:
    """Apply the changes to the text."""
    pieces, at = [], 0
    for change in found["changes"]:
        pieces += [text[at : change["span"]["start"]], change["replacement"]]
        at = change["span"]["end"]
    return "".join(pieces) + text[at:]


@units("rewrite", "programs")
def test_a_text_becomes_the_program_that_it_means(case: Json) -> None:
    for text, program in case["rows"].items():
        found = rewrite(text, case["names"])
        assert found["expression"] == program, text
        assert applied(text, found) == program
        assert found["refused"] is None
        assert found["needs"] == case.get("needs", found["needs"])


@units("rewrite", "refused")
def test_a_text_without_one_program_is_refused(case: Json) -> None:
    for text, (reason, start, end, *readings) in case["rows"].items():
        found = rewrite(text)
        span = {"start": start, "end": end}
        refused = found["refused"]
        assert refused is not None, text
        assert (refused["reason"], refused["span"]) == (reason, span), text
        assert found["readings"] == readings
        assert (found["expression"], found["changes"], found["needs"]) == (None, [], [])


def test_a_long_text_is_read() -> None:
    text = "2x - -" * 1500 + "1"
    assert rewrite(text)["expression"] == text.replace("2x", "2*x")


@pytest.mark.parametrize(
    "text",
    ["((" * 9000 + "2x" + "))" * 9000, "-" * 9000 + "2x", "x^" * 9000 + "2", "2x" + ".exp()" * 900],
)
def test_a_text_that_is_too_deep_is_refused(text: str) -> None:
    refused = rewrite(text)["refused"]
    assert refused is not None
    assert refused["reason"] == "too_deep"


def test_a_program_is_no_longer_than_an_expression() -> None:
    refused = rewrite("tan(" * 40 + "x" + ")" * 40)["refused"]  # whose formula has x twice
    assert refused is not None
    assert refused["reason"] == "too_long"
