"""What a backward pass did: from its reads and writes of gradients, and by doing it with faults."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
    """Read the trace of one pass, as far as its contributions can be told."""
    edges: dict[tuple[int, int], list[int]] = {}
    for edge in document["edges"]:
        edges.setdefault((edge["to"], edge["from"]), []).append(edge["id"])
    sent: Counter[tuple[int, int]] = Counter()
    first: dict[str, int] = {}
    for user, node, before, after, added in _contributions(edges, events):
        own = edges[user, node]
        sent[user, node] += 1
        place = own[min(sent[user, node], len(own)) - 1]
        if sent[user, node] > len(own):
            first.setdefault("again", place)
        if after != before and any(sender == node for sender, _ in sent):
            first.setdefault("late", place)
        if not added and before != 0.0:
            first.setdefault("lost", place)
    visited = {user for user, _ in sent}
    for node in document["backward_order"]:
        if document["nodes"][node]["operation"] and node not in visited and grads[node]:
            first.setdefault("unvisited", node)
    return Seen(*(first.get(name) for name in Seen._fields))


def _contributions(
    edges: Iterable[tuple[int, int]], events: Sequence[Sequence[Any]]
) -> Iterator[tuple[int, int, Any, Any, bool]]:
    """Give user, operand, what its gradient was and became, and whether it was added to.

    A gradient that is read and then written is added to. The last other one that was read is that
    of the node that is visited, among those that use the operand. What the root gets, and a 0 that
    is written, are no contributions.
    """
    users: dict[int, list[int]] = {}
    for user, operand in edges:
        users.setdefault(operand, []).append(user)
    reads: list[int] = []
    for node, *change in events:
        if not change:
            reads.append(node)
            continue
        before, after = change
        added = node in reads
        if added:
            del reads[len(reads) - 1 - reads[::-1].index(node)]
        known = users.get(node, [])
        senders = [each for each in reads if each in known] or known[:1]
        if senders and (added or after != 0.0):
            yield senders[-1], node, before, after, added
