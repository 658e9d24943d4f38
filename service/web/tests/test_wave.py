"""The backward and the forward pulse, with the lessons' numbers."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import Browsers
from service.web.tests.reading import PROGRAMS, SUM, chained, do, step

WEB = ROOT / "service" / "web"


@pytest.fixture(scope="module")
def blank(browsers: Browsers) -> Iterator[Any]:
    """Open a page with nothing but the state: without a stage no frame is drawn."""
    argv: list[str | Path] = [WEB / "node_modules" / ".bin" / "esbuild", "--bundle"]
    argv += ["--global-name=state", "--define:SINGLE_FILE=false"]
    entry = 'export * from "./state/play.ts"; export * from "./state/program.ts";'
    made = subprocess.run(argv, cwd=WEB, input=entry, text=True, check=True, capture_output=True)
    context = browsers.context()
    page = context.new_page()
    page.add_script_tag(content=made.stdout)
    yield page
    context.close()


SCHEDULE = """([address, way]) => {
  const [expression, pairs] = address.match(/^#e=(.*)&v=(.*)$/).slice(1).map(decodeURIComponent);
  const values = pairs.split(",").map((pair) => pair.split(":"));
  state.expression.value = expression;
  state.values.value = Object.fromEntries(values.map(([name, value]) => [name, Number(value)]));
  state.selectPass(way);
  state.readingTime.value = 4_000;
  return [state.ticks.value.length, state.beats.value];
}"""


@pytest.mark.parametrize("way", ["backward", "forward"])
@pytest.mark.parametrize("program", ["XOR", "299 nodes", "a chain of 60"])
def test_a_pass_over_a_large_graph_takes_at_most_12_seconds(
    blank: Any, program: str, way: str
) -> None:
    ticks, beats = blank.evaluate(SCHEDULE, [PROGRAMS[program], way])
    assert sum(beat["duration"] for beat in beats) <= 12_000 + 1e-6
    assert beats[-1]["end"] == ticks


def test_a_wave_front_of_a_chain_of_sums_is_a_column(blank: Any) -> None:
    """Each of 33 sums sends after the next one has sent, together with the product next to it."""
    ticks, beats = blank.evaluate(SCHEDULE, [chained(34), "backward"])
    ends = [beat["end"] for beat in beats]
    assert ticks == 2 * 33 + 2 * 34
    assert [end - start for start, end in zip([0, *ends], ends, strict=False)] == [2, *[4] * 32, 4]


def test_the_first_arrow_takes_longer_than_the_others(blank: Any) -> None:
    _, beats = blank.evaluate(SCHEDULE, [SUM, "backward"])
    assert [beat["end"] for beat in beats] == [1, 2, 3, 4]
    assert beats[0]["duration"] == 4_000
    assert all(1_200 <= beat["duration"] <= 1_500 for beat in beats[1:])


def test_a_step_and_the_pointer_underline_their_text(open_page: Any) -> None:
    """`a + b` sends the third contribution."""
    page = open_page()
    marked, lit = page.locator(".entry mark"), page.locator(".card[data-pointed] .name")
    assert marked.count() == 0
    step(page, 3)
    assert marked.text_content() == "a + b"
    page.locator(".card.root").hover()
    page.locator(".entry mark", has_text="(a + b) * c").wait_for()
    field = page.get_by_label("Expression").bounding_box()
    text = page.locator(".entry mark").bounding_box()
    for place, name in ((1.5, "a"), (3.3, "+"), (10.5, "c")):
        page.mouse.move(text["x"] + place * text["width"] / 11, field["y"] + field["height"] / 2)
        page.locator(f".card[data-pointed] .name:text-is('{name}')").wait_for()
    page.mouse.move(0, 0)
    lit.wait_for(state="detached")
    assert marked.text_content() == "a + b"


def test_an_expression_has_as_many_lines_as_it_needs(open_page: Any) -> None:
    usual = open_page().get_by_label("Expression").bounding_box()
    page = open_page(PROGRAMS["XOR"])
    box = page.get_by_label("Expression").bounding_box()
    assert box["height"] > 1.5 * usual["height"]
    bar = page.locator(".play").bounding_box()
    assert bar["y"] + bar["height"] < 800, "the play bar is not pushed out of the window"


def test_a_gradient_that_is_not_finite_flows_nowhere(open_page: Any) -> None:
    """R5: the slope of x / c by c is -1e320, so c has no gradient, not even the 1 of x * c."""
    page = open_page("#e=c=1e-100*1e-60;x/c%2Bx*c&v=x:1")
    numbers = {"c": ("1e−160", "--"), "x": ("1", "1e160")}
    do(page, "see .parity[data-state=agree]", "End", {".count": "4 of 4"}, numbers)
    do(page, "Every number, as a table", "Final gradients", numbers)
    do(page, "Local derivatives", "Forward: data")
    page.get_by_role("button", name="1 × -- = --, from c ** −1, to c").press("Enter")
    do(page, {".sentence": "too large, and no variable is below it"})
    for word in ("null", "NaN", "Infinity", "undefined"):
        assert word not in page.locator("main").text_content()
