"""Messages about a text, and texts as long as they may be. Fixtures show the rest."""

import pytest

from engine_py import DEFAULT_LIMITS, GradientError, Limits, introspect, rewrite, sweep
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


# Long texts, for which fixtures have no room


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
