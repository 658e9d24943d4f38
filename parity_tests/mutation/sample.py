"""A share -> functions of TypeScript: one in so many, drawn by name, so always the same."""

from collections.abc import Iterator
from pathlib import Path
from random import Random


def drawn_ranges(file: Path, name: str, share: int) -> list[str]:
    """Draw functions of a file; give them as Stryker wants them, `name:first-last`."""
    return [
        f"{name}:{first}-{last}"
        for first, last in _pieces(file.read_text().splitlines())
        if Random(f"{name}:{first}").randrange(share) == 0
    ]


def _pieces(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Cut after each end of a function, so that no mutant lies across a cut."""
    first = 1
    for number, line in enumerate(lines, 1):
        if line.startswith("}"):
            yield first, number
            first = number + 1
    if first <= len(lines):
        yield first, len(lines)
