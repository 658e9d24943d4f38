"""What a cell of a notebook shows, in a page as notebooks make it: without a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_py import Value, notebook
from service.web.tests.conftest import PATIENCE, Browsers
from service.web.tests.reading import cards, step


@pytest.fixture
def cell(
    browsers: Browsers, one_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """Opens a page in which the outputs of cells stand; gives the frames."""
    monkeypatch.setattr(notebook, "PAGES", (one_file,))
    context = browsers.context(viewport={"width": 960, "height": 900})
    wrong: list[str] = []

    def opened(*shown: notebook.Sandbox) -> list[Any]:
        file = tmp_path / "notebook.html"
        file.write_text("<!doctype html>" + "".join(each._repr_html_() for each in shown))
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
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
    """By hand: of (a + b) * c at 2, -3 and 10 the product sends 10 to the sum and -1 to c."""
    a, b, c = (Value(data, label) for label, data in (("a", 2.0), ("b", -3.0), ("c", 10.0)))
    [frame] = cell(notebook.sandbox((a + b) * c))
    assert frame.get_by_label("Expression").input_value() == "(a + b) * c"
    step(frame, 2)
    frame.wait_for_selector(".picture:not(.moves)")
    sums = frame.locator(".edge .sum").all_text_contents()
    assert sums == ["1 × 10 = 10", "1 × −1 = −1"]
    frame.locator("#slider-c").fill("4")
    assert cards(frame)["c"][0] == "4"


def test_each_frame_has_its_own_program_and_shows_what_was_asked(cell: Any) -> None:
    twice = notebook.sandbox("a * a", {"a": 3}, show="")
    first, second = cell(twice, notebook.sandbox("2 * b", {"b": 1}))
    assert cards(first)["a"][0] == "3"
    assert cards(second)["b"][0] == "1"
    assert first.locator(".panel, .ask, .skip").count() == 0
    assert second.locator(".panel").count() == 1


def test_the_graph_is_high_enough_above_the_sliders(cell: Any) -> None:
    [frame] = cell(notebook.sandbox("a * a", {"a": 3}))
    view, panel = (frame.locator(part).bounding_box() for part in (".view", ".panel"))
    assert view["y"] + view["height"] < panel["y"]
    assert view["height"] >= 300
