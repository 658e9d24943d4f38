"""Act on a page as a user does, and read it: numbers, labels of arrows, the sentence."""

import re
from typing import Any

from service.tests.processes import ROOT

Page = Any

SUM = "#e=(a%2Bb)*c&v=a:2,b:-3,c:10"

DIAMOND = "#e=b=a+1;c=a*3;d=b*c&v=a:2&t=break"
"""The lessons' diamond, where its order of visits can be changed."""


CARDS = """() => [...document.querySelectorAll("[data-node]")].map((card) => {
  const [name, data, grad] = [".name", "[data-number=data]", "[data-number=grad]"].map((part) =>
    card.querySelector(part).textContent);
  const heard = card.matches(".root") ? "result" : card.ariaLabel.split(": data")[0];
  return [name, heard, data, grad];
})"""


KEY = re.compile(r"(Shift\+|Control\+)*(Arrow\w+|Page\w+|End|Home|Enter|Space|Tab|.)")

Seen = dict[str, Any]
"""Selector -> its expected content. A text: part of its element's text; a set: several parts. A
list: the whole texts of all its elements. A number: their count. `NAME :=`: the text in the field
of that name. A pair: data and grad on the card of that name. `address`: part of the address.
"""


def do(page: Page, *parts: str | Seen) -> None:
    """Press a key, click a name or a selector, fill `FIELD := text`, or check the page.

    `see SELECTOR` waits for an element, `at N` or `at the end` moves the timeline, `hold` stops
    everything that moves by frames.
    """
    for part in parts:
        if not isinstance(part, str):
            look(page, part)
        elif part.startswith("see "):
            page.locator(part[4:]).first.wait_for()
        elif part == "hold":
            hold(page)
        elif part == "at the end":
            to_the_end(page)
        elif part.startswith("at "):
            page.locator(".timeline input").fill(part[3:])
        elif KEY.fullmatch(part):
            page.keyboard.press(part)
        elif ":=" in part:
            name, _, text = part.partition(" :=")
            field = named(page, name, page.get_by_label(name, exact=True))
            field.fill(text.lstrip())
            if name != "Expression":
                field.press("Enter")
        else:
            button = page.get_by_role("button", name=part, exact=True)
            link = page.get_by_role("link", name=part, exact=True)
            named(page, part, button.or_(link).or_(page.get_by_text(part, exact=True))).click()


def named(page: Page, name: str, found: Any) -> Any:
    """Return the element of the selector `name`, or `found` if `name` is not a selector."""
    return (page.locator(name) if name[0] in "#.[" else found).first


def look(page: Page, seen: Seen) -> None:
    from playwright.sync_api import expect  # noqa: PLC0415 - only `make test-web` has it

    drawn(page)
    for place, reported in seen.items():
        found = page.locator(place)
        if place == "address":
            holds = "(part) => decodeURIComponent(location.hash).includes(part)"
            page.wait_for_function(holds, arg=reported)
        elif place.endswith(" :="):
            expect(page.get_by_label(place[:-3], exact=True).first).to_have_value(reported)
        elif isinstance(reported, tuple):
            assert cards(page).get(place) == reported, place
        elif isinstance(reported, int):
            expect(found).to_have_count(reported)
        elif isinstance(reported, list):
            expect(found).to_have_text(reported)
        else:
            for part in reported if isinstance(reported, set) else {reported}:
                expect(found).to_contain_text(part)


def cards(page: Page) -> dict[str, tuple[str, str]]:
    """Return each card's data and grad by its name, or by its sign and expression."""
    drawn(page)
    found = {}
    for name, heard, data, grad in page.evaluate(CARDS):
        found[name if name.isidentifier() else f"{name} {heard}"] = (data, grad)
    return found


def sentence(page: Page) -> str:
    drawn(page)
    text: str = page.locator(".sentence").text_content()
    return text


def to_the_end(page: Page) -> None:
    """Drag the timeline to its last tick."""
    page.locator(".timeline input").press("End")


