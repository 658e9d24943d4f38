"""In a notebook, Values and documents show their picture, and a table beyond 1,000 nodes."""

from xml.etree import ElementTree as ET

from engine_py import Shown, Value, draw, introspect, introspect_value, lay_out


def chain(operations: int) -> str:
    """An expression of 1 + operations nodes."""
    return "exp(" * operations + "a" + ")" * operations


def test_a_value_shows_the_picture_of_its_graph() -> None:
    a = Value(3.0, "a")
    assert (a * a)._repr_svg_() == draw(introspect_value(a * a))
    assert (a * a)._repr_html_() is None


def test_to_be_shown_changes_nothing() -> None:
    a = Value(3.0, "a")
    product = a * a
    product.backward()
    product._repr_svg_()
    assert (a.grad, product.grad) == (6, 1)


def test_a_document_shows_its_picture() -> None:
    document = introspect("a * a", {"a": 3})
    assert Shown(document)._repr_svg_() == draw(document)
    assert Shown(document)._repr_html_() is None


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
