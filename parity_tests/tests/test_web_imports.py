"""The sandbox's imports point one way: a folder knows those below it; no files form a circle.

A type counts as an import, and so does a file that is loaded later, `import("…")`. Tools cost more
than these lines: dependency-cruiser is 43 packages and a second TypeScript, Biome is 97 MB, and
oxlint ignores `import("…")`.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter

from parity_tests.kit.engines import ROOT

WEB = ROOT / "service" / "web"
VIEWS = {"top", "stage", "panel", "below"}
MAY_IMPORT: dict[str, set[str]] = {
    "page": {*VIEWS, "later", "shared", "state", "words"},
    "later": {*VIEWS, "shared", "state", "words", "engine"},
    "below": {"stage", "top", "later", "shared", "state", "words", "engine"},
    "panel": {"later", "shared", "state", "words", "engine"},
    "stage": {"later", "shared", "state", "words", "engine"},
    "top": {"later", "shared", "state", "words", "engine", "schemas"},
    "shared": {"state", "words"},
    "state": {"engine", "schemas"},
    "words": {"engine", "schemas"},
    "build": {"engine", "top"},
}
"""The folders that each folder may import, besides itself."""
IN_NO_FOLDER = {
    "build.ts": "build",
    **dict.fromkeys(("loading.tsx", "interaction.ts", "interaction_parts.tsx"), "later"),
    **dict.fromkeys(("shared.tsx", "controls.tsx", "words.ts"), "shared"),
}
"""Files that are loaded later, for any view, and files that all views use; others are `page`."""

IMPORT = re.compile(
    r'^(?:import|export) (?:type )?(?:[\w\s{},*]+ from )?"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)',
    re.MULTILINE,
)

Imports = dict[str, list[str]]


@cache
def imports() -> Imports:
    """Read the imports of each file of the page, except for tests and builds."""
    files = sorted(file for ending in ("ts", "tsx") for file in WEB.rglob(f"*.{ending}"))
    here = {str(file.relative_to(WEB)): file for file in files}
    return {
        path: [
            str((file.parent / (at_once or later)).resolve().relative_to(ROOT))
            .removeprefix("service/web/")
            .replace("engine_ts/", "engine/")
            for at_once, later in IMPORT.findall(file.read_text())
        ]
        for path, file in here.items()
        if not path.startswith(("node_modules/", "dist/", "tests/"))
    }


def folder(path: str) -> str:
    first, slash, _ = path.partition("/")
    return first if slash else IN_NO_FOLDER.get(path, "page")


def wrong(found: Imports) -> list[str]:
    return [
        f"{file} imports {path}"
        for file, paths in found.items()
        for path in paths
        if folder(path) not in {folder(file), *MAY_IMPORT[folder(file)]}
    ]


def circle(arrows: Mapping[str, Iterable[str]]) -> list[str]:
    """Return files each of which imports the next."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_folder_of_the_page_imports_only_what_is_below_it() -> None:
    assert len(imports()) > 40
    assert sum(map(len, imports().values())) > 300
    assert wrong(imports()) == []


def test_no_files_of_the_page_import_each_other_in_a_circle() -> None:
    assert circle(imports()) == []


def test_an_import_in_the_wrong_direction_is_found_and_so_is_a_circle() -> None:
    back = {**imports(), "state/play.ts": ["words.ts"], "stage/arrows.tsx": ["panel/panel.tsx"]}
    assert wrong(back) == [
        "stage/arrows.tsx imports panel/panel.tsx",
        "state/play.ts imports words.ts",
    ]
    back = {**imports(), "panel/train.tsx": ["panel/panel.tsx"]}  # which `loading.tsx` loads
    assert {"loading.tsx", "panel/train.tsx", "panel/panel.tsx"} <= set(circle(back))


def test_words_hold_no_signal() -> None:
    files = [file for file in imports() if folder(file) == "words"]
    assert [file for file in files if "@preact/signals" in (WEB / file).read_text()] == []
    assert "@preact/signals" in (WEB / "words.ts").read_text()