AT_REST = """() => {
  const moves = ({ playState, effect }) =>
    playState === "running" && effect.getComputedTiming().endTime < Infinity;
  const moving = document.querySelector(".sandbox").dataset.moving;
  return ["", "pass"].includes(moving) && !document.getAnimations().some(moves);
}"""
"""Whether nothing moves except a pass, according to the page and to the browser."""


def at_rest(page: Page) -> None:
    """Wait until everything is drawn and nothing moves; drawing can start a movement."""
    drawn(page)
    while not page.evaluate(AT_REST):
        page.wait_for_function(AT_REST)
        drawn(page)


def drawn(page: Page) -> None:
    """Wait until all changes so far are drawn: until after the next frame but one.

    Effects of components run in a timer set by a frame, before the timers of later frames.
    """
    page.evaluate("""async () => {
      const frame = window.realFrame ?? requestAnimationFrame;
      for (const next of [frame, frame, setTimeout]) await new Promise((done) => next(done));
    }""")


HOLD = """() => {
  const held = new Map();
  let [place, now] = [0, performance.now()];
  window.realFrame = requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (work) => {
    held.set(++place, work);
    return place;
  };
  window.cancelAnimationFrame = (frame) => held.delete(frame);
  window.advance = (elapsed) => {
    now += elapsed;
    const works = [...held.values()];
    held.clear();
    for (const work of works) work(now);
  };
}"""


def hold(page: Page) -> None:
    """From now on, run frames only in `advance`."""
    at_rest(page)
    page.evaluate(HOLD)


def advance(page: Page, *frames: int) -> None:
    """Run a frame now, and then one after each number of milliseconds in `frames`."""
    page.evaluate("(frames) => frames.forEach(advance)", [0, *frames])
    drawn(page)


def play_on(page: Page, until: str) -> None:
    """Run frames of a held page until the selector `until` matches."""
    while page.locator(until).count() == 0:
        advance(page, *[100] * 4)  # less than the shortest beat


def is_within(outer: dict[str, float], inner: dict[str, float]) -> bool:
    """Return whether the box `inner` is inside `outer`; both are Playwright's."""
    sides = (("x", "width"), ("y", "height"))
    return all(
        outer[start] <= inner[start] and inner[start] + inner[side] <= outer[start] + outer[side]
        for start, side in sides
    )


def step(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Step", exact=True).click()


def write(page: Page, expression: str) -> None:
    page.get_by_label("Expression").fill(expression)


def chained(terms: int, inputs: int | None = None) -> str:
    """Return the address of a sum of `terms` products of neighbours among `inputs` variables."""
    inputs = inputs or terms
    sums = "+".join(f"x{at % inputs}*x{(at + 1) % inputs}" for at in range(terms))
    values = ",".join(f"x{at}:{1 + at / 8}" for at in range(inputs))
    return f"#e={sums}&v={values}"


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


NEURON = hash_of(
    "x1w1=x1*w1;x2w2=x2*w2;s=x1w1+x2w2;n=s+b;o=tanh(n)",
    {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.881373587019543},
)


SCROLLED = """(() => {
  const [stage, bar] = [".sentence", ".play"].map((part) => document.querySelector(part));
  const isFixed = getComputedStyle(bar).position === "fixed";
  return !isFixed || stage.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1;
})()"""
"""Whether the stage is in sight, if the play bar stays at the bottom of the window."""


AXE = ROOT / "service" / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Any) -> list[str]:
    # The driver runs axe, because the page's policy forbids foreign scripts.
    page.evaluate(AXE.read_text())
    # axe checks WCAG 2.2's target size of 24 pixels only on request. A frame needs no heading.
    is_page = "{enabled: document.querySelector('.embedded') === null}"
    more = f"rules: {{'target-size': {{enabled: true}}, 'page-has-heading-one': {is_page}}}"
    found = page.evaluate(f"axe.run({{resultTypes: ['violations'], {more}}})")
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
        if not (each["id"] == "target-size" and has_another_target(node))
    ]


def has_another_target(node: Any) -> bool:
    """Accept arrows, whose box is not their target, and numbers, which have a slider in a tab."""
    if 'class="val ' in node["html"]:
        return True
    near = [other["html"] for check in node["any"] for other in check["relatedNodes"]]
    return bool(near) and all('class="edge ' in each for each in near)
