"""The room where parameters learn: the line by hand, the lessons' neuron, XOR by 2-4-1 tanh."""

import math
import re
from typing import Any
from urllib.parse import unquote

import pytest

from engine_py import descend
from service.web.tests.reading import cards, drawn, write

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


def test_xor_is_learnt(open_page: Any) -> None:
    """All four outputs get the sign of what is wanted; after 20 steps MPFR says 0.0011417."""
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
    page.get_by_role("button", name="Show 1, 1, −1").click()
    assert facts(page)[0] == 20
    assert cards(page)["x"][0] == "1"


def painted(page: Any) -> list[float]:
    """What each cell of the map tells, row by row from below: blue is above 0, purple below."""
    page.locator(".decisions").wait_for()
    drawn(page)
    cells: list[list[int]] = page.evaluate(CELLS, SIDE)
    return [
        (1 if blue - red > 100 else -1) * share / 255  # by 187 and by 9
        for red, _, blue, share in cells
    ]


def program(page: Any) -> tuple[str, dict[str, float], list[str]]:
    """What the address holds."""
    page.wait_for_function("() => location.hash.includes('p=')")
    parts = page.evaluate("location.hash.slice(1)").split("&")
    found = {name: unquote(text) for name, _, text in (part.partition("=") for part in parts)}
    pairs = (pair.split(":") for pair in found["v"].split(","))
    return found["e"], {name: float(text) for name, text in pairs}, found["p"].split(",")


def network(w: dict[str, float], x: float, y: float) -> float:
    hidden = [math.tanh(w[f"u{k}"] * x + w[f"v{k}"] * y + w[f"b{k}"]) for k in (1, 2, 3, 4)]
    return math.tanh(sum(w[f"w{k}"] * h for k, h in enumerate(hidden, 1)) + w["c"])


@pytest.mark.parametrize("dark", [False, True])
def test_the_decision_map_of_xor_is_the_networks_at_each_step(open_page: Any, dark: bool) -> None:  # noqa: FBT001
    page = open_page(dark=dark)
    room(page, "XOR, 2-4-1 tanh")
    text, values, names = program(page)
    rows = [{"x": x, "y": y, "t": -x * y} for x in (-1, 1) for y in (-1, 1)]
    points = descend(
        text, values, parameters=names, rows=rows, learning_rate=0.2, momentum=0.9, steps=40
    )["trajectory"]
    places = [-1.5 + 3 * place / (SIDE - 1) for place in range(SIDE)]
    for step in (0, 20, 40):
        go_to(page, step)
        weights = points[step]["parameters"]
        expected = [network(weights, x, y) for y in places for x in places]
        told = painted(page)
        for seen, out in zip(told, expected, strict=True):
            assert abs(abs(seen) - abs(out)) < 0.01
            assert seen * out > 0 or abs(out) < 0.2
        right = sum(network(weights, row["x"], row["y"]) * row["t"] > 0 for row in rows)
        assert step < 40 or right == 4
        assert page.locator(".decisions b").first.inner_text() == f"Right sign: {right} of 4."
    assert page.locator(".plane circle.above").count() == 2


def test_the_neurons_map_has_its_point_and_turns_with_it(open_page: Any) -> None:
    """By hand: o = tanh(w1 x1 + w2 x2 + b) is 0 where -3 x1 + x2 = -6.88, and 0.7071 at (2, 0)."""
    page = open_page(width=390, height=844)
    room(page, "The neuron")
    page.get_by_text("Right sign: 0 of 1.").wait_for()
    told = painted(page)
    places = [-10 + 20 * place / (SIDE - 1) for place in range(SIDE)]
    signs = [-3 * x + y + 6.881373587019543 for y in places for x in places]
    assert all(seen * sign > 0 for seen, sign in zip(told, signs, strict=True) if abs(sign) > 1)
    go_to(page, 30)
    page.get_by_text("Right sign: 1 of 1.").wait_for()
    assert painted(page) != told
    assert page.locator(".map").bounding_box()["width"] <= 390


@pytest.mark.parametrize("text", ["(w*x*y-z)**2&v=w:2,x:1,y:1,z:1", "(w*x)**2&v=w:2,x:1"])
def test_without_two_inputs_there_is_no_map(open_page: Any, text: str) -> None:
    page = open_page(f"#e={text}&p=w&t=train")
    page.locator(".facts").wait_for()
    assert page.locator(".decisions").count() == 0


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
