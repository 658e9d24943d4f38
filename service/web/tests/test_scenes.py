"""A link is a scene: what comes back from it; and every change undone and done again."""

from collections.abc import Callable
from typing import Any

import pytest

from service.web.tests.reading import (
    DIAMOND,
    PROGRAMS,
    at_rest,
    cards,
    drawn,
    enter,
    step,
    to_the_end,
    write,
)

# All that is said of a state: sentences, numbers, what is chosen and what is entered.
SAID = """() => [
  ...[...document.querySelectorAll(`.sentence, .count, .ticks .now, .verdict, .visits b, .facts dd,
    .legend, .guesses [role=status], [aria-selected=true], [aria-pressed=true]`)]
    .map((each) => each.textContent),
  ...[...document.querySelectorAll(".card")].map((card) => card.ariaLabel),
  ...[...document.querySelectorAll("input:not(#export *)")]
    .map(({ type, value, checked, min, max }) => [type, value, checked, min, max].join()),
]"""


def again(open_page: Any, page: Any, holds: str) -> Any:
    """Another browser, with what Share copies."""
    page.get_by_role("button", name="Share").click()
    copied = "async (holds) => (await navigator.clipboard.readText()).includes(holds)"
    page.wait_for_function(copied, arg=holds)
    return open_page(base=page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture
def opened(open_page: Any) -> Any:
    return lambda after="": open_page(after, permissions=["clipboard-read", "clipboard-write"])


def ended(page: Any) -> None:
    page.get_by_label("Final gradients").check()
    step(page, 5)


def forward(page: Any) -> None:
    page.get_by_label("Forward: data").check(force=True)
    step(page)


def curved(page: Any) -> None:
    enter(page.get_by_label("Maximum of a"), "4")
    page.get_by_label("Slope of the result over a").click()


def ordered(page: Any) -> None:
    for _ in range(2):
        page.locator(".visits li:has(b:text-is('d')) button").first.click()
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)


def mistaken(page: Any) -> None:
    page.get_by_role("button", name="= for +=").click()
    to_the_end(page)


def cured(page: Any) -> None:
    page.get_by_role("button", name="= for +=").click()
    page.get_by_text("✓ Right").click()
    to_the_end(page)


def sorted_from_the_right(page: Any) -> None:
    """By hand: d calls c, which calls 3 and a, and is done."""
    page.get_by_text("right first").click()
    step(page, 7)
    assert page.locator("ol.topo li").all_text_contents() == ["3", "a", "c"]


def guessed(page: Any) -> None:
    for name, guess in (("a", "3"), ("b", "7")):
        enter(page.get_by_label(f"grad of {name}"), guess)
    page.get_by_text("Take it with you").click()
    page.get_by_label("with my guesses").check()


KEPT: dict[str, tuple[str, Callable[[Any], None]]] = {
    "&s=3": ("", lambda page: step(page, 3)),
    "&g=1&s=5": ("", ended),
    "&w=forward&s=1": ("", forward),
    "&r=a:-10:4&curve=a": ("", curved),
    "&visits=": (DIAMOND, ordered),
    "&m=assigning-instead-of-adding&s=2": ("#e=a*a&v=a:3&t=break", mistaken),
    "&side=right": ("#e=a*a&v=a:3&t=break", cured),
    "v=w:2,x:3,y:5&p=w&t=train&n=4": (
        "#e=(w*x-y)**2&v=w:2,x:3,y:5&p=w&t=train",
        lambda page: step(page, 4),
    ),
    "&w=sort&o=right&s=7": ("#e=b=a%2B1;c=a*3;d=b*c&v=a:2&t=code&w=sort", sorted_from_the_right),
    "&edge=0": ("", lambda page: page.locator(".edge").first.press("Enter")),
    "&guesses=a:3,b:7": ("#e=a*b&v=a:2,b:3&t=predict", guessed),
}
"""What a link has, after what is done where."""


@pytest.mark.parametrize("holds", KEPT)
def test_a_link_keeps_what_is_seen(open_page: Any, opened: Any, holds: str) -> None:
    address, act = KEPT[holds]
    page = opened(address)
    page.wait_for_selector(".panel .body > *")
    act(page)
    drawn(page)
    said = page.evaluate(SAID)
    other = again(open_page, page, holds)
    other.wait_for_selector(".panel .body > *")
    drawn(other)
    assert other.evaluate(SAID) == said


def test_a_link_keeps_opened_groups_and_the_camera(open_page: Any, opened: Any) -> None:
    page = opened(PROGRAMS["XOR"])
    closed = page.locator(".card").count()
    at_rest(page)
    page.get_by_role("button", name="Open h3", exact=True).click()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function("() => location.hash.includes('camera=')")
    other = again(open_page, page, "&open=")
    drawn(other)
    assert cards(other) == cards(page)
    assert other.locator(".card").count() == page.locator(".card").count() > closed
    boxes = []
    for each in (page, other):
        at_rest(each)
        boxes.append(each.locator(".card").first.bounding_box())
    assert boxes[1] == pytest.approx(boxes[0], abs=2)


