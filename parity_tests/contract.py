"""Give the contract another version, in every file that states it.

    python -m parity_tests.contract X.Y.Z

Both engines, schemas, examples and tests state the version. Fixtures do not: the kit puts it into
what a case expects. The command also writes the list of operations in document.schema.json and the
tables of R3 and R26 from operations.json; with the current version, it writes only these. People
write what changed, in schemas/CHANGELOG.md.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parity_tests.kit.engines import ROOT
from parity_tests.layout import laid_out

CHANGELOG = Path("schemas", "CHANGELOG.md")
HISTORY = ("CHANGELOG.md",)
"""Files that describe past versions."""
VERSION = r"\d+\.\d+\.\d+"
NOT_WRITTEN_BY_HAND = re.compile(
    rf"\..*|build|dist|node_modules|__pycache__|.*\.egg-info|{VERSION}"
)
"""Folders without sources, or with records of past versions."""
LOCKS = re.compile(r".*\.lock|package-lock\.json")

FORMS = [
    re.compile(rf"(?P<before>{before})(?P<version>{VERSION})(?={after})")
    for before, after in [
        # A member or a constant of any language; in a string, its quotes are escaped.
        (r"""(?i:contract)\\*["']?\]? *[:=][^"'\n]{0,20}["']""", r"""\\*["']"""),
        (r'"contract": \{[^{}]*"const": "', '"'),  # a schema
        (r"Contract version: \*\*", r"\*\*"),  # the contract's text
    ]
]


DOCUMENT = Path("schemas", "document.schema.json")
LISTED = re.compile(r'(?<="enum": \[)[^\]]*?(?=\s*"custom",\s*null\s*\])')
"""The operations of a node, before `custom` and null."""
CONTRACT = Path("schemas", "CONTRACT.md")
GRADIENTS = re.compile(r"(?<=  \|---\|---\|\n)(  \| `.*\n)+")
"""The rows of R3's table."""
EXPANSIONS = re.compile(r"(?<=built from primitives:\n\n)(  - .*\n)+")
"""The list of R26."""


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Rewrite the files under `root`; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m parity_tests.contract",
        description="Give the contract another version, in every file that states it.",
    )
    parser.add_argument("version", help="three numbers, such as 2.0.1")
    version = parser.parse_args(arguments).version
    current = json.loads((root / "schemas" / "operations.json").read_text())["contract"]
    if not re.fullmatch(VERSION, version) or _parts(version) < _parts(current):
        print(f"contract: {version} is not {current} or a version above", file=sys.stderr)
        return 2
    changed = rewritten(version, root)
    for file, text in changed.items():
        (root / file).write_bytes(text.encode())
        print(file)
    print(f"{len(changed)} files state version {version} instead of {current}")
    if f"## {version}\n" not in (root / CHANGELOG).read_text(encoding="utf-8"):
        print(f"Write what changed under `## {version}` in {CHANGELOG}.")
    return 0


def rewritten(version: str, root: Path = ROOT) -> dict[Path, str]:
    """Return the new text of each file that changes."""
    changed = {}
    for file, text in source_texts(root):
        new = text
        for form in FORMS:
            new = form.sub(lambda match: match["before"] + version, new)
        if file == DOCUMENT:
            new = laid_out(LISTED.sub(lambda _: listed_operations(root), new))
        if file == CONTRACT:
            new = GRADIENTS.sub(lambda _: gradient_rows(root), new, count=1)
            new = EXPANSIONS.sub(lambda _: expansion_rows(root), new, count=1)
        if new != text:
            changed[file] = new
    return changed


def listed_operations(root: Path = ROOT) -> str:
    """Return the operations as members of a JSON enum."""
    return "".join(f"{json.dumps(row['operation'])}, " for row in _operations(root))


def gradient_rows(root: Path = ROOT) -> str:
    """Return the local gradients as rows of a table."""
    return "".join(
        f"  | `{row['syntax']}` | {', '.join(map(_in_cell, row['local_gradients']))} |\n"
        for row in _operations(root)
    )


def _in_cell(formula: str | None) -> str:
    return "none" if formula is None else f"`{formula}`"


def expansion_rows(root: Path = ROOT) -> str:
    """Return the expansions of derived operations as a list."""
    return "".join(
        f"  - `{row['syntax']}` is `{row['expansion']}`\n"
        for row in _operations(root)
        if row["derived"]
    )


def _operations(root: Path) -> list[dict[str, Any]]:
    table = json.loads((root / "schemas" / "operations.json").read_text())
    operations: list[dict[str, Any]] = table["operations"]
    return operations


def stated_versions(text: str) -> list[str]:
    """Return every contract version that a text states."""
    return [match["version"] for form in FORMS for match in form.finditer(text)]


def source_texts(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each file that people write about the current version."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not NOT_WRITTEN_BY_HAND.fullmatch(name))
        for name in sorted(names):
            if name not in HISTORY and not LOCKS.fullmatch(name):
                file = Path(folder, name)
                try:
                    yield file.relative_to(root), file.read_bytes().decode()
                except UnicodeDecodeError:
                    continue  # a picture


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


if __name__ == "__main__":
    sys.exit(main())
