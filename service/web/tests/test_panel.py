"""The tabs: visits and pitfalls to break, the code with its sort, tasks to predict, training."""

import json
import math
import re
from typing import Any

import pytest

from engine_py import Value
from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import DIAMOND, advance, cards, do, drawn, hold

PITFALLS = json.loads((ROOT / "schemas" / "pitfalls.json").read_text())["pitfalls"]
CHIPS = {
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Forget zero_grad",
    "mutation-before-backward": "Changed data",
}


@pytest.mark.skipif(IS_FIREFOX, reason="its driver cannot drag")
def test_a_visit_can_be_dragged(open_page: Any) -> None:
    page = open_page(DIAMOND)
    do(page, {".visits b": list("abcd")})
    page.locator(".visits li").nth(3).drag_to(page.locator(".visits li").nth(0))
    do(page, {".visits b": list("dabc")})


@pytest.mark.parametrize("pitfall", [each for each in PITFALLS if each["name"] in CHIPS])
def test_a_pitfall_is_played_wrong_and_right(open_page: Any, pitfall: dict[str, Any]) -> None:
    page = open_page("#e=x&t=break")
    do(page, CHIPS[pitfall["name"]], "see #panel table")
    for name, wrong in pitfall["wrong"].items():
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))
        reported = [f"{wrong} ✕", f"{pitfall['right'][name]} ✓"]
        assert row.first.locator("td").all_text_contents() == reported
    for side in ("wrong", "right"):
        do(page, "at the end")
        shown = {name: grad for name, (_, grad) in cards(page).items()}
        assert shown | {name: str(grad) for name, grad in pitfall[side].items()} == shown
        page.get_by_text("✓ Right").click()


CODE = DIAMOND.replace("t=break", "t=code")
NEURON = "#e=n=x1*w1+x2*w2+b;o=tanh(n)&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543&t=code"


NUMBER = re.compile(r"[−\d.]+(?:e−?\d+)?")


def listing(page: Any) -> str:
    page.locator(".listing").wait_for()
    return "\n".join(page.locator(".listing code").all_text_contents())


@pytest.mark.parametrize("order", ["", "&o=right"])
def test_the_listing_is_a_program_that_gives_the_lessons_gradient(
    open_page: Any, order: str
) -> None:
    """L: grad[a] of the diamond is 15, whichever operand is called first."""
    page = open_page(CODE + order)
    lesson: dict[str, Any] = {}
    exec(listing(page), lesson)
    a = Value(2, label="a")
    lesson["backward"]((a + 1) * (a * 3))
    assert a.grad == 15


def test_the_numbers_of_a_step_are_under_their_names(open_page: Any) -> None:
    """L: the neuron's o is 0.7071, so 1 - o ** 2 = 0.5 reaches n, and b through the sum."""
    page = open_page(NEURON)
    page.locator(".listing").wait_for()
    do(page, {".listing .now": 0}, "at 3")
    lit = page.locator(".listing .now")
    code, under, after = lit.locator("code, .line-values").all_text_contents()
    assert code.strip() == "child.grad += local_grad * v.grad"
    for name, value in (("child", "b"), ("local_grad", "1"), ("v.grad", "0.5")):
        assert under[code.index(name) :].split()[0] == value
    assert under.split() == ["b", "1", "0.5"]
    assert after.split() == ["0", "→", "0.5", "v", "=", "n"]
    do(page, "at 0", {".listing .now code": "self.grad = 1"})


SPELT = {
    "o=tanh(x1*w1+x2*w2+b);(o-t)**2": "x1:2,x2:0.5,w1:-3,w2:1.234,b:6.88137,t:1.1",
    "exp(-x*x)*y/3": "x:3.1234,y:2.13796",
    "a*a+a*b+a/7": "a:0.7071,b:-12345.678",
}


@pytest.mark.parametrize("expression", SPELT)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_number_has_the_same_digits_everywhere(
    open_page: Any, expression: str, width: int
) -> None:
    """The places are a card, its arrow, the sentence, the code and the list of values."""
    program = f"#e={expression}&v={SPELT[expression]}".replace("+", "%2B")
    page = open_page(f"{program}&t=code", width=width)

    def texts(place: str) -> list[str]:
        found: list[str] = page.locator(place).all_text_contents()
        return found

    page.locator(".listing").wait_for()
    for at in range(1, int(texts(".count")[0].split()[-1]) + 1):
        do(page, f"at {at}")
        drawn(page)
        incoming, local, contribution = NUMBER.findall(texts(".sum[data-active]")[0])
        assert texts(".sentence b")[:3] == [incoming, local, contribution]
        assert texts(".listing .now .line-values b")[1:3] == [local, incoming]
        after = texts(".listing .now .line-values b")[-1]
        assert {incoming, after} <= set(texts("[data-active] [data-number=grad]"))
    do(page, "Values")
    drawn(page)
    shown = cards(page)  # of a part, if the window is small
    for row in page.locator("#panel .row").all():
        _, grad = shown.get(row.locator("label").text_content(), ("", ""))
        reported = " ".join(row.locator(".role, .gradient-effect").all_text_contents())
        assert re.search(rf"grad(ient)? {re.escape(grad)}(\. |$)", reported) or not grad


