"""Rows of cells -> lines whose columns stand below each other."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine_py.show.paint import Paint, Style

_GAP = "  "


class Column(NamedTuple):
    """How the cells of a column stand; `>` puts them to the right."""

    title: str
    align: Literal["<", ">"] = ">"
    style: Style = "plain"


def draw_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], paint: Paint) -> list[str]:
    """Draw the titles, dim, and below them a line for each row."""
    titles = [column.title for column in columns]
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    head = [Column(each.title, each.align, "dim") for each in columns]
    return [
        _GAP.join(
            [
                paint(f"{cell:{column.align}{width}}", column.style)
                for column, width, cell in zip(line, widths, cells, strict=True)
            ]
        ).rstrip()
        for line, cells in [(head, titles), *((columns, row) for row in rows)]
    ]
