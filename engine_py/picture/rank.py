"""Document -> the layer of each node: variables first, every operation right of its operands."""

from engine_py.document import Document


def rank(document: Document) -> list[int]:
    """Give each node's layer, counted from the left; the root is alone in the last one.

    An operation stands as far left as its operands allow. A constant stands just before the first
    operation that uses it, for its wire would otherwise run through the whole picture.
    """
    nodes, edges = document["nodes"], document["edges"]
    layers = [0] * len(nodes)
    for edge in edges:  # sorted by `to`, so an operand's layer is final
        layers[edge["to"]] = max(layers[edge["to"]], layers[edge["from"]] + 1)
    before = [layers[-1]] * len(nodes)
    for edge in edges:
        before[edge["from"]] = min(before[edge["from"]], layers[edge["to"]] - 1)
    for node in nodes:
        if node["kind"] == "constant":
            layers[node["id"]] = before[node["id"]]
    return layers
