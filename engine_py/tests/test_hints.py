from typing import Any

import pytest

from engine_py import GradientError, introspect
from engine_py.operations import FUNCTIONS
from engine_py.tests.helpers import Json, units


@units("hints", "hints")
def test_what_beginners_write_is_answered_with_what_to_write(case: Json) -> None:
    for text, words in case["messages"].items():
        if case.get("may_become_functions") and text.partition("(")[0].lower() in FUNCTIONS:
            continue  # the word has become a function, and its hint has ended
        with pytest.raises(GradientError) as caught:
            introspect(text, {"x": 2, "y": 3})
        assert words in caught.value.message


def test_a_hint_ends_when_its_word_becomes_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "square", FUNCTIONS["exp"])
    for word in ("squar", "Square"):
        with pytest.raises(GradientError, match="did you mean `square`") as caught:
            introspect(f"{word}(x)", {"x": 2})
        error: dict[str, Any] = caught.value.as_dict()
        assert (error["code"], error["name"]) == ("unknown_function", word)


def test_a_long_word_is_cut_in_the_message() -> None:
    with pytest.raises(GradientError) as caught:
        introspect("a" * 60_000 + "(x)", {"x": 2})
    assert len(caught.value.message) < 300
    assert caught.value.data["name"] == "a" * 60_000


def test_the_message_is_as_long_however_many_functions_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(900):
        monkeypatch.setitem(FUNCTIONS, f"another{number}", FUNCTIONS["exp"])
    with pytest.raises(GradientError, match="the functions are relu, ") as caught:
        introspect("a" * 60_000 + "(x)", {"x": 2})
    assert len(caught.value.message) < 300


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "foo(x)",
            f"the functions are {', '.join(FUNCTIONS)}; put `*`",
        ),
        ("x ** (-1)", "write `x ** -1`"),
        ("x ** (1/2)", "write `x ** 0.5`"),
        ("x ** -(1/2)", "write `x ** -0.5`"),
        ("x ** (-1 / -4)", "write `x ** 0.25`"),
        ("x ** (.5 + 1.25)", "write `x ** 1.75`"),
        ("x ** (0.1 * 3)", "write a number, as in `x ** 0.5`"),
        ("x ** (2 - 3.)", "write `x ** -1`"),
        ("x ** (1 - 1)", "write `x ** 0`"),
        ("x ** -(1 - 1)", "write `x ** 0`"),
        ("x ** (1/10)", "write `x ** 0.1`"),
        ("x ** (1/3)", "write a number, as in `x ** 0.5`"),
        ("x ** (1/0)", "write a number, as in `x ** 0.5`"),
        ("x ** (1/1024/1024)", "write a number, as in `x ** 0.5`"),
        ("x ** (999999999 * 999999999)", "write a number, as in `x ** 0.5`"),
        ("x ** ((1/2))", "write `exp(y * log(x))`"),
        ("x ** (1e-3)", "write a number, as in `x ** 0.5`"),
        ("x ** (1/2 + y)", "write `exp(y * log(x))`"),
        ("x ** (1/2", "write `exp(y * log(x))`"),
        (
            "z = x\n+ y",
            "`+` at offset 6 begins a new statement; to go on in a new line, end the line before",
        ),
        ("z = x\n\n- y", "`-` at offset 7 begins a new statement; to go on in a new line"),
        ("z = x; - y", "the result does not depend on `z`; use it or take it away"),
        ("z = x\ny", "the result does not depend on `z`; use it or take it away"),
        (
            "z = x\n* y",
            "`*` at offset 6 is unexpected; to go on in a new line, end the line before",
        ),
        ("x\n** 2", "`**` at offset 2 is unexpected; to go on in a new line, end the line before"),
        ("z = x\n+ y\nz", "`+` at offset 6 began a new statement; to go on in a new line"),
        ("z = x; + y\nz", "only the last statement may go without a name"),
        ("* x", "a number, a name or `(` must come here"),
        ("1_000 * x", "write the digits of a number without `_` between them"),
        ("2 _x", "put `*` between `2` and `_x`"),
    ],
)
def test_what_is_nearly_right_is_answered_with_what_is_meant(text: str, words: str) -> None:
    with pytest.raises(GradientError) as caught:
        introspect(text, {"x": 2, "y": 3})
    assert words in caught.value.message
    assert len(caught.value.message) < 200
