"""A link is a scene: what comes back from it; and every change undone and done again."""

import re
from typing import Any

import pytest

from service.web.tests.reading import (
    DIAMOND,
    at_rest,
    cards,
    drawn,
    enter,
    sentence,
    step,
    to_the_end,
    write,
)

NEURON = (
    "#e=x1w1=x1*w1;x2w2=x2*w2;n=tanh(x1w1+x2w2+b)*3-x1*0.5"
    "&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543"
)


def again(open_page: Any, page: Any, holds: str) -> Any:
    """Another browser, with what Share copies."""
    page.get_by_role("button", name="Share").click()
    copied = "async (holds) => (await navigator.clipboard.readText()).includes(holds)"
    page.wait_for_function(copied, arg=holds)
    hash_ = "#" + page.evaluate("navigator.clipboard.readText()").split("#", 1)[1]
    return open_page(hash_)


@pytest.fixture
def opened(open_page: Any) -> Any:
    return lambda after="": open_page(after, permissions=["clipboard-read", "clipboard-write"])


def test_a_link_keeps_the_step_and_the_direction(open_page: Any, opened: Any) -> None:
    page = opened()
    step(page, 3)
    other = again(open_page, page, "&s=3")
    assert other.locator(".count").first.text_content() == "3 of 4"
    assert cards(other) == cards(page)
    assert cards(other)["a"] == ("2", "10")
    assert sentence(other).startswith("+ sends 10 × 1 = 10 to a") or "to a" in sentence(other)
    page.get_by_label("Forward: data").check(force=True)
    step(page)
    other = again(open_page, page, "&w=forward&s=1")
    assert other.get_by_label("Forward: data").is_checked()
    assert cards(other)["* result"][0] == "--"


def test_a_link_keeps_the_end_of_the_wave_and_what_is_told_there(
    open_page: Any, opened: Any
) -> None:
    page = opened()
    page.get_by_label("Final gradients").check()
    step(page, 5)
    assert "matters most" in sentence(page)
    told = sentence(page)
    other = again(open_page, page, "&g=1&s=5")
    assert sentence(other) == told
    assert other.get_by_label("Final gradients").is_checked()


def test_a_link_keeps_ranges_and_the_open_curve(open_page: Any, opened: Any) -> None:
    page = opened()
    enter(page.get_by_label("Maximum of a"), "4")
    page.get_by_label("Slope of the result over a").click()
    other = again(open_page, page, "&r=a:-10:4&curve=a")
    assert other.get_by_role("slider", name="a", exact=True).get_attribute("max") == "4"
    assert other.locator(".curve-detail").count() == 1


def test_a_link_keeps_an_order_of_visits_and_that_it_was_run(open_page: Any, opened: Any) -> None:
    """By hand: b before d sends 0 to a, and c sends 3 * 3."""
    page = opened(DIAMOND)
    places = [each.get_attribute("aria-label") for each in page.locator(".visits li").all()]
    assert [re.search(r"[a-d]$", place or "") is not None for place in places] == [True] * 4
    for name in ("d", "d"):
        page.locator(f".visits li:has(b:text-is('{name}')) button").first.click()
    order = page.locator(".visits b").all_text_contents()
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    other = again(open_page, page, "&visits=")
    assert other.locator(".visits b").all_text_contents() == order
    assert cards(other) == cards(page)
    assert other.locator(".verdict").inner_text() == page.locator(".verdict").inner_text()


def test_a_link_keeps_the_mistake_that_is_played(open_page: Any, opened: Any) -> None:
    page = opened()
    page.get_by_role("tab", name="Break it").click()
    page.get_by_role("button", name="= for +=").click()
    to_the_end(page)
    other = again(open_page, page, "&m=assigning-instead-of-adding&s=2")
    assert other.get_by_role("button", name="= for +=").get_attribute("aria-pressed") == "true"
    assert cards(other)["a"][1] == cards(page)["a"][1]
    assert cards(other)["a"][1].startswith("3")
    page.get_by_text("✓ Right").click()
    other = again(open_page, page, "&side=right")
    to_the_end(other)
    assert cards(other)["a"][1] == "6"


def test_a_link_keeps_opened_groups_and_the_camera(open_page: Any, opened: Any) -> None:
    page = opened(NEURON)
    closed = page.locator(".card").count()
    at_rest(page)
    page.get_by_role("button", name="Open n", exact=True).click()
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowLeft")
    page.wait_for_function("() => location.hash.includes('camera=')")
    other = again(open_page, page, "&open=")
    drawn(other)
    assert cards(other) == cards(page)
    assert other.locator(".card").count() == page.locator(".card").count() > closed
    matrix = "getComputedStyle(document.querySelector('.card')).transform"
    at_rest(page)
    at_rest(other)
    numbers = [
        [float(part) for part in each.evaluate(matrix).strip("matrix()").split(",")]
        for each in (page, other)
    ]
    assert numbers[1] == pytest.approx(numbers[0], abs=2)


def test_a_link_keeps_a_step_of_training_from_its_start(open_page: Any, opened: Any) -> None:
    page = opened("#e=(w*x-y)**2&v=w:2,x:3,y:5&p=w&t=train")
    step(page, 4)
    facts = page.locator(".facts").inner_text()
    page.wait_for_function("() => location.hash.endsWith('v=w:2,x:3,y:5&p=w&t=train&n=4')")
    other = open_page(page.evaluate("location.hash"))
    other.locator(".facts").wait_for()
    assert other.locator(".facts").inner_text() == facts
    step_back = other.get_by_role("button", name="Back", exact=True)
    for _ in range(4):
        step_back.click()
    assert other.get_by_label("Value of w").count() == 0
    assert other.locator(".facts dd").first.text_content() == "0"


def test_a_link_keeps_a_beat_of_the_sort(open_page: Any, opened: Any) -> None:
    page = opened("#e=b=a+1;c=a*3;d=b*c&v=a:2&t=code&w=sort&s=7")
    page.locator(".stack").wait_for()
    assert page.locator(".count").first.text_content() == "7 of 14"


def test_guesses_are_in_a_link_only_if_that_is_asked_for(open_page: Any, opened: Any) -> None:
    page = opened("#e=a*b&v=a:2,b:3&t=predict")
    page.get_by_label("grad of a").fill("3")
    enter(page.get_by_label("grad of b"), "7")
    step(page)
    settled(page, "&s=1")  # so the address has been written since
    assert "guesses" not in page.evaluate("location.hash")
    page.get_by_text("Take it with you").click()
    page.get_by_label("with my guesses").check()
    other = again(open_page, page, "&guesses=a:3,b:7")
    assert other.locator("#verdict-a").text_content() == "✓ right"
    assert other.locator("#verdict-b").text_content() == "✕ not 7"


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
