"""Over the graph by key and by pin: along the arrows, also to what is out of sight."""

import re
from typing import Any

from service.web.tests.reading import at_rest, chained, drawn, step
from service.web.tests.test_stage_clear import PROGRAMS, XOR


def focused(page: Any) -> str:
    """The name of the card that has the focus."""
    drawn(page)
    said: str = page.evaluate("document.activeElement.closest('.card').ariaLabel")
    return re.split(" = |:", said)[0]


def is_seen(page: Any, card: Any) -> bool:
    at_rest(page)
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


def test_a_card_out_of_sight_is_a_pin_at_the_border_that_leads_there(open_page: Any) -> None:
    page = open_page(chained(9))
    step(page, 3)
    pins = page.locator(".pin")
    pins.first.wait_for()
    at_rest(page)
    window = page.locator(".canvas").bounding_box()
    boxes = [pin.bounding_box() for pin in pins.all()]
    for box in boxes:
        assert window["x"] <= box["x"]
        assert box["x"] + box["width"] <= window["x"] + window["width"]
        assert window["y"] <= box["y"]
        assert box["y"] + box["height"] <= window["y"] + window["height"]
    name = pins.first.get_attribute("aria-label").removeprefix("Go to ")
    card = page.locator(f".card[aria-label^='{name}: '], .card[aria-label*=' = {name}: ']").first
    assert not is_seen(page, card)
    pins.first.click()
    assert is_seen(page, card)
    assert card.evaluate("(card) => card === document.activeElement")
    assert page.get_by_role("button", name=f"Go to {name}", exact=True).count() == 0
    page.get_by_role("button", name="Overview").click()
    at_rest(page)
    assert pins.count() == 0, "all is in sight"
