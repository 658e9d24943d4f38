"""The numbers of a learner's class -> what is wrong with it, and the programs that show it.

Each operation is judged alone, then operations together, numbers beside Values, and further passes
and deep graphs. At the end is how a backward pass is redone and its trace is read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from engine_py.document import GradientDocument
from engine_py.grade.findings import (
    Faults,
    Finding,
    FindingKind,
    Grading,
    Number,
    Outcome,
    Tried,
    alike,
    double,
)
from engine_py.grade.programs import BOUND, EQUAL, OPERATIONS, PROGRAMS, REFLECTED, Trial
from engine_py.grade.run import Answers
from engine_py.template import Edge

_LOCAL: tuple[FindingKind, ...] = ("local_grad", "detached", "grad_for_data")
_NEW = 2.5
"""The data of the first Value that is made."""


class Judgement(NamedTuple):
    """All that is found, and an outcome for each program."""

    faults: list[Finding]
    notes: list[Finding]
    outcomes: list[Outcome]


def judge(answers: Answers) -> Judgement:
    """Judge what the child told."""
    grading = Grading(answers)
    if _begins(grading):
        _judge_operations(grading)
        _judge_composed(grading)
        _judge_numbers_beside(grading)
        _judge_exponent(grading)
        _judge_others(grading)
        _judge_second_passes(grading)
        _judge_deep(grading)
    faults = [each for each in grading.faults if not _is_consequence(grading, each)]
    return Judgement(faults, grading.notes, grading.outcomes)


def _begins(grading: Grading) -> bool:
    """Tell whether there is a class, and a new Value of it."""
    head, raised = grading.head, grading.head.get("raised")
    if "class" not in head:
        kinds: dict[str, FindingKind] = {"TooSlow": "time", "Waits": "hangs"}
        kind = kinds.get(raised["type"], "load") if raised else "load"
        kind = "time" if grading.end == "time" and not head else kind
        grading.faults.append(Finding(kind, got=grading.end, raised=raised))
        return False
    if raised is not None:
        hangs = raised["type"] in ("TooSlow", "Waits")
        place = 0 if hangs else None
        found = Finding("hangs" if hangs else "raises", place=place, raised=raised)
        grading.faults.append(found)
        return False
    data = head["initial"]["data"]
    if data != _NEW:
        grading.faults.append(Finding("changes_data", expected=_NEW, got=data))
        return False
    grad = head["initial"]["grad"]
    if grad not in (0.0, "NoneType"):
        grading.faults.append(Finding("initial_grad", expected=0.0, got=grad))
        grading.walk_is_wrong = True  # within an operation that is built from others
    return True


def _is_consequence(grading: Grading, found: Finding) -> bool:
    """Tell whether an operation has this only by another that it is built from."""
    parts = grading.parts(found)
    same = (*_LOCAL, "no_node") if found.kind in _LOCAL else (found.kind,)
    if any(each.kind in same and each.operation in parts for each in grading.faults):
        return True
    between = {each for each, _ in grading.known.overwrites | grading.known.incoming}
    passes_wrongly = grading.walk_is_wrong or not between.isdisjoint(parts)
    return found.kind == "local_grad" and bool(parts) and passes_wrongly


def _judge_operations(grading: Grading) -> None:
    """Try each operation alone."""
    if grading.head["seed"]:
        grading.faults.append(Finding("seed", place=0))
    alone = list(grading.tried("operation"))
    for tried in alone:
        operation = tried.program.operation
        if operation not in grading.names:
            continue
        grading.called[operation] |= set(tried.reply["called"])
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised and _is_lack(grading, tried):
            grading.names.pop(operation)
            grading.outcomes[tried.place] = "left_out"
        elif tried.raised:
            grading.find_raised(tried, operation)
            grading.broken.add(operation)
        elif not _judge_operands(grading, tried, operation):
            grading.broken.add(operation)
    grading.reads = max(
        [_reads(each.reply["events"], each.root) for each in alone if each.is_right], default=2
    )
    for tried in alone:
        operation = tried.program.operation
        if operation in grading.names and not tried.raised and operation not in grading.broken:
            _judge_result(grading, tried, operation)
    grading.broken |= {each.operation for each in grading.faults if each.kind == "grad_for_data"}
    if grading.has("seed"):
        grading.outcomes[0] = "wrong"
    _note_inexact(grading, [tried for tried in alone if tried.is_right])
    _judge_silence(grading, [tried for tried in alone if not tried.raised])


def _is_lack(grading: Grading, tried: Tried) -> bool:
    """Tell whether a power takes no number in a class whose operators take none."""
    if tried.reply["raised"]["type"] == "NotImplementedError":
        return True
    beside = list(grading.tried("numbers"))
    if tried.program.operation != "**" or not all(each.raised for each in beside):
        return False
    grading.notes.append(Finding("numbers", "**", place=tried.place))
    return True


def _judge_operands(grading: Grading, tried: Tried, operation: str) -> bool:
    """Tell whether data and gradients are numbers, and no operand's data is changed."""
    reply = tried.reply
    for node, (data, grad) in enumerate(zip(reply["data"], reply["grads"], strict=True)):
        if isinstance(data, str):
            grading.find("not_a_number", tried, (node, "data"), data, operation=operation)
            return False
        if isinstance(grad, str):
            grading.find("not_a_number", tried, (node, "grad"), grad, operation=operation)
            return False
    for edge in tried.right.document["edges"]:
        leaf = edge["from"]
        before, after = reply["data"][leaf], reply["after"][leaf]
        if before != after or not tried.is_near((leaf, "data"), before):
            grading.find("changes_data", tried, (leaf, "data"), after, operation=operation)
            return False
    return True


