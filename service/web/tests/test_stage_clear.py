"""Whatever a graph's size: letters can be read, labels stand free, numbers stay on cards."""

import math
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import DIAMOND, at_rest, cards, chained, drawn, sentence, to_the_end

HIDDEN = ("h1", "h2", "h3", "h4")
XOR = ";".join(f"h{i}=tanh(u{i}*x+v{i}*y+b{i})" for i in (1, 2, 3, 4))
XOR += ";out=tanh(w1*h1+w2*h2+w3*h3+w4*h4+c);loss=(out-t)**2"
WEIGHTS = {
    **dict(zip("xytc", (-1.0, 1.0, 1.0, -1.1), strict=True)),
    **dict(zip(("u1", "u2", "u3", "u4"), (0.5, -0.9, 0.8, -0.4), strict=True)),
    **dict(zip(("v1", "v2", "v3", "v4"), (-0.7, 0.6, 0.3, -0.6), strict=True)),
    **dict(zip(("b1", "b2", "b3", "b4"), (0.1, -0.2, 0.05, 0.3), strict=True)),
    **dict(zip(("w1", "w2", "w3", "w4"), (-0.7, 0.9, 0.4, -0.5), strict=True)),
}


def hash_of(expression: str, values: dict[str, float]) -> str:
    pairs = ",".join(f"{name}:{value}" for name, value in values.items())
    return f"#e={expression}&v={pairs}".replace("+", "%2B")


PROGRAMS = {
    "XOR": hash_of(XOR, WEIGHTS),
    "51 nodes": chained(17),
    "a chain of 60": hash_of("relu(" * 60 + "x" + ")" * 60, {"x": 1}),
    "299 nodes": chained(100),
}
SIZES = {(1280, 800): 11, (390, 844): 12}

# Each text on the stage that is seen, with the size of its letters as drawn: the smaller side of
# the map that draws it, times the size that the style gives.
LETTERS = """() => {
  const { left, right, top, bottom } = document.querySelector(".canvas").getBoundingClientRect();
  const walker = document.createTreeWalker(document.querySelector(".canvas"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (data.trim() === "" || !holder.checkVisibility() || box.width === 0) continue;
    if (box.right < left || box.left > right || box.bottom < top || box.top > bottom) continue;
    const card = holder.closest(".card");
    const { a, b, c, d } = card
      ? new DOMMatrix(getComputedStyle(card).transform)
      : (holder.getScreenCTM?.() ?? new DOMMatrix());
    const [sum, product] = [a * a + b * b + c * c + d * d, a * d - b * c];
    const least = Math.sqrt((sum - Math.sqrt(sum * sum - 4 * product * product)) / 2);
    found.push([parseFloat(getComputedStyle(holder).fontSize) * least, data]);
  }
  return found.sort(([one], [other]) => one - other);
}"""

# Labels that meet a line, a head, a pulse or a card.
MEETINGS = """() => {
  const found = [];
  const boxes = [...document.querySelectorAll(".card, .moving:not(.landed) .pulse")].map((each) =>
    each.getBoundingClientRect());
  const { left, top } = document.querySelector(".canvas").getBoundingClientRect();
  for (const pill of document.querySelectorAll(".pill")) {
    if (!pill.checkVisibility()) continue;
    const box = pill.getBoundingClientRect();
    const text = pill.nextSibling.textContent;
    for (const other of boxes)
      if (Math.min(box.right, other.right) - Math.max(box.left, other.left) > 0.5 &&
          Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 0.5)
        found.push(`${text} meets a card`);
    // That of the arrow under way is said in full, and may stand on other arrows.
    if (pill.closest(".now")) continue;
    for (const line of document.querySelectorAll(".wire .line, .arrow-head")) {
      const length = line.getTotalLength();
      for (let at = 0; at <= length; at += 3) {
        const { x, y } = line.getPointAtLength(at);
        const [across, down] = [x + left, y + top];
        if (across > box.left && across < box.right && down > box.top && down < box.bottom)
          found.push(`${text} meets an arrow`);
      }
    }
  }
  return [...new Set(found)];
}"""

# Texts that reach out of the card that they are on.
OUTSIDE = """() => [...document.querySelectorAll(
  ".card :is(.name, .tag, .kind, .number-label, .val, .note)")]
  .filter((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const inner = range.getBoundingClientRect();
    const outer = text.closest(".card").getBoundingClientRect();
    return inner.width > 0 && (inner.left < outer.left - 1 || inner.right > outer.right + 1 ||
      inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2);
  })
  .map((text) => text.textContent)"""


