"""The stage: cards, groups, dots, arrows and their labels, in the page, in frames and on paper."""

import math
import re
from typing import Any

import pytest

from engine_py import introspect
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    NEURON,
    PROGRAMS,
    SUM,
    WEIGHTS,
    XOR,
    at_rest,
    cards,
    chained,
    do,
    drawn,
    hash_of,
    hold,
    is_within,
    step,
    to_the_end,
)


def test_each_closed_group_shows_its_label_data_and_gradient(open_page: Any) -> None:
    page = open_page(PROGRAMS["XOR"])
    to_the_end(page)
    expected = {
        node["label"]: pytest.approx([node["data"], node["grad"]], rel=0.05)
        for node in introspect(XOR, WEIGHTS)["nodes"]
        if node["label"]
    }
    assert len(expected) == len(WEIGHTS) + 6
    assert {name: [read(text) for text in pair] for name, pair in cards(page).items()} == expected


def read(text: str) -> float:
    return float(text.replace("−", "-"))


def ticks(page: Any) -> int:
    return int(page.locator(".count").text_content().split()[-1])


@pytest.mark.parametrize("program", ["51 nodes", "a chain of 60", "299 nodes"])
def test_of_a_large_graph_the_wave_is_read_on_cards(open_page: Any, program: str) -> None:
    page = open_page(PROGRAMS[program])
    do(page, f"at {ticks(page) // 2}", "see .overview canvas")
    at_rest(page)
    assert re.fullmatch(r"(\S+) × (\S+) = \S+", page.locator(".edge.now .sum").text_content())
    shown = page.locator(".card .val.data").all_text_contents()
    assert all(read(number) >= 1 for number in shown)
    # An operation of two operands has both, and what uses it, beside it.
    assert len(shown) == (3 if program == "a chain of 60" else 4)


