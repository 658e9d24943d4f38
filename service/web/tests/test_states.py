"""Each state of the page is visible, legible and usable, in windows of all sizes and both themes.

A row of the table is a state, reached by a link and at most a few actions. In each state the facts
of `facts.js` hold, in windows from a watch's to a wall's, light and dark, in four languages. CI
runs a sample of the table on every change, with each state once. To look at the states:

    PICTURES=build/pictures make test-web ARGS='-k looks_right'
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from parity_tests.tests.test_web_words import LANGUAGES, LATIN, SPELLED, WORD
from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    DIAMOND,
    PROGRAMS,
    SCROLLED,
    SUM,
    advance,
    at_rest,
    chained,
    do,
    hold,
    to_the_end,
    violations,
)

Page = Any

FACTS = (Path(__file__).parent / "facts.js").read_text().rstrip(";\n")
PICTURES = Path(os.environ["PICTURES"]) if os.environ.get("PICTURES") else None

# Record the labels of arrows in the first frame that has a picture.
FIRST_LABELS = """new MutationObserver((_, observer) => {
  if (!document.querySelector(".picture")) return;
  observer.disconnect();
  requestAnimationFrame(() => {
    const texts = [...document.querySelectorAll(".sum")];
    window.labels = texts.map((text) => text.textContent);
  });
}).observe(document, { childList: true, subtree: true });"""

# If the play bar stays at the bottom of the window, scroll to the graph, as a pass does; a smooth
# scroll that has begun would go on from there.
TO_THE_STAGE = """async () => {
  const frame = window.realFrame ?? requestAnimationFrame;
  for (let before = NaN; before !== scrollY;) {
    before = scrollY;
    for (const next of [frame, frame]) await new Promise((done) => next(done));
  }
  const bar = document.querySelector(".stage:not(.playing) .play");
  if (bar && getComputedStyle(bar).position === "fixed")
    document.querySelector(".stage").scrollIntoView({ block: "nearest", behavior: "instant" });
}"""

# Return all texts, including those for screen readers, except code: names, formulas, keys.
READ = """() => {
  const code = ".mono, kbd, .count, #expression, textarea, .tag, .name, .ticks, option[lang]";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (!holder.closest(`${code}, script, style, noscript`)) found.push(data);
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"])
    for (const holder of document.querySelectorAll(`[${name}]`))
      found.push(holder.getAttribute(name));
  return found;
}"""

SOURCES = [
    ROOT / "service" / "web" / "words" / "en.ts",
    *(ROOT / "schemas" / name for name in ("examples.json", "pitfalls.json")),
]
ENGLISH = {word.lower() for file in SOURCES for word in WORD.findall(file.read_text())}
"""Every word of the English page, and some words of its code."""
# Names that are the same in every language.
NAMES = LATIN | {"Gradient", "service", "OpenAPI", "loss"}

LONG = "w" * 30
EXAMPLES = json.loads((ROOT / "schemas" / "examples.json").read_text())["examples"]


class Window(NamedTuple):
    """A window's size in pixels, and whether it has touch input."""

    width: int
    height: int
    is_touched: bool


MOUSE = [(320, 240), (640, 400), (720, 420), (1280, 800), (1920, 1080), (2560, 1440)]
FINGER = [(375, 667), (390, 844), (844, 390), (820, 1180)]
HEARD = [(1280, 800), (640, 400), (390, 844)]  # windows that axe checks, too
WINDOWS = sorted(Window(*size, size in FINGER) for size in MOUSE + FINGER)


class State(NamedTuple):
    """The address after its origin, and the actions that follow."""

    address: str = ""
    reach: Callable[[Page], None] | tuple[str, ...] = ()


def nudged(page: Page) -> None:
    if page.locator(".val[role=slider]").count() == 0:
        pytest.skip("numbers on the smallest cards cannot be dragged")
    page.locator(".val[role=slider]").first.press("ArrowUp")
    page.locator(".nudge").wait_for()


def played(page: Page) -> None:
    hold(page)
    do(page, ".play > button", "see .stage.playing")
    page.wait_for_function(f"() => {SCROLLED}")
    advance(page, 300)


