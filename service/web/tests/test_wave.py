"""The backward and the forward pulse, with the lessons' numbers."""

from typing import Any

from service.web.tests.reading import PROGRAMS, do, step


def test_a_step_and_the_pointer_underline_their_text(open_page: Any) -> None:
    """`a + b` sends the third contribution."""
    page = open_page()
    marked, lit = page.locator(".entry mark"), page.locator(".card[data-pointed] .name")
    assert marked.count() == 0
    step(page, 3)
    assert marked.text_content() == "a + b"
    page.locator(".card.root").hover()
    page.locator(".entry mark", has_text="(a + b) * c").wait_for()
    field = page.get_by_label("Expression").bounding_box()
    text = page.locator(".entry mark").bounding_box()
    for place, name in ((1.5, "a"), (3.3, "+"), (10.5, "c")):
        page.mouse.move(text["x"] + place * text["width"] / 11, field["y"] + field["height"] / 2)
        page.locator(f".card[data-pointed] .name:text-is('{name}')").wait_for()
    page.mouse.move(0, 0)
    lit.wait_for(state="detached")
    assert marked.text_content() == "a + b"


def test_an_expression_has_as_many_lines_as_it_needs(open_page: Any) -> None:
    usual = open_page().get_by_label("Expression").bounding_box()
    page = open_page(PROGRAMS["XOR"])
    box = page.get_by_label("Expression").bounding_box()
    assert box["height"] > 1.5 * usual["height"]
    bar = page.locator(".play").bounding_box()
    assert bar["y"] + bar["height"] < 800, "the play bar is not pushed out of the window"


def test_a_gradient_that_is_not_finite_flows_nowhere(open_page: Any) -> None:
    """R5: the slope of x / c by c is -1e320, so c has no gradient, not even the 1 of x * c."""
    page = open_page("#e=c=1e-100*1e-60;x/c%2Bx*c&v=x:1")
    numbers = {"c": ("1e−160", "--"), "x": ("1", "1e160")}
    do(page, "see .parity[data-state=agree]", "End", {".count": "4 of 4"}, numbers)
    do(page, "Every number, as a table", "Final gradients", numbers)
    do(page, "Local derivatives", "Forward: data")
    page.get_by_role("button", name="1 × -- = --, from c ** −1, to c").press("Enter")
    do(page, {".sentence": "too large, and no variable is below it"})
    for word in ("null", "NaN", "Infinity", "undefined"):
        assert word not in page.locator("main").text_content()
