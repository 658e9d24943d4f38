"""`/`: the built page and the files that it loads, or a sentence that says how to build it."""

import gzip
import inspect
import re
import subprocess
import zlib
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from engine_py import notebook
from service import pages
from service.app import create_app
from service.config import Config
from service.tests.processes import ROOT
from service.tests.validated import EXAMPLE

BUILT = ROOT / "service" / "web" / "dist"
INDEX = '<!doctype html><script src="sandbox/sandbox-ABC.js" type="module"></script>'
MAX_FIRST_LOAD = 60_000
MAX_TOTAL = 87_040
"""Bytes as gzip: of the first load, and of all files that the page loads in normal use."""
MAX_ON_DEMAND = {
    "es": 14_336,
    "et": 14_336,
    "ru": 16_384,
    "accuracy": 21_504,
    "code": 4_096,
    "curve": 3_072,
    "break": 14_336,
    "train": 18_944,
    "overview": 2_560,
    "suggestion": 26_112,
    "lesson": 5_120,
    "export": 8_448,
    "translated": 1_536,
}
"""Bytes as gzip of each part that is loaded on demand: a language, a view, the lesson."""


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    """A service with the page that `make setup` builds."""
    assert (BUILT / "index.html").exists(), "the page is not built: make setup"
    return create_app(Config()).test_client()


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """A service with a page of two files, next to files that it must not serve."""
    (tmp_path / "sandbox").mkdir()
    (tmp_path / "index.html").write_text(INDEX)
    (tmp_path / "sandbox" / "sandbox-ABC.js").write_text("export {};\n")
    (tmp_path / "sandbox" / "sandbox-ABC.js.gz").write_bytes(gzip.compress(b"export {};\n"))
    (tmp_path / "sandbox" / "notes.txt").write_text("not for others")
    (tmp_path / "secret.js").write_text("not for others")
    return serving(tmp_path, monkeypatch)


def serving(folder: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setattr(pages, "BUILT", folder)
    return create_app(Config()).test_client()


def loaded_at_first(client: FlaskClient) -> list[str]:
    """Return the files that the page names, and those that these import statically."""
    named = re.findall(r'(?:src|href)="sandbox/([^"]+)"', client.get("/").text)
    return [f"sandbox/{name}" for name in with_imports(named)]


def with_imports(names: list[str]) -> list[str]:
    """Return `names` and the files that these import statically."""
    names = list(names)
    for name in names:
        text = (BUILT / "sandbox" / name).read_text()
        imported = re.findall(r'(?:from|import)"\./([^"]+\.js)"', text)
        names += [each for each in imported if each not in names]
    return names


def test_the_page_is_served_with_a_strict_policy(client: FlaskClient) -> None:
    reply = client.get("/")
    assert (reply.status_code, reply.mimetype) == (200, "text/html")
    policy = reply.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert "<style" not in reply.text
    assert not re.search(r"<script[^>]*>[^<]", reply.text)
    assert not re.search(r'\s(on\w+|style)="', reply.text)


def test_other_sites_can_frame_only_the_sandbox_made_to_be_embedded(
    client: FlaskClient,
) -> None:
    policies = {
        path: client.get(path).headers.getlist("Content-Security-Policy")
        for path in ("/", "/?show=panel", "/?embed", "/?embed&show=panel", "/docs?embed")
    }
    [usual] = policies["/"]
    assert "frame-ancestors 'self'" in usual
    assert policies["/?show=panel"] == policies["/docs?embed"] == [usual]
    embedded = [usual.replace("frame-ancestors 'self'", "frame-ancestors * file:")]
    assert policies["/?embed"] == policies["/?embed&show=panel"] == embedded


def test_the_files_of_the_page_are_cached_for_a_year(client: FlaskClient) -> None:
    names = loaded_at_first(client)
    assert len(names) >= 2
    for name in names:
        assert re.fullmatch(r"sandbox/[a-z]+-[A-Z0-9]{8}\.(js|css)", name)
        reply = client.get(f"/{name}")
        assert reply.status_code == 200
        assert reply.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert reply.mimetype == ("text/css" if name.endswith("css") else "text/javascript")


def test_its_files_are_served_as_compressed_at_build(client: FlaskClient) -> None:
    gzipped = {"Accept-Encoding": "gzip, deflate, br, zstd"}
    for name in loaded_at_first(client):
        plain = client.get(f"/{name}", headers={"Accept-Encoding": "br"})
        reply = client.get(f"/{name}", headers=gzipped)
        assert "Content-Encoding" not in plain.headers
        assert reply.headers["Content-Encoding"] == "gzip"
        assert reply.data == (BUILT / f"{name}.gz").read_bytes()
        assert gzip.decompress(reply.data) == plain.data
        assert int(reply.headers["Content-Length"]) == len(reply.data) < len(plain.data)
        assert reply.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
        assert reply.headers["ETag"] != plain.headers["ETag"]
        tag = {"If-None-Match": reply.headers["ETag"]}
        again = client.get(f"/{name}", headers=gzipped | tag)
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["Vary"] == "Accept-Encoding"


def test_the_first_load_of_the_page_is_small(client: FlaskClient) -> None:
    sizes = {name: packed(client.get(f"/{name}").data) for name in ["", *loaded_at_first(client)]}
    assert sum(sizes.values()) <= MAX_FIRST_LOAD, sizes


def unasked() -> list[str]:
    """Return all files except the parts loaded on demand and files that only these import."""
    names = [file.name for file in (BUILT / "sandbox").iterdir() if file.suffix in {".js", ".css"}]
    imported = {each for name in names for each in with_imports([name])[1:]}
    asked = {name for name in names if name.split("-")[0] in MAX_ON_DEMAND}
    return with_imports([name for name in names if name not in imported | asked])


def test_the_page_in_normal_use_is_small() -> None:
    files = [BUILT / "index.html", *(BUILT / "sandbox" / name for name in unasked())]
    assert sum(packed(file.read_bytes()) for file in files) <= MAX_TOTAL


@pytest.mark.parametrize("name", MAX_ON_DEMAND)
def test_a_part_loaded_on_demand_is_small_and_not_loaded_before(name: str) -> None:
    [file] = BUILT.glob(f"sandbox/{name}-*.js")
    assert file.name not in unasked()
    own = set(with_imports([file.name])) - set(unasked())
    sizes = {each: packed((BUILT / "sandbox" / each).read_bytes()) for each in own}
    assert sum(sizes.values()) <= MAX_ON_DEMAND[name], sizes


def packed(content: bytes) -> int:
    compressor = zlib.compressobj(9, wbits=31)
    return len(compressor.compress(content) + compressor.flush())


@pytest.mark.parametrize(
    "path",
    [
        "/sandbox/",
        "/sandbox/notes.txt",
        "/sandbox/sandbox-ABC.js.gz",
        "/sandbox/../secret.js",
        "/sandbox/..%2fsecret.js",
        "/sandbox/..\\secret.js",
        "/sandbox/sandbox-ABC.js%00.css",
        "/sandbox//sandbox-ABC.js",
        "/sandbox/" + "a" * 5_000,
    ],
)
def test_no_other_file_is_served(other: FlaskClient, path: str) -> None:
    assert other.get("/sandbox/sandbox-ABC.js").data == b"export {};\n"
    reply = other.get(path)
    assert reply.status_code == 404
    assert reply.mimetype == "application/problem+json"
    assert b"not for others" not in reply.data
    assert len(reply.data) < 1_000


@pytest.mark.parametrize(
    "built",
    [
        [],
        ["index.html"],
        ["index.html", "sandbox/sandbox-ABC.js"],  # by a version without compression
        ["index.html", "sandbox"],  # a file instead of a folder
    ],
)
def test_an_incomplete_build_is_reported_with_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, built: list[str]
) -> None:
    for name in built:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(INDEX)
    monkeypatch.setattr(notebook, "PAGES", ())
    client = serving(tmp_path, monkeypatch)
    reply = client.get("/")
    assert (reply.status_code, reply.mimetype) == (503, "text/html")
    assert "<code>make sandbox</code>" in reply.text
    assert 'href="/docs"' in reply.text
    assert client.get("/sandbox/sandbox-ABC.js").status_code == 404
    assert client.post("/v1/gradient", json=EXAMPLE).status_code == 200


