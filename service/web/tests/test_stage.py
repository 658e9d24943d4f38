"""The stage: no card covers what an arrow says, ticks' names keep apart, focus is seen."""

import json
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.reading import at_rest, chained, covered, step

EXAMPLES = json.loads((ROOT / "schemas" / "examples.json").read_text())["examples"]
PROGRAMS = {each["name"]: each["request"] for each in EXAMPLES} | {
    "differences": {"expression": "(a - b) / (c - 1)", "values": {"a": 2, "b": -3, "c": 10}},
    "long numbers": {"expression": "(a - b) * c - a / b", "values": {"a": 0.1, "b": -7, "c": 3}},
}

# Whether all lines are drawn before all labels, and so under them.
UNDER = """() => {
  const drawn = [...document.querySelectorAll(".line, .pill")];
  const isPill = drawn.map((each) => each.matches(".pill"));
  return isPill.includes(true) && isPill.lastIndexOf(false) < isPill.indexOf(true);
}"""


def take(page: Any, request: dict[str, Any], *, expanded: bool) -> None:
    values = ",".join(f"{name}:{value}" for name, value in request["values"].items())
    said = f"e={request['expression']}&v={values}" + ("&d=1" if expanded else "")
    page.evaluate("(said) => { location.hash = said; }", said)
    page.wait_for_function(
        "(text) => document.querySelector('#expression').value === text", arg=request["expression"]
    )
    page.locator("body").press("End")
    at_rest(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_what_an_arrow_says_is_under_no_card(open_page: Any, width: int) -> None:
    page = open_page(width=width)
    for request in PROGRAMS.values():
        for expanded in (False, True):
            take(page, request, expanded=expanded)
            assert page.locator(".edge .sum").count() > 0
            assert covered(page, ".edge .sum", ".card", 1.5) == [], request


def test_lines_go_under_what_other_arrows_say(open_page: Any) -> None:
    page = open_page()
    for request in PROGRAMS.values():
        take(page, request, expanded=False)
        assert page.evaluate(UNDER), request


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_names_of_ticks_keep_apart(open_page: Any, width: int) -> None:
    page = open_page(width=width)
    for request in PROGRAMS.values():
        take(page, request, expanded=False)
        rights_and_lefts = page.eval_on_selector_all(
            ".ticks span",
            "(all) => all.map((each) => each.getBoundingClientRect())"
            ".flatMap(({ left, right }) => [left, right])",
        )
        assert rights_and_lefts == sorted(rights_and_lefts), request
        assert rights_and_lefts, "where one is, at least, is named"


def test_an_arrow_that_is_read_is_marked_itself_and_not_by_a_box(open_page: Any) -> None:
    page = open_page()
    step(page, 2)
    arrow = page.get_by_role("button", name="1 × −1 = −1")
    pill = arrow.locator(".pill")
    before = pill.evaluate("(pill) => getComputedStyle(pill).stroke")
    line = arrow.locator(".hit")
    faint = line.evaluate("(line) => getComputedStyle(line).stroke")
    pill.click()
    assert arrow.evaluate("(arrow) => getComputedStyle(arrow).outlineStyle") == "none"
    assert line.evaluate("(line) => getComputedStyle(line).stroke") != faint
    assert pill.evaluate("(pill) => getComputedStyle(pill).stroke") != before


LAYOUTS = "performance.getEntriesByName('layout').length"


@pytest.mark.parametrize("inputs", [3, 9, 100])
def test_a_slider_lays_nothing_out_again(open_page: Any, inputs: int) -> None:
    """Neither where all is in sight, nor with a camera that follows, nor in a graph of dots."""
    page = open_page(chained(inputs))
    step(page, 2)
    at_rest(page)
    graph = page.locator(".picture")  # its name has the result
    before, told = page.evaluate(LAYOUTS), graph.get_attribute("aria-label")
    assert before > 0
    slider = page.get_by_role("slider", name="x0", exact=True)
    for _ in range(5):
        slider.press("ArrowLeft")
        at_rest(page)
    assert graph.get_attribute("aria-label") != told
    assert page.evaluate(LAYOUTS) == before
