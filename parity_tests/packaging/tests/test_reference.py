"""`make reference` writes a page for each engine, where every public name has its docstring."""

import json
from pathlib import Path

import pytest

import engine_py
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import run

pytestmark = pytest.mark.packages


@pytest.fixture(scope="module")
def reference() -> Path:
    run("make", "--no-print-directory", "reference")
    return ROOT / "build" / "reference"


def test_the_page_of_python_has_every_public_name(reference: Path) -> None:
    page = (reference / "python" / "engine_py.html").read_text(encoding="utf-8")
    assert [name for name in engine_py.__all__ if f'id="{name}"' not in page] == []
    assert str(engine_py.introspect.__doc__).splitlines()[0] in page
    assert "<h6" in page  # Google's headings, such as Arguments and Raises, are read


def test_the_pages_of_typescript_have_both_entry_points(reference: Path) -> None:
    pages = reference / "typescript"
    exports = json.loads((ROOT / "engine_ts" / "package.json").read_text())["exports"]
    assert {"index.html", "modules.html"} <= {file.name for file in pages.glob("*.html")}
    # The element of a web page is no part of the engine; its attributes are in the README.
    others = {"./package.json", "./sandbox"}
    assert len(exports.keys() - others) == len(list((pages / "modules").glob("*.html")))
    assert (pages / "functions" / "index.introspect.html").is_file()
    assert (pages / "classes" / "index.Value.html").is_file()
    assert (pages / "functions" / "client_connect.connect.html").is_file()
