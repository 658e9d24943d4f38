"""Every picture is drawn by hand, or held against what the span says."""

import pytest

from engine_py import Span
from engine_py.show.explanation import draw_carets

LONG = "".join(str(index % 10) for index in range(1_000))


def marked(picture: str) -> str:
    """Give what stands above the carets; nothing else may stand beside them."""
    line, carets = picture.split("\n")
    assert set(carets) == {" ", "^"}
    assert " " not in carets.strip()
    return line[carets.index("^") : len(carets)]


@pytest.mark.parametrize(
    ("text", "span", "line", "carets"),
    [
        ("2x + 1", (1, 2), "2x + 1", " ^"),
        ("log(0)", (0, 6), "log(0)", "^^^^^^"),
        ("foo(a)", (0, 3), "foo(a)", "^^^"),
        ("(a", (2, 2), "(a", "  ^"),  # the end of the text is a place, too
        ("", (0, 0), "", "^"),
        ("a + 1\nb $ 2\nc", (8, 9), "b $ 2", "  ^"),
        ("a + 1\nb $ 2\nc", (12, 13), "c", "^"),
        ("a = 1;\n", (7, 7), "", "^"),  # after the last line break a line is empty
        ("a (\nb", (2, 3), "a (", "  ^"),
        ("x\ny z", (4, 5), "y z", "  ^"),
    ],
)
def test_the_line_in_question_has_carets_under_the_place(
    text: str, span: tuple[int, int], line: str, carets: str
) -> None:
    assert draw_carets(text, Span(*span)) == f"    {line}\n    {carets}"


def test_a_place_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    text = "1 + (a\n + b) / 0"
    assert draw_carets(text, Span(4, 16)) == "    1 + (a\n        ^^"
    assert draw_carets("log(\n0\n)", Span(0, 8)) == "    log(\n    ^^^^"


def test_a_line_break_as_the_place_is_marked_behind_its_line() -> None:
    assert draw_carets("ab\ncd", Span(2, 3)) == "    ab\n      ^"


@pytest.mark.parametrize(
    "blank", ["\t", "\r", "\x00", "\x1b", "\x7f", "\u2028", "\u200b", "\ud800"]
)
def test_a_character_without_a_picture_takes_one_column(blank: str) -> None:
    # A tab would be as wide as the terminal likes, an escape would be obeyed.
    assert draw_carets(f"a{blank}b $", Span(4, 5)) == "    a b $\n        ^"


@pytest.mark.parametrize("character", ["é", "λ", "−", "\U0001f600"])
def test_other_alphabets_are_counted_by_code_points(character: str) -> None:
    picture = draw_carets(f"{character} + {character}", Span(4, 5))
    assert picture == f"    {character} + {character}\n        ^"


def test_a_long_line_is_cut_on_both_sides_of_the_place() -> None:
    line, carets = draw_carets(LONG, Span(503, 505)).split("\n")
    assert marked(f"{line}\n{carets}") == "34"
    assert line.startswith("    ...")
    assert line.endswith("...")
    assert line.strip(" .") in LONG
    assert len(line) < 100


def test_what_is_not_cut_has_no_dots() -> None:
    assert draw_carets(LONG, Span(0, 1)).startswith("    0123456789")
    line, _ = draw_carets(LONG, Span(999, 1_000)).split("\n")
    assert line.endswith("0123456789")
    line, _ = draw_carets(f"{LONG}\nab $\n{LONG}", Span(1_004, 1_005)).split("\n")
    assert line == "    ab $"


@pytest.mark.parametrize("start", [0, 1, 39, 40, 41, 71, 72, 500, 927, 928, 960, 998, 999])
@pytest.mark.parametrize("length", [1, 2, 7])
def test_wherever_the_place_is_the_carets_are_under_it(start: int, length: int) -> None:
    span = Span(start, min(start + length, 1_000))
    assert marked(draw_carets(LONG, span)) == LONG[span.start : span.end]


@pytest.mark.parametrize("size", [71, 72, 73])
def test_a_line_of_about_the_width_keeps_its_last_character(size: int) -> None:
    assert marked(draw_carets(LONG[:size], Span(size - 1, size))) == LONG[size - 1]
    assert draw_carets(LONG[:size], Span(size, size)).endswith(" ^")


def test_a_span_beyond_the_text_is_marked_at_its_end() -> None:
    assert draw_carets("ab", Span(5, 9)) == "    ab\n      ^"
