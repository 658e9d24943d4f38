"""The sandbox's imports point one way: a folder knows those below it; no files form a circle."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
ENGINE, SCHEMAS = "engine", "schemas"
SHARED = {
    *("canvas.ts", "controls.tsx", "lazy.tsx", "words.ts", "deferred_words.ts"),
}
"""Files in no folder that all views use: parts that come later, the words of the language."""

MAY_IMPORT: dict[str, set[str]] = {
    "chunks": {"page", "top", "stage", "panel", "below", "shared", "state", "words"},
    "page": {"top", "stage", "panel", "below", "shared", "state", "words"},
    "below": {"panel", "stage", "top", "shared", "state", "words", ENGINE},
    "panel": {"shared", "state", "words", ENGINE},
    "stage": {"shared", "state", "words", ENGINE},
    "top": {"shared", "state", "words", ENGINE, SCHEMAS},
    "shared": {"state", "words"},
    "state": {ENGINE, SCHEMAS},
    "words": {ENGINE, SCHEMAS},
}
"""For each folder what it may import beside itself; `page` is every other file in no folder."""

IMPORT = re.compile(r'^(?:import|export) (?:type )?(?:[\w\s{},*]+ from )?"(\.[^"]+)"', re.MULTILINE)

Imports = dict[str, list[str]]
"""What each file imports, also where that is only a type, as paths from the folder of the page."""


@cache
def imports() -> Imports:
    """Read each file of the page that is no test and not built."""
    files = [
        file
        for ending in ("*.ts", "*.tsx")
        for file in (*WEB.glob(ending), *WEB.glob(f"*/**/{ending}"))
        if not {"node_modules", "dist", "tests"} & set(file.relative_to(WEB).parts)
    ]
    return {str(file.relative_to(WEB)): _imported(file) for file in sorted(files)}


def _imported(file: Path) -> list[str]:
    paths = [(file.parent / name).resolve() for name in IMPORT.findall(file.read_text())]
    return [str(path.relative_to(ROOT)).removeprefix("service/web/") for path in paths]


def room(path: str) -> str:
    first, slash, _ = path.partition("/")
    if first == "engine_ts":
        return ENGINE
    if path in SHARED:
        return "shared"
    return first if slash else "page"


def wrong(found: Imports) -> list[str]:
    return [
        f"{file} imports {path}"
        for file, paths in found.items()
        for path in paths
        if room(path) not in {room(file), *MAY_IMPORT[room(file)]}
    ]


def circle(arrows: Mapping[str, Iterable[str]]) -> list[str]:
    """Return files, or folders, each of which imports the next."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def folders(found: Imports) -> dict[str, set[str]]:
    """Return what each folder imports beside itself."""
    arrows: dict[str, set[str]] = {}
    for file, paths in found.items():
        arrows.setdefault(room(file), set()).update(set(map(room, paths)) - {room(file)})
    return arrows


def test_every_folder_of_the_page_imports_only_what_is_below_it() -> None:
    assert len(imports()) > 60
    assert sum(map(len, imports().values())) > 300
    assert wrong(imports()) == []


def test_no_files_of_the_page_import_each_other_in_a_circle() -> None:
    assert circle(imports()) == []


def test_no_folders_of_the_page_import_each_other_in_a_circle() -> None:
    assert circle(folders(imports())) == []


def test_words_hold_no_signal() -> None:
    files = [file for file in imports() if room(file) == "words"]
    assert len(files) > 7
    assert [file for file in files if "@preact/signals" in (WEB / file).read_text()] == []
    assert "@preact/signals" in (WEB / "words.ts").read_text()


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("state/play.ts", "stage/layout.ts"),
        ("state/play.ts", "words/text.tsx"),
        ("state/play.ts", "words.ts"),
        ("words/text.tsx", "state/play.ts"),
        ("words/text.tsx", "panel/panel.tsx"),
        ("deferred_words.ts", "panel/panel.tsx"),
        ("stage/stage.tsx", "panel/panel.tsx"),
        ("panel/curve.tsx", "stage/camera.ts"),
        ("top/top.tsx", "below/export.tsx"),
        ("stage/viewport.ts", "main.tsx"),
        ("panel/curve.tsx", "schemas/examples.json"),
    ],
)
def test_an_import_in_the_wrong_direction_is_found(file: str, path: str) -> None:
    assert wrong({**imports(), file: [path]}) == [f"{file} imports {path}"]


def test_an_import_of_a_type_is_seen() -> None:
    text = (WEB / "stage" / "arrows.tsx").read_text()
    assert 'import type { Place, ScreenPoint } from "./camera.ts";' in text
    assert "stage/camera.ts" in imports()["stage/arrows.tsx"]


def test_a_circle_is_found() -> None:
    found = {**imports(), "state/helpers.ts": ["state/program.ts"]}
    assert {"state/helpers.ts", "state/program.ts"} <= set(circle(found))
    found = {
        **imports(),
        "state/helpers.ts": ["words/text.tsx"],
        "words/en.ts": ["state/view.ts"],
    }
    assert circle(found) == []
    assert set(circle(folders(found))) == {"state", "words"}