def test_the_sort_has_the_steps_of_the_lessons(open_page: Any) -> None:
    """By hand: each value is entered and finished once; when c meets a, b has visited it."""
    page = open_page(CODE + "&w=sort")
    do(page, "see .stack")
    for beat in ("d", "b", "a", "a✓", "1", "1✓", "b✓", "c", "a?", "3", "3✓", "c✓", "d✓", "d⇄"):
        do(page, "Step", {".ticks .now": [beat]})
    do(page, {"role=list[name='topo'] >> li": ["a", "1", "b", "3", "c", "d"]}, "at 9")
    do(
        page,
        {
            ".sentence": "c asks for a, which is already in visited: skip.",
            ".listing .now .line-values": "a → False",
            **{f".stack li >> nth={at}": f"build({name})" for at, name in enumerate("acd")},
            "role=list[name='visited'] >> li": ["d", "b", "a", "1", "c"],
            "role=list[name='reversed(topo)'] >> li": ["b", "1", "a"],
            ".card[data-sorted=topo] .card-head .name": ["a", "1", "b"],
            ".card[data-sorted=stack] .card-head .name": ["c", "d"],
            ".card[data-sorted=unseen] .card-head .name": ["3"],
            "d": ("18", "--"),
        },
    )


def test_a_phone_shows_one_line_with_its_numbers(open_page: Any) -> None:
    page = open_page(NEURON, width=390, height=844)
    do(page, "see .listing", "Step", {".listing li:visible": 1})
    do(page, {".listing li:visible code": ["child.grad += local_grad * v.grad"]})


def tasks(page: Any) -> Any:
    page.get_by_role("tab", name="Predict").click()
    return page.locator(".tasks li")


def done(page: Any) -> list[bool]:
    return ["good" in (each.get_attribute("class") or "") for each in tasks(page).all()]


def test_a_task_is_done_without_start_and_after_a_reload(open_page: Any) -> None:
    """The first graph starts with a gradient of -1, which does not complete the task."""
    page = open_page()
    tasks(page)
    do(page, "grad of a := 10", "grad of b := 10", "grad of c := -1")
    assert done(page) == [True, False, False, False]
    do(page, "Expression := a", "Expression := a - 2 * b")
    page.reload()
    tasks(page)
    page.get_by_text("Try this: 2 of 4 ✓").wait_for()
    assert done(page) == [True, False, False, True]


PACE = 140
"""Milliseconds from one step of training to the next."""

SIDE = 41
"""Points along each input of a decision map."""

CELLS = """(side) => {
  const context = document.querySelector(".plane canvas").getContext("2d");
  return Array.from({ length: side * side }, (_, place) => {
    const [column, row] = [place % side, side - 1 - Math.floor(place / side)];
    return [...context.getImageData(column, row, 1, 1).data];
  });
}"""


def room(page: Any, lesson: str) -> None:
    page.get_by_role("tab", name="Train").click()
    page.get_by_role("button", name=lesson, exact=True).click()


def facts(page: Any) -> list[float]:
    """Return the step, the loss and the gradient's norm."""
    return [float(each) for each in page.locator(".facts dd").all_text_contents()]


def go_to(page: Any, step: int) -> None:
    timeline = page.get_by_label("Timeline: one tick per step of training")
    timeline.fill(str(step))
    page.get_by_text(re.compile(f"^{step} of")).wait_for()


def test_the_line_keeps_0_64_of_its_loss_at_each_step(open_page: Any) -> None:
    """By hand: e = w x + b - y becomes e (1 - 2 rate (x * x + 1)), so the loss shrinks to 0.64.

    And w * x is 3 w, whose gradient is 2 e.
    """
    page = open_page()
    room(page, "A line")
    assert facts(page)[:2] == [0, 4]
    for at in (1, 2, 6, 20):
        go_to(page, at)
        assert facts(page)[1] == pytest.approx(4 * 0.64**at, rel=0.01)
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


def test_the_panel_says_how_momentum_changes_a_step(open_page: Any) -> None:
    """The neuron is trained without momentum, XOR with 0.9."""
    page = open_page()
    room(page, "The neuron")
    do(page, {"#panel p:text('Momentum')": 0})
    room(page, "XOR, 2-4-1 tanh")
    do(page, {"#panel": "Momentum 0.9: each step adds that share of the step before it."})


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
    for at, right in ((0, 0), (30, 1)):
        go_to(page, at)
        page.get_by_text(f"Right sign: {right} of 1.").wait_for()
        numbers = cards(page)
        w1, w2, b = (float(numbers[name][0].replace("−", "-")) for name in ("w1", "w2", "b"))
        expected = [math.tanh(w1 * x + w2 * y + b) for y in places for x in places]
        for seen, out in zip(painted(page), expected, strict=True):
            assert abs(abs(seen) - abs(out)) < 0.01
            assert seen * out > 0 or abs(out) < 0.2


def test_the_map_is_empty_if_there_is_no_result(open_page: Any) -> None:
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
    reported = page.locator("svg.loss").get_attribute("aria-label")
    assert reported.startswith("Loss by step: 2.91 at step 0, ")
    do(page, "Back", "Train")
    advance(page, *[PACE] * 2)
    do(page, {".facts dd >> nth=0": "30", ".play > button >> nth=0": "Play again"})