def _judge_result(grading: Grading, tried: Tried, operation: str) -> None:
    root, reply = tried.root, tried.reply
    if not tried.is_near((root, "data"), reply["data"][root]):
        kind: FindingKind = "grad_for_data" if reply["reads"] else "data"
        grading.find(kind, tried, (root, "data"), reply["data"][root], operation=operation)
    seed = reply["grads"][root]
    if seed not in (1.0, None) and tried.first_wrong() is not None:
        grading.find("seed", tried, (root, "grad"), seed)
    if grading.has("data", operation) or grading.has("grad_for_data", operation):
        return  # the local gradient may be computed from that
    wrong: list[tuple[Edge, float]] = []
    for edge in tried.right.document["edges"]:
        number: Number = (edge["from"], "grad")
        local_grad = (reply["grads"][edge["from"]] or 0.0) / (seed or 1.0)
        if edge["differentiable"] and not tried.is_near(number, local_grad):
            wrong.append((edge, local_grad))
    if wrong:
        _find_contribution(grading, tried, wrong)


def _find_contribution(grading: Grading, tried: Tried, wrong: list[tuple[Edge, float]]) -> None:
    """Take down why an operation alone sends something wrong by these edges."""
    operation, reply = tried.program.operation, tried.reply
    edge, got = wrong[0]
    number: Number = (edge["from"], "grad")
    if reply["detached"] and not any(local_grad for _, local_grad in wrong):
        grading.find("detached", tried, number, got, operation=operation)
    elif not grading.has("local_grad", operation, edge["slot"]) and _takes_grad(
        grading, tried, number[0], got
    ):
        grading.find("grad_for_data", tried, number, got, operation=operation)
    elif not grading.has("detached", operation):
        for edge, local_grad in wrong:
            grading.find_local_grad(tried, edge, local_grad)


def _takes_grad(grading: Grading, tried: Tried, operand: int, got: float) -> bool:
    """Tell whether a wrong contribution takes a gradient where it needs data.

    It reads one too many, and is 0 as the operand's is, or no multiple of the result's.
    """
    if _reads(tried.reply["events"], tried.root) <= grading.reads:
        return False
    if len(tried.right.document["edges"]) > 1 or got == 0.0:
        return True
    operation = tried.program.operation
    chains = [each for each in grading.tried("chain") if each.program.operation == operation]
    times = [each for each in chains if not each.raised]
    return any(
        not alike([each.program.values["c"] * got], [each.reply["grads"][operand]], grading.unit)
        for each in times
    )


