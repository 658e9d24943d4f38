"""axe and contrast in all that the page can look like, dark and light, wide and narrow."""

from collections.abc import Callable
from typing import Any

import pytest

from service.web.tests.reading import DIAMOND, at_rest, chained, step, to_the_end
from service.web.tests.test_reach import CONTRASTS, LEAST_CONTRAST, violations
from service.web.tests.test_stage_clear import PROGRAMS, under_way

MISTAKES = ("= for +=", "Twice", "Changed data", "Dead relu", "Variable exponent")


def broken(open_page: Any, *, dark: bool, width: int = 1280) -> Any:
    """The diamond, run in the order of its forward pass, to the end."""
    page = open_page(DIAMOND, dark=dark, width=width)
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    page.locator(".error-badge").first.wait_for()
    return page


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, True)])
def test_axe_finds_nothing_in_what_is_broken(open_page: Any, width: int, *, dark: bool) -> None:
    page = broken(open_page, dark=dark, width=width)
    assert violations(page) == []
    for mistake in MISTAKES:
        page.get_by_role("button", name=mistake, exact=True).click()
        assert violations(page) == []


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (390, True)])
def test_axe_finds_nothing_where_weights_learn(open_page: Any, width: int, *, dark: bool) -> None:
    page = open_page("#e=a*a&v=a:3&t=train", dark=dark, width=width)
    page.get_by_text("Which variables may learn?").wait_for()
    assert violations(page) == []
    for lesson in ("A line", "XOR, 2-4-1 tanh"):
        page.get_by_role("button", name=lesson, exact=True).click()
        page.keyboard.press("ArrowRight")
        page.get_by_text("step 1 of").wait_for()
        assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_in_the_tasks(open_page: Any, *, dark: bool) -> None:
    page = open_page("#e=(a+b)*c&v=a:2,b:-3,c:10&t=predict", dark=dark)
    page.locator("#answer").fill("7")
    page.locator("#answer").press("Enter")
    page.locator(".task .bad").wait_for()
    assert violations(page) == []


@pytest.mark.parametrize("dark", [False, True])
def test_what_is_lost_can_be_read(open_page: Any, *, dark: bool) -> None:
    page = broken(open_page, dark=dark)
    measured = page.evaluate(CONTRASTS)
    said = [text for _, _, text in measured]
    assert "15 short" in said
    assert "9 lost" in said
    assert "came too late" in said
    assert [each for each in measured if each[0] < LEAST_CONTRAST] == []


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
    page.locator(".sentence").get_by_text("matters most").wait_for()


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
def test_axe_finds_nothing_in_each_state_of_the_stage(
    open_page: Any, state: str, width: int, *, dark: bool
) -> None:
    address, reach = STATES[state]
    page = open_page(address, dark=dark, width=width)
    page.wait_for_selector(".panel .body > *")
    reach(page)
    at_rest(page)
    assert violations(page) == []
