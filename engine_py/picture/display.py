"""Document -> its display in a notebook: the picture, in a scrolling frame, or a table.

A notebook shrinks a picture to its own width, which makes the numbers of more than a few dozen
nodes unreadable. It calls `_repr_svg_` and `_repr_html_`, and would prefer the second, so only one
of them returns a text.
"""

import re

from engine_py.document import GradientDocument
from engine_py.picture.captions import escaped, shortened, visible
from engine_py.picture.draw import draw
from engine_py.template import Node

MAX_WHOLE = 50
"""The maximum number of nodes of a graph that is shown without a frame."""
MAX_DRAWN = 1_000
"""The maximum number of nodes of a graph that is drawn, which takes a third of a second."""
MAX_ROWS = 300
_HEAD = (
    "<tr><th>id</th><th>kind</th><th>operation</th><th>label</th><th>data</th><th>grad</th></tr>"
)


class Shown:
    """Displays a document as the last expression of a cell: `Shown(introspect(...))`."""

    def __init__(self, document: GradientDocument) -> None:
        """Keep the document, a plain dictionary, which has no display of its own."""
        self.document = document

    def __repr__(self) -> str:
        """Describe the document in one line, as a plain terminal shows it."""
        text, nodes = self.document["expression"], len(self.document["nodes"])
        of = "Values" if text is None else repr(text)
        return f"<document of {of}: {self.document['result']!r}, {nodes} nodes>"

    def _repr_svg_(self) -> str | None:
        return svg_of(self.document)

    def _repr_html_(self) -> str | None:
        return html_of(self.document)


def svg_of(document: GradientDocument) -> str | None:
    """Draw a graph of at most 50 nodes; None for a larger one."""
    return draw(document) if len(document["nodes"]) <= MAX_WHOLE else None


def html_of(document: GradientDocument) -> str | None:
    """Return the picture of a larger graph in a frame, or a table for more than 1,000 nodes."""
    nodes = document["nodes"]
    if len(nodes) <= MAX_WHOLE:
        return None
    return _framed(draw(document)) if len(nodes) <= MAX_DRAWN else _table(nodes)


def _framed(svg: str) -> str:
    """Keep the picture's own width, whatever the notebook's rules for pictures are."""
    width = re.findall(r' width="(\d+)"', svg)[0]
    return (
        f'<div style="overflow:auto;max-height:40em"><div style="width:{width}px">{svg}</div></div>'
    )


def _table(nodes: list[Node]) -> str:
    """Write a table of the last 300 nodes, the root first."""
    rows = "".join([_row(node) for node in nodes[: -MAX_ROWS - 1 : -1]])
    caption = f"{MAX_ROWS} of {len(nodes)} nodes, the root first"
    return f"<table><caption>{caption}</caption>{_HEAD}{rows}</table>"


def _row(node: Node) -> str:
    operation = node.get("name", node["operation"])
    cells = node["id"], node["kind"], operation, node["label"], node["data"], node["grad"]
    return f"<tr>{''.join([f'<td>{_cell(cell)}</td>' for cell in cells])}</tr>"


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return escaped(visible(cell, 40)) if isinstance(cell, str) else shortened(cell, 6)
