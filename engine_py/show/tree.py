"""Document or outline -> the graph as a tree of text, root first; the ledger as a table.

What is used twice is a node of a graph, but stands in two places of a tree. An operation has its
operands below it in the first of them alone; the others say `above`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.outline import Outline, OutlineEdge, OutlineNode
from engine_py.picture.text import shortened, visible
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table
from engine_py.template import Edge, Node

E = TypeVar("E", Edge, OutlineEdge)

MOST_NODES = 300
"""Nodes of a graph that is drawn; more would fill a hundred screens."""

_DIGITS = 6
_COLUMNS = 40
_TREE = (
    Column("", "<", "strong"),
    Column("id", ">", "dim"),
    Column("data", ">", "data"),
    Column("grad", ">", "grad"),
    Column("incoming × local = contribution", "<"),
)
_OUTLINE = (*_TREE[:2], Column("text", "<"))
_LEDGER = (
    Column("step", ">", "dim"),
    Column("to", "<", "strong"),
    Column("slot", ">"),
    Column("from", "<", "strong"),
    Column("incoming", ">"),
    Column("× local", ">"),
    Column("= contribution", ">"),
    Column("running grad", ">", "grad"),
)


def draw_tree(document: Document, paint: Paint) -> list[str]:
    """Draw a graph, the operands of an operation below it in the order of their slots.

    A row has what the backward pass sends to its node there: `incoming × local = contribution`.
    Numbers are shortened, as in the picture.
    """
    nodes, rows = document["nodes"], []
    names = [name_of(node) for node in nodes]
    for name, id_, edge in _branches(names, document["root"], document["edges"]):
        node = nodes[id_]
        grad = "none" if node["grad"] is None else _short(node["grad"])
        step = "" if edge is None else _step(edge)
        rows.append((name, str(id_), _short(node["data"]), grad, step))
    return draw_table(_TREE, rows, paint)


def draw_outline(outline: Outline, paint: Paint) -> list[str]:
    """Draw a graph whose variables have no values yet, each node beside its text."""
    nodes, lines = outline["nodes"], " ".join(outline["expression"].split("\n"))
    names = [name_of(node) for node in nodes]
    rows = []
    for name, id_, _ in _branches(names, outline["root"], outline["edges"]):
        span = nodes[id_]["span"] or {"start": 0, "end": 0}
        text = visible(lines[span["start"] : span["end"]], _COLUMNS)
        rows.append((name, str(id_), text))
    return draw_table(_OUTLINE, rows, paint)


def _branches(
    names: Sequence[str], root: int, edges: Sequence[E]
) -> Iterator[tuple[str, int, E | None]]:
    """Walk the tree: give each node's name with its branch, its id, and the edge that leads there.

    An operation that was met before is `above`, and its operands are not met again.
    """
    below = _edges_below(len(names), edges)
    seen: set[int] = set()
    waiting: list[tuple[str, str, int, E | None]] = [("", "", root, None)]
    while waiting:  # an explicit stack, for a chain is as deep as it is long
        before, branch, id_, edge = waiting.pop()
        again = id_ in seen and bool(below[id_])
        yield before + branch + names[id_] + (" above" if again else ""), id_, edge
        if again:
            continue
        seen.add(id_)
        inner = before + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for place, operand in enumerate(reversed(below[id_])):
            waiting.append((inner, "├─ " if place else "└─ ", operand["from"], operand))


def draw_ledger(document: Document, paint: Paint) -> list[str]:
    """Draw the edges in the order of the backward pass, all digits of their numbers."""
    nodes = document["nodes"]
    below = _edges_below(len(nodes), document["edges"])
    walked = [edge for id_ in document["backward_order"] for edge in below[id_]]
    rows = [
        (
            str(place),
            f"{edge['to']} {name_of(nodes[edge['to']])}",
            str(edge["slot"]),
            f"{edge['from']} {name_of(nodes[edge['from']])}",
            _exact(edge["incoming_grad"]),
            *(_exact(edge[name]) for name in ("local_grad", "contribution", "running_grad")),
        )
        for place, edge in enumerate(walked, 1)
    ]
    return draw_table(_LEDGER, rows, paint)


def name_of(node: Node | OutlineNode) -> str:
    """Name a node by its label, its operation or its kind, with what the picture tags."""
    tags = ["derived"] * node["derived"]
    if node["kind"] in ("constant", "parameter"):
        tags.append(node["kind"])
    label = None if node["label"] is None else visible(node["label"], _COLUMNS)
    operation: Any = node.get("name", node["operation"])
    names = [
        name for name in (label, operation and visible(operation, _COLUMNS)) if name is not None
    ]
    return " ".join([" = ".join(names), *tags]).lstrip()


def _edges_below(nodes: int, edges: Sequence[E]) -> list[list[E]]:
    """Give the edges into each node, by slot, which is the order of their ids."""
    below: list[list[E]] = [[] for _ in range(nodes)]
    for edge in edges:
        below[edge["to"]].append(edge)
    return below


def _step(edge: Edge) -> str:
    incoming, local = edge["incoming_grad"], edge["local_grad"]
    contribution = edge["contribution"]
    if incoming is None or local is None or contribution is None:
        return "no gradient"
    return f"{_short(incoming)} × {_short(local)} = {_short(contribution)}"


def _short(number: float) -> str:
    """Write it as the picture does, with the minus sign that programs read."""
    return shortened(number, _DIGITS).replace("−", "-")


def _exact(number: float | None) -> str:
    return "none" if number is None else canonical_text(number)
