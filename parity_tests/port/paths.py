"""A gradient as a sum over paths (R37)."""

from checks import is_whole, member
from faults import Fault
from passes import edges_of
from report import computed, plain


def paths(request, limits):
    document, graph = computed(request, limits)
    target = graph.find(request.get("node"))
    if target is None:
        raise Fault("invalid_request", None, pointer="/node")
    most = member(request, "most", 100.0, lambda count: is_whole(count, 0, 1000))
    counts = {}
    for node in graph.order:
        below = sum(counts[node.operands[slot]] for slot in slots(node))
        counts[node] = 1 if node is target else below
    listed, length = [], 0
    for path in walked(graph.root, target, counts, []):
        length += len(path)
        if len(listed) == most or length > limits["path_edges"]:
            break
        listed.append(path)
    ids = {edge: each for each, edge in enumerate(edges_of(graph.order))}
    products = [product(path) for path in listed]
    return {
        "sum": plain(total(products)) if counts[graph.root] == len(listed) else None,
        "paths": [
            {"product": plain(number), "edges": [ids[edge] for edge in path]}
            for number, path in zip(products, listed, strict=True)
        ],
        "count": str(counts[graph.root]),
        "gradient": plain(target.grad),
        "node": target.id,
        "document": document,
    }


def slots(node):
    """Give the slots that have a local gradient."""
    return [0] if node.symbol == "**" else range(len(node.operands))


def walked(node, target, counts, path):
    """Go all ways down to the target, left to right."""
    if node is target:
        yield list(path)
    for slot in slots(node):
        if counts[node.operands[slot]]:
            path.append((node, slot))
            yield from walked(node.operands[slot], target, counts, path)
            path.pop()


def product(path):
    number = 1.0
    for node, slot in path:
        number *= node.rows[slot][1]
    return number


def total(products):
    number = 0.0
    for each in products:
        number += each
    return number
