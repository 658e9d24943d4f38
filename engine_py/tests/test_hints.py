"""What a message says to people: the place, the thing, and what to write instead."""

import pytest

from engine_py import DEFAULT_LIMITS, GradientError, Limits, introspect, sweep
from engine_py.operations import FUNCTIONS
from engine_py.tests.helpers import Json, units


def refused(text: str, values: dict[str, float], limits: Limits = DEFAULT_LIMITS) -> GradientError:
    with pytest.raises(GradientError) as caught:
        introspect(text, values, limits=limits)
    assert len(caught.value.message) < 300
    return caught.value


@units("hints", "hints")
def test_what_beginners_write_is_answered_with_what_to_write(case: Json) -> None:
    for text, words in case["messages"].items():
        assert words in refused(text, {"x": 2, "y": 3}).message


@units("hints", "messages")
def test_a_message_names_the_place_and_the_way_out(case: Json) -> None:
    for text, values, words in case["messages"]:
        error = refused(text, values, Limits(characters=20, variables=4, nodes=4))
        assert error.code == case["code"]
        message = error.as_dict()["message"]
        assert [word for word in words if word not in message] == []


@units("hints", "grids")
def test_a_message_about_a_grid_names_what_it_does_not_have(case: Json) -> None:
    for grid, words in case["messages"]:
        with pytest.raises(GradientError) as caught:
            sweep("x", {"x": grid})
        assert words in caught.value.message


@pytest.mark.parametrize("text", ["{}(x)", "2 {}", "x ** {}"])
def test_a_message_repeats_the_beginning_of_a_long_word(text: str) -> None:
    error = refused(text.format("a" * 60_000), {"x": 2})
    assert f"`{'a' * 40}...`" in error.message
    assert error.data.get("name", "a" * 60_000) == "a" * 60_000


def test_values_that_are_missing_are_hinted_at_where_they_are_named() -> None:
    message = refused(" + ".join("abcdfghijk") + " + e + pi", {}).message
    assert message.endswith("`k` and 2 more have no values; add them to values")


def test_a_message_names_few_functions_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = f"the functions are {', '.join(FUNCTIONS)}"
    assert known in refused("foo(x)", {"x": 2}).message
    for number in range(900):
        monkeypatch.setitem(FUNCTIONS, f"another{number}", FUNCTIONS["exp"])
    known = f"the functions are {', '.join([*FUNCTIONS][:20])} and {len(FUNCTIONS) - 20} more"
    assert known in refused("foo(x)", {"x": 2}).message