def _reads(events: Sequence[Sequence[Any]], root: int) -> int:
    """Count the gradients that are read for a contribution of one operation alone, at most.

    It takes the operand's and the result's, each once, but a class may look at them before that.
    """
    reads: list[int] = []
    most = 0
    for node, *change in events:
        if not change:
            reads.append(node)
        else:
            most = max(most, len(reads)) if node != root else most
            reads = []
    return most


def _note_inexact(grading: Grading, alone: Sequence[Tried]) -> None:
    """Tell of what is off by more than rounding, and by too little for a fault."""
    for tried in alone:
        root, reply = tried.root, tried.reply
        numbers: list[tuple[Number, Any]] = [((root, "data"), reply["data"][root])]
        numbers += [
            ((n, "grad"), each) for n, each in enumerate(reply["grads"]) if each is not None
        ]
        operation = tried.program.operation
        if not all(tried.is_near(*each, room=BOUND) for each in numbers) and not any(
            each.operation == operation for each in grading.notes
        ):
            grading.notes.append(Finding("inexact", operation, place=tried.place))


def _judge_silence(grading: Grading, alone: list[Tried]) -> None:
    """Where no operation sends anything, blame the walk and not each of them."""
    if any(each.kind == "changes_data" for each in grading.faults):
        return
    if alone and not any(
        tried.reply["grads"][edge["from"]] or tried.reply["detached"]
        for tried in alone
        for edge in tried.right.document["edges"]
    ):
        gone = {"local_grad", "grad_for_data"} | (set() if grading.head["seed"] else {"seed"})
        grading.faults = [each for each in grading.faults if each.kind not in gone]
        if not grading.has("seed"):
            sets_root = alone[0].reply["grads"][alone[0].root] == 1.0
            grading.find_wrong_grad("unvisited" if sets_root else "silent", alone[0])
        grading.broken = set(OPERATIONS)


def _judge_composed(grading: Grading) -> None:
    """Try chains, what is used twice, and graphs whose order matters."""
    _judge_equality(grading)
    for tried in grading.tried("chain", "shared", "walk"):
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if tried.raised:
            grading.find_raised(tried, tried.program.operation)
        elif not (tried.is_right or _is_explained(grading, tried)):
            _judge_gradients(grading, tried)


def _is_explained(grading: Grading, tried: Tried, more: Faults | None = None) -> bool:
    """Tell whether the class's own local gradients and the known faults give these gradients."""
    overwrites, incoming = more or Faults(set(), set())
    faults = Faults(grading.known.overwrites | overwrites, grading.known.incoming | incoming)
    begins = [(tried.root, double(tried.reply["grads"][tried.root]))]
    walked = _walk(tried.right.document, tried.reply["local_grads"], faults, begins)
    return alike(walked, tried.reply["grads"], grading.unit)


def _judge_equality(grading: Grading) -> None:
    """Blame equality where the same program is right for data that differs."""
    rights = {tried.place: tried.is_right for tried in grading.tried("walk")}
    place = PROGRAMS.index(EQUAL)
    if rights.get(place) is False and rights[place - 1]:
        grading.faults.append(Finding("equality", place=place))
        grading.walk_is_wrong = True


def _judge_gradients(grading: Grading, tried: Tried) -> None:
    seen = _look(tried.right.document, tried.reply["events"], tried.right.grads)
    kind: FindingKind | None = None
    if seen.again is not None:
        kind = "revisited"
    elif seen.late is not None:
        kind = "order"
    elif seen.unvisited is not None:
        kind = "equality" if grading.head["compares"] else "unvisited"
    if kind is not None and not grading.walk_is_wrong:
        edge = seen.late if kind == "order" else seen.again
        grading.find_wrong_grad(kind, tried, edge=edge)
        grading.walk_is_wrong = True
    if tried.reply["shared"]:
        grading.find_wrong_grad("shared", tried)
        grading.walk_is_wrong = True
        return
    if kind is None and _is_explained_by_fault(grading, tried, seen.lost):
        return
    if seen.lost is not None:
        edge_lost = tried.right.document["edges"][seen.lost]
        operation = tried.right.document["nodes"][edge_lost["to"]]["operation"] or ""
        grading.known.overwrites.add((operation, edge_lost["slot"]))
        grading.find_wrong_grad("overwrites", tried, operation, seen.lost)
    elif not (grading.walk_is_wrong or any(grading.known) or grading.has("seed")):
        used = {node["operation"] for node in tried.right.document["nodes"]}
        if not any(each.kind in _LOCAL and each.operation in used for each in grading.faults):
            grading.find_wrong_grad("gradient", tried)


