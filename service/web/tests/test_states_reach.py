"""What the stage can look like, for everybody: axe in each state, dark and light, also narrow."""

from collections.abc import Callable
from typing import Any

import pytest

from service.web.tests.reading import at_rest, chained, step, to_the_end
from service.web.tests.test_reach import violations
from service.web.tests.test_stage_clear import PROGRAMS, under_way

NEURON = "#e=n=x1*w1%2Bx2*w2%2Bb;o=tanh(n)&v=x1:2,x2:0,w1:-3,w2:1,b:6.88&p=w1,w2"


def opened(page: Any) -> None:
    for name in ("Open h2", "Open out"):
        group = page.get_by_role("button", name=name)
        if group.count():  # a phone's cards are pressed themselves
            group.click()
        else:
            page.locator(".card.foldable").nth(1).press("Enter")
    to_the_end(page)


def ended(page: Any) -> None:
    to_the_end(page)
    step(page)
    page.locator(".say").get_by_text("matters most").wait_for()


def coded(page: Any) -> None:
    page.locator(".listing").wait_for()
    step(page, 3)
    page.locator(".listing .now").wait_for()


def sorted_(page: Any) -> None:
    page.locator(".stack").wait_for()
    step(page, 4)
    page.locator(".stack .now").wait_for()


def trained(page: Any) -> None:
    page.get_by_role("button", name="XOR, 2-4-1 tanh", exact=True).click()
    page.locator("canvas.map, .map").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("step 1 of").wait_for()


STATES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "groups": (PROGRAMS["XOR"], to_the_end),
    "opened groups": (PROGRAMS["XOR"], opened),
    "followed, with pins and a map": (chained(9), lambda page: step(page, 3)),
    "dots": (PROGRAMS["51 nodes"], under_way),
    "an end": (NEURON, ended),
    "code": (f"{NEURON}&t=code", coded),
    "sort": (f"{NEURON}&t=code&w=sort", sorted_),
    "a decision map": (f"{NEURON}&t=train", trained),
}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(open_page: Any, state: str, width: int, *, dark: bool) -> None:
    address, reach = STATES[state]
    page = open_page(address, dark=dark, width=width)
    page.wait_for_selector(".panel .body > *")
    reach(page)
    at_rest(page)
    assert violations(page) == []
