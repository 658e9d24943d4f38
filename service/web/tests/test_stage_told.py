"""What is told of a graph: each tick once and as long as it is read, and long names as a whole."""

from itertools import pairwise
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX, PATIENCE
from service.web.tests.reading import at_rest

HEARD = """() => {
  const said = document.querySelector(".say");
  const heard = [[said.textContent, 0]];
  const hear = () => {
    const time = document.timeline.currentTime;
    if (heard.at(-1)[0] !== said.textContent) heard.push([said.textContent, time]);
  };
  new MutationObserver(hear).observe(said, {childList: true, characterData: true, subtree: true});
  window.heard = heard;
}"""
"""Keeps what a screen reader would say, with the time of its frame, however late that is."""

WORD, LEAST, LATE = 260, 1_400, 50
"""Milliseconds of a word, of a sentence at least, and of three frames."""


def test_each_tick_is_said_once_and_as_long_as_it_is_read(open_page: Any) -> None:
    """(a + b) * c has four ticks; then the ending is told."""
    page = open_page("#e=(a%2Bb)*c&v=a:2,b:-3,c:10")
    at_rest(page)
    page.evaluate(HEARD)
    page.get_by_role("button", name="Play backward").click()
    page.get_by_role("button", name="Play again").wait_for(timeout=2 * PATIENCE)
    _, *heard = page.evaluate("window.heard")
    told = [text for text, _ in heard]
    assert len(told) == len(set(told)) == 5
    assert told[-1].startswith("a matters most")
    for (text, start), (_, end) in pairwise(heard):
        assert end - start > max(LEAST, WORD * len(text.split())) - LATE, text


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no full screen")
def test_the_stage_fills_the_screen_and_comes_back(open_page: Any) -> None:
    page = open_page()
    page.locator(".full").click()
    page.wait_for_function("document.fullscreenElement?.matches('.stage')")
    page.locator(".full").click()
    page.wait_for_function("document.fullscreenElement === null")


def test_a_long_name_is_cut_and_whole_where_it_is_pointed_at(open_page: Any) -> None:
    name = "the_number_of_words_that_were_read_before_noon"
    page = open_page(f"#e={name}*b&v={name}:2,b:3")
    [cut] = [each for each in page.locator(".card .name").all() if "…" in each.text_content()]
    assert name.startswith(cut.text_content().partition("…")[0])
    assert cut.get_attribute("title") == name
    card = page.locator(".card", has=page.locator(".name", has_text="…"))
    assert name in card.get_attribute("aria-label")
