"""Document -> what a notebook shows: the picture, in a frame to scroll in, or a table.

A notebook shrinks a picture to its own width, where the numbers of more than some dozen nodes could
not be read. It asks an object for `_repr_svg_` and `_repr_html_`; of two it would take the second,
so only one of them gives a text.
"""

import re

from engine_py.document import GradientDocument
from engine_py.picture.captions import escaped, shortened, visible
from engine_py.picture.draw import draw
from engine_py.template import Node

MOST_WHOLE = 50
"""Nodes of a graph that is shown as a whole."""
MOST_DRAWN = 1_000
"""Nodes of a graph that is drawn, which takes a third of a second."""
MOST_ROWS = 300
_HEAD = (
    "<tr><th>id</th><th>kind</th><th>operation</th><th>label</th><th>data</th><th>grad</th></tr>"
)


class Shown:
    """Shows a document where it is the last expression of a cell: `Shown(introspect(...))`."""

    def __init__(self, document: GradientDocument) -> None:
        """Keep the document, which is a plain dictionary and cannot show itself."""
        self.document = document

    def __repr__(self) -> str:
        """Say in one line what a picture cannot be drawn of, as on a plain terminal."""
        text, nodes = self.document["expression"], len(self.document["nodes"])
        of = "Values" if text is None else repr(text)
        return f"<document of {of}: {self.document['result']!r}, {nodes} nodes>"

    def _repr_svg_(self) -> str | None:
        return svg_of(self.document)

    def _repr_html_(self) -> str | None:
        return html_of(self.document)


def svg_of(document: GradientDocument) -> str | None:
    """Draw a graph of at most 50 nodes; None for a larger one."""
    return draw(document) if len(document["nodes"]) <= MOST_WHOLE else None


def html_of(document: GradientDocument) -> str | None:
    """Put the picture of a larger graph into a frame; of more than 1,000 nodes write a table."""
    nodes = document["nodes"]
    if len(nodes) <= MOST_WHOLE:
        return None
    return _framed(draw(document)) if len(nodes) <= MOST_DRAWN else _table(nodes)


def _framed(svg: str) -> str:
    """Let a picture have the width that it has, whatever the notebook's rules for pictures are."""
    width = re.findall(r' width="(\d+)"', svg)[0]
    return (
        f'<div style="overflow:auto;max-height:40em"><div style="width:{width}px">{svg}</div></div>'
    )


def _table(nodes: list[Node]) -> str:
    """Write the last 300 nodes, the root first."""
    rows = "".join([_row(node) for node in nodes[: -MOST_ROWS - 1 : -1]])
    caption = f"{MOST_ROWS} of {len(nodes)} nodes, the root first"
    return f"<table><caption>{caption}</caption>{_HEAD}{rows}</table>"


def _row(node: Node) -> str:
    operation = node.get("name", node["operation"])
    cells = node["id"], node["kind"], operation, node["label"], node["data"], node["grad"]
    return f"<tr>{''.join([f'<td>{_cell(cell)}</td>' for cell in cells])}</tr>"


def _cell(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return escaped(visible(cell, 40)) if isinstance(cell, str) else shortened(cell, 6)