def _is_explained_by_fault(grading: Grading, tried: Tried, lost: int | None) -> bool:
    """Look for operands of the operation that is tried that explain the numbers."""
    operation, document = tried.program.operation, tried.right.document
    slots = {
        edge["slot"]: edge["id"]
        for edge in reversed(document["edges"])
        if edge["differentiable"] and document["nodes"][edge["to"]]["operation"] == operation
    }
    for each in ({0}, {1}, {0, 1}):
        supposed = {(operation, slot) for slot in each}
        kind: FindingKind
        if tried.program.family == "chain":
            kind, more = "incoming", Faults(set(), supposed)
        else:
            kind, more = "overwrites", Faults(supposed, set())
        if each <= slots.keys() and _is_explained(grading, tried, more):
            grading.known.overwrites.update(more.overwrites)
            grading.known.incoming.update(more.incoming)
            edge = slots[min(each)] if kind == "incoming" else lost
            grading.find_wrong_grad(kind, tried, operation, edge)
            return True
    return False


_PAIRS = (("+", "*"), ("-", "/"))
"""A class that takes numbers in one of a pair should take them in the other."""


def _judge_numbers_beside(grading: Grading) -> None:
    """Try an operator with a number on its right, then on its left."""
    beside = {tried.program.operation: tried for tried in grading.tried("numbers")}
    takes = {operation: _takes_number(grading, tried) for operation, tried in beside.items()}
    has = {operation: REFLECTED[operation] in grading.methods for operation in REFLECTED}
    for pair in _PAIRS:
        for operation in pair:
            if not takes.get(operation, True):
                has_other = any(takes.get(each, False) for each in pair)
                _report_lack(grading, "numbers", beside[operation], is_fault=has_other)
        if not all(takes.get(each, True) for each in pair):
            break  # - and / are built from + and *
    for tried in grading.tried("reflected"):
        operation = tried.program.operation
        [pair] = [each for each in _PAIRS if operation in each]
        if not takes.get(operation):
            continue
        if not has[operation]:
            _report_lack(grading, "reflected", tried, is_fault=False)
        elif tried.raised and pair == _PAIRS[1] and not all(has[each] for each in _PAIRS[0]):
            continue
        elif not _takes_number(grading, tried):
            grading.find_raised(tried, operation)


def _report_lack(grading: Grading, kind: FindingKind, tried: Tried, *, is_fault: bool) -> None:
    """Take down what a class has not: a fault where its own form has it, else a note."""
    found = Finding(kind, tried.program.operation, place=tried.place)
    (grading.faults if is_fault else grading.notes).append(found)
    grading.outcomes[tried.place] = "wrong" if is_fault else "left_out"


def _takes_number(grading: Grading, tried: Tried) -> bool:
    """Tell whether a number is taken, and judge what is computed."""
    operation, root, reply = tried.program.operation, tried.root, tried.reply
    grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
    if tried.raised:
        is_recursion: bool = reply["raised"]["type"] == "RecursionError"
        if is_recursion:
            grading.find_raised(tried, operation)
        return is_recursion
    data: Number = (root, "data")
    if not tried.is_near(data, reply["data"][root]):
        grading.find("data", tried, data, reply["data"][root], operation=operation)
    elif not (tried.is_right or _is_explained(grading, tried) or grading.has("data", operation)):
        [edge] = [each for each in tried.right.document["edges"] if not _is_plain(tried, each)]
        if not tried.is_near((edge["from"], "grad"), reply["grads"][edge["from"]]):
            grading.find_local_grad(tried, edge, reply["grads"][edge["from"]])
    return True


