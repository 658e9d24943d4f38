"""The graph turned: by key, by a finger, by itself. No card is cut, nor under what is above it."""

from typing import Any

import pytest

from service.web.tests.reading import at_rest, drawn
from service.web.tests.test_stage_clear import PROGRAMS

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


def test_nothing_turns_by_itself_where_motion_is_reduced(open_page: Any) -> None:
    page = open_page(still=True)
    before = page.evaluate(PLACE)
    for _ in range(10):
        drawn(page)
        assert page.evaluate(PLACE) == before
