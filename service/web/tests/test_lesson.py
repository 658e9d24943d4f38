"""The page's own lesson: each scene's answer, derived by hand, and the way through the scenes."""

import re
from typing import Any

import pytest

from service.web.tests.reading import Seen, at_rest, cards, do

# By hand: (2 - 3) * 10; 1 * (2 - 3); 10 * 1; 3 + 3; if b is visited before d, it sends 0, c 3 * 3;
# visited once; 1 * 0, because 1 * 2 - 10 < 0; (1 - 0.7071 ** 2) * 2;
# 2 - 0.01 * 2 * (2 * 3 + 1 - 5) * 3; x1, x2, w1, w2 and b.
ANSWERS = {
    "graph": "-10",
    "product": "-1",
    "sum": "10",
    "twice": "6",
    "order": "9",
    "sort": "1",
    "dead": "0",
    "neuron": "1",
    "training": "1.88",
    "modes": "5",
}


def told(page: Any) -> str:
    text: str = page.locator("#reply-feedback").text_content()
    return text


def answer(page: Any, number: str) -> str:
    do(page, f"#reply := {number}", "see #reply-feedback > b")
    return told(page)


def scene(page: Any, place: int) -> None:
    page.locator(".scene h2", has_text=re.compile(f"^{place} of 10 · ")).wait_for()


def test_the_lesson_goes_from_the_first_scene_to_the_summary(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("link", name="Lesson").click()
    for place, (name, right) in enumerate(ANSWERS.items(), 1):
        scene(page, place)
        page.wait_for_function(f"() => location.hash.endsWith('lesson={name}')")
        assert answer(page, "7").startswith("✕ Not quite. ")
        assert answer(page, right).startswith("✓ Right. ")
        page.locator("#reply-feedback a").press("Enter")
    page.get_by_role("heading", name="What you have learned").wait_for()
    assert page.get_by_text("10 of 10 scenes done:").is_visible()
    do(page, {".learned a": 0}, "Close", {".scene": 0})
    page.wait_for_function("() => !location.hash.includes('lesson')")


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("graph", ["End", {"× result": ("−10", "--")}]),
        ("product", ["ArrowRight", "ArrowRight", {"c": ("10", "−1")}]),
        ("sum", [{"+ a + b": ("−1", "10")}, "ArrowRight", {"a": ("2", "10")}]),
        ("twice", ["End", {"a": ("3", "6")}]),
        ("order", ["Run my order", "at the end", {".verdict": "a ends with 9, not 15"}]),
        ("sort", ["at the end", {"ol.topo li:text-is('a')": 1}]),
        ("dead", ["End", {"w": ("1", "0")}]),
        ("neuron", ["End", {"w1": ("−3", "1")}]),
        ("training", ["Step", {".weights p >> nth=0": "w = 2 − 0.01 × 12 = 1.88"}]),
    ],
)
def test_a_scene_shows_what_its_answer_predicts(
    open_page: Any, name: str, parts: list[str | Seen]
) -> None:
    page = open_page(f"#lesson={name}&lang=en")
    do(page, *parts)


def test_nothing_of_a_scene_is_given_away_before_it_is_played(open_page: Any) -> None:
    for name in ("product", "twice", "order", "dead", "neuron"):
        page = open_page(f"#lesson={name}&lang=en")
        inputs = [grad for label, (_, grad) in cards(page).items() if label.isidentifier()]
        assert {grad for grad in inputs if grad != "1"} == {"--"}, name
        at_rest(page)
        do(page, {".sum": 0})
        page.context.close()


def test_a_lesson_is_resumed_after_a_reload(open_page: Any) -> None:
    page = open_page("#lesson=graph&lang=en")
    answer(page, "-10")
    page.locator("#reply-feedback a").press("Enter")
    scene(page, 2)
    page.wait_for_function("() => location.hash.includes('lesson=product')")
    page.reload()
    scene(page, 2)
    page.locator(".brand").click()
    page.locator(".scene").wait_for(state="detached")
    page.get_by_role("link", name="Lesson").click()
    scene(page, 2)
    assert page.locator(".scene-links .done").count() == 1


@pytest.mark.parametrize("named", ["nothing", "__proto__", "", "1"])
def test_an_unknown_scene_opens_the_first(open_page: Any, named: str) -> None:
    page = open_page(f"#lesson={named}&lang=en")
    scene(page, 1)
