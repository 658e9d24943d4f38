"""Document, outline, text or Value -> lines for a terminal: styles, tables and trees.

In a tree the root comes first. A node that is used twice appears twice in the tree. An operation
has its operands below it the first time only; later it is marked `above`.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from shutil import get_terminal_size
from typing import Any, Literal, NamedTuple, TypeVar

from engine_py.canonical import canonical_text
from engine_py.document import GradientDocument, Outline, OutlineEdge, OutlineNode
from engine_py.errors import Span
from engine_py.picture.captions import shortened, step_of, visible
from engine_py.picture.display import Shown
from engine_py.subject import Subject, Values, document_of, introspect_value
from engine_py.template import Edge, Node
from engine_py.value import Value

Style = Literal["plain", "dim", "strong", "data", "grad"]
Paint = Callable[[str, Style], str]
"""Puts a text into a style of a terminal; whatever a style shows, a word shows, too."""
E = TypeVar("E", Edge, OutlineEdge)

MAX_NODES = 300
"""The maximum number of nodes of a graph that is drawn as a tree."""

_CODES: dict[Style, str] = {"dim": "2", "strong": "1", "data": "36", "grad": "33"}
"""Cyan and yellow: readable on black and on white, and distinct to colour-blind people."""
_DIGITS = 6
_COLUMNS = 40
_GAP = "  "
_WIDTH, _BEFORE = 72, 40
"""Width of the line above the carets, and of the context before the error in a truncated line."""
_BLANKS = re.compile(r"\s{9,}")
"""Shown as dots in a line wider than `_WIDTH`, so that the text around the error has room."""


def plain(text: str, _style: Style) -> str:
    """Leave the text as it is."""
    return text


def coloured(text: str, style: Style) -> str:
    """Put the escape sequences of ECMA-48 around the text."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style in _CODES and text.strip() else text


class Column(NamedTuple):
    """The title, alignment and style of a column; `>` aligns to the right."""

    title: str
    align: Literal["<", ">"] = ">"
    style: Style = "plain"


def draw_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], paint: Paint) -> list[str]:
    """Draw the titles, dim, and below them a line for each row.

    If the terminal is too narrow, the columns that do not fit make another table below, which
    repeats the first column.
    """
    titles = [column.title for column in columns]
    widths = [max(map(len, cells)) for cells in zip(titles, *rows, strict=True)]
    head = [Column(each.title, each.align, "dim") for each in columns]
    lines: list[str] = []
    for chosen in _parts(widths):
        lines += [""] if lines else []
        for line, cells in [(head, titles), *((columns, row) for row in rows)]:
            shown = [
                paint(f"{cells[at]:{line[at].align}{widths[at]}}", line[at].style) for at in chosen
            ]
            lines.append(_GAP.join(shown).rstrip())
    return lines