def test_a_dot_and_a_name_bring_a_value_near(open_page: Any) -> None:
    page = open_page(PROGRAMS["a chain of 60"])
    page.locator(".overview select").select_option(label="relu(x)")
    at_rest(page)
    assert page.locator(".card .name").all_text_contents() == ["relu", "x", "relu"]
    box = page.locator(".overview canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 14, box["y"] + (box["height"] + 26) / 2)
    assert page.locator(".card.root").count() == 1


def test_a_sum_that_the_engine_never_had_is_not_shown(open_page: Any) -> None:
    """x gets w * (1 - out**2) and v * (1 - out**2) * u * (1 - h**2): first the latter.

    Closed, `out` is one card, which sends to x before h is played: x then waits for both.
    """
    program = hash_of("h=tanh(u*x);out=tanh(x*w+v*h)", {"u": 1, "x": 0.5, "w": 2, "v": 3})
    page = open_page(program)
    h = math.tanh(0.5)
    steep = 1 - math.tanh(0.5 * 2 + 3 * h) ** 2
    parts = [3 * steep * (1 - h * h), 2 * steep]
    grads = []
    for _ in range(3):
        page.keyboard.press("ArrowRight")
        grads.append(cards(page)["x"][1])
    assert "--" in grads[:2]
    assert read(grads[2]) == pytest.approx(sum(parts), rel=1e-3)


def test_on_a_phone_a_card_says_what_it_is_and_what_comes_to_its_chips(open_page: Any) -> None:
    """sigmoid(-1) is 0.2689, of which w has twice; a has 2 * 0.5 times its slope, 0.1966."""
    address = "#e=d=a-b;e=sigmoid(d);f=e*w%2Bb;g=f*2%2B1&v=a:1,b:2,w:0.5&p=b"
    page = open_page(address, width=390, height=844)
    notes = page.locator(".card .note")
    at_rest(page)
    told = [note.rstrip("…") for note in notes.all_text_contents()]
    assert told == ["param", "derived", "derived", "w", "+"]
    page.keyboard.press("End")
    said = set()
    for _ in range(ticks(page)):
        at_rest(page)
        said.update(notes.all_text_contents())
        page.keyboard.press("ArrowLeft")
    assert {"w 0.5379", "a 0.1966"} <= said


def test_on_a_phone_the_inputs_are_on_top(open_page: Any) -> None:
    page = open_page(width=390, height=844)
    at_rest(page)
    tops = {
        card.locator(".name").text_content(): card.bounding_box()["y"]
        for card in page.locator(".card").all()
    }
    assert max(tops["a"], tops["b"], tops["c"]) < tops["+"] < tops["*"]


@pytest.mark.parametrize(("width", "height"), [(375, 667), (844, 390), (640, 400), (720, 420)])
def test_a_link_at_a_step_opens_with_the_graph_in_sight(
    open_page: Any, width: int, height: int
) -> None:
    page = open_page(f"{SUM}&s=3", width=width, height=height)
    page.wait_for_function("() => document.querySelector('.canvas').getBoundingClientRect().y < 1")
    at_rest(page)
    low = page.locator(".sentence").bounding_box()["y"]
    for card in page.locator(".card").all():
        box = card.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= low + 1


def test_a_large_window_is_used(open_page: Any) -> None:
    """Of 2,560 pixels nine of ten; the cards grow, too."""
    usual, page = open_page(), open_page(width=2560, height=1440)
    assert page.locator(".sandbox").bounding_box()["width"] > 0.85 * 2560
    assert page.locator(".stage").bounding_box()["width"] > 2 * 0.9 * 830
    for each in (usual, page):
        at_rest(each)
    sizes = [each.locator(".card").last.bounding_box()["width"] for each in (usual, page)]
    assert sizes[1] > 1.3 * sizes[0]


@pytest.mark.parametrize("size", [(320, 240), (720, 420)])
def test_in_a_small_frame_the_whole_graph_is_seen_and_nothing_pans(
    open_page: Any, size: tuple[int, int]
) -> None:
    page = open_page(f"?embed{SUM}", width=size[0], height=size[1])
    at_rest(page)
    assert sorted(page.locator(".card .name").all_text_contents()) == ["*", "+", "a", "b", "c"]
    places = [card.bounding_box() for card in page.locator(".card").all()]
    for _ in range(4):
        step(page)
        at_rest(page)
        assert [card.bounding_box() for card in page.locator(".card").all()] == places


def test_labels_go_with_their_arrows_while_the_graph_is_turned(open_page: Any) -> None:
    page = open_page(f"{SUM}&s=4")
    hold(page)
    for _ in range(6):
        page.keyboard.press("Shift+ArrowLeft")
        drawn(page)
        assert page.locator(".sandbox[data-moving=camera] .edge .label:visible").count() == 4


def test_an_arrow_tells_size_and_sign(open_page: Any) -> None:
    """b gets 200 and relu -1, which is thin and hollow; relu sends 0 to c, which is dashed."""
    page = open_page(hash_of("a*b-relu(c)", {"a": 200, "b": 1, "c": -1}))
    to_the_end(page)
    at_rest(page)
    line = "g[class~={}] .line:not(.ghost)"
    width = "(all) => all.map((one) => Number(one.getAttribute('stroke-width')))"
    plus, minus, zero = (
        page.eval_on_selector_all(f".wires {line.format(sign)}", width)
        for sign in ("plus", "minus", "zero")
    )
    assert max(plus) > 1.4 * max(minus)
    assert len(zero) == 1
    assert page.locator(".wire.minus .core").count() == len(minus)
    assert page.locator(".wire:not(.minus) .core").count() == 0
    dashes = "getComputedStyle(document.querySelector('.wire.zero .line')).strokeDasharray"
    assert page.evaluate(dashes) != "none"


def test_an_arrow_that_is_read_is_marked_itself_and_not_by_a_box(open_page: Any) -> None:
    page = open_page(f"{SUM}&s=2")
    arrow = page.get_by_role("button", name="1 × −1 = −1")
    strokes = """(arrow) => [".hit", ".pill"].map(
      (part) => getComputedStyle(arrow.querySelector(part)).stroke)"""
    [line, pill] = arrow.evaluate(strokes)
    arrow.locator(".pill").click()
    assert arrow.evaluate("(arrow) => getComputedStyle(arrow).outlineStyle") == "none"
    chosen = arrow.evaluate(strokes)
    assert chosen[0] != line
    assert chosen[1] != pill


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("(a+b)*c", "∂((a+b) * c)/∂(a+b) = c = 10."),
        ("a/(b-c)", "∂(a / (b-c))/∂a = 1 / (b-c) = −0.07692."),
        ("exp(-a)", "∂(exp(-a))/∂(-a) = exp(-a) = 0.1353."),
        ("(a+1)**2", "∂((a+1) ** 2)/∂(a+1) = 2 * (a+1) ** (2 − 1) = 6."),
        ("sqrt(a+2)", "∂(sqrt(a+2))/∂(a+2) = 0.5 / sqrt(a+2) = 0.25."),
        ("sin(a-2)", "∂(sin(a-2))/∂(a-2) = cos(a-2) = 1."),
        ("cos(a-2)", "∂(cos(a-2))/∂(a-2) = −sin(a-2) = 0."),
        ("sigmoid(a-2)", "∂(sigmoid(a-2))/∂(a-2) = sigmoid(a-2) * (1 − sigmoid(a-2)) = 0.25."),
        ("softplus(a-2)", "∂(softplus(a-2))/∂(a-2) = sigmoid(a-2) = 0.5."),
        ("max(a+b, c)", "∂(max(a+b, c))/∂(a+b) = 0."),
    ],
)
def test_a_local_derivative_is_a_formula_of_its_operands(
    open_page: Any, written: str, told: str
) -> None:
    page = open_page(f"#e={written}&v=a:2,b:-3,c:10&s=1")
    do(page, ".edge[role=button] .pill", {".sentence": [told]})


