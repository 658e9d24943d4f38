"""The output of a notebook's cell, in a page without a server, as notebooks make it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_py import Value, notebook
from engine_py.request import GradientRequest
from service.web.tests.conftest import Browsers, watch
from service.web.tests.reading import look, step


@pytest.fixture
def cell(
    browsers: Browsers, one_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Open a page with the outputs of cells, and return their frames."""
    monkeypatch.setattr(notebook, "PAGES", (one_file,))
    context = browsers.context(viewport={"width": 960, "height": 900})
    wrong: list[str] = []

    def opened(*shown: notebook.Sandbox) -> list[Any]:
        file = tmp_path / "notebook.html"
        file.write_text("<!doctype html>" + "".join(each._repr_html_() for each in shown))
        page = context.new_page()
        watch(page, wrong)
        page.on("request", lambda asked: wrong.extend([asked.url] * (asked.url != file.as_uri())))
        page.goto(file.as_uri())
        frames: list[Any] = page.main_frame.child_frames
        for frame in frames:
            frame.wait_for_selector(".card")
        return frames

    yield opened
    context.close()
    assert wrong == []


def test_the_graph_of_a_value_is_played_and_moved(cell: Any) -> None:
    """By hand: in (a + b) * c at 2, -3 and 10 the product sends 10 to the sum and -1 to c."""
    a, b, c = (Value(data, label) for label, data in (("a", 2.0), ("b", -3.0), ("c", 10.0)))
    [frame] = cell(notebook.sandbox((a + b) * c))
    assert frame.get_by_label("Expression").input_value() == "(a + b) * c"
    step(frame, 2)
    look(frame, {".sum": ["1 × 10 = 10", "1 × −1 = −1"]})
    frame.locator("#slider-c").fill("4")
    look(frame, {"c": ("4", "−1")})
    view, panel = (frame.locator(part).bounding_box() for part in (".view", ".panel"))
    assert view["y"] + view["height"] < panel["y"], "the graph is above the sliders"
    assert view["height"] >= 300


def test_each_frame_has_its_own_program_and_shows_the_chosen_parts(cell: Any) -> None:
    twice = notebook.sandbox("a * a", {"a": 3}, show="")
    first, second = cell(twice, notebook.sandbox("2 * b", {"b": 1}))
    look(first, {"a": ("3", "--"), ".panel, .expression-bar, .skip": 0})
    look(second, {"b": ("1", "--"), ".panel": 1})


def test_a_cells_html_is_one_line_without_tabs_and_says_if_it_needs_trust(
    cell: Any, one_file: Path
) -> None:
    """Pandoc, and so Quarto, replaces tabs by spaces, which the script's hash does not allow."""
    html = notebook.sandbox("a * a", {"a": 3})._repr_html_()
    assert {"\t", "\n"} < set(one_file.read_text("utf-8"))
    assert not {"\t", "\n", "\r"} & set(html)
    assert html.count("<") == html.count(">") == 2
    assert re.sub("<[^>]*>", "", html) == "The sandbox is shown when this notebook is trusted."


class Scene(notebook.Sandbox):
    address = "?embed&show=#lesson=product"


def test_a_link_of_the_lesson_stays_in_the_frame(cell: Any) -> None:
    [frame] = cell(Scene(GradientRequest("a", {}, [], "folded"), notebook.read_page(), "", 420))
    frame.get_by_role("link", name="Skip").click()
    frame.get_by_role("heading", name="3 of 10").wait_for()
    assert frame.url == "about:srcdoc"


def test_the_graph_of_a_scene_is_in_sight_above_the_play_bar(cell: Any) -> None:
    [frame] = cell(Scene(GradientRequest("a", {}, [], "folded"), notebook.read_page(), "", 560))
    frame.locator(".scene").wait_for()
    frame.locator(".sandbox[data-moving='']").wait_for()
    top = frame.locator(".play").evaluate("(play) => play.getBoundingClientRect().top")
    ends = "(cards) => cards.map((card) => card.getBoundingClientRect().bottom)"
    assert max(frame.locator(".card").evaluate_all(ends)) <= top + 8
