"""The Train tab: the line by hand, the lessons' neuron, XOR with 2-4-1 tanh."""

import math
import re
from typing import Any

import pytest

from service.web.tests.reading import advance, cards, do, drawn, hold

PACE = 140
"""Milliseconds from one step of training to the next."""

SIDE = 41
"""Points along each input of a decision map."""

CELLS = """(side) => {
  const canvas = document.querySelector(".plane canvas");
  const context = canvas.getContext("2d");
  const middle = (place) => Math.round((place + 0.5) * canvas.width / side);
  return Array.from({ length: side * side }, (_, place) => {
    const [column, row] = [place % side, side - 1 - Math.floor(place / side)];
    return [...context.getImageData(middle(column), middle(row), 1, 1).data];
  });
}"""


def room(page: Any, lesson: str) -> None:
    page.get_by_role("tab", name="Train").click()
    page.get_by_role("button", name=lesson, exact=True).click()


def facts(page: Any) -> list[float]:
    """Return the step, the loss and the gradient's norm."""
    return [float(each) for each in page.locator(".facts dd").all_text_contents()]


def go_to(page: Any, step: int) -> None:
    timeline = page.get_by_label("Timeline: one tick, one step of training")
    timeline.fill(str(step))
    page.get_by_text(re.compile(f"^{step} of")).wait_for()


def test_the_line_keeps_0_64_of_its_loss_at_each_step(open_page: Any) -> None:
    """By hand: e = w x + b - y becomes e (1 - 2 rate (x * x + 1)), so the loss shrinks to 0.64.

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
    assert cards(page)["× w * x"][0] == "5.64"
    go_to(page, 0)
    assert cards(page)["× w * x"] == ("6", "4")


def test_xor_is_learnt(open_page: Any) -> None:
    """All four outputs get the wanted sign; after 20 steps the loss is 0.0011417 in MPFR."""
    page = open_page()
    room(page, "XOR, 2-4-1 tanh")
    assert facts(page)[1] == pytest.approx(1.0728, abs=5e-4)
    go_to(page, 20)
    assert facts(page)[1] == pytest.approx(0.0011417, rel=1e-3)
    rows = [
        [float(cell.replace("−", "-")) for cell in row.locator("td.mono").all_text_contents()]
        for row in page.locator(".comparison tbody tr").all()
    ]
    assert [row[:3] for row in rows] == [[-1, -1, -1], [-1, 1, 1], [1, -1, 1], [1, 1, -1]]
    assert all(abs(out - wanted) < 0.1 for _, _, wanted, out in rows)
    do(page, {".decisions b >> nth=0": ["Right sign: 4 of 4."], ".plane circle.above": 2})
    page.get_by_role("button", name="Show 1, 1, −1").click()
    assert facts(page)[0] == 20
    page.locator(".overview select").select_option(label="x")
    assert cards(page)["x"][0] == "1"


def painted(page: Any) -> list[float]:
    """Return the output of each cell of the map, from below: blue is above 0, purple below."""
    page.locator(".decisions").wait_for()
    drawn(page)
    cells: list[list[int]] = page.evaluate(CELLS, SIDE)
    return [
        (1 if blue - red > 100 else -1) * share / 255  # by 187 and by 9
        for red, _, blue, share in cells
    ]


def test_the_map_of_the_neuron_follows_its_weights(open_page: Any) -> None:
    """By hand: a point of the map is tanh(w1 x1 + w2 x2 + b), at first 0.7071 at (2, 0)."""
    page = open_page()
    room(page, "The neuron")
    places = [-10 + 20 * place / (SIDE - 1) for place in range(SIDE)]
    for step, right in ((0, 0), (30, 1)):
        go_to(page, step)
        page.get_by_text(f"Right sign: {right} of 1.").wait_for()
        numbers = cards(page)
        w1, w2, b = (float(numbers[name][0].replace("−", "-")) for name in ("w1", "w2", "b"))
        expected = [math.tanh(w1 * x + w2 * y + b) for y in places for x in places]
        for seen, out in zip(painted(page), expected, strict=True):
            assert abs(abs(seen) - abs(out)) < 0.01
            assert seen * out > 0 or abs(out) < 0.2


def test_where_there_is_no_result_the_map_stays_empty(open_page: Any) -> None:
    page = open_page("#e=w*log(x)+y&v=w:1,x:1,y:0&p=w&t=train")
    page.locator(".decisions").wait_for()
    drawn(page)
    shares = [share for *_, share in page.evaluate(CELLS, SIDE)]
    for place, share in enumerate(shares):
        assert (share > 0) == (place % SIDE > SIDE // 2) or share == 0  # the middle is x = 0
    assert sum(share > 0 for share in shares) > 700


def test_it_plays_pauses_and_is_scrubbed(open_page: Any) -> None:
    page = open_page()
    room(page, "The neuron")
    hold(page)
    do(page, "Train")
    advance(page, *[PACE] * 3)
    assert facts(page)[0] == 3
    do(page, "Pause")
    advance(page, PACE)
    assert facts(page)[0] == 3
    assert page.get_by_role("button", name="Train", exact=True).is_visible()
    do(page, "Back")
    assert facts(page)[0] == 2
    page.keyboard.press("End")
    assert facts(page)[0] == 30
    told = page.locator("svg.loss").get_attribute("aria-label")
    assert told.startswith("Loss by step: 2.914 at step 0, ")
