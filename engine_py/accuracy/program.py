"""Outline + values -> balls of all data, slopes and gradients, at a level of precision."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine_py.accuracy.ball import ONE, ZERO, Ball, NoNumber, mul, of_double
from engine_py.accuracy.rows import COUNTS, ROWS, Level, Row, plus
from engine_py.document import Document, Outline
from engine_py.operations import CUSTOM, NO_GRADIENT, stale_custom

LEVELS = (128, 256, 512, 1280, COUNTS + 256)
"""Bits. At the last level a sum that does not count as 0 has bits to lose."""
Reason = str
"""Why there is no number: "domain", "depends", "out_of_range", and while bits are added
"undecided"."""
Number = Ball | Reason


class Step(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf."""

    operation: str | None
    operands: tuple[int, ...]
    """Those that a gradient flows into."""
    row: Row | None
    exponent: tuple[float, ...]
    """Of `**`; else there is none."""


class Program(NamedTuple):
    """What is computed: steps in topological order, and the balls of the leaves."""

    steps: list[Step]
    leaves: list[Ball]
    """Those of operations are 0."""
    root: int


class Passes(NamedTuple):
    """What a forward and a backward pass give, by node; slopes by slot."""

    level: Level
    data: list[Number]
    slopes: list[tuple[Number, ...]]
    grads: list[Number]
    asked: set[int]
    """Nodes that took for 0 what may be none."""


def program_of(outline: Outline | Document, values: Mapping[str, float]) -> Program:
    """Take the graph of an outline or a document; `values` has the data of variables by name.

    Args:
        outline: its nodes and edges are read.
        values: a document's own, or those of the request.
    """
    nodes: list[Any] = [*outline["nodes"]]
    slots: list[list[int]] = [[] for _ in nodes]
    for edge in outline["edges"]:
        slots[edge["to"]].append(edge["from"])
    steps: list[Step] = []
    leaves: list[Ball] = []
    for node, operands in zip(nodes, slots, strict=True):
        symbol = node["operation"]
        if symbol is None:
            x = node["data"] if node["kind"] == "constant" else values[node["label"]]
            leaves.append(of_double(x))
            steps.append(Step(None, (), None, ()))
        else:
            if symbol == CUSTOM:
                raise stale_custom(node["name"], node["id"], [nodes[x]["data"] for x in operands])
            count = NO_GRADIENT[1] if symbol == NO_GRADIENT[0] else len(operands)
            exponent = tuple(nodes[operand]["data"] for operand in operands[count:])
            leaves.append(ZERO)
            steps.append(Step(symbol, tuple(operands[:count]), ROWS[symbol], exponent))
    return Program(steps, leaves, outline["root"])


def passes(program: Program, p: int, *, last: bool) -> Passes:
    """Compute everything with p bits."""
    level, asked = Level(p, last=last), set[int]()
    data: list[Number] = [*program.leaves]
    slopes: list[tuple[Number, ...]] = [()] * len(data)
    for node, (_, operands, row, exponent) in enumerate(program.steps):
        if row is None:
            continue
        level.asked = False
        numbers = [data[operand] for operand in operands]
        if (reason := missing(numbers)) is None:
            data[node], slopes[node] = _computed(level, row, [*numbers, *exponent], len(operands))
        else:
            data[node], slopes[node] = reason, (reason,) * len(operands)
        if level.asked:
            asked.add(node)
    return Passes(level, data, slopes, backward(program, level, slopes), asked)


def _computed(
    level: Level, row: Row, operands: list[Any], count: int
) -> tuple[Number, tuple[Number, ...]]:
    """Give the result and the slopes, or why there are none."""
    try:
        out = row.value(level, *operands)
    except NoNumber as no_number:
        reason = final(level, no_number)
        return reason, (missing([reason]) or reason,) * count
    try:
        return out, row.slopes(level, out, *operands)
    except NoNumber as no_number:
        return out, (final(level, no_number),) * count


def missing(numbers: Iterable[Number]) -> Reason | None:
    """Give the reason of what takes these numbers, or None if all exist."""
    reasons = {number for number in numbers if isinstance(number, str)}
    if not reasons:
        return None
    return "undecided" if reasons == {"undecided"} else "depends"


def final(level: Level, no_number: NoNumber) -> Reason:
    """Give a reason: what the last level does not tell is out of range."""
    reason = no_number.reason
    return "out_of_range" if level.last and reason == "undecided" else reason


def backward(program: Program, level: Level, slopes: Sequence[tuple[Number, ...]]) -> list[Number]:
    """Sum up the gradients in the order of R4."""
    grads: list[Number] = [ZERO] * len(slopes)
    grads[program.root] = ONE
    for node in range(len(slopes) - 1, -1, -1):
        incoming = grads[node]
        for operand, slope in zip(program.steps[node].operands, slopes[node], strict=True):
            before = grads[operand]
            if isinstance(before, str) or isinstance(incoming, str) or isinstance(slope, str):
                grads[operand] = _reason_of_sum(before, incoming, slope)
                continue
            try:
                sent = incoming if slope is ONE else mul(incoming, slope, level.p)
                grads[operand] = sent if before is ZERO else plus(level, before, sent)
            except NoNumber as no_number:
                grads[operand] = final(level, no_number)
    return grads


def _reason_of_sum(before: Number, incoming: Number, slope: Number) -> Reason:
    """Keep the first reason, once all are known."""
    sent = missing([incoming]) or slope
    reasons = [each for each in (before, sent) if isinstance(each, str)]
    return "undecided" if "undecided" in reasons else reasons[0]
