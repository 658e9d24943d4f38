"""Some operations together: what passes between them, and in which order."""

from engine_py.grade.findings import Bench, Finding, Kind, Tried, alike, double
from engine_py.grade.programs import EQUAL, PROGRAMS
from engine_py.grade.walk import Faults, look, walk


def judge_composed(bench: Bench) -> None:
    """Try chains, what is used twice, and graphs whose order matters."""
    _judge_equality(bench)
    for tried in bench.tried("chain", "shared", "walk"):
        bench.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised:
            bench.find_raised(tried, tried.program.operation)
        elif not (tried.is_right or is_explained(bench, tried)):
            _judge(bench, tried)


def is_explained(bench: Bench, tried: Tried, more: Faults | None = None) -> bool:
    """Tell whether the class's own local gradients and the known faults give these gradients."""
    overwrites, incoming = more or Faults(set(), set())
    faults = Faults(bench.known.overwrites | overwrites, bench.known.incoming | incoming)
    begins = [(tried.root, double(tried.reply["grads"][tried.root]))]
    walked = walk(tried.right.document, tried.reply["local_grads"], faults, begins)
    return alike(walked, tried.reply["grads"])


def _judge_equality(bench: Bench) -> None:
    """Blame equality where the same program is right for data that differs."""
    rights = {tried.place: tried.is_right for tried in bench.tried("walk")}
    place = PROGRAMS.index(EQUAL)
    if rights.get(place) is False and rights[place - 1]:
        bench.faults.append(Finding("equality", place=place))
        bench.walk_is_wrong = True


def _judge(bench: Bench, tried: Tried) -> None:
    seen = look(tried.right.document, tried.reply["events"], tried.right.grads)
    kind: Kind | None = None
    if seen.again is not None:
        kind = "revisited"
    elif seen.late is not None:
        kind = "order"
    elif seen.unvisited is not None:
        kind = "equality" if bench.head["compares"] else "unvisited"
    if kind is not None and not bench.walk_is_wrong:
        edge = seen.late if kind == "order" else seen.again
        bench.find_wrong_grad(kind, tried, edge=edge)
        bench.walk_is_wrong = True
    if kind is None and _suppose(bench, tried, seen.lost):
        return
    if seen.lost is not None:
        edge_lost = tried.right.document["edges"][seen.lost]
        operation = tried.right.document["nodes"][edge_lost["to"]]["operation"] or ""
        bench.known.overwrites.add((operation, edge_lost["slot"]))
        bench.find_wrong_grad("overwrites", tried, operation, seen.lost)
    elif not (bench.walk_is_wrong or any(bench.known) or bench.has("seed")):
        bench.find_wrong_grad("gradient", tried)


def _suppose(bench: Bench, tried: Tried, lost: int | None) -> bool:
    """Look for operands of the operation that is tried that explain the numbers."""
    operation, document = tried.program.operation, tried.right.document
    slots = {
        edge["slot"]: edge["id"]
        for edge in reversed(document["edges"])
        if edge["differentiable"] and document["nodes"][edge["to"]]["operation"] == operation
    }
    for each in ({0}, {1}, {0, 1}):
        supposed = {(operation, slot) for slot in each}
        kind: Kind
        if tried.program.family == "chain":
            kind, more = "incoming", Faults(set(), supposed)
        else:
            kind, more = "overwrites", Faults(supposed, set())
        if each <= slots.keys() and is_explained(bench, tried, more):
            bench.known.overwrites.update(more.overwrites)
            bench.known.incoming.update(more.incoming)
            edge = slots[min(each)] if kind == "incoming" else lost
            bench.find_wrong_grad(kind, tried, operation, edge)
            return True
    return False