def _judge_exponent(grading: Grading) -> None:
    """Try a Value as exponent, which a class may refuse, but not take without a gradient."""
    for tried in grading.tried("exponent"):
        if tried.raised or any(each.operation == "**" for each in grading.faults):
            continue
        data, grads = tried.reply["data"], tried.reply["grads"]
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if not tried.is_near((tried.root, "data"), data[tried.root]):
            grading.find("data", tried, (tried.root, "data"), data[tried.root], operation="**")
        elif not tried.is_right and tried.is_near((0, "grad"), grads[0]):
            grading.find("exponent", tried, (1, "grad"), grads[1], operation="**")


_MISTAKES = ("AttributeError", "NameError", "NoNode", "TypeError", "UnboundLocalError")
"""What a function of the class may raise by a mistake, and not for what it is given."""
_SLOPE_ROOM = 1e-4
"""What a slope of differences may be off by, a part of itself."""


def _judge_others(grading: Grading) -> None:
    """Compare functions without a row in the table with the slopes of what they compute."""
    for other in grading.head["others"]:
        name, raised = other["name"].removesuffix("(x)"), other["raised"]
        if raised and raised["type"] in _MISTAKES:
            program = Trial("operation", f"{name}(a)", {}, name)
            grading.faults.append(Finding("raises", name, raised=raised, other=program))
        for x, _, slope, alone, twice, times in other["rows"]:
            rows: list[tuple[FindingKind, str, float, float]] = [
                ("local_grad", f"{name}(a)", slope, alone),
                ("overwrites", f"{name}(a) + a", slope + 1.0, twice),
                ("incoming", f"{name}(a) * 10", slope * 10.0, times),
            ]
            room = _SLOPE_ROOM if grading.unit == 2.0**-53 else 0.02
            wrong = [row for row in rows if abs(row[2] - row[3]) > room * max(1.0, abs(row[2]))]
            is_known = any(grading.known) or grading.walk_is_wrong or grading.has("seed")
            for kind, text, expected, got in wrong[: 0 if is_known else 1]:
                slot = 0 if kind == "local_grad" else None
                if grading.has(kind, name, slot):
                    continue
                program = Trial("operation", text, {"a": x}, name)
                true = float(f"{expected:.6g}")
                found = Finding(kind, name, slot, None, (0, "grad"), true, got, other=program)
                grading.faults.append(found)


def _is_plain(tried: Tried, edge: Edge) -> bool:
    return tried.right.document["nodes"][edge["from"]]["kind"] == "constant"


_REFUSALS = ("RuntimeError", "AssertionError", "Exception")
"""What a class raises that will not go backward twice."""


def _judge_second_passes(grading: Grading) -> None:
    """Go backward twice without zeroing, after zeroing, and from two roots."""
    for tried in grading.tried("again", "zeroed", "losses"):
        grading.outcomes[tried.place] = "wrong"
        refuses = tried.raised and tried.reply["raised"]["type"] in _REFUSALS
        if tried.reply.get("spent") or (refuses and tried.program.family != "losses"):
            _note_choice(grading, tried, "once")
            grading.outcomes[tried.place] = "left_out"
            continue
        if tried.raised:
            grading.find_raised(tried, "")
            continue
        nodes, grads = tried.right.document["nodes"], tried.reply["grads"]
        leaves = [node["id"] for node in nodes if node["operation"] is None]
        got = [double(grads[leaf]) for leaf in leaves]
        accepted = [[each[leaf] for leaf in leaves] for each in _accepted(grading, tried)]
        if any(alike(each, got, grading.unit) for each in accepted):
            grading.outcomes[tried.place] = "right"
        elif alike([_resetting(grading, tried)[leaf] for leaf in leaves], got, grading.unit):
            grading.outcomes[tried.place] = "right"
            _note_choice(grading, tried, "resets")
        elif not (grading.walk_is_wrong or any(grading.known) or grading.has("seed")):
            root: Number = (tried.root, "grad")
            if tried.program.family != "losses" and grads[tried.root] not in (1.0, None):
                grading.find("seed", tried, root, grads[tried.root])
            elif not grading.has("second_pass"):
                rows = zip(leaves, accepted[0], got, strict=True)
                leaf, true, has = next(row for row in rows if not alike(row[1:2], row[2:]))
                number: Number = (leaf, "grad")
                found = Finding("second_pass", "", None, tried.place, number, true, has)
                grading.faults.append(found)


