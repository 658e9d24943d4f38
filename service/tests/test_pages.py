"""The pages: well-formed HTML, links, examples that work, the section on the language."""

import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

import pytest
from flask.testing import FlaskClient

from service import pages
from service.app import create_app
from service.config import Config
from service.openapi import table
from service.pages.reference import coloured, pretty, prose, type_of
from service.reply import KINDS
from service.tests.processes import CLIENT, ROOT, started

VOID = {"meta", "link", "img", "br", "hr", "input"}
SCRIPTS = ("docs.js", "languages.js", "problem.js", "search.js")
NODE = ROOT / ".venv" / "bin" / "node"
CHECKED_FETCH = """\
const send = fetch;
globalThis.fetch = async (...sent) => {
  const reply = await send(...sent);
  if (!reply.ok) throw new Error(`${reply.status} for ${sent[0]}`);
  return reply;
};
"""
"""A `fetch` that throws at an error, as Python's `urlopen` does."""
PAGES = ["/docs", "/problems", *(f"/problems/{code}" for code in KINDS)]


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return create_app(Config()).test_client()


class Page(HTMLParser):
    """The links, ids and text of a page, whose tags must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: set[str] = set()
        self.ids: list[str] = []
        self.headings: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        assert tag != "style"
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        assert tag != "script" or attributes["src"]
        assert tag != "img" or attributes["alt"]
        self.links |= {attributes[name] or "" for name in ("href", "src") if name in attributes}
        self.ids += [attributes["id"] or ""] if "id" in attributes else []
        self.headings += [tag] if tag in ("h1", "h2", "h3") else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert self.open[-1:] != ["script"] or not data.strip()
        self.text += data


def page(client: FlaskClient, path: str) -> Page:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    return Page(response.text)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_well_formed_html_without_inline_code(client: FlaskClient, path: str) -> None:
    shown = page(client, path)
    assert shown.headings[0] == "h1"
    assert shown.headings.count("h1") == 1
    assert len(set(shown.ids)) == len(shown.ids)


def test_slow_pages_are_rendered_at_startup(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages._openapi_text.cache_clear()
    app = create_app(Config(waiting=77), renders_early=True)
    for renders in ("render_template", "build_openapi"):
        monkeypatch.delattr(pages, renders)
    for path in ("/docs", "/openapi.json"):
        assert app.test_client().get(path).status_code == 200


@pytest.mark.parametrize("path", ["/docs", "/problems", "/problems/non_finite"])
def test_every_link_of_a_page_has_a_target(client: FlaskClient, path: str) -> None:
    shown = page(client, path)
    assert len(shown.links) > 5
    for link in shown.links:
        address, fragment = urldefrag(link)
        if urlsplit(address).scheme:
            assert address.startswith("https://www.rfc-editor.org/")
        elif address:
            assert client.get(address).status_code == 200, link
        if fragment:
            assert fragment in shown.ids, link


@pytest.mark.parametrize("path", ["/docs", "/problems"])
def test_every_problem_is_listed_and_linked(client: FlaskClient, path: str) -> None:
    shown = page(client, path)
    for code, kind in KINDS.items():
        assert f"/problems/{code}" in shown.links
        assert kind.title in shown.text


def test_every_call_of_the_reference_works_as_printed_and_as_sent(
    client: FlaskClient,
) -> None:
    options = ArgumentParser()
    options.add_argument("url")
    options.add_argument("-s", action="store_true")
    options.add_argument("-G", action="store_true")
    options.add_argument("-H", action="append", default=[])
    options.add_argument("-d")
    options.add_argument("--data-urlencode", action="append", default=[])
    posted = set()
    for method, command, sent in calls_of(client.get("/docs").text):
        program, *arguments = shlex.split(command.replace("\\\n", ""))
        printed = options.parse_args(arguments)
        path, query = (
            urlsplit(printed.url).path,
            [one.split("=", 1) for one in printed.data_urlencode],
        )
        headers = dict(one.split(": ") for one in printed.H)
        assert (program, printed.G) == ("curl", bool(query))
        assert (method, printed.d) == ("POST", sent) if sent else ("GET", None)
        reply = client.open(path, method=method, query_string=query, headers=headers, data=sent)
        assert reply.status_code == 200, command
        posted |= {path} if sent else set()
    described = client.get("/openapi.json").get_json()["paths"]
    assert posted == {path for path, methods in described.items() if "post" in methods}


def calls_of(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the method, the command and the body sent by "Try it", of each call of a page."""

    def shown(pattern: str, block: str) -> str:
        found = re.search(pattern, block, re.DOTALL)
        return unescape(re.sub(r"<.*?>", "", found[1])) if found else ""

    for block in re.findall(r'<div class="try" .*?</pre>', text, re.DOTALL):  # to curl's end
        method, command = shown(r'data-method="(\w+)"', block), shown("<code>(.*)</code>", block)
        yield method, command, shown(r'<span class="sent">(.*)</span>\'', block)