def test_a_link_says_a_caption_and_asks_a_task(open_page: Any, opened: Any) -> None:
    page = opened("#e=a*b&v=a:2,b:3")
    page.get_by_text("Take it with you").click()
    page.get_by_label("Caption").fill("A product <b>swaps</b> & `scales`")
    page.get_by_label("Task").fill("What is the gradient of b?")
    page.get_by_label("Answer").fill("b")
    other = again(open_page, page, "caption=")
    assert other.locator(".scene p").first.text_content() == "A product <b>swaps</b> & scales"
    enter(other.get_by_label("What is the gradient of b?"), "3")
    assert other.locator("#reply-feedback").text_content() == "✕ Not quite."
    enter(other.get_by_label("What is the gradient of b?"), "2")
    assert other.locator("#reply-feedback").text_content() == "✓ Right."
    other.get_by_role("button", name="Close").click()
    other.wait_for_function("() => location.hash === '#e=a*b&v=a:2,b:3'")


@pytest.mark.parametrize(
    "part",
    [
        "s=-1",
        "s=99999",
        "s=1e9",
        "r=a:5:1",
        "r=__proto__:1:2",
        "visits=0.0.0",
        "visits=9.9&t=break",
        "m=__proto__&t=break",
        "open=7777.x",
        "look=999",
        "camera=9e9:1:1:1:1",
        "camera=0:0:NaN",
        "rate=-1:0:20&t=train",
        "rate=0.1:0:1e9&t=train",
        "n=99999&t=train&p=a",
        "guesses=__proto__:1&t=predict",
        "edge=77",
        "curve=__proto__",
        "answer=__proto__&task=x",
        "caption=" + "x" * 5_000,
        "lesson=__proto__",
    ],
)
def test_a_part_that_does_not_read_so_is_harmless(open_page: Any, part: str) -> None:
    page = open_page(f"#e=(a+b)*c&v=a:2,b:-3,c:10&{part}")
    write(page, "a * c")
    assert cards(page)["c"][0] == "10"
    assert page.locator(".card").count() == 3
    assert len(page.locator(".scene").all_text_contents()) <= 1


def text(page: Any) -> str:
    value: str = page.get_by_label("Expression").input_value()
    return value


def settled(page: Any, holds: str) -> None:
    """Wait until the address has it."""
    page.wait_for_function(f"() => decodeURIComponent(location.hash).includes('{holds}')")


def test_typing_a_slider_and_an_example_are_undone_and_done_again(open_page: Any) -> None:
    page = open_page()
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    assert [each.get_attribute("aria-disabled") for each in (undo, redo)] == ["true", "true"]
    settled(page, "e=(a + b) * c")
    page.get_by_label("Expression").press("End")
    page.keyboard.type(" + a * 2", delay=40)
    settled(page, "c + a * 2")
    slider = page.get_by_role("slider", name="a", exact=True)
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
        drawn(page)
    value = slider.input_value()
    settled(page, f"a:{value}")
    page.get_by_role("button", name="One variable").click()
    settled(page, "a * a")
    undo.click()
    page.wait_for_function("() => document.querySelector('#expression').value.endsWith('a * 2')")
    assert slider.input_value() == value
    page.keyboard.press("Control+z")
    settled(page, "a:2,")
    assert text(page) == "(a + b) * c + a * 2"
    page.get_by_label("Expression").press("Control+z")
    page.wait_for_function("() => document.querySelector('#expression').value === '(a + b) * c'")
    assert undo.get_attribute("aria-disabled") == "true"
    page.locator("body").press("Control+Shift+z")
    page.wait_for_function("() => document.querySelector('#expression').value.endsWith('a * 2')")
    redo.click()
    settled(page, f"a:{value}")
    redo.click()
    settled(page, "a * a")
    assert redo.get_attribute("aria-disabled") == "true"


def test_back_leaves_an_edit_and_not_the_page(open_page: Any) -> None:
    page = open_page()
    settled(page, "e=(a + b) * c")
    write(page, "a * b")
    settled(page, "e=a * b")
    page.get_by_role("tab", name="Break it").click()
    settled(page, "t=break")
    page.go_back()
    page.wait_for_function("() => document.querySelector('#expression').value === '(a + b) * c'")
    assert page.get_by_role("tab", name="Values").get_attribute("aria-selected") == "true"
    page.go_forward()
    page.wait_for_function("() => document.querySelector('#expression').value === 'a * b'")
    assert page.get_by_role("tab", name="Break it").get_attribute("aria-selected") == "true"


def test_undo_keeps_the_language_and_a_new_edit_ends_what_can_be_done_again(
    open_page: Any,
) -> None:
    page = open_page()
    settled(page, "e=(a + b) * c")
    write(page, "a * b")
    settled(page, "e=a * b")
    page.get_by_label("Language").select_option("ru")
    settled(page, "lang=ru")
    page.get_by_role("button", name="Отменить").click()
    page.wait_for_function("() => document.querySelector('#expression').value === '(a + b) * c'")
    assert page.locator("html").get_attribute("lang") == "ru"
    page.locator("#expression").fill("a + b")
    settled(page, "e=a + b")
    redo = page.get_by_role("button", name="Вернуть")
    assert redo.get_attribute("aria-disabled") == "true"
