"""Document -> what a notebook shows: the picture, or a table where the picture would be too large.

A notebook asks an object for `_repr_svg_` and `_repr_html_`; of two it would take the second, so
only one of them gives a text.
"""

from engine_py.document import Document
from engine_py.picture.draw import draw
from engine_py.picture.text import escaped, shortened, visible
from engine_py.template import Node

MOST_DRAWN = 300
"""Nodes of a graph that is drawn, and rows of a table."""
_HEAD = (
    "<tr><th>id</th><th>kind</th><th>operation</th><th>label</th><th>data</th><th>grad</th></tr>"
)


class Shown:
    """Shows a document where it is the last expression of a cell: `Shown(introspect(...))`."""

    def __init__(self, document: Document) -> None:
        """Keep the document, which is a plain dictionary and cannot show itself."""
        self.document = document

    def __repr__(self) -> str:
        """Say in one line what a picture cannot be drawn of, as on a plain terminal."""
        text, nodes = self.document["expression"], len(self.document["nodes"])
        return f"<document of {text!r}: {self.document['result']!r}, {nodes} nodes>"

    def _repr_svg_(self) -> str | None:
        return svg_of(self.document)

    def _repr_html_(self) -> str | None:
        return table_of(self.document)


def svg_of(document: Document) -> str | None:
    """Draw a graph of at most 300 nodes; None for a larger one."""
    return draw(document) if len(document["nodes"]) <= MOST_DRAWN else None


def table_of(document: Document) -> str | None:
    """Write the last 300 nodes of a larger graph as a table, the root first; else None."""
    nodes = document["nodes"]
    if len(nodes) <= MOST_DRAWN:
        return None
    rows = "".join([_row(node) for node in nodes[: -MOST_DRAWN - 1 : -1]])
    caption = f"{MOST_DRAWN} of {len(nodes)} nodes, the root first"
    return f"<table><caption>{caption}</caption>{_HEAD}{rows}</table>"


def _row(node: Node) -> str:
    operation = node.get("name", node["operation"])
    cells = node["id"], node["kind"], operation, node["label"], node["data"], node["grad"]
    return f"<tr>{''.join([f'<td>{_cell(cell)}</td>' for cell in cells])}</tr>"


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return escaped(visible(cell, 40)) if isinstance(cell, str) else shortened(cell, 6)
