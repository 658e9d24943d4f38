"""The program to take along: pictures, a frame in a page, paper."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import chained, do, sentence

no_downloads = pytest.mark.skipif(
    IS_FIREFOX, reason="its driver reports no download of a page's own file"
)


def saved(page: Any, kind: str) -> bytes:
    with page.expect_download() as download:
        do(page, f"Save {kind}")
    assert download.value.suggested_filename == f"graph.{kind.lower()}"
    return Path(download.value.path()).read_bytes()


@no_downloads
def test_a_saved_picture_shows_this_step(open_page: Any) -> None:
    """By hand: the first of two steps has sent 1 * 3 to a, the second 1 * 2 to b."""
    page = open_page("#e=a*b&v=a:2,b:3&s=1")
    do(page, "Take it with you")
    seen = []
    for _ in range(2):
        picture = ET.fromstring(saved(page, "SVG"))
        texts = list(picture.iterfind(".//{*}text"))
        seen.append(sorted(each.text or "" for each in texts))
        [_, _, width, height] = map(float, picture.attrib["viewBox"].split())
        ends = [float(each.attrib["x"]) + float(each.attrib["textLength"]) for each in texts]
        assert max(ends) < width
        assert max(float(each.attrib["y"]) for each in texts) < height
        do(page, "Step")
    before, after = seen
    assert after.count("2") - before.count("2") == 3, "twice in `1 × 2 = 2`, and on the card of b"
    assert (before.count("--"), after.count("--")) == (1, 0)
    assert saved(page, "PNG").startswith(b"\x89PNG\r\n\x1a\n")


@no_downloads
def test_the_picture_of_a_large_graph_is_the_whole(open_page: Any) -> None:
    page = open_page(chained(100))
    do(page, "see .overview svg", "Take it with you")
    picture = ET.fromstring(saved(page, "SVG"))
    named = {each.text for each in picture.iterfind(".//{*}text")}
    assert {f"x{at}" for at in range(100)} <= named


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
