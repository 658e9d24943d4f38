"""Document -> the graph as a tree of text, root first, and the ledger as a table.

What is used twice is a node of a graph, but stands in two places of a tree. An operation has its
operands below it in the first of them alone; the others say `above`.
"""

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.picture.text import shortened, visible
from engine_py.show.paint import Paint
from engine_py.show.table import Column, draw_table
from engine_py.template import Edge, Node

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
    nodes, below = document["nodes"], _edges_below(document)
    rows: list[tuple[str, ...]] = []
    seen: set[int] = set()
    waiting: list[tuple[str, str, int, str]] = [("", "", document["root"], "")]
    while waiting:  # an explicit stack, for a chain is as deep as it is long
        before, branch, id_, step = waiting.pop()
        node, again = nodes[id_], id_ in seen and bool(below[id_])
        name = before + branch + name_of(node) + (" above" if again else "")
        grad = "none" if node["grad"] is None else _short(node["grad"])
        rows.append((name, str(id_), _short(node["data"]), grad, step))
        if again:
            continue
        seen.add(id_)
        inner = before + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        for edge in reversed(below[id_]):
            last = edge is below[id_][-1]
            waiting.append((inner, "└─ " if last else "├─ ", edge["from"], _step(edge)))
    return draw_table(_TREE, rows, paint)


def draw_ledger(document: Document, paint: Paint) -> list[str]:
    """Draw the edges in the order of the backward pass, all digits of their numbers."""
    nodes, below = document["nodes"], _edges_below(document)
    walked = [edge for id_ in document["backward_order"] for edge in below[id_]]
    rows = [
        (
            str(place),
            f"{edge['to']} {name_of(nodes[edge['to']])}",
            str(edge["slot"]),
            f"{edge['from']} {name_of(nodes[edge['from']])}",
            canonical_text(edge["incoming_grad"]),
            *(_exact(edge[name]) for name in ("local_grad", "contribution", "running_grad")),
        )
        for place, edge in enumerate(walked, 1)
    ]
    return draw_table(_LEDGER, rows, paint)


def name_of(node: Node) -> str:
    """Name a node by its label, its operation or its kind, with what the picture tags."""
    tags = ["derived"] * node["derived"]
    if node["kind"] in ("constant", "parameter"):
        tags.append(node["kind"])
    label = None if node["label"] is None else visible(node["label"], _COLUMNS)
    names = [name for name in (label, node["operation"]) if name is not None]
    return " ".join([" = ".join(names), *tags]).lstrip()


def _edges_below(document: Document) -> list[list[Edge]]:
    """Give the edges into each node, by slot, which is the order of their ids."""
    below: list[list[Edge]] = [[] for _ in document["nodes"]]
    for edge in document["edges"]:
        below[edge["to"]].append(edge)
    return below


def _step(edge: Edge) -> str:
    local, contribution = edge["local_grad"], edge["contribution"]
    if local is None or contribution is None:
        return "no gradient"
    return f"{_short(edge['incoming_grad'])} × {_short(local)} = {_short(contribution)}"


def _short(number: float) -> str:
    """Write it as the picture does, with the minus sign that programs read."""
    return shortened(number, _DIGITS).replace("−", "-")


def _exact(number: float | None) -> str:
    return "none" if number is None else canonical_text(number)
