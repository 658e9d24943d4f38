from typing import Any

import pytest

from engine_py import GradientError, introspect
from engine_py.operations import FUNCTIONS

CURES: list[tuple[str, str, str]] = [
    # text, the word in it that may become a function one day, what the message must say
    ("SQRT(x)", "", "did you mean `sqrt`?"),
    ("ln(x)", "ln", "write `log(x)`"),
    ("log10(x)", "log10", "write `log(x) / log(10)`"),
    ("log2(x)", "log2", "write `log(x) / log(2)`"),
    ("sinh(x)", "sinh", "write `(exp(x) - exp(-x)) / 2`"),
    ("cosh(x)", "cosh", "write `(exp(x) + exp(-x)) / 2`"),
    ("pow(x, 2)", "pow", "write `x ** 2`"),
    ("square(x)", "square", "write `x ** 2`"),
    ("tan(x)", "tan", "write `sin(x) / cos(x)`"),
    ("Sin(x)", "", "did you mean `sin`?"),
    ("SIGN(x)", "sign", "write `x / abs(x)`"),
    ("sgn(x)", "sgn", "write `x / abs(x)`"),
    ("minimum(x, y)", "minimum", "write `min(x, y)`"),
    ("maximum(x, y)", "maximum", "write `max(x, y)`"),
    ("logistic(x)", "logistic", "write `sigmoid(x)`"),
    ("tahn(x)", "", "did you mean `tanh`?"),
    ("tanhh(x)", "", "did you mean `tanh`?"),
    ("lg(x)", "", "did you mean `log`?"),
    ("ReLU(x)", "", "did you mean `relu`?"),
    ("lof(x)", "", "did you mean `log`?"),
    ("relux(x)", "", "did you mean `relu`?"),
    ("foo(x)", "", "the functions are relu, "),
    ("ehtn(x)", "", "the functions are relu, "),
    ("x(2)", "", "put `*` before the parenthesis to multiply"),
    ("x ** y", "", "where x > 0, write `exp(y * log(x))` for `x ** y`"),
    ("2 ** (x + 1)", "", "where x > 0, write `exp(y * log(x))` for `x ** y`"),
    ("2(x)", "", "put `*` between `2` and `(`"),
    ("(x)(y)", "", "put `*` between `)` and `(`"),
    ("x y", "", "put `*` between `x` and `y`"),
    ("relu x", "", "write `relu(x)`"),
    ("x == 2", "", "there is no comparison"),
    ("x + 1 = 2", "", "there is no comparison"),
    ("x < 2", "", "there is no comparison"),
    ("x ^ 2", "", "write `**`"),
    ("x\N{SUPERSCRIPT TWO}", "", "write `** 2`"),
    ("x\N{SUPERSCRIPT THREE}", "", "write `** 3`"),
    ("\N{SQUARE ROOT}x", "", "write `sqrt(x)`"),
    ("x \N{MULTIPLICATION SIGN} 2", "", "write `*`"),
    ("x \N{MIDDLE DOT} 2", "", "write `*`"),
    ("x \N{DOT OPERATOR} 2", "", "write `*`"),
    ("x \N{DIVISION SIGN} 2", "", "write `/`"),
    ("x \N{MINUS SIGN} 2", "", "write the hyphen `-`"),
    ("x \N{EN DASH} 2", "", "write the hyphen `-`"),
    ("2 * \N{GREEK SMALL LETTER PI}", "", "write 3.141592653589793"),
    ("Math.exp(x)", "", "write a function by its name alone, as in `exp(x)`"),
    ("x % 2", "", "no remainder"),
    ("|x|", "", "write `abs(x)`"),
    ("sqrt -1", "", "add it to values, or put ( and ) around what follows it to call it"),
    ("x # the input", "", "no comments"),
    ("[x]", "", "group with ( and )"),
    ("2 * pi", "", "write 3.141592653589793"),
    ("2 * PI", "", "write 3.141592653589793"),
    ("e * x", "", "write `exp(1)`, and `exp(x)` for `e ** x`"),
    ("2 * w", "", "`w` has no value; add it to values"),
    ("v * w", "", "`v`, `w` have no values; add them to values"),
    ("PI * w", "", "`PI`, `w` have no values; add them to values; for `PI` write 3.14159"),
    ("+".join("abcdefghijkl"), "", "`j` and 2 more have no values; add them to values; for `e` "),
]


@pytest.mark.parametrize(("text", "word", "words"), CURES)
def test_what_beginners_write_is_answered_with_what_to_write(
    text: str, word: str, words: str
) -> None:
    if word in FUNCTIONS:
        return  # the word has become a function, and its cure has ended
    with pytest.raises(GradientError) as caught:
        introspect(text, {"x": 2, "y": 3})
    assert words in caught.value.message


def test_a_cure_ends_when_its_word_becomes_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FUNCTIONS, "square", FUNCTIONS["exp"])
    for word in ("squar", "Square"):
        with pytest.raises(GradientError, match="did you mean `square`") as caught:
            introspect(f"{word}(x)", {"x": 2})
        error: dict[str, Any] = caught.value.as_dict()
        assert (error["code"], error["name"]) == ("unknown_function", word)


def test_a_long_word_is_cut_in_the_message() -> None:
    with pytest.raises(GradientError) as caught:
        introspect("a" * 60_000 + "(x)", {"x": 2})
    assert len(caught.value.message) < 200
    assert caught.value.data["name"] == "a" * 60_000


def test_the_message_is_as_long_however_many_functions_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(900):
        monkeypatch.setitem(FUNCTIONS, f"another{number}", FUNCTIONS["exp"])
    with pytest.raises(GradientError, match="the functions are relu, ") as caught:
        introspect("a" * 60_000 + "(x)", {"x": 2})
    assert len(caught.value.message) < 200
