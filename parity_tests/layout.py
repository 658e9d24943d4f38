"""Lay out the JSON of schemas, OpenAPI and cases, or check that it is laid out.

    python -m parity_tests.layout [--check]

A value that fits on one line has one line. Otherwise a bracket opens an indented block, in which
scalars and lists of scalars share lines, while descriptions and nested values begin new lines.

Cases, tables and the dashboard are denser: values that fit share a line; a bracket around a
single block, or around a few short members and a block, opens and closes on the lines of that
block; and a row of a table, which is an object in a list, without lists in it, is one line.
"""

import argparse
import re
import sys
from collections.abc import Iterator

from parity_tests.kit.engines import ROOT

WIDTH = 120
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}]|[^][{}:,"\s]+')
"""A bracket, or a scalar with its escapes and digits; commas and colons are implied."""
ALONE = ('"description": ', '"summary": ', '"why": ')
ROW = 200
"""The width of a row, whose numbers readers compare with those above and below."""
SHORT = 80
"""The width of members before a block on the line that opens it."""
SCHEMAS = ("schemas/*.json", "service/openapi.json")
DENSE = (
    *("parity_tests/fixtures/*.json", "parity_tests/units/*.json", "schemas/operations.json"),
    *("schemas/examples.json", "schemas/pitfalls.json", "schemas/rewrites.json"),
    "service/deploy/grafana/dashboard.json",
)
"""Files with many short rows; these patterns take precedence over `SCHEMAS`."""

Tree = str | list["Tree"] | dict[str, "Tree"]


def main(arguments: list[str] | None = None) -> int:
    """Rewrite the files, or with `--check` only list what would change; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m parity_tests.layout")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if it would")
    check = parser.parse_args(arguments).check
    code = 0
    layouts = {file: laid_out for pattern in SCHEMAS for file in ROOT.glob(pattern)}
    layouts |= {file: laid_out_densely for pattern in DENSE for file in ROOT.glob(pattern)}
    for file in sorted(layouts):
        text = file.read_text(encoding="utf-8")
        if (new := layouts[file](text)) != text:
            print(file.relative_to(ROOT))
            if check:
                code = 1
            else:
                file.write_bytes(new.encode())
    if code:
        print("these files are not laid out; run `make format`", file=sys.stderr)
    return code


def laid_out(text: str) -> str:
    """Return JSON in the layout of this repository; `text` must be valid JSON."""
    tokens = iter(TOKEN.findall(text))
    return "\n".join(_lines("", _read(next(tokens), tokens), "")) + "\n"


def laid_out_densely(text: str) -> str:
    """Return JSON in the layout of cases; `text` must be valid JSON."""
    tokens = iter(TOKEN.findall(text))
    return "\n".join(_dense_lines("", _read(next(tokens), tokens), "")) + "\n"


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
    members = [
        (_lines(key, item, indent + "  "), key not in ALONE and _is_flat(item))
        for key, item in _items(tree)
    ]
    left, right = _brackets(tree)
    return [indent + name + left, *_filled(members), indent + right]


def _dense_lines(name: str, tree: Tree, indent: str, width: int = WIDTH) -> list[str]:
    line = indent + name + _on_one_line(tree)
    if isinstance(tree, str) or (len(line) < width and not _is_case(tree)):
        return [line]
    left, right = _brackets(tree)
    items, in_list = _items(tree), isinstance(tree, list)
    widths = [ROW if in_list and _has_no_list(item) else WIDTH for _, item in items]
    blocks = [_dense_lines(*item, indent, width) for item, width in zip(items, widths, strict=True)]
    if all(len(block) > 1 for block in blocks) and (in_list or len(blocks) == 1):
        lines = [indent + name + left]
        for place, block in enumerate(blocks):
            lines[-1] += (", " if place else "") + block[0].removeprefix(indent)
            lines += block[1:]
        return [*lines[:-1], lines[-1] + right]
    if blocks and not (in_list or _is_case(tree) or any(key in ALONE for key, _ in items)):
        *short, block = blocks
        start = ", ".join(each[0].removeprefix(indent) for each in blocks)
        start = indent + name + left + start
        if len(block) > 1 and len(start) <= SHORT and all(len(each) == 1 for each in short):
            return [start, *block[1:-1], block[-1] + right]
    members = [
        (_dense_lines(key, item, indent + "  ", width), key not in ALONE)
        for (key, item), width in zip(items, widths, strict=True)
    ]
    return [indent + name + left, *_filled(members), indent + right]


def _filled(members: list[tuple[list[str], bool]]) -> list[str]:
    """Join the lines of members with commas; members of one line share lines if they may."""
    block: list[str] = []
    open_line = False
    for lines, may_share in members:
        shared = may_share and len(lines) == 1
        if open_line and shared and len(block[-1]) + len(lines[0].strip()) + 3 <= WIDTH:
            block[-1] += f", {lines[0].strip()}"
            continue
        if block:
            block[-1] += ","
        block += lines
        open_line = shared
    return block


def _is_case(tree: Tree) -> bool:
    return isinstance(tree, dict) and isinstance(tree.get('"why"'), str)


def _has_no_list(tree: Tree) -> bool:
    return not isinstance(tree, list) and all(_has_no_list(item) for _, item in _items(tree))


def _is_flat(tree: Tree) -> bool:
    return isinstance(tree, str) or (
        isinstance(tree, list) and all(isinstance(item, str) for item in tree)
    )


def _brackets(tree: Tree) -> tuple[str, str]:
    return ("[", "]") if isinstance(tree, list) else ("{", "}")


def _items(tree: Tree) -> list[tuple[str, Tree]]:
    if isinstance(tree, dict):
        return [(f"{name}: ", item) for name, item in tree.items()]
    return [("", item) for item in tree] if isinstance(tree, list) else []


def _on_one_line(tree: Tree) -> str:
    if isinstance(tree, str):
        return tree
    inner = ", ".join(name + _on_one_line(item) for name, item in _items(tree))
    left, right = _brackets(tree)
    return left + inner + right


if __name__ == "__main__":
    sys.exit(main())
