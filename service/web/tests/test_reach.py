"""Keyboard, screen readers, contrast, narrow windows, reduced motion."""

from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import arrows, at_rest, cards, drawn, sentence, step, write

AXE = ROOT / "service" / "web" / "node_modules" / "axe-core" / "axe.min.js"
LEAST_CONTRAST = 4.5

CONTRASTS = """() => {
  const channel = (part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const light = ([red, green, blue]) =>
    0.2126 * channel(red / 255) + 0.7152 * channel(green / 255) + 0.0722 * channel(blue / 255);
  const colour = (text) => text.match(/[\\d.]+/g).map(Number);
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const found = [];
  const clear = "rgba(0, 0, 0, 0)";
  const texts = ".card *, .edge tspan, .sentence, .sentence *, .tools *, .play *";
  for (const text of document.querySelectorAll(texts)) {
    if (![...text.childNodes].some(({ data }) => data?.trim()) || !text.checkVisibility()) continue;
    let ground = text;
    const top = document.fullscreenElement ?? document.body; // behind it, all is black
    while (ground !== top && getComputedStyle(ground).backgroundColor === clear)
      ground = ground.parentElement;
    if (getComputedStyle(ground).backgroundColor === clear) ground = null;
    const pill = text.closest(".edge")?.querySelector(".pill");
    const ink = getComputedStyle(text)[pill ? "fill" : "color"];
    const behind = ground === null ? "rgb(0, 0, 0)" : getComputedStyle(ground).backgroundColor;
    const paper = pill ? getComputedStyle(pill).fill : behind;
    found.push([ratio(colour(ink), colour(paper)), text.getAttribute("class"), text.textContent]);
  }
  return found;
}"""


def tap(button: Any) -> None:
    """With a finger, or where the driver has none, with the mouse."""
    button.click() if IS_FIREFOX else button.tap()


def pressed(page: Any) -> Any:
    """Press the mouse over the graph, and tell where that begins."""
    box = page.locator(".canvas").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.down()
    return box


def seen(page: Any) -> list[float]:
    """How the first card is seen: as a matrix."""
    at_rest(page)
    style = "getComputedStyle(document.querySelector('.card')).transform"
    return [float(part) for part in page.evaluate(style).strip("matrix()").split(",")]


def violations(page: Any) -> list[str]:
    # The policy forbids scripts of others, so the browser's tools run it.
    page.evaluate(AXE.read_text())
    # WCAG 2.2 asks for 24 pixels, which axe looks at only if it is told so.
    more = "rules: {'target-size': {enabled: true}}"
    found = page.evaluate(f"axe.run({{resultTypes: ['violations'], {more}}})")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
        if not (each["id"] == "target-size" and is_near_an_arrow(node))
    ]


def is_near_an_arrow(node: Any) -> bool:
    """An arrow's box says nothing of where it is pressed, and what the window cuts off is not."""
    near = [other["html"] for check in node["any"] for other in check["relatedNodes"]]
    return bool(near) and all('class="edge ' in each for each in near)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(open_page: Any, *, dark: bool, width: int) -> None:
    page = open_page(dark=dark, width=width)
    assert violations(page) == []
    step(page, 3)
    for part in page.locator("summary").all():
        part.click()
    page.locator(".curve-button").first.click()
    page.locator(".curve.large").wait_for()
    assert violations(page) == []
    page.get_by_role("tab", name="Predict").click()
    page.get_by_label("grad of a").fill("7")
    page.get_by_role("button", name="Check my answers").click()
    assert violations(page) == []
    write(page, "2x")
    page.get_by_role("alert").wait_for()
    # What is stale is dimmed on purpose; its label is not.
    assert [each for each in violations(page) if ".picture" not in each] == []