def resting(page: Any) -> None:
    at_rest(page)


def under_way(page: Any) -> None:
    """Play from the middle of the wave, and look while the pulse is on its way."""
    count = int(page.locator(".count").text_content().split()[-1])
    page.locator(".timeline input").fill(str(count // 2))
    page.get_by_role("button", name="Play backward").click()
    page.locator(".stage.playing").wait_for()
    at_rest(page)


def turned(page: Any) -> None:
    to_the_end(page)
    page.locator("body").press("Shift+ArrowLeft")
    for _ in range(5):
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press("Shift+ArrowDown")
    at_rest(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_letters_can_be_read_and_labels_stand_free(
    open_page: Any, program: str, size: tuple[int, int]
) -> None:
    page = open_page(PROGRAMS[program], width=size[0], height=size[1])
    states: tuple[Callable[[Any], None], ...] = (resting, under_way, turned)
    for state in states:
        state(page)
        letters = page.evaluate(LETTERS)
        assert letters, "there are texts, not only dots"
        assert letters[0][0] >= SIZES[size] - 1e-6, (state.__name__, letters[:3])
        assert page.evaluate(MEETINGS) == [], state.__name__
        assert page.evaluate(OUTSIDE) == [], state.__name__


def loss(values: dict[str, float]) -> dict[str, float]:
    """XOR's values, by hand."""
    v = values
    found = {
        f"h{i}": math.tanh(v[f"u{i}"] * v["x"] + v[f"v{i}"] * v["y"] + v[f"b{i}"])
        for i in (1, 2, 3, 4)
    }
    found["out"] = math.tanh(sum(v[f"w{i}"] * found[f"h{i}"] for i in (1, 2, 3, 4)) + v["c"])
    return {**found, "loss": (found["out"] - v["t"]) ** 2}


def test_each_closed_group_shows_its_label_data_and_gradient(open_page: Any) -> None:
    """Gradients of leaves by central differences; a bias has that of its tanh times its slope."""
    page = open_page(PROGRAMS["XOR"])
    to_the_end(page)
    at_rest(page)
    shown = {name: [read(text) for text in pair] for name, pair in cards(page).items()}
    assert set(shown) == {*HIDDEN, "out", "loss", *WEIGHTS}
    computed = loss(WEIGHTS)
    for name, value in {**WEIGHTS, **computed}.items():
        assert shown[name][0] == pytest.approx(value, rel=6e-3), name
    slopes = {name: slope(name) for name in WEIGHTS}
    for name, found in slopes.items():
        assert shown[name][1] == pytest.approx(found, rel=6e-2, abs=1e-3), name
    for at, name in enumerate(HIDDEN, 1):
        gradient = slopes[f"b{at}"] / (1 - computed[name] ** 2)
        assert shown[name][1] == pytest.approx(gradient, rel=6e-3), name
    assert shown["loss"][1] == 1


def slope(name: str) -> float:
    step = 1e-5
    up, down = ({**WEIGHTS, name: WEIGHTS[name] + by} for by in (step, -step))
    return (loss(up)["loss"] - loss(down)["loss"]) / (2 * step)


def read(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("program", ["51 nodes", "a chain of 60", "299 nodes"])
def test_of_a_large_graph_the_wave_is_read_on_cards(open_page: Any, program: str) -> None:
    page = open_page(PROGRAMS[program])
    count = int(page.locator(".count").text_content().split()[-1])
    page.locator(".timeline input").fill(str(count // 2))
    page.locator(".overview canvas").wait_for()
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


def test_a_group_is_opened_and_closed_by_key_and_by_mouse(open_page: Any) -> None:
    page = open_page(PROGRAMS["XOR"])
    assert page.locator(".card").count() == 8
    assert page.locator(".count").text_content() == "0 of 13"
    group = page.get_by_role("group", name="h2 = tanh(u2*x+v2*y+b2)")
    assert "group of 5, closed" in group.get_attribute("aria-label")
    group.press("Enter")
    assert page.locator(".card").count() == 12, "its five operations in place of one card"
    assert "group, open" in group.get_attribute("aria-label")
    group.press("Enter")
    assert page.locator(".card").count() == 8
    page.get_by_role("button", name="Open h3").click()
    assert page.locator(".card").count() == 12


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


def some_program(random_: random.Random) -> str:
    names = [
        random_.choice("abcdefgh") + random_.choice(["", "_1", "_long_name_of_it"]) for _ in "1234"
    ]
    values = {name: random_.choice([-1, 1]) * 10 ** random_.uniform(-9, 9) for name in names}
    terms = list(names)
    statements = []
    for at in range(random_.randint(1, 4)):
        more = range(random_.randint(1, 4))
        rest = [f"{random_.choice('+-*')}{random_.choice(terms)}" for _ in more]
        text = "".join([random_.choice(terms), *rest])
        text = random_.choice([text, f"tanh({text})", f"relu({text})", f"({text})**2"])
        statements.append(f"r{at}={text}")
        terms = [*names, f"r{at}"] if at == 0 else [*terms, f"r{at}"]
    used = "+".join(f"r{at}" for at in range(len(statements)))
    return hash_of(f"{';'.join(statements)};{used}", values)


@pytest.mark.parametrize("size", SIZES)
def test_numbers_never_leave_their_cards(open_page: Any, size: tuple[int, int]) -> None:
    page = open_page(width=size[0], height=size[1])
    random_ = random.Random(size[0])
    for _ in range(100):
        program = some_program(random_)
        page.evaluate("(hash) => { location.hash = hash; }", program)
        page.locator("body").press("End")
        at_rest(page)
        assert page.evaluate(OUTSIDE) == [], program


@pytest.mark.parametrize(
    "size",
    [
        *[(320, 640), (360, 740), (390, 844), (480, 800), (640, 400), (844, 390)],
        *[(1024, 768), (1280, 800), (1920, 1080), (2560, 1440)],
    ],
)
def test_the_play_bar_is_whole_and_on_the_screen(open_page: Any, size: tuple[int, int]) -> None:
    page = open_page(width=size[0], height=size[1])
    for control in page.locator(".play > :is(button, select):visible, .play .timeline").all():
        box = control.bounding_box()
        assert box["x"] >= 0, control
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        assert control.evaluate("(one) => one.scrollWidth <= one.clientWidth + 1")


@pytest.mark.parametrize("size", [(320, 240), (720, 420)])
def test_a_small_frame_shows_the_whole_graph_its_numbers_and_the_sentence(
    open_page: Any, address: str, size: tuple[int, int]
) -> None:
    """Nothing pans: cards stay where they are while the wave goes over them."""
    page = open_page(width=size[0], height=size[1])
    page.goto(f"{address}?embed#e=(a%2Bb)*c&v=a:2,b:-3,c:10")
    page.locator(".card").nth(4).wait_for()
    at_rest(page)
    bar = page.locator(".play").bounding_box()
    assert bar["y"] + bar["height"] <= size[1]
    places = [card.bounding_box() for card in page.locator(".card").all()]
    for number in range(5):
        if number > 0:
            page.get_by_role("button", name="Step", exact=True).click()
            at_rest(page)
        assert page.evaluate(LETTERS)[0][0] >= 11 - 1e-6
        names = page.locator(".card .name").all_text_contents()
        assert sorted(names) == ["*", "+", "a", "b", "c"]
        data = page.locator(".card .val.data").all_text_contents()
        assert sorted(data) == sorted(["2", "−3", "10", "−1", "−10"])
        assert page.locator(".card .val.grad").count() == 5
        told = page.locator(".sentence > span").bounding_box()
        assert told["y"] + told["height"] <= bar["y"] + 1
        boxes = [card.bounding_box() for card in page.locator(".card").all()]
        assert boxes == places
        assert all(box["y"] >= 0 and box["y"] + box["height"] <= told["y"] for box in boxes)


@pytest.mark.parametrize("inputs", [10, 13, 17])
@pytest.mark.parametrize("size", SIZES)
def test_a_graph_of_30_to_51_nodes_begins_with_numbers(
    open_page: Any, inputs: int, size: tuple[int, int]
) -> None:
    page = open_page(chained(inputs), width=size[0], height=size[1])
    at_rest(page)
    data = page.locator(".card .val.data")
    assert data.count() == page.locator(".card").count() >= 3
    assert all(math.isfinite(read(text)) for text in data.all_text_contents())


# What arrows say in the first frame that has any.
FIRST_LABELS = """new MutationObserver((_, observer) => {
  if (!document.querySelector(".edge")) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const texts = [...document.querySelectorAll(".edge .sum")];
    window.labels = texts.map((text) => text.textContent);
  });
}).observe(document, { childList: true, subtree: true });"""


@pytest.mark.parametrize("frame", ["", "?embed"])
def test_a_link_has_its_labels_from_the_first_frame(
    browsers: Any, address: str, frame: str
) -> None:
    context = browsers.context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(FIRST_LABELS)
    page.goto(f"{address}{frame}#e=(a%2Bb)*c&v=a:2,b:-3,c:10&s=2")
    labels = page.wait_for_function("() => window.labels").json_value()
    assert labels == ["1 × 10 = 10", "1 × −1 = −1"]
    context.close()


def test_labels_go_with_their_arrows_while_the_graph_is_turned(open_page: Any) -> None:
    page = open_page("#e=(a%2Bb)*c&v=a:2,b:-3,c:10&s=4")
    at_rest(page)
    for _ in range(6):
        page.keyboard.press("Shift+ArrowLeft")
        drawn(page)
        assert page.locator(".edge .label:visible").count() == 4


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


def test_a_finished_pass_tells_what_it_found_and_computes_it_again(open_page: Any) -> None:
    """(a + b) * c: a and b have 10, which is most; c has -1. (2.1 - 3) * 10 is -9."""
    page = open_page()
    to_the_end(page)
    page.get_by_role("button", name="Step", exact=True).click()
    assert sentence(page) == (
        "a matters most: raise it by 0.1, and the result goes from −10 to −9, which is +1; "
        "its gradient 10 says the same. Only c pulls the result down."
    )
    page.evaluate("location.hash = 'e=a*a%2Brelu(b)&v=a:3,b:-1'")
    page.get_by_role("button", name="Play backward").click()
    page.get_by_role("button", name="Play again").wait_for()
    # 3.1 ** 2 - 9 is 0.61, the gradient 6 foretells 0.6.
    assert (
        "its gradient 6 says +0.6, the rest is curvature. Nothing arrives at b: relu"
        in sentence(page)
    )


def test_cards_that_are_pressed_make_an_order_of_visits(open_page: Any) -> None:
    page = open_page(DIAMOND)
    page.locator(".visits").wait_for()
    at_rest(page)  # a driver presses nothing that still turns
    for name in ("d", "c", "b"):
        page.locator(".card", has=page.locator(f"b.name:text-is('{name}')")).first.click()
    assert page.locator(".visits b").all_text_contents() == ["d", "c", "b", "a"]


@pytest.mark.skipif(IS_FIREFOX, reason="its driver cannot emulate paper")
@pytest.mark.parametrize("width", [1280, 800])
def test_paper_shows_the_graph_whole(open_page: Any, width: int) -> None:
    """Also where it is larger than the window, which comes back to the wave's arrow after."""
    page = open_page(PROGRAMS["XOR"], width=width)
    to_the_end(page)
    at_rest(page)
    place = "getComputedStyle(document.querySelector('.card.root')).transform"
    before = page.evaluate(place)
    page.emulate_media(media="print")
    for part in (".play", ".panel", ".edits", ".entry textarea"):
        for each in page.locator(part).all():
            each.wait_for(state="hidden")
    drawn(page)
    assert page.locator(".entry pre").text_content() == XOR, "the expression is whole, too"
    assert page.locator(".edge .sum").count() > 3
    box = page.locator(".canvas").bounding_box()
    assert box["width"] == pytest.approx(680, abs=1), "an A4 page without its margins"
    for card in page.locator(".card").all():
        inner = card.bounding_box()
        for start, side in (("x", "width"), ("y", "height")):
            assert box[start] <= inner[start]
            assert inner[start] + inner[side] <= box[start] + box[side]
    page.emulate_media(media="screen")
    page.locator(".play").wait_for()
    at_rest(page)
    assert page.evaluate(place) == before


def test_an_arrow_is_read_before_the_wave(open_page: Any) -> None:
    page = open_page()
    page.locator(".edge").first.press("Enter")
    assert "∂(" in page.locator(".sentence").text_content()


NEURON = hash_of(
    "x1w1=x1*w1;x2w2=x2*w2;s=x1w1+x2w2;n=s+b;o=tanh(n)",
    {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.881373587019543},
)


@pytest.mark.parametrize(
    ("program", "width", "height"),
    [(NEURON, 1280, 800), (NEURON, 375, 667), (PROGRAMS["XOR"], 1280, 800)],
)
def test_each_tick_has_its_formula_beside_its_arrow(
    open_page: Any, program: str, width: int, height: int
) -> None:
    """Also where a leaf is in a card: it is drawn out of that, or has an arrow there."""
    page = open_page(program, width=width, height=height)
    count = int(page.locator(".count").text_content().split()[-1])
    for place in range(1, count + 1):
        page.locator(".timeline input").fill(str(place))
        at_rest(page)
        said = page.locator(".edge.now .sum").all_text_contents()
        assert len(said) == 1, place
        assert re.fullmatch(r"\S+ × \S+ = \S+", said[0]), place