def _parts(widths: Sequence[int]) -> list[list[int]]:
    """Distribute columns, by index, over as few tables as fit; column 0 is in each."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    room = get_terminal_size().columns if is_terminal else sum(widths) + len(_GAP) * len(widths)
    parts, used = [[0]], widths[0]
    for at, width in enumerate(widths[1:], 1):
        used += len(_GAP) + width
        if used > room and len(parts[-1]) > 1:
            parts.append([0])
            used = widths[0] + len(_GAP) + width
        parts[-1].append(at)
    return parts


def number_or_none(number: float | None) -> str:
    """Write all digits of a number, or `none`."""
    return "none" if number is None else canonical_text(number)


def name_of(node: Node | OutlineNode) -> str:
    """Name a node by its label, operation or kind, with the tags that the picture has."""
    tags = ["derived"] * node["derived"]
    if node["kind"] in ("constant", "parameter"):
        tags.append(node["kind"])
    label = None if node["label"] is None else visible(node["label"], _COLUMNS)
    operation: Any = node.get("name", node["operation"])
    names = [
        name for name in (label, operation and visible(operation, _COLUMNS)) if name is not None
    ]
    return " ".join([" = ".join(names), *tags]).lstrip()


def show(subject: Subject, values: Values | None = None) -> None:
    """Print tree, ledger, result and gradients, as `gradient explain` does.

    Args:
        subject: a Value, a document or a text.
        values: by name, for a text.

    Raises:
        GradientError: the text or the graph of the Value has no document.
    """
    document = document_of(subject, values)
    sys.stdout.writelines(f"{line}\n" for line in explained(document, plain))


def draw_dot(root: Value) -> Shown:
    """Return the picture of a Value for a notebook, under the name used in the lessons.

    Raises:
        GradientError: the graph of the Value has no document.
    """
    return Shown(introspect_value(root))


def explained(document: GradientDocument, paint: Paint) -> list[str]:
    """Write tree, ledger, result and gradients as lines; a large graph has no tree."""
    ledger = draw_ledger(document, paint) if document["edges"] else ["(no edges)"]
    gradients = [
        f"d/d{name} = {paint(canonical_text(number), 'grad')}"
        for name, number in document["gradients"].items()
    ]
    result = f"result = {paint(canonical_text(document['result']), 'data')}"
    unused = [f"unused values: {', '.join(names)}"] if (names := document["unused_values"]) else []
    named = [node["label"] for node in document["nodes"] if node["kind"] == "constant"]
    numbers = ", ".join([name for name in named if name is not None])
    if numbers and not gradients:
        gradients = [f"no gradients: {numbers} is a number of the program, not a variable"]
    return [*draw_tree(document, paint), "", *ledger, "", result, *gradients, *unused]


def draw_tree(document: GradientDocument, paint: Paint) -> list[str]:
    """Draw a graph, the operands of an operation below it in the order of their slots.

    A row shows what the backward pass sends to the node there: `incoming × local = contribution`.
    Numbers are shortened, as in the picture.
    """
    nodes, rows = document["nodes"], []
    if len(nodes) > MAX_NODES:
        return [_no_tree(len(nodes))]
    names = [name_of(node) for node in nodes]
    for name, id_, edge in _branches(names, document["root"], document["edges"]):
        node = nodes[id_]
        grad = "none" if node["grad"] is None else _short(node["grad"])
        step = "" if edge is None else step_of(edge, _short)
        rows.append((name, str(id_), _short(node["data"]), grad, step))
    columns = (
        Column("", "<", "strong"),
        Column("id", style="dim"),
        Column("data", style="data"),
        Column("grad", style="grad"),
        Column("incoming × local = contribution", "<"),
    )
    return draw_table(columns, rows, paint)


def draw_outline(outline: Outline, paint: Paint) -> list[str]:
    """Draw a graph whose variables have no values yet, each node with its text."""
    nodes, lines = outline["nodes"], " ".join(outline["expression"].split("\n"))
    if len(nodes) > MAX_NODES:
        return [_no_tree(len(nodes))]
    names = [name_of(node) for node in nodes]
    rows = []
    for name, id_, _ in _branches(names, outline["root"], outline["edges"]):
        span = nodes[id_]["span"] or {"start": 0, "end": 0}
        text = visible(lines[span["start"] : span["end"]], _COLUMNS)
        rows.append((name, str(id_), text))
    columns = Column("", "<", "strong"), Column("id", style="dim"), Column("text", "<")
    return draw_table(columns, rows, paint)


def _no_tree(nodes: int) -> str:
    return f"(no tree: the graph has {nodes} nodes; at most {MAX_NODES} are drawn)"


def _branches(
    names: Sequence[str], root: int, edges: Sequence[E]
) -> Iterator[tuple[str, int, E | None]]:
    """Yield each node of the tree: its name with its branch, its id, and the edge that leads to it.

    An operation that was yielded before is marked `above`, and its operands are not repeated.
    """
    below = _edges_below(len(names), edges)
    seen: set[int] = set()
    waiting: list[tuple[str, str, int, E | None]] = [("", "", root, None)]
    while waiting:  # an explicit stack, since a chain is as deep as it is long
        before, branch, id_, edge = waiting.pop()
        again = id_ in seen and bool(below[id_])
        yield before + branch + names[id_] + (" above" if again else ""), id_, edge
        if again:
            continue
        seen.add(id_)
        inner = before + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for place, operand in enumerate(reversed(below[id_])):
            waiting.append((inner, "├─ " if place else "└─ ", operand["from"], operand))


def _short(number: float) -> str:
    """Write a number as the picture does, but with an ASCII minus sign."""
    return shortened(number, _DIGITS).replace("−", "-")


def draw_ledger(document: GradientDocument, paint: Paint) -> list[str]:
    """Draw the edges in the order of the backward pass, with all digits of their numbers."""
    nodes = document["nodes"]
    below = _edges_below(len(nodes), document["edges"])
    walked = [edge for id_ in document["backward_order"] for edge in below[id_]]
    rows = [
        (
            str(place),
            f"{edge['to']} {name_of(nodes[edge['to']])}",
            str(edge["slot"]),
            f"{edge['from']} {name_of(nodes[edge['from']])}",
            number_or_none(edge["incoming_grad"]),
            number_or_none(edge["local_grad"]),
            number_or_none(edge["contribution"]),
            number_or_none(edge["running_grad"]),
        )
        for place, edge in enumerate(walked, 1)
    ]
    columns = (
        Column("step", style="dim"),
        Column("to", "<", "strong"),
        Column("slot"),
        Column("from", "<", "strong"),
        Column("incoming"),
        Column("× local"),
        Column("= contribution"),
        Column("running grad", style="grad"),
    )
    return draw_table(columns, rows, paint)


def _edges_below(nodes: int, edges: Sequence[E]) -> list[list[E]]:
    """Return the edges into each node by slot, which is the order of their ids."""
    below: list[list[E]] = [[] for _ in range(nodes)]
    for edge in edges:
        below[edge["to"]].append(edge)
    return below


def draw_carets(text: str, span: Span) -> str:
    """Draw the line that contains the span, with carets below it; a long line is truncated.

    >>> print(draw_carets("2x + 1", Span(1, 2)))
        2x + 1
         ^
    """
    text = text.rstrip()  # a missing end is shown below the last character
    start = min(span.start, len(text))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    end = min(max(start, span.end), line_end)
    parts = [text[line_start:start], text[start:end], text[end:line_end]]
    if line_end - line_start > _WIDTH:
        parts = [_BLANKS.sub(" ... ", part) for part in parts]
    line, start = "".join(parts), len(parts[0])
    first = max(0, start - _BEFORE) if len(line) > _WIDTH else 0
    last = min(len(line), first + _WIDTH)
    shown = "".join(each if each.isprintable() else " " for each in line[first:last])
    before = "..." if first > 0 else ""
    after = "..." if last < len(line) else ""
    carets = "^" * max(1, min(len(parts[1]), last - start))
    return f"    {before}{shown}{after}\n    {' ' * (len(before) + start - first)}{carets}"
