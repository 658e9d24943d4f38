"""The stage: cards, dots, arrows and labels, right bits; in the page, in frames and on paper."""

import json
import re
from typing import Any

import pytest

from engine_py import introspect
from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    DIAMOND,
    NEURON,
    PROGRAMS,
    SUM,
    WEIGHTS,
    XOR,
    at_rest,
    chained,
    do,
    drawn,
    hash_of,
    hold,
    is_within,
    play_on,
    sentence,
    step,
    to_the_end,
)


def test_each_node_has_its_numbers_and_each_arrow_its_product(open_page: Any) -> None:
    """In parts, too, the card at which an arrow starts shows the arrow's first factor."""
    page = open_page(PROGRAMS["XOR"])
    document = introspect(XOR, WEIGHTS)
    order = {node: place for place, node in enumerate(document["backward_order"])}
    reported = [edge for edge in document["edges"] if edge["contribution"] is not None]
    reported.sort(key=lambda edge: (order[edge["to"]], edge["slot"]))
    assert ticks(page) == len(reported)
    for place, edge in enumerate(reported, 1):
        do(page, f"at {place}")
        drawn(page)
        name = f"{edge['to']}:{edge['slot']}"
        label = page.locator(f".sum[data-edge='{name}']").text_content()
        [(incoming, local, result)] = re.findall(r"^(\S+) × (\S+) = (\S+)$", label)
        sender, receiver = (
            page.locator(f"[data-node='{edge[end]}'] [data-number=grad]").text_content()
            for end in ("to", "from")
        )
        assert incoming == sender, name
        numbers = [read(each) for each in (incoming, local, result)]
        expected = [edge["incoming_grad"], edge["local_grad"], edge["contribution"]]
        assert numbers == pytest.approx(expected, rel=0.06), name
        assert read(receiver) == pytest.approx(edge["running_grad"], rel=0.06)
        assert page.locator("[data-active].sum").count() == 1


@pytest.mark.parametrize("place", ["at rest", "turned"])
def test_an_arrow_is_painted_where_a_script_reads_it(open_page: Any, place: str) -> None:
    """Among cards with a depth, Firefox displaced arrows that had none; their boxes were right."""
    page = open_page(SUM)
    if place == "turned":
        drag_the_ground(page)
    at_rest(page)
    arrows = page.locator("path.line")
    assert arrows.count() == 4
    for arrow in arrows.all():
        clip = arrow.bounding_box()
        painted = page.screenshot(clip=clip)
        arrow.evaluate("(arrow) => { arrow.style.visibility = 'hidden'; }")
        assert page.screenshot(clip=clip) != painted
    forget_style_of_screenshot(open_page)


def drag_the_ground(page: Any) -> None:
    """Turn the picture."""
    box = page.locator(".stage").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 80
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 100, y + 20)
    page.mouse.up()
    page.locator(".picture[style*=perspective]").wait_for()


def forget_style_of_screenshot(open_page: Any) -> None:
    """Firefox's driver adds a style to a page for its screenshot, which the page forbids."""
    if IS_FIREFOX:
        open_page.wrong.clear()


def read(text: str) -> float:
    return float(text.replace("−", "-"))


def ticks(page: Any) -> int:
    return int(page.locator(".count").text_content().split()[-1])


FIRST_SIGHT = [
    *((320, 568), (375, 667), (390, 844), (844, 390), (640, 400), (720, 420)),
    *((1024, 768), (1280, 800), (1920, 1080)),
]


STEP = f"{SUM}&s=3"
SIGHTS = [
    ("?embed", 320, 240),
    *(("", *size) for size in FIRST_SIGHT),
    *((STEP, *size) for size in [(375, 667), (844, 390), (640, 400), (720, 420)]),
]


def test_a_node_that_sends_too_early_shows_the_gradient_it_sends(open_page: Any) -> None:
    """As soon as its arrow does: b sends 0 × 1 before it has received anything."""
    page = open_page(f"{DIAMOND}&visits=0.2.4.5")
    hold(page)
    do(page, "Run my order")
    play_on(page, ".sum[data-edge='2:0'][data-active]")
    do(page, {"a": ("2", "--"), "b": ("3", "0")})


