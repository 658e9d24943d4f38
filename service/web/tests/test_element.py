"""`<gradient-sandbox>`, the element of the npm package, in a page of another site."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX, Browsers, served, watch
from service.web.tests.reading import step

ELEMENT = ROOT / "engine_ts" / "dist" / "element"
PAGE = """<!doctype html><title>A lesson</title>
<script type="module" src="dist/element/sandbox.js"></script>
<script>sent = []; addEventListener("change", ({ detail }) => sent.push(detail), true);</script>
<gradient-sandbox expression="max(a, b) * c" values="a:2, b:3,c:4" parameters="c">
</gradient-sandbox>
"""

pytestmark = pytest.mark.skipif(IS_FIREFOX, reason="its driver cannot click in a frame")


@pytest.fixture
def page(browsers: Browsers, one_file: Path, tmp_path: Path) -> Iterator[Any]:
    """Serve the page with the package's files; its console may have no error."""
    shutil.copytree(ELEMENT, tmp_path / "dist" / "element")
    text = json.dumps(one_file.read_text("utf-8"))
    (tmp_path / "dist" / "element" / "page.js").write_text(f"export default {text};")
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "favicon.ico").touch()
    context = browsers.context(viewport={"width": 1100, "height": 800})
    wrong: list[str] = []
    with served(tmp_path) as site:
        page = context.new_page()
        watch(page, wrong)
        page.goto(site)
        page.frame_locator("iframe").locator(".slot button").first.wait_for()
        yield page
        context.close()
    assert wrong == []


def test_it_shows_its_program_and_plays_it(page: Any) -> None:
    """The larger operand, b, makes the maximum 3; the product sends 4 to it, and 3 to c."""
    frame = page.frame_locator("iframe")
    assert frame.get_by_label("Expression").input_value() == "max(a,b) * c"
    assert frame.locator(".panel").count() == 1
    assert frame.locator(".bar, h1").count() == 0
    step(frame, 2)
    frame.locator(".sandbox[data-moving='']").wait_for()
    assert frame.locator(".sum").all_text_contents() == ["1 × 4 = 4", "1 × 3 = 3"]
    assert page.evaluate("sent.at(-1).parameters") == ["c"]


def test_it_follows_its_attributes_without_a_reload_and_reports_changes(
    page: Any,
) -> None:
    frame = page.frame_locator("iframe")
    frame.locator("body").evaluate("(body) => body.dataset.mark = 'the same'")
    entries = page.evaluate("history.length")
    change = "(name, text) => document.querySelector('gradient-sandbox').setAttribute(name, text)"
    page.evaluate(f"({change})('expression', 'a * b')")
    page.evaluate(f"({change})('values', 'a:5,b:7')")
    page.wait_for_function("() => sent.at(-1).result === 35")
    assert page.evaluate("sent.at(-1).gradients") == {"a": 7, "b": 5}
    frame.locator("#slider-a").fill("6")
    page.wait_for_function("() => sent.at(-1).result === 42")
    assert frame.locator("body").get_attribute("data-mark") == "the same"
    assert page.evaluate("history.length") == entries


def test_its_properties_are_its_attributes_and_its_event_leaves_a_shadow_tree(page: Any) -> None:
    """By hand: 5 * 7 is 35."""
    page.evaluate(
        """() => {
          heard = [];
          addEventListener("change", ({ detail }) => heard.push(detail)); // not while capturing
          const home = document.body.appendChild(document.createElement("div"));
          inner = document.createElement("gradient-sandbox");
          [inner.expression, inner.values] = ["a * b", "a:5,b:7"];
          home.attachShadow({ mode: "open" }).append(inner);
        }"""
    )
    page.wait_for_function("() => heard.some(({ result }) => result === 35)")
    assert page.evaluate("inner.getAttribute('values')") == "a:5,b:7"
    page.evaluate("inner.values = null")
    assert page.evaluate("[inner.values, inner.hasAttribute('values')]") == [None, False]


def test_it_steps_and_plays_by_its_methods(page: Any) -> None:
    """The backward pass of max(a, b) * c has four steps. Messages wait until the page listens."""
    page.evaluate(
        """() => {
          element = document.createElement("gradient-sandbox");
          [element.expression, element.values] = ["max(a, b) * c", "a:2,b:3,c:4"];
          document.querySelector("gradient-sandbox").replaceWith(element);
          element.step = 2;
        }"""
    )
    page.wait_for_function("() => element.step === 2")
    page.evaluate("element.play()")
    page.wait_for_function("() => element.step === 4")


def test_an_invalid_expression_is_reported_and_no_other_one_is_shown(page: Any) -> None:
    frame = page.frame_locator("iframe")
    for expression, error in (("2x^2", "not part of the language"), ("log(x)", "logarithm")):
        page.evaluate(
            """(expression) => {
              const wrong = document.createElement("gradient-sandbox");
              [wrong.expression, wrong.values] = [expression, "x:-1"];
              document.querySelector("gradient-sandbox").replaceWith(wrong);
            }""",
            expression,
        )
        page.wait_for_function(
            "(expression) => sent.at(-1).expression === expression", arg=expression
        )
        sent = page.evaluate("sent.at(-1)")
        assert error in sent["error"]
        assert (sent["result"], sent["gradients"]) == (None, {})
        frame.get_by_text(error).first.wait_for()
        frame.locator(".card").first.wait_for(state="hidden")
    frame.locator("#slider-x").wait_for()
    frame.get_by_label("Expression").fill("x * x")
    frame.locator(".card").first.wait_for()


@pytest.mark.parametrize("width", [1100, 700])
def test_its_height_fits_what_it_shows(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelector('gradient-sandbox').show = 'title,expression,panel,more'")
    inner = page.frame_locator("iframe").locator("html")
    inner.locator(".slot button").first.wait_for()
    page.wait_for_function(
        "() => document.querySelector('gradient-sandbox').clientHeight === sent.at(-1).height"
    )
    assert inner.evaluate("(html) => html.scrollHeight - innerHeight") == 0
    page.add_style_tag(content="gradient-sandbox { height: 30rem }")
    assert page.locator("gradient-sandbox").evaluate("({ clientHeight }) => clientHeight") == 480


def test_it_loads_the_page_at_its_src(page: Any, address: str) -> None:
    page.evaluate(
        """(src) => {
          const sandbox = document.createElement("gradient-sandbox");
          for (const [name, text] of [["src", src], ["show", ""], ["expression", "x * x"]])
            sandbox.setAttribute(name, text);
          document.body.prepend(sandbox);
        }""",
        address,
    )
    first = page.frame_locator("iframe").first
    first.locator(".card").first.wait_for()
    assert first.locator(".panel").count() == 0
    [found] = [frame.url for frame in page.frames if frame.url.startswith(address)]
    assert "&show=#e=x" in found


def test_it_reports_an_address_without_a_sandbox(page: Any) -> None:
    page.evaluate("document.querySelector('gradient-sandbox').setAttribute('src', 'index.html')")
    page.get_by_role("alert").filter(has_text="there is no sandbox at").wait_for()
    assert len(page.frames) == 1