# Letters of labels, and the largest of numbers on cards, in pixels as they are drawn.
LETTERS = """() => {
  const size = (text) => parseFloat(getComputedStyle(text).fontSize);
  const scale = (card) => new DOMMatrix(getComputedStyle(card).transform).d;
  const drawn = (text) => scale(text.closest(".card")) * size(text);
  const each = (of, measure) => [...document.querySelectorAll(of)].map(measure);
  return [each(".edge .sum", size), Math.max(...each(".card .val", drawn))];
}"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("is_lecture", [False, True])
def test_the_picture_can_be_read_in_its_colours(
    open_page: Any, *, is_lecture: bool, dark: bool
) -> None:
    """In full screen, as in a lecture, labels are read as far away as numbers are."""
    if is_lecture and IS_FIREFOX:
        pytest.skip("its driver has no full screen")
    page = open_page(dark=dark, **({"width": 2560, "height": 1440} if is_lecture else {}))
    page.get_by_role("button", name="The diamond").click()
    if is_lecture:
        page.get_by_role("button", name="Full screen").click()
        page.wait_for_function("document.fullscreenElement !== null")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at_rest(page)
    measured = page.evaluate(CONTRASTS)
    assert len(measured) > 40
    assert [each for each in measured if each[0] < LEAST_CONTRAST] == []
    labels, number = page.evaluate(LETTERS)
    assert len(labels) == 3
    assert min(labels) >= (0.7 * number if is_lecture else 11)


def test_tab_goes_over_the_arrows_in_the_order_of_the_wave(open_page: Any) -> None:
    page = open_page()
    step(page, 4)
    page.get_by_role("button", name="Reset view").focus()
    reached = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('aria-label')"))
    assert reached == [
        "1 × 10 = 10, from (a + b) * c to a + b",
        "1 × −1 = −1, from (a + b) * c to c",
        "10 × 1 = 10, from a + b to a",
        "10 × 1 = 10, from a + b to b",
    ]
    page.keyboard.press("Enter")
    assert sentence(page) == "∂(a + b)/∂b = 1, whatever b is."


def test_a_click_on_an_arrow_reads_its_local_derivative(open_page: Any) -> None:
    page = open_page()
    step(page, 2)
    page.get_by_role("button", name="1 × −1 = −1").locator(".pill").click()
    assert sentence(page) == "∂((a + b) * c)/∂c = a + b = −1."


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
    page = open_page(f"#e={written}&v=a:2,b:-3,c:10".replace("+", "%2B"))
    step(page)
    page.locator(".edge[role=button] .pill").first.click()
    assert sentence(page) == told


def test_the_keys_play_step_turn_and_switch(open_page: Any) -> None:
    page = open_page()
    page.locator("body").press("ArrowRight")
    assert arrows(page) == ["1 × 10 = 10"]
    page.keyboard.press("End")
    assert cards(page)["b"][1] == "10"
    page.keyboard.press("ArrowLeft")
    assert cards(page)["b"][1] == "--"
    page.keyboard.press("Home")
    assert page.locator(".count").text_content() == "0 of 4"
    page.keyboard.press("f")
    assert page.get_by_role("button", name="Play forward").is_visible()
    page.keyboard.press("b")
    page.keyboard.press("3")
    assert page.get_by_role("tab", name="Predict").get_attribute("aria-selected") == "true"
    page.keyboard.press("1")
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="Pause").is_visible()
    page.keyboard.press("Space")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "expression"
    page.keyboard.type("a * f")
    assert page.get_by_label("Expression").input_value() == "a * f"


def test_the_graph_turns_within_bounds_and_comes_back(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("button", name="Reset view").click()
    rest = seen(page)
    box = pressed(page)
    page.mouse.move(box["x"] + 380, box["y"] + 280, steps=4)
    page.mouse.up()
    assert seen(page) != rest
    for _ in range(30):
        page.keyboard.press("Shift+ArrowRight")
    most = seen(page)
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == most, "it turns no further"
    page.get_by_role("button", name="Reset view").click()
    drawn(page)
    assert seen(page) == rest


def test_zoom_and_pan(open_page: Any) -> None:
    page = open_page()
    page.keyboard.press("r")
    whole = seen(page)
    page.keyboard.press("+")
    page.keyboard.press("+")
    near = seen(page)
    assert near[0] == pytest.approx(1.25**2 * whole[0], rel=1e-3), "cards are larger"
    box = pressed(page)
    page.mouse.move(box["x"] + 360, box["y"] + 300)
    page.mouse.up()
    assert seen(page)[4] == pytest.approx(near[4] + 60, abs=0.2)
    page.keyboard.press("r")
    assert seen(page) == whole


WATCH_PULSES = """() => {
  window.pulses = 0;
  const count = () => {
    window.pulses += document.querySelectorAll(".moving:not(.landed)").length;
    requestAnimationFrame(count);
  };
  count();
}"""
"""Counts pulses that are on their way, in each frame."""


def test_reduced_motion_has_no_pulse_and_no_orbit(open_page: Any) -> None:
    page = open_page(still=True)
    rest = seen(page)
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    assert seen(page) == rest
    page.evaluate(WATCH_PULSES)
    page.get_by_role("button", name="Play backward").click()
    page.get_by_role("button", name="Play again").wait_for()
    assert page.evaluate("window.pulses") == 0


def test_the_table_is_in_step(open_page: Any) -> None:
    page = open_page()
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    step(page, 3)
    now = page.locator("tr[aria-current=step]")
    assert now.locator("th").text_content() == "a + b → a"
    assert now.locator("td").all_text_contents() == ["10", "1", "10", "arrived"]
    last = page.locator("#table table").first.locator("tbody tr").last
    assert last.locator("td").all_text_contents() == ["--", "--", "--", "not reached"]


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1920])
def test_nothing_is_wider_than_the_window(open_page: Any, width: int) -> None:
    page = open_page(width=width, height=844)
    step(page, 2)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_the_inputs_are_on_top(open_page: Any) -> None:
    page = open_page(width=390, height=844, has_touch=True)
    tops = {
        card.locator(".name").text_content(): card.bounding_box()["y"]
        for card in page.locator(".card").all()
    }
    row = max(tops["a"], tops["b"], tops["c"])
    assert row < min(tops["a"], tops["b"], tops["c"]) + 4 < tops["+"] < tops["*"]
    tap(page.get_by_role("button", name="Step", exact=True))
    assert cards(page)["+"][1] == "10"
    tap(page.get_by_role("button", name="Options"))
    page.get_by_label("Final gradients").check()
    assert cards(page)["c"][1] == "−1"


def test_derived_operations_are_expanded(open_page: Any) -> None:
    """L: a - b is a + (b * -1): with local derivatives shown, the graph has both."""
    page = open_page()
    write(page, "a - b")
    assert page.locator(".card:not(.constant)").count() == 3
    page.get_by_label("Local derivatives").check()
    assert sorted(page.locator(".card .name").all_text_contents()) == ["*", "+", "a", "b", "−1"]
    step(page, 2)
    assert "to b * −1" in sentence(page)
    assert "× −1" in arrows(page)


def test_a_large_window_is_used(open_page: Any) -> None:
    """Of 2,560 pixels nine of ten; the cards grow, and all is on the screen, unscrolled."""
    usual, page = open_page(), open_page(width=2560, height=1440)
    at_rest(usual)
    at_rest(page)
    box = page.locator(".sandbox").bounding_box()
    assert box["width"] > 0.85 * 2560
    assert page.locator(".stage").bounding_box()["width"] > 2 * 0.9 * 830
    sizes = [each.locator(".card").last.bounding_box()["width"] for each in (usual, page)]
    assert sizes[1] > 1.3 * sizes[0]
    bar = page.get_by_role("button", name="Play backward").bounding_box()
    assert bar["y"] + bar["height"] < 1440
    assert page.evaluate("document.documentElement.scrollWidth") <= 2560