@pytest.mark.parametrize(("link", "width", "height"), SIGHTS)
def test_the_first_view_has_the_whole_graph_its_sentence_and_play(
    open_page: Any, link: str, width: int, height: int
) -> None:
    page = open_page(link, width=width, height=height)
    at_rest(page)
    bar = page.locator(".play").bounding_box()
    above = {"x": 0, "y": 0, "width": width, "height": bar["y"]}
    assert page.locator(".card").count() == 5
    for part in page.locator(".card, .sentence > span").all():
        assert is_within(above, part.bounding_box()), part.text_content()
    window = {"x": 0.0, "y": 0.0, "width": float(width), "height": float(height)}
    assert is_within(window, page.locator(".play > button").first.bounding_box())
    if link == "":
        assert is_within(above, page.get_by_label("Expression").bounding_box())


CONTROLS = """() => {
  const isSeen = (element) => {
    const { left, top, width } = element.getBoundingClientRect();
    const options = { opacityProperty: true, visibilityProperty: true };
    return element.checkVisibility(options) && width > 1 && left >= 0 && top < innerHeight;
  };
  const fields = "input:not([type=radio]), .tools .segmented label, select, textarea";
  const found = document.querySelectorAll(`button, a[href], summary, ${fields}`);
  return [...found].filter(isSeen).length;
}"""


def test_the_first_view_has_at_most_30_controls(open_page: Any) -> None:
    assert open_page().evaluate(CONTROLS) <= 30


@pytest.mark.parametrize("program", ["51 nodes", "a chain of 60", "299 nodes"])
def test_in_a_large_graph_the_current_step_is_on_cards(open_page: Any, program: str) -> None:
    page = open_page(PROGRAMS[program])
    do(page, f"at {ticks(page) // 2}", "see .overview svg")
    at_rest(page)
    assert re.fullmatch(r"(\S+) × (\S+) = \S+", page.locator(".sum.now").text_content())
    shown = page.locator(".card .val.data").all_text_contents()
    assert all(read(number) >= 1 for number in shown)
    assert len(shown) >= 3


