"""The stage by key and finger: along the arrows, turned, full screen; what is told meanwhile."""

import re
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX, PATIENCE
from service.web.tests.reading import at_rest, chained, drawn, step
from service.web.tests.test_stage_clear import PROGRAMS, XOR


def focused(page: Any) -> str:
    """The name of the card that has the focus."""
    drawn(page)
    said: str = page.evaluate("document.activeElement.closest('.card').ariaLabel")
    return re.split(" = |:", said)[0]


def is_seen(page: Any, card: Any) -> bool:
    at_rest(page)
    if card.count() == 0:  # of many cards only those around the wave are drawn
        return False
    window, box = page.locator(".canvas").bounding_box(), card.bounding_box()
    return all(
        window[start] <= box[start] + box[side] / 2 <= window[start] + window[side]
        for start, side in zip("xy", ("width", "height"), strict=True)
    )


def test_arrow_keys_go_along_the_arrows_of_the_graph(open_page: Any) -> None:
    """XOR: x and y go to h1 to h4, those to out, and that to loss."""
    assert XOR.startswith("h1=tanh(u1*x+v1*y+b1);")
    page = open_page(PROGRAMS["XOR"])
    page.locator(".card.root").focus()
    for keys, name in (
        (["ArrowLeft"], "out"),
        (["ArrowLeft", *["ArrowUp"] * 4], "h1"),
        (["ArrowDown"], "h2"),
        (["ArrowRight"], "out"),
        (["ArrowRight"], "loss"),
        (["ArrowRight"], "loss"),
        (["Home"], "x"),
        (["ArrowRight", "ArrowRight"], "out"),
        (["End"], "loss"),
    ):
        for key in keys:
            page.keyboard.press(key)
        assert focused(page) == name, keys
    assert page.locator(".count").text_content() == "0 of 13", "the wave has not moved"
    page.keyboard.press(".")
    page.keyboard.press(".")
    page.keyboard.press(",")
    assert page.locator(".count").text_content() == "1 of 13"


def test_on_a_phone_the_inputs_are_up(open_page: Any) -> None:
    page = open_page(PROGRAMS["XOR"], width=390, height=844)
    page.locator(".card.root").focus()
    page.keyboard.press("ArrowUp")
    assert focused(page) == "out"
    page.keyboard.press("ArrowDown")
    assert focused(page) == "loss"


def test_a_card_that_has_the_focus_is_in_sight(open_page: Any) -> None:
    page = open_page(chained(9))
    step(page)
    at_rest(page)
    first = page.locator(".card[aria-label^='x0:']")
    assert not is_seen(page, first)
    page.locator(".card.root").focus()
    page.keyboard.press("Home")
    assert is_seen(page, first)
    page.keyboard.press("0")  # with the wave again
    assert is_seen(page, page.locator(".card.root"))
    assert not is_seen(page, first)


def test_keys_go_over_a_graph_of_dots(open_page: Any) -> None:
    """The sum of 100 products has the last product and the sum of all others as inputs."""
    page = open_page(PROGRAMS["299 nodes"])
    page.locator(".card.root").focus()
    page.keyboard.press("Home")
    assert focused(page) == "x0"
    page.keyboard.press("ArrowRight")
    assert focused(page) in ("x0*x1", "x99*x0")
    page.keyboard.press("ArrowRight")
    assert focused(page).startswith("x0*x1+")


PLACE = "getComputedStyle(document.querySelector('.card')).transform"
# Press, move sideways and let go, as a finger does.
SWIPE = """(by) => {
  const view = document.querySelector(".view");
  const { left, top } = view.getBoundingClientRect();
  view.setPointerCapture = () => undefined;
  for (const [type, x] of [["down", 0], ["move", by], ["move", 2 * by], ["up", 2 * by]])
    view.dispatchEvent(new PointerEvent(`pointer${type}`, {
      bubbles: true, pointerId: 7, pointerType: "touch", button: 0,
      clientX: left + 90 + x, clientY: top + 300,
    }));
}"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("program", ["", PROGRAMS["XOR"]], ids=["first graph", "XOR"])
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
            box = card.bounding_box()
            for start, side in (("x", "width"), ("y", "height")):
                assert box[start] >= window[start], (sideways, upwards)
                assert box[start] + box[side] <= window[start] + window[side], (sideways, upwards)


def test_one_finger_turns_the_graph(open_page: Any) -> None:
    page = open_page(width=390, height=844)
    at_rest(page)
    before = page.evaluate(PLACE)
    page.evaluate(SWIPE, 40)
    drawn(page)
    assert page.evaluate(PLACE) != before


HEARD = """() => {
  const said = document.querySelector(".sentence");
  window.heard = [said.textContent];
  const hear = () => {
    if (heard.at(-1) !== said.textContent) heard.push(said.textContent);
  };
  new MutationObserver(hear).observe(said, {childList: true, characterData: true, subtree: true});
}"""
"""Keeps what a screen reader would say."""


def test_each_tick_is_said_once(open_page: Any) -> None:
    """(a + b) * c has four ticks; then the ending is told."""
    page = open_page("#e=(a%2Bb)*c&v=a:2,b:-3,c:10")
    at_rest(page)
    page.evaluate(HEARD)
    page.get_by_role("button", name="Play backward").click()
    page.get_by_role("button", name="Play again").wait_for(timeout=2 * PATIENCE)
    _, *told = page.evaluate("window.heard")
    assert len(told) == len(set(told)) == 5
    assert told[-1].startswith("a matters most")


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no full screen")
def test_the_stage_fills_the_screen_and_comes_back(open_page: Any) -> None:
    page = open_page()
    page.locator(".full-screen").click()
    page.wait_for_function("document.fullscreenElement?.matches('.stage')")
    page.locator(".card").first.focus()
    page.keyboard.press("ArrowRight")  # steps, on a card, too
    assert page.locator(".count").text_content() == "1 of 4"
    page.locator(".full-screen").click()
    page.wait_for_function("document.fullscreenElement === null")


def test_a_long_name_is_cut_and_whole_where_it_is_pointed_at(open_page: Any) -> None:
    name = "the_number_of_words_that_were_read_before_noon"
    page = open_page(f"#e={name}*b&v={name}:2,b:3")
    [cut] = [each for each in page.locator(".card .name").all() if "…" in each.text_content()]
    assert name.startswith(cut.text_content().partition("…")[0])
    assert cut.get_attribute("title") == name
    card = page.locator(".card", has=page.locator(".name", has_text="…"))
    assert name in card.get_attribute("aria-label")
