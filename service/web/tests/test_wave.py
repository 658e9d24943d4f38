"""The backward and the forward pulse, with the lessons' numbers."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import Browsers
from service.web.tests.reading import (
    PROGRAMS,
    SUM,
    arrows,
    cards,
    chained,
    sentence,
    step,
    to_the_end,
)

WEB = ROOT / "service" / "web"


def test_each_step_brings_one_contribution(open_page: Any) -> None:
    """L: `1 x c = 10` toward (a+b), `1 x (a+b) = -1` toward c, then 10 to each of a and b."""
    page = open_page()
    step(page)
    assert cards(page)["+ a + b"] == ("−1", "10")
    assert arrows(page) == ["1 × 10 = 10"]
    step(page)
    assert cards(page)["c"] == ("10", "−1")
    assert cards(page)["a"] == ("2", "--")
    step(page)
    assert cards(page)["a"] == ("2", "10")
    assert sentence(page) == "+ sends 10 × 1 = 10 to a. A sum passes its gradient on unchanged."
    step(page)
    assert cards(page)["b"] == ("−3", "10")
    assert arrows(page) == ["1 × 10 = 10", "1 × −1 = −1", "10 × 1 = 10", "10 × 1 = 10"]
    assert page.locator(".count").text_content() == "4 of 4"
    page.get_by_role("button", name="Back", exact=True).click()
    assert cards(page)["b"] == ("−3", "--")


def test_one_variable_twice_is_two_arrows_and_a_sum(open_page: Any) -> None:
    """L: a * a at 3 is 9, and both contributions of 3 add up to 6."""
    page = open_page()
    page.get_by_role("button", name="One variable, two edges").click()
    assert page.locator(".edge").count() == 2
    step(page)
    assert cards(page)["a"] == ("3", "3")
    assert page.locator(".partial").text_content() == "1 of 2"
    assert "contribution 1 of 2 to a" in sentence(page)
    step(page)
    assert cards(page)["a"] == ("3", "6")
    assert page.locator(".partial").count() == 0
    assert "contributions add up" in sentence(page)


@pytest.fixture(scope="module")
def blank(browsers: Browsers) -> Iterator[Any]:
    """A page that is nothing but the state: without its stage, no frame is drawn."""
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
    """The k-th of 33 sums sends when the one after it has, as does the product beside it."""
    ticks, beats = blank.evaluate(SCHEDULE, [chained(34), "backward"])
    ends = [beat["end"] for beat in beats]
    assert ticks == 2 * 33 + 2 * 34
    assert [end - start for start, end in zip([0, *ends], ends, strict=False)] == [2, *[4] * 32, 4]


def test_the_first_arrow_is_read_and_the_others_take_less(blank: Any) -> None:
    _, beats = blank.evaluate(SCHEDULE, [SUM, "backward"])
    assert [beat["end"] for beat in beats] == [1, 2, 3, 4]
    assert beats[0]["duration"] == 4_000
    assert all(1_200 <= beat["duration"] <= 1_500 for beat in beats[1:])


def test_a_step_and_what_is_pointed_at_underline_their_text(open_page: Any) -> None:
    """The third arrow is sent by `a + b`."""
    page = open_page()
    marked, lit = page.locator(".entry mark"), page.locator(".card[data-pointed] .name")
    assert marked.count() == 0
    step(page, 3)
    assert marked.text_content() == "a + b"
    page.locator(".card", has_text="result").hover()
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


def test_forward_reveals_data_and_switching_begins_anew(open_page: Any) -> None:
    page = open_page()
    step(page, 2)
    page.get_by_text("Forward: data").click()
    assert page.locator(".count").text_content() == "0 of 2"
    assert cards(page)["+ a + b"] == ("--", "--")
    step(page)
    assert cards(page)["+ a + b"] == ("−1", "--")
    assert cards(page)["* result"] == ("--", "--")
    step(page)
    assert cards(page)["* result"] == ("−10", "--")


def test_a_finished_pass_tells_what_it_found_and_computes_it_again(open_page: Any) -> None:
    """(a + b) * c: a and b have 10, which is most; c has -1. (2.1 - 3) * 10 is -9."""
    page = open_page()
    to_the_end(page)
    page.get_by_role("button", name="Step", exact=True).click()
    assert sentence(page) == (
        "a matters most: raise it by 0.1, and the result goes from −10 to −9, which is +1; "
        "its gradient 10 says the same. Only c pulls the result down."
    )
    page.evaluate("location.hash = 'e=a*a%2Brelu(b)&v=a:3,b:-1'")
    page.get_by_role("button", name="Play backward").click()
    page.get_by_role("button", name="Play again").wait_for()
    # 3.1 ** 2 - 9 is 0.61, the gradient 6 foretells 0.6.
    assert (
        "its gradient 6 says +0.6, the rest is curvature. Nothing arrives at b: relu"
        in sentence(page)
    )


def test_the_table_is_in_step(open_page: Any) -> None:
    page = open_page()
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    step(page, 3)
    now = page.locator("tr[aria-current=step]")
    assert now.locator("th").text_content() == "a + b → a"
    assert now.locator("td").all_text_contents() == ["10", "1", "10", "arrived"]
    last = page.locator("#table table").first.locator("tbody tr").last
    assert last.locator("td").all_text_contents() == ["--", "--", "--", "not reached"]


def test_a_gradient_that_is_no_double_flows_nowhere(open_page: Any) -> None:
    """R5: the slope of x / c over c is -1e320, so c has no gradient, also not the 1 of x * c."""
    page = open_page("#e=c=1e-100*1e-60;x/c%2Bx*c&v=x:1")
    page.locator(".parity[data-state=agree]").wait_for()
    page.keyboard.press("End")
    assert page.locator(".count").text_content() == "4 of 4"
    assert cards(page)["c"] == ("1e−160", "--")
    assert cards(page)["x"] == ("1", "1e160")
    page.get_by_text("Every number, as a table").click()
    page.get_by_label("Final gradients").check()
    assert cards(page)["c"] == ("1e−160", "--")
    page.get_by_label("Local derivatives").check()
    page.get_by_text("Forward: data").click()
    page.get_by_role("button", name="1 × -- = --, from c ** −1 to c").press("Enter")
    assert "too large, and no variable is below it" in sentence(page)
    for word in ("null", "NaN", "Infinity", "undefined"):
        assert word not in page.locator("main").text_content()
