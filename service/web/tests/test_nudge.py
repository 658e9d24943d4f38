"""Dragging a leaf's number on its card: the gradient's prediction, and the actual change."""

from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    SUM,
    advance,
    at_rest,
    cards,
    do,
    drawn,
    hold,
    is_within,
    sentence,
)
from service.web.tests.test_states import WINDOWS, Window, nudged

STEP = 8
"""Pixels of a drag per step of the slider, which is .1 for a range from -10 to 10."""


def number(page: Any, name: str) -> Any:
    return page.get_by_role("slider", name=f"Drag to change {name}", exact=True)


def drag(page: Any, name: str, steps: int) -> None:
    """Press on a number, and move by `steps` steps to the right, with the mouse still down."""
    at_rest(page)
    box = number(page, name).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + STEP * steps / 2, y)
    page.mouse.move(x + STEP * steps, y)
    drawn(page)


def ghost(page: Any) -> list[str]:
    """Return the predicted and the actual change, without their first words."""
    rows: list[list[str]] = page.eval_on_selector_all(
        ".nudge p",
        "(rows) => rows.map((row) => [...row.children].slice(1).map((one) => one.textContent))",
    )
    return [" ".join(row) for row in rows]


def test_a_drag_shows_prediction_and_new_result_and_is_undone(open_page: Any) -> None:
    """(a + b) * c: the gradient of a is c, which is 10; (2.1 - 3) * 10 is -9."""
    page = open_page()
    graph = page.evaluate(PLACE)
    drag(page, "a", 1)
    do(page, {"a": ("2.1", "--"), "× result": ("−9", "--")})
    assert ghost(page) == ["+0.1 × 10 = +1", "−10 → −9: +1"]
    do(page, {".sentence": "predicts +1, the result changes by +1"})
    page.mouse.up()
    assert page.evaluate(PLACE) == graph, "the graph was not turned"
    do(page, {"a": ("2.1", "--"), "address": "a:2.1,", ".edge.chosen": 0})
    do(page, "Undo", {"address": "a:2,", "a": ("2", "--"), ".nudge": 0})


def test_digits_on_a_number_go_to_its_field(open_page: Any) -> None:
    page = open_page()
    number(page, "a").focus()
    page.keyboard.type("-3.5")
    page.keyboard.press("Enter")
    do(page, {"a": ("−3.5", "--"), "#tab-values[aria-selected=true]": 1})


CORE = {320, 390, 1920}
"""Widths of a frame, a phone and a desk."""


@pytest.mark.parametrize(
    "window",
    [
        pytest.param(
            each,
            id=f"{each.width}x{each.height}",
            marks=[] if each.width in CORE else pytest.mark.seldom,
        )
        for each in WINDOWS
    ],
)
def test_the_ghost_stays_on_the_stage(open_page: Any, window: Window) -> None:
    """It runs for 700 milliseconds; its text is longest in Russian."""
    width, height, is_touched = window
    more = {"has_touch": is_touched, "is_mobile": is_touched}
    page = open_page(f"{SUM}&s=4&lang=ru", width=width, height=height, **more)
    hold(page)
    nudged(page)
    stage, rows = page.locator(".canvas").bounding_box(), page.locator(".nudge p")
    places = []
    while page.locator(".sandbox[data-moving=ghost]").count():
        places.append([row.bounding_box() for row in rows.all()])
        advance(page, 100)
    places.append([row.bounding_box() for row in rows.all()])
    assert len({ghost["y"] for ghost, _ in places}) > 3
    assert [place for place in places if not all(is_within(stage, row) for row in place)] == []


def test_a_restarted_ghost_has_the_same_speed(open_page: Any) -> None:
    page = open_page()
    hold(page)
    moves = page.locator(".sandbox[data-moving=ghost]")
    number(page, "a").press("ArrowUp")
    advance(page, 350)
    number(page, "b").press("ArrowUp")
    for count in (1, 0):
        assert moves.count() == 1
        advance(page, 350)
        assert moves.count() == count


PLACE = "getComputedStyle(document.querySelector('.picture')).transform"


def test_a_curve_makes_the_prediction_and_the_change_differ(open_page: Any) -> None:
    """a * a at 3 has the gradient 6: it predicts 3 for .5 more, but 3.5 ** 2 - 9 is 3.25."""
    page = open_page("#e=a*a&v=a:3")
    at_rest(page)
    start = number(page, "a").bounding_box()
    drag(page, "a", 5)
    assert ghost(page) == ["+0.5 × 6 = +3", "9 → 12.3: +3.25"], "as on the card"
    page.mouse.move(start["x"] + start["width"] / 2, start["y"])
    page.mouse.up()
    do(page, {"a": ("3", "--"), ".nudge": 0})


def test_the_number_is_a_slider_for_keys(open_page: Any) -> None:
    """A step is a 200th of the slider's range, here from 0 to 20."""
    page = open_page(f"{SUM}&r=c:0:20")
    slider = number(page, "c")
    for key, value in (
        ("ArrowRight", "10.1"),
        ("ArrowUp", "10.2"),
        ("ArrowDown", "10.1"),
        ("PageUp", "11.1"),
        ("PageDown", "10.1"),
        ("End", "20"),
        ("Home", "0"),
    ):
        slider.press(key)
        assert slider.get_attribute("aria-valuenow") == value
    assert slider.get_attribute("aria-valuetext") == "0"
    assert ghost(page) == ["−10 × −1 = +10", "−10 → 0: +10"]
    do(page, {".count": "0 of 4"}, "Tab", {".nudge": 0})  # the keys did not step the pass


def test_no_gradient_is_shown_before_it_is_predicted(open_page: Any) -> None:
    page = open_page(f"{SUM}&t=predict")
    drag(page, "a", 1)
    page.mouse.up()
    do(page, {"a": ("2.1", "?"), ".nudge": 0})
    assert "predicts" not in sentence(page)


def touch(page: Any, name: str, across: int, down: int) -> None:
    """Drag a finger from a number."""
    box = number(page, name).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    send = "Input.dispatchTouchEvent"
    session.send(send, {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 9):
        point = {"x": x + across * part / 8, "y": y + down * part / 8}
        session.send(send, {"type": "touchMove", "touchPoints": [point]})
    session.send(send, {"type": "touchEnd", "touchPoints": []})
    drawn(page)


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no touch screen")
def test_a_finger_drags_sideways_and_scrolls_up(open_page: Any) -> None:
    page = open_page(width=375, height=667, has_touch=True, is_mobile=True)
    number(page, "b").scroll_into_view_if_needed()
    at_rest(page)
    touch(page, "b", 5 * STEP, 0)
    assert cards(page)["b"][0] == "−2.5"
    before = page.evaluate("scrollY")
    touch(page, "b", 0, -120)
    page.wait_for_function("(before) => scrollY > before", arg=before)
    assert cards(page)["b"][0] == "−2.5"