def full_screen(page: Page) -> None:
    if IS_FIREFOX or not page.locator(".full-screen").is_visible():
        pytest.skip("no full screen in its driver or in a window this small")
    page.locator(".full-screen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("End")


def unfolded(page: Page) -> None:
    for part in page.locator("summary").all():
        part.click()
    do(page, "see kbd", "see .scene-fields")


def undone(page: Page) -> None:
    do(page, "#expression := a * b", {"address": "e=a * b"}, ".edit")
    page.wait_for_function("() => document.querySelector('#expression').value.length > 5")


def without_code(page: Page) -> None:
    page.route(
        "**/code-*.js", lambda route: route.fulfill(body="throw 0", content_type="text/javascript")
    )
    do(page, "#tab-code", "see #panel [role=alert]")


TURN = ("Shift+ArrowLeft", "Shift+ArrowDown")
ACCURATE = (
    *(".bits.grad", "Enter", ".curve-button", "see .curve-detail"),
    *(".curve-detail .chip >> nth=1", "see .quotients"),
)
PREDICTED = (
    *("#guess-a := 10", "#guess-b := 3", "#guess-c := x", "see .hint"),
    *("#answer := 7", "see .task .bad"),
)
ORDERED = (".body .primary", ".play > button", "at the end", "see .verdict")
TRAINED = (".mistakes .chip >> nth=2", "see .decisions", *[".play .step"] * 2)


def answer(number: str) -> tuple[str, ...]:
    return (f"#reply := {number}", ".task button", "see #reply-feedback > b")


NEURON = "#e=n=x1*w1%2Bx2*w2%2Bb;o=tanh(n)&v=x1:2,x2:0,w1:-3,w2:1,b:6.88&p=w1,w2"
SCENE = "&caption=`f`%20=%20`(a+b)*c`%20=%20-10,%20`a+b`%20=%20-1&task=`f`%20/%20`b`?&answer=b"
LONG_NAMES = f"#e={LONG}*{LONG}_1%2Bb&v={LONG}:0.125,{LONG}_1:-123456,b:1e-9&s=3"

STATES = {
    "first sight": State(),
    "a link at a step": State(f"{SUM}&s=2"),
    "a scene of a link": State(f"{SUM}&s=3{SCENE}"),
    "the lesson": State("#lesson=neuron", answer("7")),
    "a scene of training": State("#lesson=training", answer("1.88")),
    "the end of the lesson": State("#lesson=end"),
    "a frame with a scene": State("?embed#lesson=product"),
    "a frame": State(f"?embed{SUM}&s=2"),
    "a frame with all": State(f"?embed&show=title,expression,panel,more{SUM}&s=2"),
    "played": State(f"{SUM}&p=a", played),
    "the end of a pass": State(f"{NEURON}&s=99"),
    "forward": State(f"{SUM}&w=forward&s=1"),
    "turned": State(SUM, ("End", *TURN * 5)),
    "full screen": State(DIAMOND.replace("&t=break", ""), full_screen),
    "local derivatives": State("#e=a-b/c&v=a:2,b:-3,c:10&d=1&g=1"),
    "a curve": State(f"{SUM}&s=3&curve=a"),
    "a number by hand": State(f"{SUM}&s=4", nudged),
    "code": State(f"{SUM}&t=code&s=3"),
    "the sort": State(f"{SUM}&t=code&w=sort&s=4"),
    "predictions": State(f"{SUM}&t=predict", PREDICTED),
    "an order": State(DIAMOND, ORDERED),
    "= for +=": State("#e=a*a&v=a:3&t=break&m=assigning-instead-of-adding&s=2"),
    "twice": State("#e=a*a&v=a:3&t=break&m=second-backward&s=9"),
    "changed data": State("#e=a*a&v=a:3&t=break&m=mutation-before-backward&s=9"),
    "a dead relu": State("#e=a*a&v=a:3&t=break&m=dead-relu&s=9"),
    "a variable exponent": State("#e=a*a&v=a:3&t=break&m=variable-exponent&s=9"),
    "nothing to train": State("#e=a*a&v=a:3&t=train"),
    "a decision map": State(f"{NEURON}&t=train", TRAINED),
    "accuracy": State("#e=sqrt(x%2B1)-sqrt(x)&v=x:1e12&a=1&s=9", ACCURATE),
    "a fault": State("#e=2x%2B1"),
    "all examples": State(SUM, (".chip.more",)),
    "what is folded": State(f"{SUM}&s=3", unfolded),
    "undone": State(SUM, undone),
    "a part that failed to load": State(SUM, without_code),
    "long names": State(LONG_NAMES),
    "XOR": State(f"{PROGRAMS['XOR']}&s=8"),
    "30 nodes": State(f"{chained(10)}&s=4"),
    "51 nodes": State(f"{PROGRAMS['51 nodes']}&s=33", played),
    "a chain of 60": State(f"{PROGRAMS['a chain of 60']}&s=30"),
    "299 nodes": State(f"{PROGRAMS['299 nodes']}&s=90"),
    "a lecture": State(f"{SUM}&s=3{SCENE}&&{SUM[1:]}", full_screen),
}


def address_of(state: State, lang: str) -> str:
    frame, mark, hash_ = state.address.partition("#")
    said = f"lang={lang}" if lang != "en" or mark else ""
    return frame + "#" * bool(said) + "&".join(part for part in (hash_, said) if part)


class Cell(NamedTuple):
    """A state in a window, a theme and a language."""

    state: str
    window: Window
    dark: bool
    lang: str

    def __str__(self) -> str:
        theme = "dark" if self.dark else "light"
        return f"{self.state} {self.window.width}x{self.window.height} {theme} {self.lang}"


def table() -> list[Any]:
    """Return each state in each window and theme, with the languages in turn."""
    cells = []
    for row, state in enumerate(STATES):
        for column, window in enumerate(WINDOWS):
            for dark in (False, True):
                turn = 2 * row + column + 2 * dark
                cell = Cell(state, window, dark, LANGUAGES[turn % len(LANGUAGES)])
                is_sampled = (3 * row + column) % len(WINDOWS) == 0 and dark == row % 4 // 2
                marks = [pytest.mark.core] if is_sampled else []
                cells.append(pytest.param(cell, id=str(cell), marks=marks))
    return cells


@pytest.mark.parametrize("cell", table())
def test_it_looks_right(open_page: Any, request: pytest.FixtureRequest, cell: Cell) -> None:
    state, window = STATES[cell.state], cell.window
    page = open_page(
        address_of(state, cell.lang),
        width=window.width,
        height=window.height,
        dark=cell.dark,
        has_touch=window.is_touched,
        is_mobile=window.is_touched,
        script=FIRST_LABELS,
    )
    page.wait_for_selector(":is(.panel .body > *, .sandbox.embedded)", state="attached")
    at_rest(page)
    if callable(state.reach):
        state.reach(page)
    elif state.reach:
        do(page, *state.reach)
    else:
        assert page.evaluate("window.labels") != [] or page.locator(".sum").count() == 0
    page.evaluate(TO_THE_STAGE)
    at_rest(page)
    if PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{str(cell).replace(' ', '-')}.png")
    found = wrongs(page, window) + foreign(page, cell.lang)
    is_heard = window[:2] in HEARD or request.node.get_closest_marker("core")
    if is_heard and window.height > 240:
        found += violations(page)
    assert not found, "\n".join(found)


SIZES = [window for window in WINDOWS if window.height > 240]  # a frame has no examples


@pytest.mark.parametrize("window", SIZES, ids=lambda window: f"{window.width}x{window.height}")
def test_each_step_of_each_example_looks_right(open_page: Any, window: Window) -> None:
    page = open_page(width=window.width, height=window.height)
    page.locator(".chip.more").click()
    titles = page.locator(".chip[aria-pressed]").all_text_contents()
    assert sorted(titles) == sorted(example["title"] for example in EXAMPLES)
    for title in titles:
        if page.locator(".chip.more[aria-expanded=false]").count():
            page.locator(".chip.more").click()
        page.get_by_role("button", name=title, exact=True).click()
        to_the_end(page)
        page.evaluate(TO_THE_STAGE)
        for at in range(int(page.locator(".play .count").text_content().split()[-1]), -1, -1):
            do(page, f"at {at}")
            at_rest(page)
            assert page.locator(".sum").count() >= (at > 0)
            assert wrongs(page, window._replace(is_touched=False)) == [], (title, at)


SPOILED = {
    "cut": ".sentence { width: 90px; overflow: hidden; white-space: nowrap }",
    "out of its box": ".play button { width: 20px; white-space: nowrap }",
    "out of its card": ".card .name { position: absolute; left: -90px }",
    "a card without its number": ".card .val { display: none }",
    "the page scrolls sideways": ".sandbox { width: 1400px; max-width: none }",
    "letters of": ".card .val { font-size: 8px !important }",
    "a label meets": ".sum { scale: 4 }",
    "a card outside the stage": ".card.root { translate: 400px 0 }",
    "cards meet": ".card { height: 300px !important }",
    "a control over": ".tools { translate: 0 60px }",
    "a control is under another": ".curve-button { translate: -70px 0 }",
    "not on the screen": ".play { position: relative; top: 200px }",
    "contrast of": ".sentence { color: #888 }",
    "a target of": ".play button { min-height: 0; height: 30px !important }",
}


# The policy forbids inline styles, but not constructed style sheets.
WITH_STYLE = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""


def test_spoiled_pages_are_detected(open_page: Any) -> None:
    page = open_page(f"{SUM}&s=2")
    page.wait_for_selector(".panel .body > *")
    for fact, css in SPOILED.items():
        page.evaluate(WITH_STYLE, css)
        at_rest(page)
        found = wrongs(page, Window(1280, 800, is_touched=fact == "a target of"))
        assert any(each.startswith(fact) for each in found), (fact, found)


def wrongs(page: Page, window: Window) -> list[str]:
    width, height, is_touched = window
    said = {"width": width, "height": height, "hasFinger": is_touched and not IS_FIREFOX}
    found: list[str] = page.evaluate(FACTS, said)
    return found


def foreign(page: Page, lang: str) -> list[str]:
    """Return the texts with a word of another language that is not a name."""
    letters, shared = SPELLED[lang]
    others = ENGLISH - set(shared.split()) if lang != "en" else set()
    return [
        text
        for text in page.evaluate(READ)
        for word in set(WORD.findall(re.sub("w{9,}", "", text))) - NAMES
        if word.lower() in others or not re.fullmatch(f"[{letters}]+", word.lower())
    ]