def test_without_a_build_the_page_in_one_file_is_served_with_its_own_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sandbox.html").write_text("<!doctype html>one file")
    monkeypatch.setattr(notebook, "PAGES", (tmp_path / "sandbox.html",))
    reply = serving(tmp_path / "dist", monkeypatch).get("/")
    assert (reply.status_code, reply.text) == (200, "<!doctype html>one file")
    assert reply.headers.getlist("Content-Security-Policy") == ["frame-ancestors * file:"]


@pytest.mark.parametrize(
    ("built", "reported"),
    [
        (None, "only the API is served; without npm, 'pip install"),
        ("service/web/dist/index.html", "so the last build is served"),
        ("build/sandbox.html", "so the last build is served"),
    ],
)
def test_make_run_says_what_is_served_if_the_page_cannot_be_built(
    tmp_path: Path, built: str | None, reported: str
) -> None:
    """The folder has no sources of the page, and a service that only prints."""
    files = ["service/requirements.lock", ".venv/bin/python", ".venv/serving"]
    for name in [*files, *([built] if built else [])]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('#!/bin/sh\n[ "$1" = -c ] && echo usable || echo "ran $*"\n')
    (tmp_path / ".venv/bin/python").chmod(0o755)
    (tmp_path / ".venv/serving").touch()
    (tmp_path / "Makefile").symlink_to(ROOT / "Makefile")
    make = ["make", "--no-print-directory", "run"]  # `make test` would have it print directories
    ran = subprocess.run(make, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout == "ran -m service\n"
    assert reported in ran.stderr.splitlines()[-1]


def test_a_notebook_and_the_page_have_the_same_bounds() -> None:
    files = (ROOT / "service" / "web" / "state").glob("*.ts")
    page = "".join(file.read_text() for file in files)
    bounds = dict(re.findall(r"\bconst (MAX_\w+) = ([\d_]+);", page))
    for name in ("MAX_CHARACTERS", "MAX_NODES", "MAX_VALUES"):
        assert getattr(notebook, name) == int(bounds[name])
    [written], [read] = (
        re.findall(r"\b(\d+) \* MAX_CHARACTERS\b", text)
        for text in (inspect.getsource(notebook), page)
    )
    assert written == read  # per character of the longest address
