"""The program to take along: diagrams as the service writes them, pictures, a frame in a page."""

from pathlib import Path
from typing import Any

from engine_py import introspect
from engine_py.show.diagrams import to_dot, to_mermaid
from service.web.tests.reading import sentence, to_the_end

NEURON = "#e=n=x1*w1+b;o=tanh(n)/2-n**2&v=x1:2,w1:-3,b:6.881373587019543&p=w1,b"
PROGRAM = (
    "n=x1*w1+b;o=tanh(n)/2-n**2",
    {"x1": 2, "w1": -3, "b": 6.881373587019543},
)


def test_diagrams_are_those_of_the_service(open_page: Any) -> None:
    """Where the clipboard is not allowed, what would be copied is shown."""
    from playwright.sync_api import expect  # noqa: PLC0415 - only `make test-web` has it

    page = open_page(NEURON)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_text("Take it with you").click()
    page.locator("#export").get_by_role("button", name="More").click()
    document = introspect(*PROGRAM, parameters=["w1", "b"])
    for button, text in (("DOT", to_dot(document)), ("Mermaid", to_mermaid(document))):
        page.get_by_role("button", name=f"Copy as {button}", exact=True).click()
        expect(page.locator(".by-hand")).to_have_value(text)


def test_pictures_are_saved(open_page: Any, save: Any) -> None:
    page = open_page(NEURON)
    page.get_by_text("Take it with you").click()
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG\r\n\x1a\n")):
        name, content = save(page, f"Save {kind}")
        assert name == f"graph.{kind.lower()}"
        assert content.startswith(start)
        assert len(content) > 2_000


def test_a_page_that_is_a_file_copies_an_address_that_others_have(
    browsers: Any, one_file: Path
) -> None:
    context = browsers.context()
    page = context.new_page()
    page.goto(one_file.as_uri() + "#e=a*b&v=a:2,b:3")
    page.evaluate("() => { navigator.clipboard.writeText = async (text) => { copied = text; }; }")
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("() => window.copied")
    assert page.evaluate("copied") == "http://127.0.0.1:8000/#e=a*b&v=a:2,b:3"
    assert "leads to http://127.0.0.1:8000, a service on your machine" in sentence(page)
    page.get_by_text("Take it with you").click()
    page.get_by_role("button", name="Copy embed code").click()
    address = "http://127.0.0.1:8000/?embed&amp;show=expression,panel#e=a*b&amp;v=a:2,b:3"
    page.wait_for_function("() => window.copied.startsWith('<iframe')")
    assert f'src="{address}"' in page.evaluate("copied")
    context.close()


def test_on_paper_the_tables_and_the_keys_are_unfolded(open_page: Any) -> None:
    page = open_page()
    parts = page.locator("#table table, #keyboard dl")
    assert parts.count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert parts.count() == 3
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert parts.count() == 0


def test_the_table_of_a_large_graph_is_turned_over_like_pages(open_page: Any) -> None:
    """By hand: 1,000 factors x make 999 products with two edges each; of each table a page."""
    page = open_page(f"#e={'*'.join('x' * 1_000)}&v=x:1")
    page.get_by_text("Every number, as a table").click()
    rows = page.locator("#table tbody tr")
    rows.nth(199).wait_for()
    assert rows.count() == 200
    arrows = page.locator("#table table").first
    assert "Rows 1 to 100 of 1998" in arrows.inner_text()
    arrows.get_by_role("button", name="Later rows").click()
    assert "Rows 101 to 200 of 1998" in arrows.inner_text()
    to_the_end(page)
    assert "Rows 1901 to 1998 of 1998" in arrows.inner_text()
    assert arrows.locator("tr.now").count() == 1
