"""The page as a whole: as one file, its speed, its links, and what it loads in all."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.reading import arrows, cards, step

WEB = ROOT / "service" / "web"
NODE = Path(sys.executable).parent / "node"

# Frames of an orbit, each with a new angle, and what the page itself needs for one.
ORBIT = """async (frames) => {
  const view = document.querySelector(".view");
  const { left, top } = view.getBoundingClientRect();
  const send = (type, x) => view.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerType: "mouse", button: 0, clientX: left + x, clientY: top + 200,
  }));
  view.setPointerCapture = () => undefined;
  send("pointerdown", 300);
  const gaps = [];
  let before = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    send("pointermove", 300 + 60 * Math.sin(frame / 9));
    gaps.push(await new Promise((next) => requestAnimationFrame(next)) - before);
    before = performance.now();
  }
  send("pointerup", 300);
  return gaps.sort((one, other) => one - other)[Math.floor(frames / 2)];
}"""

# From the event of a slider to the picture that shows it, laid out.
SLIDE = """async (times) => {
  const slider = document.querySelector("#slider-x0");
  const took = [];
  for (let time = 0; time < times; time++) {
    await new Promise((next) => requestAnimationFrame(next));
    const start = performance.now();
    slider.value = String(-5 + time / 5);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => { const { port1, port2 } = new MessageChannel();
      port1.onmessage = next; port2.postMessage(0); });
    document.querySelector(".picture").getBoundingClientRect();
    took.push(performance.now() - start);
  }
  return took.sort((one, other) => one - other)[Math.floor(times / 2)];
}"""


def chained(inputs: int) -> str:
    """The address of a graph with three nodes for each input."""
    terms = "+".join(f"x{place}*x{(place + 1) % inputs}" for place in range(inputs))
    values = ",".join(f"x{place}:{1 + place / 8}" for place in range(inputs))
    return f"#e={terms}&v={values}"


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "sandbox.html"
    argv: list[str | Path] = [NODE, "build.ts", "--single", file]
    subprocess.run(argv, cwd=WEB, check=True, capture_output=True)
    return file


def test_one_file_is_the_whole_page(open_page: Any, one_file: Path) -> None:
    page = open_page(base=one_file.as_uri())
    assert page.locator(".parity .long").text_content() == "○ Computed here, without a service"
    step(page, 2)
    assert arrows(page) == ["1 × 10 = 10", "1 × −1 = −1"]
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    assert page.locator("table").count() == 2
    assert page.locator("nav").count() == 0
    page.get_by_role("tab", name="Predict").click()
    page.get_by_label("grad of a").wait_for()
    page.get_by_role("button", name="Русский").click()
    page.locator("html[lang=ru]").wait_for()
    assert page.locator(".parity .long").text_content() == "○ Посчитано здесь, без сервиса"
    asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert asked == []
    text = one_file.read_text()
    assert "unsafe" not in text.partition("<style>")[0]


def test_it_is_built_the_same_in_another_folder(one_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    subprocess.run([NODE, "build.ts", "--single", again], cwd=WEB, check=True, capture_output=True)
    assert again.read_bytes() == one_file.read_bytes()


def test_every_link_of_the_page_leads_somewhere(open_page: Any) -> None:
    page = open_page()
    links = page.eval_on_selector_all("a[href]", "(links) => links.map(({ href }) => href)")
    assert len(links) >= 5
    for link in links:
        assert page.request.get(link).status == 200, link


def test_a_large_graph_can_be_come_near(open_page: Any) -> None:
    page = open_page(chained(25))
    assert page.locator(".card").count() == 74
    before = page.locator(".card").first.bounding_box()["width"]
    page.get_by_role("button", name="Come nearer").click()
    page.get_by_role("button", name="Come nearer").click()
    assert page.locator(".card").first.bounding_box()["width"] > 2 * before
    page.get_by_role("button", name="Reset view").click()
    assert page.locator(".card").first.bounding_box()["width"] == pytest.approx(before)


def test_a_graph_that_is_too_large_is_told_and_not_drawn(open_page: Any) -> None:
    page = open_page(chained(150))
    assert "449 nodes" in page.locator(".too-large").text_content()
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    assert page.locator("table").last.locator("tbody tr").count() == 449


@pytest.mark.parametrize(("inputs", "most"), [(9, 34), (34, 67)])
def test_turning_is_smooth(open_page: Any, inputs: int, most: float) -> None:
    """26 and 101 nodes. Twice a frame is allowed for, because CI shares its processors."""
    page = open_page(chained(inputs))
    page.keyboard.press("End")
    middle = min(page.evaluate(ORBIT, 40) for _ in range(3))
    assert middle <= most


def test_a_slider_is_followed_within_a_frame(open_page: Any) -> None:
    page = open_page(chained(9))
    middle = min(page.evaluate(SLIDE, 20) for _ in range(3))
    assert cards(page)["x0"][0] == "−1.2"
    assert middle <= 33
