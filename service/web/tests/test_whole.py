"""The page as a whole: as one file, its speed, its links, and what it loads in all."""

from pathlib import Path
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX, build_one_file
from service.web.tests.reading import arrows, at_rest, drawn, step

# Frames of an orbit, each with a new angle.
ORBIT = """async (frames) => {
  const view = document.querySelector(".view");
  const { left, top } = view.getBoundingClientRect();
  const send = (type, x) => view.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerType: "mouse", button: 0, clientX: left + x, clientY: top + 200,
  }));
  [view.setPointerCapture, view.hasPointerCapture] = [() => undefined, () => true];
  send("pointerdown", 300);
  for (let frame = 0; frame < frames; frame++) {
    send("pointermove", 300 + 60 * Math.sin(frame / 9));
    await new Promise((next) => requestAnimationFrame(next));
  }
  send("pointerup", 300);
}"""

# A slider that moves at each frame.
SLIDE = """async (times) => {
  const slider = document.querySelector("#slider-x0");
  for (let time = 0; time < times; time++) {
    slider.value = String(-5 + time / 5);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => requestAnimationFrame(next));
  }
}"""
FRAMES = 20


def work(page: Any, script: str) -> float:
    """Milliseconds of the processor for a frame, all that the page's thread does: the best of 3.

    Not the time that passes, which on a busy machine says more about what else runs.
    """
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        [seconds] = [each["value"] for each in metrics if each["name"] == "TaskDuration"]
        return float(seconds) * 1_000

    page.evaluate(script, FRAMES)
    found = []
    for _ in range(3):
        before = spent()
        page.evaluate(script, FRAMES)
        found.append((spent() - before) / FRAMES)
    return min(found)


def chained(inputs: int) -> str:
    """The address of a graph with three nodes for each input."""
    terms = "+".join(f"x{place}*x{(place + 1) % inputs}" for place in range(inputs))
    values = ",".join(f"x{place}:{1 + place / 8}" for place in range(inputs))
    return f"#e={terms}&v={values}"


def products(terms: int) -> str:
    """The address of a sum of so many products of neighbours in the alphabet."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = (letters[place % 26] + "*" + letters[(place + 1) % 26] for place in range(terms))
    return f"#e={'+'.join(pairs)}&v={','.join(f'{letter}:1.5' for letter in letters)}"


def test_one_file_is_the_whole_page(open_page: Any, one_file: Path) -> None:
    page = open_page(base=one_file.as_uri())
    alone = "○ Computed in the browser, without the service"
    assert page.locator(".parity .long").text_content() == alone
    step(page, 2)
    assert arrows(page) == ["1 × 10 = 10", "1 × −1 = −1"]
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    assert page.locator("table").count() == 2
    assert page.locator("nav a").all_text_contents() == ["Lesson"], "there are no other pages"
    page.get_by_role("tab", name="Predict").click()
    page.get_by_label("grad of a").wait_for()
    page.get_by_label("Language").select_option("ru")
    page.locator("html[lang=ru]").wait_for()
    assert page.locator(".parity .long").text_content() == "○ Посчитано здесь, без сервиса"
    asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert asked == []
    text = one_file.read_text()
    assert "unsafe" not in text.partition("<style>")[0]


def test_it_is_built_the_same_in_another_folder(one_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    build_one_file(again)
    assert again.read_bytes() == one_file.read_bytes()


def test_what_comes_later_is_not_seen_before_its_style(open_page: Any, browsers: Any) -> None:
    address = open_page().url.partition("#")[0]
    page = browsers.context().new_page()
    held: list[Any] = []
    page.route("**/more-*.css", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".play")
    asked = "performance.getEntriesByType('resource').map(({ name }) => name)"
    page.wait_for_function(f"{asked}.some((name) => name.includes('later-'))")
    page.evaluate(f"import({asked}.find((name) => name.includes('later-')))")  # it has come
    drawn(page)
    assert page.locator(".slot button").count() == 0
    held[0].continue_()
    page.wait_for_selector(".slot button")
    page.context.close()


def test_every_link_of_the_page_leads_somewhere(open_page: Any) -> None:
    page = open_page()
    links = page.eval_on_selector_all("a[href]", "(links) => links.map(({ href }) => href)")
    assert len(links) >= 5
    for link in links:
        assert page.request.get(link).status == 200, link


def test_a_large_graph_can_be_come_near(open_page: Any) -> None:
    page = open_page(chained(9))
    page.keyboard.press("r")
    at_rest(page)
    before = page.locator(".card.root").bounding_box()["width"]
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Zoom in").click()
    at_rest(page)
    assert page.locator(".card.root").bounding_box()["width"] > 2 * before
    page.get_by_role("button", name="Overview").click()
    at_rest(page)
    assert page.locator(".card.root").bounding_box()["width"] == pytest.approx(before)


def test_a_graph_of_many_nodes_has_dots_and_a_table_in_pages(open_page: Any) -> None:
    page = open_page(chained(150))
    assert page.locator(".overview label").text_content().startswith("449 values, one dot each")
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    assert "Rows 1 to 100 of 449" in page.locator("table").last.inner_text()


@pytest.mark.skipif(IS_FIREFOX, reason="only Chromium tells what a thread has done")
@pytest.mark.parametrize("program", [chained(9), chained(34), chained(100), products(987)])
def test_turning_is_smooth(open_page: Any, program: str) -> None:
    """60 frames a second of 26, 101, 299 and 1,999 nodes, in software rendering."""
    page = open_page(program)
    assert f"#e={page.get_by_label('Expression').input_value()}&" in program, "it is shown"
    page.keyboard.press("End")
    assert work(page, ORBIT) <= 1_000 / 60


@pytest.mark.skipif(IS_FIREFOX, reason="only Chromium tells what a thread has done")
def test_a_slider_is_followed_within_a_frame(open_page: Any) -> None:
    """From the event to the picture of 26 nodes with nine curves: style, layout and paint, too."""
    page = open_page(chained(9))
    page.keyboard.press("r")  # the first key ends the idle turn
    assert work(page, SLIDE) <= 16
    assert "data −1.2;" in page.locator(".card[aria-label^='x0:']").get_attribute("aria-label")
