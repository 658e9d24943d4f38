"""Document, text or Value -> what a terminal or a notebook shows of it."""

import sys

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.picture.notebook import Shown
from engine_py.show.paint import Paint, plain
from engine_py.show.tree import MOST_NODES, draw_ledger, draw_tree
from engine_py.value import Value, Values, document_of, introspect_value


def show(subject: Document | Value | str, values: Values | None = None) -> None:
    """Print tree, ledger, result and gradients, as `gradient explain` does.

    Args:
        subject: a Value, a document or a text.
        values: those of a text.

    Raises:
        GradientError: the text or the graph of the Value has no document.
    """
    document = document_of(subject, values)
    sys.stdout.writelines(f"{line}\n" for line in explained(document, plain))


def draw_dot(root: Value) -> Shown:
    """Give what a notebook shows of a Value, under the name that the lessons give to it.

    Raises:
        GradientError: the graph of the Value has no document.
    """
    return Shown(introspect_value(root))


def explained(document: Document, paint: Paint) -> list[str]:
    """Give tree, ledger, result and gradients as lines; a large graph has no tree."""
    nodes = len(document["nodes"])
    tree = [f"(no tree: it is drawn of at most {MOST_NODES} nodes, and the graph has {nodes})"]
    if nodes <= MOST_NODES:
        tree = draw_tree(document, paint)
    ledger = draw_ledger(document, paint) if document["edges"] else ["(no edges)"]
    gradients = [
        f"d/d{name} = {paint(canonical_text(number), 'grad')}"
        for name, number in document["gradients"].items()
    ]
    result = f"result = {paint(canonical_text(document['result']), 'data')}"
    unused = [f"unused values: {', '.join(names)}"] if (names := document["unused_values"]) else []
    return [*tree, "", *ledger, "", result, *gradients, *unused]
