"""The stage by key, mouse and finger: along the arrows, turned, zoomed, full screen."""

import re
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    PROGRAMS,
    SUM,
    XOR,
    advance,
    at_rest,
    chained,
    do,
    drawn,
    hold,
    is_within,
    play_on,
)


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
        do(page, *keys)
        assert focused(page) == name, keys
    do(page, {".count": "0 of 13"}, ".", ".", ",", {".count": "1 of 13"})


def test_a_card_that_has_the_focus_is_in_sight(open_page: Any) -> None:
    page = open_page(chained(9) + "&s=1")
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


def test_tab_goes_over_the_arrows_in_the_order_of_the_wave(open_page: Any) -> None:
    page = open_page("#e=(a + b) * c&v=a:2,b:-3,c:10&s=4")
    page.get_by_role("button", name="Reset view").focus()
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
    """Press the mouse over the graph, and tell where that begins."""
    box = page.locator(".canvas").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.down()
    return box


def seen(page: Any) -> list[float]:
    """How the first card is seen: as a matrix."""
    at_rest(page)
    style = "getComputedStyle(document.querySelector('.card')).transform"
    return [float(part) for part in page.evaluate(style).strip("matrix()").split(",")]


def test_the_graph_turns_within_bounds_and_comes_back(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("button", name="Reset view").click()
    rest = seen(page)
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
    page.get_by_role("button", name="Reset view").click()
    drawn(page)
    assert seen(page) == rest


def test_zoom_and_pan(open_page: Any) -> None:
    page = open_page()
    page.keyboard.press("r")
    whole = seen(page)
    page.keyboard.press("+")
    page.get_by_role("button", name="Zoom in").click()
    near = seen(page)
    assert near[0] == pytest.approx(1.25 * 1.5 * whole[0], rel=1e-3), "cards are larger"
    box = pressed(page)
    page.mouse.move(box["x"] + 360, box["y"] + 300)
    page.mouse.up()
    assert seen(page)[4] == pytest.approx(near[4] + 60, abs=0.2)
    page.get_by_role("button", name="Overview").click()
    assert seen(page) == whole


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
            assert is_within(window, card.bounding_box()), (sideways, upwards)


def test_reduced_motion_has_no_pulse_and_no_orbit(open_page: Any) -> None:
    page = open_page(still=True)
    rest = seen(page)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == rest
    hold(page)
    do(page, "Play backward")
    seen_at = set()
    while page.locator(".stage.playing").count():
        advance(page, 100)
        assert page.locator(".moving:not(.landed)").count() == 0
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


def test_each_tick_is_said_once(open_page: Any) -> None:
    """(a + b) * c has four ticks; then the ending is told."""
    page = open_page(SUM)
    hold(page)
    page.evaluate(HEARD)
    do(page, "Play backward")
    play_on(page, ".stage:not(.playing)")
    _, *told = page.evaluate("window.heard")
    assert len(told) == len(set(told)) == 5
    assert told[-1].startswith("a matters most")


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no full screen")
def test_the_stage_fills_the_screen_and_comes_back(open_page: Any) -> None:
    page = open_page()
    do(page, ".full-screen", "see .stage:fullscreen")
    page.locator(".card").first.focus()
    do(page, "ArrowRight", {".count": "1 of 4"})  # steps, on a card, too
    do(page, ".full-screen", {".stage:fullscreen": 0})
