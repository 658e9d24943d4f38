"""Give the contract another version, in every file that states it.

    python -m parity_tests.contract X.Y.Z

The version stands in both engines, in schemas, examples and tests, and in the fixtures of canonical
texts, whose digests change with it (R33). The texts and the digests are computed by the package
`rfc8785` and by the oracle, never by an engine. What changed is for people to write down, in
schemas/CHANGELOG.md.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import rfc8785

from parity_tests.kit.cases import read_json
from parity_tests.kit.engines import ROOT
from parity_tests.oracle.document import reference_document

CHANGELOG = Path("schemas", "CHANGELOG.md")
HISTORY = ("CHANGELOG.md", "REPORT.md")
"""Files about past versions."""
NOT_WRITTEN_BY_HAND = re.compile(r"\..*|build|dist|node_modules|__pycache__|.*\.egg-info")
"""Folders without sources."""
LOCKS = re.compile(r".*\.lock|package-lock\.json")

VERSION = r"\d+\.\d+\.\d+"
FORMS = [
    re.compile(rf"(?P<before>{before})(?P<version>{VERSION})(?={after})")
    for before, after in [
        # A member or a constant of any language; in a string, its quotes are escaped.
        (r"""(?i:contract)\\*["']?\]? *[:=][^"'\n]{0,20}["']""", r"""\\*["']"""),
        (r'"contract": \{[^{}]*"const": "', '"'),  # a schema
        (r"Contract version: \*\*", r"\*\*"),  # the contract's text
    ]
]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Rewrite the files under `root`; give the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m parity_tests.contract",
        description="Give the contract another version, in every file that states it.",
    )
    parser.add_argument("version", help="three numbers, such as 2.0.1")
    version = parser.parse_args(arguments).version
    current = json.loads((root / "schemas" / "operations.json").read_text())["contract"]
    if not re.fullmatch(VERSION, version) or _parts(version) <= _parts(current):
        print(f"contract: {version} is not a version above {current}", file=sys.stderr)
        return 2
    try:
        changed = rewritten(version, root)
    except ValueError as fault:
        print(f"contract: {fault}", file=sys.stderr)
        return 1
    for file, text in changed.items():
        (root / file).write_bytes(text.encode())
        print(file)
    print(f"{len(changed)} files state version {version} instead of {current}")
    if f"## {version}\n" not in (root / CHANGELOG).read_text(encoding="utf-8"):
        print(f"Write what changed under `## {version}` in {CHANGELOG}.")
    return 0


def rewritten(version: str, root: Path = ROOT) -> dict[Path, str]:
    """Give the new text of each file that changes. Raises ValueError where a fixture is wrong."""
    changed = {}
    for file, text in source_texts(root):
        new = _with_canonical(root / file, text, version) if _is_fixture(file) else text
        for form in FORMS:
            new = form.sub(lambda match: match["before"] + version, new)
        if new != text:
            changed[file] = new
    return changed


def stated_versions(text: str) -> list[str]:
    """Give every version of the contract that a text states."""
    return [match["version"] for form in FORMS for match in form.finditer(text)]


def source_texts(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Give each file that people write and that is about the present, by its path from the root."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not NOT_WRITTEN_BY_HAND.fullmatch(name))
        for name in sorted(names):
            if name not in HISTORY and not LOCKS.fullmatch(name):
                file = Path(folder, name)
                try:
                    yield file.relative_to(root), file.read_bytes().decode()
                except UnicodeDecodeError:
                    continue  # a picture


def _is_fixture(file: Path) -> bool:
    return file.suffix == ".json" and file.is_relative_to("parity_tests/fixtures")


def _with_canonical(file: Path, text: str, version: str) -> str:
    """Replace the canonical text of a fixture, if it expects one, and its digest."""
    fixture = read_json(file)
    expected = fixture.get("expect", {}).get("canonical")
    if expected is None:
        return text
    document = (
        json.loads(expected["text"], parse_int=float)  # a double, of any size
        if "text" in expected
        else reference_document(**fixture["request"])
    )
    old, new = _canonical(document), _canonical({**document, "contract": version})
    if old | expected != old:
        raise ValueError(f"{file}: its digest or text is not that of its document")
    for member in expected:
        text = text.replace(json.dumps(old[member]), json.dumps(new[member]))
    return text


def _canonical(document: dict[str, Any]) -> dict[str, str]:
    text = rfc8785.dumps(document)
    return {"text": text.decode(), "digest": sha256(text).hexdigest()}


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


if __name__ == "__main__":
    sys.exit(main())