@pytest.mark.parametrize(
    ("program", "width", "height"),
    [(NEURON, 1280, 800), (NEURON, 375, 667), (PROGRAMS["XOR"], 1280, 800)],
)
def test_each_tick_has_its_formula_beside_its_arrow(
    open_page: Any, program: str, width: int, height: int
) -> None:
    """Also where a leaf is in a card: it is drawn out of that, or has an arrow there."""
    page = open_page(program, width=width, height=height)
    for place in range(1, ticks(page) + 1):
        do(page, f"at {place}")
        at_rest(page)
        said = page.locator(".edge.now .sum").all_text_contents()
        assert len(said) == 1, place
        assert re.fullmatch(r"\S+ × \S+ = \S+", said[0]), place


def test_a_long_name_is_cut_and_whole_where_it_is_pointed_at(open_page: Any) -> None:
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
def test_paper_shows_the_graph_whole(open_page: Any, width: int) -> None:
    """Also where it is larger than the window, which comes back to the wave's arrow after."""
    page = open_page(PROGRAMS["XOR"], width=width)
    to_the_end(page)
    page.keyboard.press("r")
    page.locator("body").press("+")
    at_rest(page)
    place = "getComputedStyle(document.querySelector('.card.root')).transform"
    before = page.evaluate(place)
    page.emulate_media(media="print")
    do(page, {f":is({PAPERLESS}):visible": 0, ".entry pre": [XOR]})  # the expression is whole, too
    at_rest(page)
    assert page.locator(".edge .sum").count() > 3
    box = page.locator(".canvas").bounding_box()
    assert box["width"] == pytest.approx(680, abs=1), "an A4 page without its margins"
    for card in page.locator(".card").all():
        inner = card.bounding_box()
        assert is_within(box, inner)
    page.emulate_media(media="screen")
    page.locator(".play").wait_for()
    at_rest(page)
    assert page.evaluate(place) == before


LAYOUTS = "performance.getEntriesByName('layout').length"


@pytest.mark.parametrize("inputs", [3, 9, 100])
def test_a_slider_lays_nothing_out_again(open_page: Any, inputs: int) -> None:
    """Neither where all is in sight, nor with a camera that follows, nor in a graph of dots."""
    page = open_page(chained(inputs))
    step(page, 2)
    at_rest(page)
    graph = page.locator(".picture")  # its name has the result
    before, told = page.evaluate(LAYOUTS), graph.get_attribute("aria-label")
    assert before > 0
    slider = page.get_by_role("slider", name="x0", exact=True)
    for _ in range(5):
        slider.press("ArrowLeft")
        at_rest(page)
    assert graph.get_attribute("aria-label") != told
    assert page.evaluate(LAYOUTS) == before