def test_a_dot_or_a_name_puts_a_value_on_the_stage(open_page: Any) -> None:
    page = open_page(PROGRAMS["a chain of 60"])
    page.locator(".overview select").select_option(label="relu(x)")
    at_rest(page)
    assert page.locator(".card.input").count() == 1
    box = page.locator(".overview svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 20, box["y"] + (box["height"] + 30) / 2)
    at_rest(page)
    assert page.locator(".card.root").count() == 1
    assert page.locator(".card.input").count() == 0


def test_the_arrow_of_this_step_is_thicker_than_those_before(open_page: Any) -> None:
    page = open_page(hash_of("(a+b)*c", {"a": 2, "b": -3, "c": 10}))
    for _ in range(3):
        step(page)
        drawn(page)
    before, now = (
        page.locator(f".wire.{state}.plus .line").evaluate(
            "line => parseFloat(getComputedStyle(line).strokeWidth)"
        )
        for state in ("done", "now")
    )
    assert before < now


def test_an_arrow_shows_its_sign(open_page: Any) -> None:
    """b gets 200; relu gets -1, which is hollow; relu sends 0 to c, which is dashed."""
    page = open_page(hash_of("a*b-relu(c)", {"a": 200, "b": 1, "c": -1}))
    to_the_end(page)
    at_rest(page)
    assert page.locator(".wire.minus .core").count() == page.locator(".wire.minus").count() == 1
    assert page.locator(".wire:not(.minus) .core").count() == 0
    dashes = "getComputedStyle(document.querySelector('.wire.zero .line')).strokeDasharray"
    assert page.evaluate(dashes) != "none"


DERIVATIVES = {
    "(a+b)*c": "∂((a+b) * c)/∂(a+b) = c = 10.",
    "max(a+b, c)": "∂(max(a+b, c))/∂(a+b) = 0.",
    "a/(b-c)": "∂(a / (b-c))/∂a = 1 / (b-c) = −0.077.",
    "exp(-a)": "∂(exp(-a))/∂(-a) = exp(-a) = 0.135.",
    "(a+1)**2": "∂((a+1) ** 2)/∂(a+1) = 2 * (a+1) ** (2 − 1) = 6.",
    "sqrt(a+2)": "∂(sqrt(a+2))/∂(a+2) = 0.5 / sqrt(a+2) = 0.25.",
    "sin(a-2)": "∂(sin(a-2))/∂(a-2) = cos(a-2) = 1.",
    "cos(a-2)": "∂(cos(a-2))/∂(a-2) = −sin(a-2) = 0.",
    "sigmoid(a-2)": "∂(sigmoid(a-2))/∂(a-2) = sigmoid(a-2) * (1 − sigmoid(a-2)) = 0.25.",
    "softplus(a-2)": "∂(softplus(a-2))/∂(a-2) = sigmoid(a-2) = 0.5.",
}


def test_a_local_derivative_is_a_formula_of_its_operands(open_page: Any) -> None:
    page = open_page(SUM)
    for written, reported in DERIVATIVES.items():
        do(page, f"Expression := {written}", "at 1")
        at_rest(page)
        do(page, ".sum", {".sentence": [reported]})


def test_a_long_name_is_cut_and_whole_in_its_tooltip(open_page: Any) -> None:
    name = "the_number_of_words_that_were_read_before_noon"
    page = open_page(f"#e={name}*b&v={name}:2,b:3")
    [cut] = [each for each in page.locator(".card .name").all() if "…" in each.text_content()]
    assert name.startswith(cut.text_content().partition("…")[0])
    assert cut.get_attribute("title") == name
    card = page.locator(".card", has=page.locator(".name", has_text="…"))
    assert name in card.get_attribute("aria-label")


PAPERLESS = ".play, .panel, .edits, .entry textarea"


@pytest.mark.skipif(IS_FIREFOX, reason="its driver cannot emulate paper")
@pytest.mark.parametrize("width", [1280, 800])
def test_paper_shows_the_whole_graph(open_page: Any, width: int) -> None:
    page = open_page(NEURON, width=width)
    to_the_end(page)
    at_rest(page)
    page.emulate_media(media="print")
    do(page, {f":is({PAPERLESS}):visible": 0})
    at_rest(page)
    assert page.locator(".sum").count() > 3
    box = page.locator(".canvas").bounding_box()
    assert box["width"] == pytest.approx(680, abs=1), "an A4 page without its margins"
    for card in page.locator(".card").all():
        assert is_within(box, card.bounding_box())


PLACES = """() => [...document.querySelectorAll("[data-node]")].map((card) =>
  [card.dataset.node, card.style.left, card.style.top, card.style.width].join())"""


@pytest.mark.parametrize("inputs", [3, 9, 100])
def test_while_a_slider_is_dragged_nothing_moves(open_page: Any, inputs: int) -> None:
    """This holds for a whole graph and for a part of one."""
    page = open_page(chained(inputs))
    step(page, 2)
    at_rest(page)
    graph = page.locator(".picture")  # its name contains the result
    before, reported = page.evaluate(PLACES), graph.get_attribute("aria-label")
    slider = page.get_by_role("slider", name="x0", exact=True)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    for share in (0.6, 0.7, 0.9, 0.2):
        page.mouse.move(box["x"] + share * box["width"], middle)
        drawn(page)
        assert page.evaluate(PLACES) == before, share
    assert graph.get_attribute("aria-label") != reported
    page.mouse.up()


def test_a_step_and_the_pointer_underline_their_text(open_page: Any) -> None:
    """`a + b` sends the third contribution."""
    page = open_page()
    marked, lit = page.locator(".entry mark"), page.locator(".card[data-pointed] .name")
    assert marked.count() == 0
    step(page, 3)
    assert marked.text_content() == "a + b"
    page.locator(".card.root").hover()
    page.locator(".entry mark", has_text="(a + b) * c").wait_for()
    field = page.get_by_label("Expression").bounding_box()
    text = page.locator(".entry mark").bounding_box()
    for place, name in ((1.5, "a"), (3.3, "+"), (10.5, "c")):
        page.mouse.move(text["x"] + place * text["width"] / 11, field["y"] + field["height"] / 2)
        page.locator(f".card[data-pointed] .name:text-is('{name}')").wait_for()
    page.mouse.move(0, 0)
    lit.wait_for(state="detached")
    assert marked.text_content() == "a + b"


def test_an_expression_has_as_many_lines_as_it_needs(open_page: Any) -> None:
    usual = open_page().get_by_label("Expression").bounding_box()
    page = open_page(PROGRAMS["XOR"])
    box = page.get_by_label("Expression").bounding_box()
    assert box["height"] > 1.5 * usual["height"]
    bar = page.locator(".play").bounding_box()
    assert bar["y"] + bar["height"] < 800, "the play bar is not pushed out of the window"


def test_a_line_that_does_not_fit_is_not_cut_in_half(open_page: Any) -> None:
    page = open_page()
    strips = []
    for lines in (3, 4):
        do(page, "Expression := " + " + ".join([f"a{'b' * 60}"] * lines))
        page.locator("h1").click()  # the field loses the focus
        field = page.locator(".entry").bounding_box()
        low = {"y": field["y"] + field["height"] - 8, "height": 7}
        strips.append(page.screenshot(clip={"x": field["x"] + 1, "width": 600, **low}))
    forget_style_of_screenshot(open_page)
    assert strips[0] == strips[1]


def test_a_gradient_that_is_not_finite_is_not_passed_on(open_page: Any) -> None:
    """R5: the slope of x / c by c is -1e320, so c has no gradient, not even the 1 of x * c."""
    page = open_page("#e=c=1e-100*1e-60;x/c%2Bx*c&v=x:1")
    numbers = {"c": ("1e−160", "--"), "x": ("1", "1e160")}
    do(page, "see .parity[data-state=agree]", "End", {".count": "4 of 4"}, numbers)
    do(page, "Every number, as a table", "Final gradients", numbers)
    do(page, "Local derivatives", "Forward: data")
    page.get_by_role("button", name="1 × -- = --, from c ** −1, to c").press("Enter")
    do(page, {".sentence": "too large, and it depends on no variable"})
    for word in ("null", "NaN", "Infinity", "undefined"):
        assert word not in page.locator("main").text_content()


TITLES = {
    each["name"]: each["title"]
    for each in json.loads((ROOT / "schemas" / "examples.json").read_text())["examples"]
}


def bits(page: Any) -> list[str]:
    """Return the names of the bars."""
    page.locator(".bits").first.wait_for()
    found: list[str] = page.locator(".bits").evaluate_all(
        "(all) => all.map((bar) => bar.ariaLabel)"
    )
    return found


def test_a_lost_slope_is_explained_from_the_keyboard(open_page: Any) -> None:
    """tanh(20) is 1 - 8.497e-18, and its slope 1 / cosh(20)**2 is 1.699e-17; -(1 + out) is -2."""
    page = open_page("#e=tanh(x)&v=x:20&a=1&s=9")
    assert bits(page) == [
        "data of x: 53 of 53 bits are correct",
        "grad of x: 0 of 53 bits are correct",
        "data of tanh(x): 53 of 53 bits are correct",
        "grad of tanh(x): 53 of 53 bits are correct",
    ]
    page.get_by_role("button", name="grad of x").press("Enter")
    fits = "(said) => said.scrollHeight <= said.clientHeight"
    assert page.locator(".sentence").evaluate(fits)
    assert sentence(page) == (
        "0 of 53 bits of grad of x are correct: it is 0; the exact value is 1.699e−17. "
        "Rounding tanh(x) moved it by 8.497e−18; times its weight −2 that is −1.699e−17, "
        "the whole error. tanh(x) rounds to 1, so nothing of 1 − out * out is left."
    )
    do(page, "Value of x := 5")
    page.get_by_role("button", name="grad of x").click()
    do(page, {".sentence": "tanh(x) is nearly 1, so little of 1 − out * out is left"})


LOST = {
    "roots-that-cancel": ("17 of 53", "numbers up to 1e6 cancel to 5e−7"),
    "softplus-by-hand": ("0 of 53", "1 + exp(x) rounds to 1, so nothing of exp(x) is left."),
    "variance-below-zero": ("0 of 53", "it is −128; the exact value is 1."),
    "lost-in-a-sum": ("0 of 53", "x + 1e16 rounds to 1e16, so nothing of x is left."),
}


def test_an_example_shows_how_bits_are_lost(open_page: Any) -> None:
    root = ".card.root .bits.data"
    page = open_page()
    for name, (bar, reported) in LOST.items():
        do(page, ".chip.more", TITLES[name], {f"{root}[aria-label*=': {bar} bits are correct']": 1})
        assert not sentence(page).startswith("The bar")
        do(page, root, {".sentence": reported})


def test_the_error_of_central_differences_is_a_v_over_their_step(open_page: Any) -> None:
    """By hand, for x**3 at 1 the error is h**2 at h = 2**-4, 2**-8, 2**-12 and 2**-16: exact cubes.

    At 2**-20 and 2**-24 h**3 is rounded away on both sides, and 6h / 2h is exactly 3.
    """
    page = open_page("#e=x**3&v=x:1")
    do(page, "at the end", ".curve-button", {".quotients": 0}, "Central difference")
    do(page, {".quotients": "smallest: 0, at h = 9.537e−7"})
    path = page.locator(".quotients .plot").get_attribute("d").removeprefix("M").split("L")
    points = [tuple(map(float, point.split())) for point in path]
    assert len(points) == 13
    for axis in (0, 1):
        one, other, last = (points[at + 1][axis] - points[at][axis] for at in range(3))
        assert abs(one) > 5
        assert other == pytest.approx(one, abs=0.11)
        assert last == pytest.approx(one, abs=0.11)
