"""`gradient serve` as a process: the page alone, at the address that it prints, until Ctrl-C."""

import http.client
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from engine_py import notebook
from engine_py.command.main import main

ROOT = Path(__file__).parents[2]
PAGE = "<!doctype html><p>π"
WITH_PAGE = """
import signal, sys
from pathlib import Path
from engine_py import notebook
from engine_py.command.main import main
signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored if the tests are started with &
notebook.PAGES = (Path(sys.argv[1]),)
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Write a page to serve instead of the built one, next to another file."""
    (tmp_path / "secret.txt").write_text("secret")
    file = tmp_path / "sandbox.html"
    file.write_text(PAGE, encoding="utf-8")
    return file


@contextmanager
def served(page: Path, *arguments: str) -> Iterator[str]:
    """Serve the page from its folder until Ctrl-C; yield its address."""
    argv = [sys.executable, "-c", WITH_PAGE, str(page), "serve", *arguments]
    with subprocess.Popen(
        argv,
        cwd=page.parent,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        try:
            line = process.stdout.readline()
            assert "computed in your browser" in line
            yield line.split()[-1]
            process.send_signal(signal.SIGINT)
            assert (process.wait(), process.stdout.read(), process.stderr.read()) == (0, "", "")
        finally:
            process.kill()


def get(address: str, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc)
    connection.request("GET", path)
    with connection.getresponse() as reply:
        return reply.status, reply.read().decode()


def test_the_page_is_served_and_no_file_is(page: Path) -> None:
    with served(page, "--port", "0") as address:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
        assert get(address, "/") == get(address, "/?lang=de") == (200, PAGE)
        for path in (
            "/secret.txt",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            f"/{page}",
            f"//{page}",
        ):
            assert get(address, path)[0] == 404


def test_the_address_has_the_program(page: Path) -> None:
    program = ("w * x + 1", "w=0.5", "x=-2", "--parameter", "w")
    with served(page, *program, "--port", "0") as address:
        assert address.partition("#")[2] == "e=w%20*%20x%20+%201&v=w:0.5,x:-2&p=w"


def test_two_servers_run_at_once(page: Path) -> None:
    with served(page) as first, served(page) as second:
        assert first != second
        assert get(first, "/") == get(second, "/") == (200, PAGE)


def test_an_error_names_the_port_that_is_taken(
    page: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebook, "PAGES", (page,))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 2
    assert f"cannot listen on port {port}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["a *"], "\n\n    a *\n       ^\n"),
        (["a", "a=1e999"], "`a` must be a finite number"),
        (["a" + " " * 4_000], "the page shows at most 4,000 characters, and this has 4,001"),
        (["+".join(["1"] * 1_001)], "at most 2,000 nodes"),
        (["--port", "65536"], "--port must be from 0 to 65535, not 65536"),
        ([], "the page is not built: run `make page`"),
    ],
)
def test_a_program_that_cannot_be_served_is_refused(
    arguments: list[str],
    reported: str,
    page: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notebook, "PAGES", (page,) if arguments else ())
    assert main(["serve", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reported in err
