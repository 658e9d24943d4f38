"""What a backward pass did: from its reads and writes of gradients, and by doing it with faults."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine_py.document import Document
from engine_py.template import Edge

Slots = set[tuple[str, int]]
"""Operations and slots."""


class Faults(NamedTuple):
    """What is known to be wrong with a class's contributions."""

    overwrites: Slots
    incoming: Slots


def walk(
    document: Document,
    local_grads: Sequence[Sequence[float | None]],
    faults: Faults,
    roots: Sequence[tuple[int, float]],
) -> list[float]:
    """Do the backward pass as a class does that has these local gradients and faults.

    Each of the roots begins a pass, with its gradient; nothing is set to 0 between them.
    """
    nodes = document["nodes"]
    below = edges_below(document)
    grads = [0.0] * len(nodes)
    for root, seed in roots:
        grads[root] = seed
        reached = {root}
        for node in document["backward_order"]:
            for edge in below[node] if node in reached else ():
                local = local_grads[node][edge["slot"]]
                reached.add(edge["from"])
                if local is None:
                    continue
                place = (nodes[node]["operation"] or "", edge["slot"])
                sent = local if place in faults.incoming else grads[node] * local
                kept = 0.0 if place in faults.overwrites else grads[edge["from"]]
                grads[edge["from"]] = kept + sent
    return grads


def edges_below(document: Document) -> list[list[Edge]]:
    """Give the edges into each node, by slot."""
    below: list[list[Edge]] = [[] for _ in document["nodes"]]
    for edge in document["edges"]:
        below[edge["to"]].append(edge)
    return below


class Seen(NamedTuple):
    """What was first seen to go wrong: an edge of the document, or a node, each by its id."""

    late: int | None
    """The edge whose contribution came when its operand had passed its gradient on."""
    again: int | None
    """The edge whose contribution came a second time."""
    lost: int | None
    """The edge whose contribution replaced what was there."""
    unvisited: int | None
    """The operation that has a gradient, and did not pass it on."""


def look(document: Document, events: Sequence[Sequence[Any]], grads: Sequence[Any]) -> Seen:
    """Read the trace of one pass.

    A gradient that is read and then written is added to; the last other one that was read before is
    that of the operation that is visited, among those that have the written one as operand.
    """
    edges: dict[tuple[int, int], list[int]] = {}
    for edge in document["edges"]:
        edges.setdefault((edge["to"], edge["from"]), []).append(edge["id"])
    users: dict[int, list[int]] = {}
    for user, operand in edges:
        users.setdefault(operand, []).append(user)
    reads: list[int] = []
    sent: Counter[tuple[int, int]] = Counter()
    first: dict[str, int] = {}
    for node, *change in events:
        if not change:
            reads.append(node)
            continue
        before, after = change
        added = node in reads
        if added:
            del reads[len(reads) - 1 - reads[::-1].index(node)]
        known = [each for each in reads if each in users.get(node, ())] or users.get(node, [])[:1]
        if not known or (not added and after == 0.0):  # the root, and what is set to 0
            continue
        arrow = (known[-1], node)
        sent[arrow] += 1
        edge = edges[arrow][min(sent[arrow], len(edges[arrow])) - 1]
        if sent[arrow] > len(edges[arrow]):
            first.setdefault("again", edge)
        if after != before and any(user == node for user, _ in sent):
            first.setdefault("late", edge)
        if not added and before != 0.0:
            first.setdefault("lost", edge)
    visited = {user for user, _ in sent}
    for node in document["backward_order"]:
        if document["nodes"][node]["operation"] and node not in visited and grads[node]:
            first.setdefault("unvisited", node)
    return Seen(*(first.get(name) for name in Seen._fields))
