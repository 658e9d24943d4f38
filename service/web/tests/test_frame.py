"""The page in a frame: of another site, with messages; of a notebook's cell, without a server."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine_py import Value, notebook
from engine_py.request import GradientRequest
from service.web.tests.conftest import IS_FIREFOX, Browsers, served, watch
from service.web.tests.reading import drawn, look, step, write

PRODUCT = "#e=a*b&v=a:2,b:3"


@pytest.fixture
def teacher(address: str, tmp_path: Path, browsers: Any) -> Iterator[Callable[..., Any]]:
    """Serve another site, whose page has the sandbox in a frame and keeps its messages."""

    context = browsers.context()
    with served(tmp_path) as site:

        def opened(after: str, *, show: str = "", origin: str = site) -> Any:
            source = f"{address}?embed&amp;show={show}&amp;from=https://a.example,{origin}{after}"
            (tmp_path / "index.html").write_text(
                "<!doctype html><title>A lesson</title><script>sent = [];"
                "addEventListener('message', ({data}) => sent.push(data));"
                "send = (said) => frames[0].postMessage({type: 'gradient-sandbox', ...said}, '*')"
                f'</script><iframe src="{source}" width="900" height="600"></iframe>'
            )
            page = context.new_page()
            page.goto(f"{site}/index.html")
            page.frame_locator("iframe").locator(".picture").wait_for()
            page.wait_for_function("() => sent.length > 0")
            return page

        yield opened
        context.close()


def last(page: Any, holds: str) -> dict[str, Any]:
    """Wait until `holds` is true for the last message, and return it."""
    page.wait_for_function(f"() => {{ const now = sent.at(-1); return {holds}; }}")
    sent: dict[str, Any] = page.evaluate("sent.at(-1)")
    return sent


def press(frame: Any, name: str) -> None:
    button = frame.get_by_role("button", name=name, exact=True)
    if IS_FIREFOX:  # its driver's mouse does not reach into a frame of another site
        button.dispatch_event("click")
    else:
        button.click()


def test_a_frame_shows_the_parts_it_names_and_reports_changes(teacher: Any) -> None:
    page = teacher(PRODUCT, show="expression")
    frame = page.frame_locator("iframe")
    assert frame.locator(".bar, .panel, .below, h1").count() == 0
    assert frame.get_by_label("Expression").input_value() == "a*b"
    press(frame, "Step")
    frame.locator(".card .val.grad", has_text="3").wait_for()
    assert last(page, "now.step === 1")["steps"] == 2
    write(frame, "a*b*b")
    sent = last(page, "now.expression === 'a*b*b'")
    assert sent.pop("height") > 0
    assert sent == {
        "type": "gradient-sandbox",
        "address": "#e=a*b*b&v=a:2,b:3",
        "expression": "a*b*b",
        "values": {"a": 2, "b": 3},
        "parameters": [],
        "result": 18,
        "gradients": {"a": 9, "b": 12},
        "error": None,
        "way": "backward",
        "step": 0,
        "steps": 4,
        "task": None,
        "tasks": [],
        "guesses": {"a": "open", "b": "open"},
    }


def test_slides_opened_as_a_file_can_frame_it(address: str, browsers: Any, tmp_path: Path) -> None:
    (tmp_path / "slides.html").write_text(f'<iframe src="{address}?embed{PRODUCT}"></iframe>')
    page = browsers.context().new_page()
    page.goto((tmp_path / "slides.html").as_uri())
    page.frame_locator("iframe").locator(".picture").wait_for()
    page.context.close()


def test_a_frame_reports_a_task_and_guesses(teacher: Any) -> None:
    page = teacher(PRODUCT + "&t=predict&task=Slope%20of%20b?&answer=b", show="panel")
    frame = page.frame_locator("iframe")
    task = {"lesson": "", "task": "Slope of b?", "reply": "", "isRight": None}
    assert last(page, "now.task !== null")["task"] == task
    frame.locator("#reply").fill("3")
    press(frame.locator(".scene"), "Check")
    assert last(page, "now.task.isRight === false")["task"]["reply"] == "3"
    frame.locator("#reply").fill("2")
    press(frame.locator(".scene"), "Check")
    assert last(page, "now.task.isRight === true")["task"]["reply"] == "2"
    frame.get_by_label("grad of a").fill("3")
    frame.get_by_label("grad of b").fill("3")
    press(frame, "Check my answers")
    sent = last(page, "now.guesses.b === 'wrong'")
    assert sent["guesses"] == {"a": "right", "b": "wrong"}


def test_a_frame_accepts_a_program_values_and_a_step_from_the_named_origin(
    teacher: Any,
) -> None:
    page = teacher(PRODUCT)
    page.evaluate("send({expression: '(a + b) * c', values: {a: 2, b: -3, c: 10}})")
    sent = last(page, "now.expression === '(a + b) * c'")
    assert (sent["result"], sent["gradients"]) == (-10, {"a": 10, "b": 10, "c": -1})
    page.evaluate("send({values: {c: 5}})")
    assert last(page, "now.values.c === 5")["values"] == {"a": 2, "b": -3, "c": 5}
    page.evaluate("send({step: 3})")
    assert last(page, "now.step === 3")["values"]["c"] == 5
    page.evaluate("send({way: 'forward', step: 1})")
    assert last(page, "now.way === 'forward'")["steps"] == 2
    page.evaluate("send({address: '#e=a*a&v=a:3&s=2'})")
    sent = last(page, "now.expression === 'a*a' && now.step === 2")
    assert sent["gradients"] == {"a": 6}
    page.evaluate("send({expression: 'a*'})")
    wrong = page.frame_locator("iframe").get_by_role("alert")
    wrong.get_by_text("the end of the text is unexpected").wait_for()


def test_a_message_from_another_origin_is_ignored(teacher: Any) -> None:
    page = teacher(PRODUCT, origin="https://b.example")
    inner = page.frames[1]
    inner.evaluate("() => { addEventListener('message', () => { window.heard = true; }); }")
    page.evaluate("send({expression: 'a + 1'})")
    inner.wait_for_function("() => window.heard")  # the page's own listener ran first
    drawn(inner)
    assert page.evaluate("sent.at(-1).expression") == "a*b"


HOSTILE = [
    *("null", "{values: {a: 'x'}}", "{values: {a: Infinity}}", "{values: {'a<b>': 1}}"),
    *("{values: {__proto__: {a: 1}}}", "{values: {['__proto__']: 1}}", "{expression: {}}"),
    *("{step: NaN}", "{step: -1}", "{way: '__proto__'}", "{parameters: ['<b>']}"),
    *("{address: '#' + 'e='.repeat(9000)}", "{address: 7}"),
]


def test_an_invalid_message_is_harmless(teacher: Any) -> None:
    page = teacher(PRODUCT)
    for a, hostile in enumerate(HOSTILE, 5):
        page.evaluate(f"sent = []; send({hostile})")
        page.evaluate(f"send({{values: {{a: {a}}}}})")  # arrives after the other message
        assert last(page, f"now?.values.a === {a}")["result"] == 3 * a, hostile
        allowed = f"[{3 * a - 3}, {3 * a}, 6]"  # before and after
        assert page.evaluate(f"sent.filter(({{ result }}) => !{allowed}.includes(result))") == []


def test_a_frame_undoes_its_own_edits_and_leaves_the_history_of_the_page(teacher: Any) -> None:
    page = teacher(PRODUCT, show="expression,panel")
    frame = page.frame_locator("iframe")
    entries = page.evaluate("history.length")
    write(frame, "a*b*b")
    last(page, "now.expression === 'a*b*b'")
    press(frame, "Undo")
    last(page, "now.expression === 'a*b'")
    press(frame, "Redo")
    last(page, "now.expression === 'a*b*b'")
    assert page.evaluate("history.length") == entries


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
        page.on("request", lambda sent: wrong.extend([sent.url] * (sent.url != file.as_uri())))
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


def test_a_cells_html_is_one_line_without_tabs_and_asks_for_trust(
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
