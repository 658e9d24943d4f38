"""The site of `make docs`: no link is dead, it has a search, and it reads well on a phone."""

import json
import re
import tomllib
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.owner import account
from parity_tests.packaging.tests.conftest import run
from service.tests.processes import started
from service.web.tests.conftest import Browsers

pytestmark = pytest.mark.packages

SITE = ROOT / "build" / "docs"
REPOSITORY = f"https://github.com/{account()}/gradient-service"
BLOB = f"{REPOSITORY}/blob/main/"
PAGES = f"https://{account()}.github.io/gradient-service"
ELSEWHERE = {
    *(REPOSITORY, f"{PAGES}/", f"{PAGES}/sandbox/"),
    "https://github.com/karpathy/micrograd",
    "https://keepachangelog.com/en/1.1.0/",
    "https://semver.org/spec/v2.0.0.html",
    "https://shields.io/badges/endpoint-badge",
    "https://spec.openapis.org/oas/v3.1.0",
    "https://www.rfc-editor.org/rfc/rfc9457",
    # Links of the site's tools.
    *("https://github.com/pradyunsg/furo", "https://pradyunsg.me", "https://www.sphinx-doc.org/"),
}
"""All links that lead elsewhere; `make links` tries them on a network."""


CUT = """() => ["html", ...(document.title.startsWith("HTTP") ? ["dt", "dd", "p", "pre"] : [])]
  .flatMap((which) => [...document.querySelectorAll(which)])
  .filter((shown) => shown.clientWidth && shown.scrollWidth > shown.clientWidth + 1)
  .map((shown) => shown.outerHTML.slice(0, 80))"""
"""Elements that scroll sideways: any in the HTTP reference, the page itself in other texts."""


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
    assert len(pages) > 30
    dead = [
        f"{page.relative_to(SITE)}: {link}"
        for page, found in pages.items()
        for link in found.links
        if not leads_somewhere(page, link, pages)
    ]
    assert dead == []


def leads_somewhere(page: Path, link: str, pages: dict[Path, Links]) -> bool:
    if link.startswith(BLOB):
        path = unquote(urlsplit(link.removeprefix(BLOB)).path)
        return path in tracked()
    parts = urlsplit(urljoin(page.as_uri(), link))
    if parts.scheme != "file":
        return link in ELSEWHERE or parts.scheme == "data"
    target = Path(unquote(parts.path))
    target = target / "index.html" if target.is_dir() else target
    anchors = pages[target].anchors if target in pages else set()
    return target.is_file() and (
        not parts.fragment or target not in pages or unquote(parts.fragment) in anchors
    )


@cache
def tracked() -> set[str]:
    """Return the files that git knows, and their folders."""
    files = [Path(name) for name in run("git", "ls-files", "-z").split("\0")]
    return {str(path) for file in files for path in (file, *file.parents)}


def test_each_operation_and_each_code_has_its_section() -> None:
    operations = json.loads((ROOT / "schemas" / "operations.json").read_text("utf-8"))
    codes = tomllib.loads((ROOT / "service/problems.toml").read_text("utf-8"))
    names = {row["name"] for row in operations["operations"]}
    assert names <= Links(SITE / "functions.html").anchors
    assert codes.keys() - {"members"} <= Links(SITE / "errors.html").anchors


def test_the_site_is_searched_and_loads_nothing_from_elsewhere() -> None:
    index = (SITE / "searchindex.js").read_text(encoding="utf-8")
    for name in ("Value", "introspect", "useProgram()"):
        assert f'"{name}"' in index, "a function of one of the references"
    for page in {*SITE.rglob("*.html")} - {*SITE.glob("sandbox/*")}:
        assert re.findall(r'(?:src|rel="stylesheet"[^>]*href)="https?:', page.read_text()) == []


def test_the_reference_of_a_service_is_searched(browsers: Browsers) -> None:
    context = browsers.context()
    page = context.new_page()
    with started() as service:
        page.goto(f"http://127.0.0.1:{service.port}/docs")
        search = page.get_by_label("Search the reference")
        results = page.locator("nav [role=status] a")
        search.fill("outside DOMAIN")
        assert results.all_inner_texts() == ["domain_error"]
        search.fill("hessian")
        results.first.click()
        assert urlsplit(page.url).fragment == "secondDerivatives"
    context.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_no_text_is_wider_than_a_phone_or_a_desk(browsers: Browsers, width: int) -> None:
    context = browsers.context(viewport={"width": width, "height": 844})
    page = context.new_page()
    texts = {*SITE.rglob("*.html")} - {*SITE.glob("sandbox/*")}
    assert len(texts) > 20
    for text in texts:
        page.goto(text.as_uri())
        assert page.evaluate(CUT) == [], text
    context.close()
