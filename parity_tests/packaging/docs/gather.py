"""The texts of this repository -> the sources of the site, in build/docs-source.

    python -m parity_tests.packaging.docs.gather

A text keeps its path, so links between texts keep working; a link to anything but a page leads to
the repository. `pages/` has the texts that are only for the site. conf.py is Sphinx's.
"""

import re
import shutil
from pathlib import Path
from posixpath import dirname, normpath, relpath

from jinja2 import Environment, FileSystemLoader

import engine_py
from engine_py import draw, introspect
from parity_tests.packaging.docs.functions import functions
from parity_tests.packaging.owner import account
from service.config import Config
from service.pages.explanations import explanations
from service.pages.reference import FILTERS, reference

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SOURCE = ROOT / "build" / "docs-source"
REFERENCE = ROOT / "build" / "reference"
"""Pages of TypeScript's modules, which `make reference` writes."""
PLAYGROUND = f"https://{account()}.github.io/gradient-service/sandbox/"
BLOB = f"https://github.com/{account()}/gradient-service/blob/main/"

TEXTS = (
    *("README.md", "parity_tests/TUTORIAL.md", "service/README.md", "engine_py/README.md"),
    *("engine_py/FROM_MICROGRAD.md", "engine_ts/README.md", "service/deploy/README.md"),
    *("parity_tests/IMPLEMENTING.md", "parity_tests/packaging/README.md", "CONTRIBUTING.md"),
    *("schemas/OPERATIONS.md", "service/web/README.md", "schemas/CONTRACT.md", "CHANGELOG.md"),
    *("engine_py/bench/REPORT.md", "schemas/CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md"),
)
LAB = ("b = a + 1; c = a * 3; d = b * c", {"a": 2.0})
"""The program of lab.md."""

_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
_PLAYED = re.compile(rf"\[([^]]+)\]\({PLAYGROUND}\)")
_ROW = re.compile(r'<a id="property-[^"]+"></a> |\[(`\w+`)\]\([^)]*#property-[^)]*\)')
"""An anchor in a table, or a link to one, which Sphinx does not follow."""
_LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")
_PROBLEM = re.compile(r'(?<=href=")/problems/')
"""The service has a page for each code; the site has one for all."""


def main() -> None:
    """Rewrite all sources."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(HERE / "pages", SOURCE)
    shutil.copytree(ROOT / ".github", SOURCE / "pictures", ignore=_no_picture)
    drawn = draw(introspect(*LAB))
    (SOURCE / "pictures" / "lab.svg").write_text(drawn, encoding="utf-8")
    for name, text in generated().items():
        (SOURCE / name).write_text(text, encoding="utf-8")
    for text in TEXTS:
        page = SOURCE / page_of(text)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(led((ROOT / text).read_text("utf-8"), text), encoding="utf-8")
    for page in REFERENCE.rglob("*.md"):
        copy = SOURCE / page.relative_to(REFERENCE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(_ROW.sub(r"\1", page.read_text("utf-8")), encoding="utf-8")
    with (SOURCE / "index.md").open("a", encoding="utf-8") as index:
        index.write((HERE / "contents.md").read_text("utf-8"))


def _no_picture(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if not name.endswith((".svg", ".webp"))]


def page_of(text: str) -> str:
    """Return the path of a text's page."""
    return "index.md" if text == "README.md" else text


def generated() -> dict[str, str]:
    """Write the references that are data, as Markdown with tables in HTML; by the page's name.

    The data are the service's OpenAPI document, operations.json, problems.toml and the docstrings
    of the engine.
    """
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True)
    environment.filters.update(FILTERS)
    pages = {
        "http.md": reference(Config()),
        "functions.md": {"functions": functions()},
        "python.md": {"exports": exports()},
        "errors.md": {"explanations": explanations().values()},
    }
    return {
        name: _PROBLEM.sub("errors.html#", environment.get_template(name).render(data))
        for name, data in pages.items()
    }


def exports() -> dict[str, str]:
    """Return the kind of each class and function of the engine, those to begin with first."""
    names = sorted(engine_py.__all__, key=lambda name: name not in ("Value", "introspect"))
    found = {name: getattr(engine_py, name) for name in names}
    return {
        name: "class" if isinstance(export, type) else "function"
        for name, export in found.items()
        if callable(export)
    }


def led(markdown: str, source: str) -> str:
    """Point each link of a text to its page if there is one, or else to the repository."""
    markdown = markdown.replace('".github/', '"pictures/')
    playground = relpath("sandbox/index.html", dirname(source) or ".")
    # In HTML, since Markdown's links lead to pages that Sphinx builds.
    markdown = _PLAYED.sub(rf'<a href="{playground}">\1</a>', markdown)
    pieces = _FENCED.split(markdown)
    pieces[::2] = [_LINK.sub(lambda match: _led(match[1], source), piece) for piece in pieces[::2]]
    return "".join(pieces)


def _led(link: str, source: str) -> str:
    path, mark, anchor = link.removeprefix(BLOB).partition("#")
    if not path or (not link.startswith(BLOB) and re.match(r"[a-z]+:", link)):
        return link
    target = normpath(path if link.startswith(BLOB) else f"{dirname(source)}/{path}").lstrip("/")
    if f"{target}/README.md" in TEXTS:
        target += "/README.md"
    if target in TEXTS:
        return relpath(page_of(target), dirname(source) or ".") + mark + anchor
    return BLOB + target + mark + anchor if (ROOT / target).exists() else link


if __name__ == "__main__":
    main()
