"""Lay out the JSON of `schemas` and `service/openapi`, or check that it is laid out.

    python -m parity_tests.layout [--check]

What fits on a line stands on one. Otherwise a bracket opens an indented block, in which scalars and
lists of scalars share lines, while a description and anything nested begin a line of their own.
"""

import argparse
import re
import sys
from collections.abc import Iterator

from parity_tests.kit.engines import ROOT

WIDTH = 120
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]|[^][{}:,"\s]+')
"""A bracket, or a scalar with its escapes and digits; commas and colons are implied."""
ALONE = ('"description": ', '"summary": ')

Tree = str | list["Tree"] | dict[str, "Tree"]


def main(arguments: list[str] | None = None) -> int:
    """Rewrite the files, or with `--check` only list what would change; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m parity_tests.layout")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if it would")
    check = parser.parse_args(arguments).check
    code = 0
    files = [*ROOT.glob("schemas/*.json"), *ROOT.glob("service/openapi/*.json")]
    for file in sorted(set(files) - {ROOT / "schemas" / "rewrites.json"}):
        text = file.read_text(encoding="utf-8")
        if (new := laid_out(text)) != text:
            print(file.relative_to(ROOT))
            if check:
                code = 1
            else:
                file.write_bytes(new.encode())
    if code:
        print("not laid out; `make format` does it", file=sys.stderr)
    return code


def laid_out(text: str) -> str:
    """Return JSON in the layout of this repository; `text` must be valid JSON."""
    tokens = iter(TOKEN.findall(text))
    return "\n".join(_lines("", _read(next(tokens), tokens), "")) + "\n"


def _read(token: str, tokens: Iterator[str]) -> Tree:
    if token == "[":
        return [_read(first, tokens) for first in iter(tokens.__next__, "]")]
    if token == "{":
        return {name: _read(next(tokens), tokens) for name in iter(tokens.__next__, "}")}
    return token


def _lines(name: str, tree: Tree, indent: str) -> list[str]:
    line = indent + name + _on_one_line(tree)
    if isinstance(tree, str) or len(line) < WIDTH:  # a comma may follow
        return [line]
    block: list[str] = []
    open_line = False
    for key, item in _items(tree):
        lines = _lines(key, item, indent + "  ")
        shared = len(lines) == 1 and key not in ALONE and _is_flat(item)
        if open_line and shared and len(block[-1]) + len(lines[0].strip()) + 3 <= WIDTH:
            block[-1] += f", {lines[0].strip()}"
            continue
        if block:
            block[-1] += ","
        block += lines
        open_line = shared
    left, right = "[]" if isinstance(tree, list) else "{}"
    return [indent + name + left, *block, indent + right]


def _is_flat(tree: Tree) -> bool:
    return isinstance(tree, str) or (
        isinstance(tree, list) and all(isinstance(item, str) for item in tree)
    )


def _items(tree: Tree) -> list[tuple[str, Tree]]:
    if isinstance(tree, dict):
        return [(f"{name}: ", item) for name, item in tree.items()]
    return [("", item) for item in tree] if isinstance(tree, list) else []


def _on_one_line(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    inner = ", ".join(name + _on_one_line(item) for name, item in _items(tree))
    return f"[{inner}]" if isinstance(tree, list) else f"{{{inner}}}"


if __name__ == "__main__":
    sys.exit(main())
