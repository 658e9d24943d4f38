"""In a notebook, Values and documents show their picture, a large one a table, or the page."""

from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from engine_py import Shown, Value, draw, draw_dot, introspect, introspect_value, lay_out, notebook
from engine_py.notebook import Sandbox, sandbox

PAGE = '<!doctype html><p title="a">a && b</p>'


def chain(operations: int) -> str:
    """Write an expression of 1 + operations nodes."""
    return "exp(" * operations + "a" + ")" * operations


def test_a_value_and_a_document_show_the_picture_of_their_graph() -> None:
    a = Value(3.0, "a")
    document = introspect_value(a * a)
    for shown in (a * a, draw_dot(a * a), Shown(document)):
        assert shown._repr_svg_() == draw(document)
        assert shown._repr_html_() is None


def test_showing_a_value_does_not_change_it() -> None:
    a = Value(3.0, "a")
    product = a * a
    product.backward()
    product._repr_svg_()
    assert (a.grad, product.grad) == (6, 1)


def test_beyond_50_nodes_the_picture_keeps_its_size_and_beyond_1000_there_is_a_table() -> None:
    # relu keeps 1.5; a chain of 49 operations has 50 nodes.
    whole, framed, drawn, large = (
        introspect(chain(operations).replace("exp", "relu"), {"a": 1.5})
        for operations in (49, 50, 999, 1_000)
    )
    assert Shown(whole)._repr_svg_() is not None
    assert Shown(whole)._repr_html_() is None
    for document in (framed, drawn):
        assert Shown(document)._repr_svg_() is None
        [frame] = ET.fromstring(Shown(document)._repr_html_() or "")
        [picture] = frame
        assert frame.get("style") == f"width:{picture.get('width')}px"
        assert picture.get("width") == str(lay_out(document)["width"])
    assert Shown(large)._repr_svg_() is None
    rows = list(ET.fromstring(Shown(large)._repr_html_() or "").iter("tr"))
    assert len(rows) == 1 + 300
    assert [cell.text for cell in rows[0]] == ["id", "kind", "operation", "label", "data", "grad"]
    assert [cell.text for cell in rows[1]] == ["1000", "operation", "relu", None, "1.5", "1"]
    assert [cell.text for cell in rows[-1]] == ["701", "operation", "relu", None, "1.5", "1"]


def test_a_large_value_shows_a_table_with_its_labels_escaped() -> None:
    total = Value(0.0, "<b>")
    for _ in range(1_000):
        total = total.relu()
    total.label = "<i>"
    assert total._repr_svg_() is None
    assert "<td>&lt;i&gt;</td>" in (total._repr_html_() or "")


def test_a_value_without_a_document_shows_its_text() -> None:
    # Two leaves of one label, and more nodes than the limit.
    twins = Value(1.0, "a") + Value(2.0, "a")
    large = Value(1.0)
    for _ in range(10_000):
        large = large.relu()
    for value in (twins, large):
        assert (value._repr_svg_(), value._repr_html_()) == (None, None)


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Replace the built page."""
    file = tmp_path / "sandbox.html"
    file.write_text(PAGE)
    monkeypatch.setattr(notebook, "PAGES", (tmp_path / "none.html", file))
    return file


def frame_of(html: str) -> dict[str, str | None]:
    """Return the attributes of the one element."""
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Reader().feed(html)
    [(tag, attributes)] = found
    assert tag == "iframe"
    return attributes


def address(shown: Sandbox) -> str | None:
    """Return the frame's name, which is the page's address."""
    return frame_of(shown._repr_html_())["name"]


def test_a_text_at_values_is_a_frame_with_the_page_in_it() -> None:
    values = {"a": 2, "b": -3, "c": 10}
    frame = frame_of(sandbox("(a + b) * c", values, height=400)._repr_html_())
    assert frame["srcdoc"] == PAGE
    assert "height:400px" in str(frame["style"])
    assert frame["name"] == ("?embed&show=expression,panel#e=(a%20+%20b)%20*%20c&v=a:2,b:-3,c:10")


def test_the_frame_cannot_reach_the_notebook() -> None:
    frame = frame_of(sandbox("a", {"a": 1})._repr_html_())
    assert frame["sandbox"] == "allow-scripts allow-downloads"


def test_a_graph_of_values_and_a_document_with_parameters_are_programs() -> None:
    a = Value(2.0, label="a")
    assert address(sandbox(a * a, show="")) == "?embed&show=#e=a%20*%20a&v=a:2"
    document = introspect("w - 1", {"w": 1}, parameters=["w"], view="primitive")
    expected = "?embed&show=panel#e=w%20-%201&v=w:1&p=w&d=1"
    assert address(sandbox(document, show="panel")) == expected


def test_characters_that_would_end_the_program_or_the_attribute_are_escaped() -> None:
    shown = sandbox("a + \n1", {"a": 1}, show='"><b>&')
    assert address(shown) == "?embed&show=%22%3E%3Cb%3E%26#e=a%20+%20%0A1&v=a:1"


def test_the_repr_of_a_sandbox_is_one_line() -> None:
    assert repr(sandbox("a * b", {"a": 2, "b": 3})) == (
        "<sandbox of 'a * b' at a = 2.0, b = 3.0, for a notebook>"
    )
    assert repr(sandbox("1 + 2")) == "<sandbox of '1 + 2', for a notebook>"


def test_without_a_built_page_the_error_says_how_to_build_it(page: Path) -> None:
    page.unlink()
    with pytest.raises(FileNotFoundError, match="make page"):
        sandbox("a", {"a": 1})


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("+".join(["1"] * 1_001), "2,000 nodes"),  # each number is a leaf of its own
        ("+".join([f"x{place}" for place in range(201)]), "200 values"),
        ("x1" + " " * 4_000, "4,000 characters"),
        ("x1" + " " * 3_998, "12,000 characters of an address"),  # each blank is %20
    ],
)
def test_a_program_beyond_the_limits_of_the_page_is_refused(text: str, unit: str) -> None:
    values = {f"x{place}": 1.0 for place in range(201)}
    with pytest.raises(ValueError, match=f"at most {unit}"):
        sandbox(text, values)
