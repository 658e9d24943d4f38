"""The expression: faults at their column with a cure, pasted formulas; curves; names."""

import itertools
import re
from typing import Any

import pytest

from service.web.tests.reading import advance, do, hold, play_on

FAULTS = [
    ("𝑎 + 1", "Column 1: ", []),
    ("tahn(a)", "Column 1: tahn is not a function. Did you mean tanh?", []),
    ("exp(a", "Column 6: ", ["exp(a)"]),
    ("a ** b", "Column 6: ", ["exp(b * log(a)) for a > 0"]),
    ("a * (b; c", "Column 7: ; is unexpected. Close the parenthesis that begins in column 5", []),
    ("(a * 1000) ** 900", "Column 1: The result of ** is too large", []),
    ("d/da a^2", "Column 1: This asks for a derivative. Write the function alone", ["a**2"]),
    ("a if a > 0 else 0", "Column 3: Words such as if and for are not part", ["relu(a)"]),
    ("erf(a)", "Column 1: No formula of this language gives this function.", []),
    ("", "Write an expression, or take an example.", []),
]


def test_a_fault_is_described_by_columns_and_names_with_its_cure(open_page: Any) -> None:
    """The page shows no offsets and no node numbers. A fault moves nothing."""
    page = open_page()
    before = page.locator(".workbench").bounding_box()
    for written, reported, programs in FAULTS:
        do(page, f"Expression := {written}", {"[role=alert]": reported})
        do(page, {".suggestion > :first-child": programs})
        text = page.get_by_role("alert").text_content()
        assert not re.search(r"offset|node \d", text), text
        assert page.locator(".workbench").bounding_box() == before, written


def test_a_refusal_is_explained_in_the_chosen_language(open_page: Any) -> None:
    page = open_page("#e=a&v=a:1&lang=ru")
    do(page, "#expression := 1/2a", {"[role=alert]": "Позиция 3: Это можно прочитать по-разному."})
    do(page, {"[role=alert]": "Выберите прочтение", ".suggestion code": ["1/2*a", "1/(2*a)"]})
    page.get_by_role("button", name="Взять это").last.click()
    do(page, {"Выражение :=": "1/(2*a)", "[role=alert]": 0})
    do(page, "#expression := ", {"[role=alert]": "Напишите выражение"})


@pytest.mark.parametrize("link", ["#e=2x", "?embed#e=2x"])
def test_a_low_window_shows_a_fault_in_place_of_the_graph(open_page: Any, link: str) -> None:
    page = open_page(link, width=320, height=240)
    do(page, {"[role=alert]:visible": 1, ".stage:visible": 0})


def open_curve(page: Any, name: str) -> None:
    do(page, "at the end", f"Slope with respect to {name}", "see .curve.large")


def test_a_playing_pass_does_not_disturb_typing(open_page: Any) -> None:
    page = open_page()
    hold(page)
    do(page, "Play backward")
    page.get_by_label("Value of a", exact=True).select_text()
    for key in "12":
        advance(page, 100)
        do(page, key)
    play_on(page, ".stage:not(.playing)")
    do(page, {".count": "4 of 4", "Value of a :=": "12"})
    assert page.get_by_text("not reached yet").count() == 0


PIECES = {
    "1 / (a - 0.3)": 2,
    "1 / (a - 0.3) ** 2": 1,
    "1 / (a - 9.9)": 2,
    "a / (a ** 2 - 5)": 3,
    "1 / ((a - 0.3) * (a - 0.5))": 3,
    "a + tanh(1 / (a - 0.3))": 2,
    "(a - 0.17) / ((a - 0.17) ** 2) ** 0.5": 2,
    "tanh(1000000 * (a - 0.3))": 1,
    "1 / ((a - 0.3) ** 2 + 0.00000001)": 1,
    "relu(a - 0.3)": 1,
    "a ** 3 - 5 * a": 1,
}


def test_a_curve_breaks_only_at_poles_and_jumps(open_page: Any) -> None:
    """A break is found between samples. A steep continuous curve stays whole, and so does one that
    leaves the picture and returns."""
    page = open_page("#e=a**2&v=a:2")
    open_curve(page, "a")
    for written, pieces in PIECES.items():
        do(page, f"Expression := {written}", {".plot": pieces})
        ends = [
            [float(pair.split()[0]) for pair in path.get_attribute("d")[1:].split("L")]
            for path in page.locator(".plot").all()
        ]
        assert all(xs == sorted(xs) for xs in ends), written
        for left, right in itertools.pairwise(ends):
            assert right[0] - left[-1] <= 0.7, f"each branch of {written} goes up to the break"


def test_a_curve_reaches_the_edge_of_its_domain(open_page: Any) -> None:
    page = open_page("#e=log(a)&v=a:2")
    open_curve(page, "a")
    start = page.locator(".plot").get_attribute("d")[1:].split("L")[0].split()
    assert start[0] == "175", "0 is in the middle of 350"
    assert float(start[1]) > 160, "the logarithm leaves the picture at the bottom"


ENDS = {
    "tanh(a + 18)": ("0.9999", "1"),
    "a - a + 7": ("6", "8"),
    "1e-9 * a + 2": ("1.99999999", "2.00000001"),
    "1e300 + 0 * a": ("9.99999", "1.000000"),
}


def test_an_open_curve_has_numbers_on_its_axes(open_page: Any) -> None:
    """By hand, from -10 to 10; the tanh's smallest is 1 - 2 exp(-16)."""
    page = open_page("#e=a**2&v=a:1")
    open_curve(page, "a")
    for written, (low, high) in ENDS.items():
        do(page, f"Expression := {written}", {})
        axis = page.locator(".axis text").all_text_contents()
        assert axis[2:] == ["\u221210", "10"]
        assert (axis[1].startswith(low), axis[0].startswith(high)) == (True, True), axis


def test_names_of_javascript_properties_are_ordinary_names(open_page: Any) -> None:
    page = open_page("#e=constructor*__proto__&v=__proto__:4,constructor:5")
    card = ".card[aria-label^='{}: data {};']".format
    do(page, {card("__proto__", 4): 1}, "Expression := constructor * toString + __proto__")
    do(page, "#slider-constructor := 3", "#slider-__proto__ := 2", "Final gradients")
    for name, numbers in (("constructor", "3; grad 1"), ("toString", "1; grad 3")):
        do(page, {card(name, numbers): 1, card("__proto__", "2; grad 1"): 1})
    do(page, "see .parity[data-state=agree]", "Predict", {"grad of constructor :=": ""})
