"""The room where parameters learn: the line by hand, the lessons' neuron, XOR by 2-4-1 tanh."""

import re
from typing import Any

import pytest

from service.web.tests.reading import cards, write


def room(page: Any, lesson: str) -> None:
    page.get_by_role("tab", name="Train").click()
    page.get_by_role("button", name=lesson, exact=True).click()


def facts(page: Any) -> list[float]:
    """Step, loss, size of the gradient."""
    return [float(each) for each in page.locator(".facts dd").all_text_contents()]


def go_to(page: Any, step: int) -> None:
    timeline = page.get_by_label("Timeline: one tick, one step of training")
    timeline.fill(str(step))
    page.get_by_text(f"step {step} of").wait_for()


def test_the_line_keeps_0_64_of_its_loss_at_each_step(open_page: Any) -> None:
    """By hand: e = w x + b - y goes to e (1 - 2 rate (x * x + 1)), so the loss to 0.64 of it.

    And w * x is 3 w, whose gradient is 2 e.
    """
    page = open_page()
    room(page, "A line")
    assert facts(page)[:2] == [0, 4]
    for step in (1, 2, 6, 20):
        go_to(page, step)
        assert facts(page)[1] == pytest.approx(4 * 0.64**step, rel=5e-4)
    go_to(page, 1)
    assert page.locator(".weights p").all_text_contents() == [
        "w = 2 − 0.01 × 12 = 1.88",
        "b = 1 − 0.01 × 4 = 0.96",
    ]
    assert cards(page)["*"][0] == "5.64"
    go_to(page, 0)
    assert cards(page)["*"] == ("6", "4")


def test_too_bold_a_step_jumps_from_side_to_side(open_page: Any) -> None:
    """At 0.1 the error changes its sign and keeps its size: the loss stays at 4, and w at 0.8."""
    page = open_page()
    room(page, "A line")
    page.get_by_role("button", name="Try 0.1").click()
    for step in (1, 7):
        go_to(page, step)
        assert facts(page)[1] == 4
    assert cards(page)["*"][0] == "2.4"


def test_the_neuron_learns_to_say_no(open_page: Any) -> None:
    """Its output is 1 / sqrt(2): the loss to -1 is (1 + 0.7071)**2. w2 stays, as x2 is 0."""
    page = open_page()
    room(page, "The neuron")
    assert facts(page)[1] == pytest.approx((1 + 0.5**0.5) ** 2, abs=5e-4)
    go_to(page, 30)
    assert facts(page)[1] < 0.05
    assert cards(page)["w2"][0] == "1"


def test_xor_is_learnt(open_page: Any) -> None:
    """All four outputs get the sign of what is wanted; after 20 steps MPFR says 0.0011417."""
    page = open_page()
    room(page, "XOR, 2-4-1 tanh")
    assert facts(page)[1] == pytest.approx(1.0728, abs=5e-4)
    go_to(page, 20)
    assert facts(page)[1] == pytest.approx(0.0011417, rel=1e-3)
    rows = [
        [float(cell.replace("−", "-")) for cell in row.locator("td.mono").all_text_contents()]
        for row in page.locator(".beside tbody tr").all()
    ]
    assert [row[:3] for row in rows] == [[-1, -1, -1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]]
    assert all(abs(out - wanted) < 0.1 for _, _, wanted, out in rows)
    page.get_by_role("button", name="Show 1, 1, −1").click()
    assert facts(page)[0] == 20
    assert cards(page)["x"][0] == "1"


def test_it_plays_pauses_and_is_scrubbed(open_page: Any) -> None:
    page = open_page()
    room(page, "The neuron")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_text(re.compile(r"step ([3-9]|[12]\d) of 30")).wait_for()
    page.get_by_role("button", name="Pause training").click()
    here = facts(page)[0]
    assert 3 <= here < 30
    assert page.get_by_role("button", name="Train", exact=True).is_visible()
    page.get_by_role("button", name="Back", exact=True).click()
    assert facts(page)[0] == here - 1
    page.keyboard.press("End")
    assert facts(page)[0] == 30
    told = page.locator("svg.loss").get_attribute("aria-label")
    assert told.startswith("Loss by step: 2.914 at step 0, ")


def test_without_parameters_it_asks_which_may_learn(open_page: Any) -> None:
    page = open_page("#e=(a-3)*(a-3)&v=a:1&t=train")
    page.get_by_text("Which variables may learn?").wait_for()
    page.locator(".wraps").get_by_role("button", name="a", exact=True).click()
    assert facts(page)[:2] == [0, 4]
    write(page, "(a - 3) * (a - 3) + 1")
    assert facts(page)[:2] == [0, 5]


def test_a_step_far_too_large_says_where_it_ends(open_page: Any) -> None:
    page = open_page()
    room(page, "A line")
    page.get_by_label("Step size, as a number").select_text()
    page.keyboard.type("1e300")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Step", exact=True).click()
    assert "Step 1 failed:" in page.locator(".verdict").inner_text()
