"""The sandbox's imports point one way: a folder knows those below it; no files form a circle."""

import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
ENGINE, SCHEMAS = "engine", "schemas"
SHOWN = {"live.ts", "lazy.tsx"}
"""What any folder of views may take from the top: a prop as a signal, and parts that come later."""

MAY_IMPORT: dict[str, set[str]] = {
    "page": {"top", "stage", "panel", "below", "state", "words"},
    "below": {"panel", "top", "state", "words", ENGINE},
    "panel": {"state", "words", ENGINE},
    "stage": {"state", "words", ENGINE},
    "top": {"state", "words", ENGINE, SCHEMAS},
    # Sentences tell of the state, and some of the state is a sentence; their files form no circle.
    "state": {"words", ENGINE, SCHEMAS},
    "words": {"state", ENGINE, SCHEMAS},
}
"""For each folder what it may import beside itself; `page` is what stands in no folder."""

IMPORT = re.compile(r'^(?:import|export) (type )?(?:[\w\s{},*]+ from )?"(\.[^"]+)"', re.MULTILINE)

Imports = dict[str, list[tuple[str, bool]]]
"""What each file imports: a path from the folder of the page, and whether that is but a type."""


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


def _imported(file: Path) -> list[tuple[str, bool]]:
    found = IMPORT.findall(file.read_text())
    return [
        (
            str((file.parent / name).resolve().relative_to(ROOT)).removeprefix("service/web/"),
            bool(kind),
        )
        for kind, name in found
    ]


def room(path: str) -> str:
    first, slash, _ = path.partition("/")
    if first == "engine_ts":
        return ENGINE
    return first if slash else "page"


def wrong(found: Imports) -> list[str]:
    return [
        f"{file} imports {path}"
        for file, paths in found.items()
        for path, _ in paths
        if path not in SHOWN and room(path) not in {room(file), *MAY_IMPORT[room(file)]}
    ]


def circle(found: Imports) -> list[str]:
    """Give files that need each other when they are loaded; types are gone by then."""
    arrows = {
        file: [path for path, is_type in paths if not is_type] for file, paths in found.items()
    }
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_folder_of_the_page_imports_only_what_is_below_it() -> None:
    assert len(imports()) > 80
    assert sum(map(len, imports().values())) > 300
    assert wrong(imports()) == []


def test_no_files_of_the_page_need_each_other_in_a_circle() -> None:
    assert circle(imports()) == []


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("state/play.ts", "stage/place.ts"),
        ("words/words.ts", "panel/rooms.ts"),
        ("stage/graph.tsx", "panel/panel.tsx"),
        ("panel/curve.tsx", "stage/camera.ts"),
        ("top/top.tsx", "below/take.tsx"),
        ("stage/frame.ts", "main.tsx"),
        ("panel/curve.tsx", "schemas/examples.json"),
    ],
)
def test_an_import_in_the_wrong_direction_is_found(file: str, path: str) -> None:
    assert wrong({**imports(), file: [(path, False)]}) == [f"{file} imports {path}"]


def test_a_circle_is_found() -> None:
    found = circle({**imports(), "state/own.ts": [("state/program.ts", False)]})
    assert {"state/own.ts", "state/program.ts"} <= set(found)
