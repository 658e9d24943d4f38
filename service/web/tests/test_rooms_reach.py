"""The other rooms for everybody: axe in both themes, contrast of what is lost, and the keyboard."""

from typing import Any

import pytest

from service.web.tests.reading import DIAMOND, to_the_end
from service.web.tests.test_reach import CONTRASTS, LEAST_CONTRAST, violations

MISTAKES = ("= for +=", "Twice", "Changed data", "Dead relu", "Variable exponent")


def broken(open_page: Any, *, dark: bool, width: int = 1280) -> Any:
    """The diamond, run in the order of its forward pass, to the end."""
    page = open_page(DIAMOND, dark=dark, width=width)
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    page.locator(".short-of").first.wait_for()
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
