"""The site of `make docs`: no link of it is dead, and what it shows as run is run by a test."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.owner import account

pytestmark = pytest.mark.packages

SITE = ROOT / "build" / "docs"
ELSEWHERE = f"https://github.com/{account()}/gradient-service/blob/main/"


class Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and tag != "base":
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def test_no_link_of_the_site_is_dead() -> None:
    pages = {
        page: Links(page)
        for page in SITE.rglob("*.html")
        if page.relative_to(SITE).parts[0] != "sandbox"  # it makes its links when it runs
    }
    assert len(pages) > 100
    dead = [
        f"{page.relative_to(SITE)}: {link}"
        for page, found in pages.items()
        for link in found.links
        if not leads_somewhere(page, link, pages)
    ]
    assert dead == []


def leads_somewhere(page: Path, link: str, pages: dict[Path, Links]) -> bool:
    if link.startswith(ELSEWHERE):
        path = unquote(urlsplit(link.removeprefix(ELSEWHERE)).path)
        return (ROOT / path).exists()
    parts = urlsplit(urljoin(page.as_uri(), link))
    if parts.scheme != "file":
        return True
    target = Path(unquote(parts.path))
    target = target / "index.html" if target.is_dir() else target
    anchors = pages[target].anchors if target in pages else set()
    return target.is_file() and (
        not parts.fragment or target not in pages or unquote(parts.fragment) in anchors
    )


def test_the_site_is_searched_and_loads_nothing_from_elsewhere() -> None:
    assert "hessian" in (SITE / "searchindex.js").read_text(encoding="utf-8")
    for page in SITE.glob("*.html"):
        assert re.findall(r'(?:src|rel="stylesheet"[^>]*href)="https?:', page.read_text()) == []
