"""Unchecked members + graph -> what is asked of the truth: a number to explain, claims, options."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from engine_py.document import Document, Outline
from engine_py.errors import InvalidRequest, InvalidValue
from engine_py.lab.checks import (
    check_choice,
    check_tolerance,
    check_whole,
    ids_by_label,
    refuse,
)
from engine_py.limits import Limits
from engine_py.request import (
    as_double,
    described,
    pointer_step,
    quoted,
    refuse_too_many,
    utf16,
)

Part = Literal["data", "grad"]
PARTS: tuple[Part, ...] = get_args(Part)
MOST_CULPRITS = 100


class Why(NamedTuple):
    """A number of a node."""

    node: int
    number: Part


class Graph(NamedTuple):
    """What names a node, and what has no gradient."""

    ids: Mapping[str, list[int]]
    """By label."""
    root: int
    no_grad: set[int]


class Asks(NamedTuple):
    """Checked members."""

    why: Why
    claimed: dict[str, tuple[int, float]]
    """Node and claim, by the name that was given."""
    tolerance: float
    most: int
    witnesses: bool
    no_grad: set[int]
    """Nodes that no gradient flows into."""


def check_asks(outline: Outline | Document, members: Mapping[str, object], limits: Limits) -> Asks:
    """Check each member in turn; the first fault is the error (CONTRACT.md R38).

    Raises:
        InvalidRequest: a member is wrong.
        InvalidValue: a claim is no finite number, or names no node with a gradient.
        LimitExceeded: there are more claims than there may be variables.
    """
    no_grad = {edge["from"] for edge in outline["edges"] if not edge["differentiable"]}
    graph = Graph(ids_by_label(outline), outline["root"], no_grad)
    why = _check_why(graph, members["why"])
    claimed = _check_claims(graph, members["claimed"], limits)
    tolerance = check_tolerance(members["tolerance"])
    most = check_whole("most", members["most"], 0, MOST_CULPRITS)
    witnesses = members["witnesses"]
    if not isinstance(witnesses, bool):
        refuse("witnesses", "true or false", witnesses)
    return Asks(why, claimed, tolerance, most, witnesses, no_grad)


def _check_why(graph: Graph, why: object) -> Why:
    if why is None:
        return Why(graph.root, "data")
    if not isinstance(why, Mapping):
        refuse("why", "an object with node and number, or null", why)
    for name in sorted(why, key=utf16):
        if name not in {"node", "number"}:
            message = f"why has no member {quoted(name)}"
            raise InvalidRequest(message, pointer="/why" + pointer_step(name))
    node, fault = _find(graph, why.get("node"))
    if fault:
        raise InvalidRequest(fault, pointer="/why/node")
    number = check_choice("why/number", why.get("number", "grad"), PARTS)
    if number == "grad" and node in graph.no_grad:
        raise InvalidRequest(f"node {node} is an exponent: it has no grad", pointer="/why/node")
    return Why(node, number)


def _check_claims(graph: Graph, claimed: object, limits: Limits) -> dict[str, tuple[int, float]]:
    if not isinstance(claimed, Mapping):
        refuse("claimed", "an object of numbers", claimed)
    refuse_too_many("claimed", len(claimed), limits)
    claims: dict[str, tuple[int, float]] = {}
    for name in sorted(claimed, key=utf16):
        double, pointer = as_double(claimed[name]), "/claimed" + pointer_step(name)
        node, fault = _find(graph, name)
        if fault or node in graph.no_grad:
            message = fault or f"node {node} is an exponent: it has no grad"
            raise InvalidValue(message, name=name, pointer=pointer)
        if double is None:
            message = f"claimed must give `{name}` a finite number, not {described(claimed[name])}"
            raise InvalidValue(message, name=name, pointer=pointer)
        claims[name] = node, double + 0.0  # -0 is written 0
    return claims


def _find(graph: Graph, item: object) -> tuple[int, str]:
    """Find a node by its label, or by its id as a number or its digits; else say why there is none.

    A label is that of one node alone; no name of a program begins with a digit.
    """
    found = graph.ids.get(item, []) if isinstance(item, str) else []
    last = graph.root
    if len(found) == 1:
        return found[0], ""
    text = item if isinstance(item, str) else ""
    digits = (text.isascii() and text.isdigit() and text == text.lstrip("0")) or text == "0"
    number = float(text[:9]) if digits else None if isinstance(item, str) else as_double(item)
    if number is not None and not found and 0 <= number <= last and number % 1 == 0:
        return int(number), ""
    if isinstance(item, str):
        count = f"{len(found)} nodes have" if found else "no node has"
        return 0, f"{count} the label {quoted(item)}; name the node by its id, from 0 to {last}"
    return 0, f"a node is named by its label or its id, from 0 to {last}, not by {described(item)}"