def _note_choice(grading: Grading, tried: Tried, kind: FindingKind) -> None:
    if not any(each.kind == kind for each in grading.notes):
        grading.notes.append(Finding(kind, place=tried.place))


def _accepted(grading: Grading, tried: Tried) -> Iterator[list[float]]:
    """Yield what the lessons' classes come to, then PyTorch, whose inner nodes begin at 0."""
    document, roots = tried.right.document, _roots(tried)
    yield _walk(document, tried.reply["local_grads"], grading.known, roots)
    if tried.program.family == "again":
        once = _walk(document, tried.reply["local_grads"], grading.known, roots[:1])
        yield [2.0 * each for each in once]


def _roots(tried: Tried) -> list[tuple[int, float]]:
    """List where the passes of a program begin, with their gradients."""
    document, root = tried.right.document, tried.root
    if tried.program.family == "losses":
        return [(edge["from"], 1.0) for edge in document["edges"] if edge["to"] == root]
    return [(root, 1.0)] * (2 if tried.program.family == "again" else 1)


def _resetting(grading: Grading, tried: Tried) -> list[float]:
    """Do the passes as a class does that sets the gradients to 0 of what a pass comes to."""
    grads = [0.0] * len(tried.right.document["nodes"])
    for root in _roots(tried):
        local_grads = tried.reply["local_grads"]
        once = _walk(tried.right.document, local_grads, grading.known, [root])
        reached = _reached(tried.right.document, root[0])
        grads = [
            new if n in reached else old
            for n, (new, old) in enumerate(zip(once, grads, strict=True))
        ]
    return grads


def _reached(document: GradientDocument, root: int) -> set[int]:
    reached = {root}
    for node in document["backward_order"]:
        reached |= {
            edge["from"] for edge in document["edges"] if node in reached and edge["to"] == node
        }
    return reached


def _judge_deep(grading: Grading) -> None:
    """Try chains that a recursion does not come through, and doublings."""
    for tried in grading.tried("deep", "deeper"):
        grading.outcomes[tried.place] = "right" if tried.is_right else "wrong"
        if not tried.raised:
            if not (tried.is_right or grading.faults):
                grading.find_wrong_grad("gradient", tried)
        elif tried.program.family == "deep":
            grading.find_raised(tried, "")
        else:
            grading.outcomes[tried.place] = "left_out"
            grading.notes.append(Finding("recursion", place=tried.place))


def _walk(
    document: GradientDocument,
    local_grads: Sequence[Sequence[float | None]],
    faults: Faults,
    roots: Sequence[tuple[int, float]],
) -> list[float]:
    """Do the backward pass as a class does that has these local gradients and faults.

    Each of the roots begins a pass, with its gradient; nothing is set to 0 between them.
    """
    nodes = document["nodes"]
    below = _edges_below(document)
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


def _edges_below(document: GradientDocument) -> list[list[Edge]]:
    """Return the edges into each node, by slot."""
    below: list[list[Edge]] = [[] for _ in document["nodes"]]
    for edge in document["edges"]:
        below[edge["to"]].append(edge)
    return below


class _Seen(NamedTuple):
    """What was first seen to go wrong: an edge of the document, or a node, each by its id."""

    late: int | None
    """The edge whose contribution came when its operand had passed its gradient on."""
    again: int | None
    """The edge whose contribution came a second time."""
    lost: int | None
    """The edge whose contribution replaced what was there."""
    unvisited: int | None
    """The operation that has a gradient, and did not pass it on."""


def _look(
    document: GradientDocument, events: Sequence[Sequence[Any]], grads: Sequence[Any]
) -> _Seen:
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
    return _Seen(*(first.get(name) for name in _Seen._fields))


def _contributions(
    edges: Iterable[tuple[int, int]], events: Sequence[Sequence[Any]]
) -> Iterator[tuple[int, int, Any, Any, bool]]:
    """Yield user, operand, what its gradient was and became, and whether it was added to.

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