@pytest.mark.parametrize(
    ("language", "program", "before", "after"),
    [
        ("Python", [sys.executable, "-c"], "", ""),
        pytest.param(
            *("JavaScript", [NODE, "--input-type=module", "--eval"], "{\n", "\n}"),
            marks=pytest.mark.clients,
        ),
    ],
)
def test_every_example_of_the_reference_runs(
    language: str, program: list[str | Path], before: str, after: str
) -> None:
    example = rf'data-language="{language}"><pre[^>]*><code>(.*?)</code>'
    with started() as server:
        shown = server.get("/docs")[1].decode()
        marked = re.findall(example, shown, re.DOTALL)
        assert len(marked) == shown.count('class="try"') > 0
        plain = (unescape(re.sub(r"<.*?>", "", text)) for text in marked)
        text = "\n".join(f"{before}{one}{after}" for one in plain)
        text = text.replace(Config().url, f"http://{CLIENT}:{server.port}")
        if language == "JavaScript":
            text = CHECKED_FETCH + text
        done = subprocess.run([*program, text], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "digraph" in done.stdout


def test_the_reference_shows_every_route_and_the_limits_of_this_service() -> None:
    client = create_app(Config(body_bytes=123_456)).test_client()
    shown = page(client, "/docs")
    assert "123,456" in shown.text
    for path, methods in client.get("/openapi.json").get_json()["paths"].items():
        assert path in shown.text
        assert {one["operationId"] for one in methods.values()} <= set(shown.ids)


def test_the_page_of_a_problem_shows_its_request_and_its_place(
    client: FlaskClient,
) -> None:
    assert "    2x + 1\n     ^" in page(client, "/problems/unexpected_token").text
    assert (
        "POST /v1/gradient HTTP/1.1\nContent-Type: text/plain\n\n"
        '{"expression":"a","values":{"a":1}}'
    ) in page(client, "/problems/unsupported_media_type").text


@pytest.mark.parametrize(
    ("accept", "mimetype"),
    [
        ("*/*", "text/html"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
        ("application/json, text/plain, */*", "application/json"),
        ("image/png", "text/html"),
    ],
)
def test_problems_are_explained_as_html_or_as_json(
    client: FlaskClient, accept: str, mimetype: str
) -> None:
    for path in ("/problems", "/problems/domain_error"):
        assert client.get(path, headers={"Accept": accept}).mimetype == mimetype
    listed = client.get("/problems", headers={"Accept": "application/json"}).get_json()
    assert [one["code"] for one in listed["problems"]] == list(KINDS)


def test_an_unknown_problem_or_asset_is_not_found(client: FlaskClient) -> None:
    for path in ("/problems/nothing", "/problems/<b>", "/docs/nothing", "/docs/..%2ftext.py"):
        response = client.get(path)
        assert (response.status_code, response.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("path", "seconds", "vary"),
    [
        ("/", 0, None),
        ("/docs", 3_600, None),
        ("/docs/style.css", 3_600, None),
        ("/openapi.json", 3_600, None),
        ("/problems", 3_600, "Accept"),
        ("/v1/operations", 3_600, None),
        ("/v1/gradient?expression=1", 86_400, "Accept"),
        ("/v1/gradient?expression=1&format=dot", 86_400, "Accept"),
    ],
)
def test_stable_replies_can_be_cached_and_revalidated(
    client: FlaskClient, path: str, seconds: int, vary: str | None
) -> None:
    first = client.get(path)
    assert first.headers["Cache-Control"] == f"public, max-age={seconds}"
    assert first.headers.get("Vary") == vary
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    # RFC 9110, section 15.4.5: a 304 has the headers for caches that a 200 would have.
    for header in ("ETag", "Cache-Control", "Vary"):
        assert again.headers.get(header) == first.headers.get(header)
    assert client.get(path, headers={"If-None-Match": '"x"'}).data == first.data


def test_the_scripts_are_short_and_write_no_html(client: FlaskClient) -> None:
    for name in SCRIPTS:
        script = client.get(f"/docs/{name}").text
        assert len(script.splitlines()) < 90
        for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval"):
            assert forbidden not in script


def test_every_asset_is_linked_or_imported(client: FlaskClient) -> None:
    linked = page(client, "/docs").links
    imported = re.findall(r'from "\./([a-z.]+)"', client.get("/docs/docs.js").text)
    assets = {file.name for file in (Path(pages.__file__).parent / "assets").iterdir()}
    assert {name for name in assets if f"/docs/{name}" in linked} | set(imported) == assets
    assert set(SCRIPTS) == {name for name in assets if name.endswith(".js")}


def test_text_is_escaped() -> None:
    assert prose("a<b `c<d` e") == "a&lt;b <code>c&lt;d</code> e"
    assert prose("`not_found`") == '<a href="/problems/not_found"><code>not_found</code></a>'
    assert coloured('"<i>": -1.5e3') == (
        '<span class="key">&#34;&lt;i&gt;&#34;</span>: <span class="number">-1.5e3</span>'
    )


def test_json_is_broken_into_readable_lines() -> None:
    assert pretty({"a": [1, 2]}) == '{"a": [1, 2]}'
    assert pretty(["x" * 60, "y" * 60]) == f'[\n  "{"x" * 60}",\n  "{"y" * 60}"\n]'
    assert pretty({"a": "x" * 60, "b": "y" * 60}) == (f'{{"a": "{"x" * 60}",\n "b": "{"y" * 60}"}}')


def test_at_most_five_choices_are_shown() -> None:
    five = type_of({"enum": [1, 2, 3, 4, 5]}, {})
    assert five.endswith(" | <code>5</code>")
    assert type_of({"enum": [1, 2, 3, 4, 5, 6]}, {}) == f"{five} | …"


@pytest.mark.parametrize("row", table("operations"), ids=lambda row: row["name"])
def test_the_page_shows_every_operation(client: FlaskClient, row: dict[str, Any]) -> None:
    shown = client.get("/docs").text
    assert f'<th scope="row"><code>{row["syntax"]}</code></th>' in shown
