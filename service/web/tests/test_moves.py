"""The stage by keyboard and mouse: moves along arrows, turns, full screen."""

import re
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    PROGRAMS,
    SUM,
    advance,
    at_rest,
    do,
    drawn,
    hold,
    is_within,
    play_on,
)


def focused(page: Any) -> str:
    """Return the name of the focused card."""
    drawn(page)
    said: str = page.evaluate("document.activeElement.closest('.card').ariaLabel")
    return re.split(" = |:", said)[0]


def test_arrow_keys_move_along_the_arrows_of_the_graph(open_page: Any) -> None:
    page = open_page(SUM)
    page.locator(".card.root").focus()
    for keys, name in (
        (["Home"], "a"),
        (["ArrowDown"], "b"),
        (["ArrowDown"], "b"),
        (["ArrowUp"], "a"),
        (["ArrowRight"], "a+b"),
        (["ArrowDown"], "c"),
        (["ArrowRight"], "(a+b)*c"),
        (["ArrowRight"], "(a+b)*c"),
        (["Home", "End"], "(a+b)*c"),
        (["ArrowLeft"], "a+b"),
        (["ArrowLeft"], "a"),
    ):
        do(page, *keys)
        assert focused(page) == name, keys
    do(page, {".count": "0 of 4"}, ".", ".", ",", {".count": "1 of 4"})


def test_a_focused_card_is_on_the_stage(open_page: Any) -> None:
    """Of a large graph, only the cards around the step or the focus are drawn."""
    page = open_page(PROGRAMS["a chain of 60"] + "&s=1")
    first = ".card[aria-label^='x:']"
    do(page, {first: 0})
    page.locator(".card.root").focus()
    do(page, "Home", {first: 1}, ".", {first: 0, ".card.root": 1})  # the dot follows the pass again


def test_after_a_key_that_opens_a_tab_the_next_focus_is_in_the_panel(open_page: Any) -> None:
    page = open_page(SUM)
    do(page, "4", "see #panel button", "Tab", {"#panel button:focus": ["Wrong order"]})
    do(page, {".count": "0 of 4"}, "ArrowRight", {".count": "1 of 4"})


def test_after_the_button_of_an_example_is_gone_the_next_focus_is_in_the_panel(
    open_page: Any,
) -> None:
    page = open_page(SUM)
    do(page, "4", "see #panel button")
    page.get_by_role("button", name="Use b = a + 1; c = a * 3; d = b * c").press("Enter")
    do(page, {".visits b": list("abcd")}, "Tab", {"#panel button:focus": ["Wrong order"]})


def test_tab_visits_the_arrows_in_the_order_of_the_pass(open_page: Any) -> None:
    page = open_page("#e=(a + b) * c&v=a:2,b:-3,c:10&s=4")
    page.get_by_label("Final gradients").focus()
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert reached == [
        "1 × 10 = 10, from (a + b) * c, to a + b",
        "1 × −1 = −1, from (a + b) * c, to c",
        "10 × 1 = 10, from a + b, to a",
        "10 × 1 = 10, from a + b, to b",
    ]
    do(page, "Enter", {".sentence": ["∂(a + b)/∂b = 1, whatever b is."]})


def pressed(page: Any) -> Any:
    """Press the mouse over the graph, and return the graph's box."""
    box = page.locator(".canvas").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.down()
    return box


def seen(page: Any) -> str:
    """Return the picture's transform."""
    at_rest(page)
    turned: str = page.evaluate("getComputedStyle(document.querySelector('.picture')).transform")
    return turned


def test_the_graph_turns_within_bounds_and_comes_back(open_page: Any) -> None:
    page = open_page()
    rest = seen(page)
    assert rest == "none"
    box = pressed(page)
    page.mouse.move(box["x"] + 380, box["y"] + 280, steps=4)
    page.mouse.up()
    assert seen(page) != rest
    for _ in range(30):
        page.keyboard.press("Shift+ArrowRight")
    most = seen(page)
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == most, "it turns no further"
    if IS_FIREFOX:  # its driver sends two clicks for a double one
        page.locator(".canvas").dispatch_event("dblclick")
    else:
        page.locator(".canvas").dblclick(position={"x": 5, "y": 5})
    drawn(page)
    assert seen(page) == rest


@pytest.mark.parametrize(
    ("program", "size"), [("", (390, 844)), (PROGRAMS["XOR"], (1280, 800))], ids=["first", "XOR"]
)
def test_no_card_is_cut_however_the_graph_is_turned(
    open_page: Any, program: str, size: tuple[int, int]
) -> None:
    page = open_page(program, width=size[0], height=size[1])
    at_rest(page)
    window = page.locator(".canvas").bounding_box()
    for sideways, upwards in (("Left", "Up"), ("Left", "Down"), ("Right", "Down"), ("Right", "Up")):
        for _ in range(14):
            page.keyboard.press(f"Shift+Arrow{sideways}")
            page.keyboard.press(f"Shift+Arrow{upwards}")
        at_rest(page)
        for card in page.locator(".card").all():
            assert is_within(window, card.bounding_box()), (sideways, upwards)


def test_reduced_motion_has_no_pulse_and_no_turns(open_page: Any) -> None:
    page = open_page(still=True)
    rest = seen(page)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == rest
    hold(page)
    do(page, "Play backward")
    seen_at = set()
    while page.locator(".stage.playing").count():
        advance(page, *[100] * 4)
        assert page.locator(".token").count() == 0
        seen_at.add(page.locator(".count").text_content())
    assert len(seen_at) == 4


HEARD = """() => {
  const said = document.querySelector(".sentence");
  window.heard = [said.textContent];
  const hear = () => {
    if (heard.at(-1) !== said.textContent) heard.push(said.textContent);
  };
  new MutationObserver(hear).observe(said, {childList: true, characterData: true, subtree: true});
}"""


def test_each_tick_is_announced_once(open_page: Any) -> None:
    """(a + b) * c has four ticks; then comes the ending."""
    page = open_page(SUM)
    hold(page)
    page.evaluate(HEARD)
    do(page, "Play backward")
    play_on(page, ".stage:not(.playing)")
    _, *reported = page.evaluate("window.heard")
    assert len(reported) == len(set(reported)) == 5
    assert reported[-1].startswith("a and b matter most")


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no full screen")
def test_the_stage_fills_the_screen_and_comes_back(open_page: Any) -> None:
    page = open_page()
    do(page, ".full-screen", "see .stage:fullscreen")
    page.locator(".card").first.focus()
    do(page, "ArrowRight", {".count": "1 of 4"})  # steps, even on a card
    do(page, ".full-screen", {".stage:fullscreen": 0})
