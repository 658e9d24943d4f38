"""The program to take along: pictures, a frame in a page, paper."""

from pathlib import Path
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import do, sentence

NEURON = "#e=n=x1*w1+b;o=tanh(n)/2-n**2&v=x1:2,w1:-3,b:6.881373587019543&p=w1,b"


@pytest.mark.skipif(IS_FIREFOX, reason="its driver reports no download of a page's own file")
def test_pictures_are_saved(open_page: Any) -> None:
    page = open_page(NEURON)
    do(page, "Take it with you")
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG\r\n\x1a\n")):
        with page.expect_download() as download:
            do(page, f"Save {kind}")
        assert download.value.suggested_filename == f"graph.{kind.lower()}"
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        assert len(content) > 2_000


def test_a_page_from_a_file_copies_the_address_of_a_service(browsers: Any, one_file: Path) -> None:
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


def test_on_paper_the_tables_are_unfolded(open_page: Any) -> None:
    page = open_page()
    parts = page.locator("#table table, #keyboard dl")
    assert parts.count() == 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert parts.count() == 3
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert parts.count() == 0
