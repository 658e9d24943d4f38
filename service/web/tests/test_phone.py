"""On a phone: targets that a finger hits, and labels that no card covers."""

from collections.abc import Callable
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import DIAMOND, at_rest, covered, to_the_end
from service.web.tests.test_stage_clear import PROGRAMS

# What a finger has to hit, but for what is hidden or inside something larger that does the same.
# An arrow's box says nothing of how wide it is around its line, nor does a card's, which is pressed
# around it, too; one that is no group does nothing.
TARGETS = """() => {
  const found = [];
  const all = "button, a[href], input, select, textarea, summary, label, [tabindex='0'], .hit";
  for (const target of document.querySelectorAll(all)) {
    let { width, height } = target.getBoundingClientRect();
    const isPart = target.matches("label input, label:not(:has(input)), .card button, .edge") ||
      target.matches(".card:not(.foldable)");
    if (width < 2 || !target.checkVisibility() || isPart || target.closest(".skip")) continue;
    if (target.matches(".card")) {
      const around = getComputedStyle(target, "::before");
      width *= parseFloat(around.width) / target.offsetWidth;
      height *= parseFloat(around.height) / target.offsetHeight;
    }
    const least = target.matches(".hit")
      ? parseFloat(getComputedStyle(target).strokeWidth)
      : Math.min(width, height);
    if (least < 43.9) found.push([target.outerHTML.slice(0, 80), width, height]);
  }
  return found;
}"""

SUM = "#e=(a%2Bb)*c&v=a:2,b:-3,c:10&p=a"
STATES = {
    **{room: f"{SUM}&t={room}" for room in ("values", "code", "predict", "break", "train")},
    "sort": f"{SUM}&t=code&w=sort",
    "run in a wrong order": DIAMOND,
    "a map": SUM + "&t=train",
    "groups": PROGRAMS["XOR"],
    "an overview": PROGRAMS["299 nodes"],
    "a fault": "#e=a**b",
    "a scene": "#lesson=twice&lang=en",
    "the end of the lesson": "#lesson=end&lang=en",
}
OPENED: dict[str, Callable[[Any], None]] = {
    "run in a wrong order": lambda page: page.get_by_role("button", name="Run my order").tap(),
    "a map": lambda page: page.get_by_role("button", name="XOR, 2-4-1 tanh").tap(),
    "groups": lambda page: page.locator(".foldable").first.tap(),
}


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no touch screen")
@pytest.mark.parametrize("state", STATES)
def test_a_finger_has_44_pixels(open_page: Any, state: str) -> None:
    page = open_page(STATES[state], width=390, height=844, has_touch=True, is_mobile=True)
    page.wait_for_selector(".panel .body > *")
    at_rest(page)  # a driver presses nothing that still turns
    OPENED.get(state, lambda _: None)(page)
    page.get_by_role("button", name="Options").tap()
    for part in page.locator("summary").all():
        part.tap()
    at_rest(page)
    assert page.evaluate("document.querySelectorAll('button').length") > 20
    assert page.evaluate(TARGETS) == []


# What of the wave is out of sight or behind the bar, and each control over a card or the sentence.
UNSEEN = """() => {
  const rect = (element) => element.getBoundingClientRect();
  const [sentence, bar] = [".sentence", ".play"].map((name) => document.querySelector(name));
  const isWithin = (element, low) =>
    rect(element).left >= -1 && rect(element).right <= innerWidth + 1 &&
    rect(element).top >= -1 && rect(element).bottom <= low + 1;
  const active = [...document.querySelectorAll(":is(.receiving, .sending)")];
  if (active.length === 0) return ["nothing is under way"];
  const grounds = [...document.querySelectorAll(".card, .sentence")];
  const meets = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const all = ":is(button, a, input, select, label):not(.card *)";
  // Examples that have no room in their row are not seen.
  const isCut = (each) => {
    const row = each.closest(".line");
    return row !== null && rect(each).top > rect(row).bottom - 1;
  };
  const controls = [...document.querySelectorAll(all)].filter((each) => !isCut(each));
  return [
    ...active.filter((card) => !isWithin(card, rect(sentence).top)),
    ...[sentence].filter((said) => !isWithin(said, rect(bar).top)),
    ...controls.filter((each) => grounds.some((ground) => meets(rect(each), rect(ground)))),
  ].map((each) => each.outerHTML.slice(0, 80));
}"""


@pytest.mark.parametrize("state", [SUM, "#lesson=twice&lang=en", PROGRAMS["XOR"]])
@pytest.mark.parametrize(("width", "height"), [(375, 667), (390, 844), (844, 390), (640, 400)])
def test_what_is_played_is_seen(open_page: Any, state: str, width: int, height: int) -> None:
    page = open_page(state, width=width, height=height)
    page.get_by_role("button", name="Play backward").click()
    page.wait_for_function(f"() => ({UNSEEN})().length === 0")


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


@pytest.mark.parametrize("width", [390, 1280])
def test_no_card_covers_a_label(open_page: Any, width: int) -> None:
    page = open_page(width=width, height=844)
    page.get_by_role("button", name="Karpathy's neuron").click()
    page.get_by_label("Final gradients").evaluate("box => box.click()")
    at_rest(page)
    assert page.locator(".pill").count() == page.locator(".edge").count() == 4
    assert covered(page, ".edge .pill", ".card", 3) == []
    page.evaluate("location.hash = 'e=b=a%2B1;c=a*3;d=b*c&v=a:2&t=break'")
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    at_rest(page)
    assert page.locator(".pill").count() == 4
    assert covered(page, ".edge .pill", ".card", 3) == []


def notes(page: Any) -> list[str]:
    at_rest(page)
    found: list[str] = page.locator(".card .note").all_text_contents()
    return found


def test_on_a_phone_a_card_says_what_it_is_and_what_comes_to_its_chips(open_page: Any) -> None:
    """sigmoid(-1) is 0.2689, of which w has twice; a has 2 * 0.5 times its slope, 0.1966."""
    address = "#e=d=a-b;e=sigmoid(d);f=e*w%2Bb;g=f*2%2B1&v=a:1,b:2,w:0.5&p=b"
    page = open_page(address, width=390, height=844)
    told = [note.rstrip("…") for note in notes(page)]
    assert told == ["param", "derived", "derived", "w", "+"]
    page.keyboard.press("End")
    said = set()
    for _ in range(int(page.locator(".count").text_content().split()[-1])):
        said.update(notes(page))
        page.keyboard.press("ArrowLeft")
    assert {"w 0.5379", "a 0.1966"} <= said
