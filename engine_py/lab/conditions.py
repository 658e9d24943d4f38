"""Unchecked members + document -> conditions: how an experiment differs from `backward`."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from types import MappingProxyType
from typing import Literal, NamedTuple, NoReturn, TypeVar, get_args

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.errors import InvalidRequest, InvalidValue, LimitExceeded
from engine_py.outline import Outline
from engine_py.request import as_double, described, pointer_step, quoted, utf16
from engine_py.template import Node

Direction = Literal["push", "pull"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
Accumulate = Literal["add", "replace"]
ACCUMULATE: tuple[Accumulate, ...] = get_args(Accumulate)
Reset = Literal["none", "inner", "all"]
RESETS: tuple[Reset, ...] = get_args(Reset)

MOST_PASSES = 10
NOTHING: Mapping[str, float] = MappingProxyType({})


class Conditions(NamedTuple):
    """Checked members of an experiment."""

    walk: Direction
    """Whether a visited node sends to its operands or collects from the operations that use it."""
    order: list[int]
    """The nodes to visit, by id; each at most once."""
    accumulate: Accumulate
    """Whether a contribution is added to its operand's gradient or put in its place."""
    seed: float
    """The root's gradient at the beginning of a pass."""
    passes: int
    """Backward passes."""
    reset: Reset
    """Whose gradients are set to 0 between them: no node's, those of operations, or all."""
    mutate: dict[int, float]
    """Other data for variables, by id, from after the forward pass on."""


def check_conditions(document: Document, members: Mapping[str, object]) -> Conditions:
    """Check each member in turn; the first fault is the error (CONTRACT.md R36)."""
    return Conditions(
        check_choice("walk", members["walk"], DIRECTIONS),
        _check_order(document, members["order"]),
        check_choice("accumulate", members["accumulate"], ACCUMULATE),
        check_number("seed", members["seed"], isfinite, "a finite number"),
        check_whole("passes", members["passes"], 1, MOST_PASSES),
        check_choice("reset", members["reset"], RESETS),
        check_numbers(document, "mutate", members["mutate"]),
    )


def check_steps(document: Document, passes: int, limit: int) -> None:
    """Raise LimitExceeded where the passes have too many edges in all."""
    actual = passes * len(document["edges"])
    if actual > limit:
        took = f"{passes} passes over this graph take {actual} steps"
        message = f"{took}; at most {limit} are made"
        raise LimitExceeded(message, name="steps", limit=limit, actual=actual)


def _check_order(document: Document, order: object) -> list[int]:
    if order == "backward":
        return document["backward_order"]
    if not isinstance(order, list | tuple):
        refuse("order", 'an array of ids and labels, or "backward"', order)
    ids = ids_by_label(document)
    visited: dict[int, None] = {}
    for index, item in enumerate(order):
        node = check_node(f"order/{index}", item, ids, document["root"])
        if node in visited:
            message = f"order visits {name_of(document['nodes'][node])} twice; visit it once"
            raise InvalidRequest(message, pointer=f"/order/{index}")
        visited[node] = None
    return list(visited)


def ids_by_label(document: Outline | Document) -> dict[str, list[int]]:
    """Give the nodes that have each label."""
    ids: dict[str, list[int]] = {}
    for node in document["nodes"]:
        if node["label"] is not None:
            ids.setdefault(node["label"], []).append(node["id"])
    return ids


def check_node(member: str, value: object, ids: Mapping[str, list[int]], root: int) -> int:
    """Accept a node's id or its label; give the id."""
    if isinstance(value, str):
        found = ids.get(value, [])
        if len(found) == 1:
            return found[0]
        count = "no node has" if not found else f"{len(found)} nodes have"
        message = f"{count} the label {quoted(value)}; name the node by its id, from 0 to {root}"
        raise InvalidRequest(message, pointer=f"/{member}")
    return check_whole(member, value, 0, root, what="a label, or an id")


Choice = TypeVar("Choice", bound=str)


def check_choice(member: str, value: object, choices: Sequence[Choice]) -> Choice:
    """Accept one of some words."""
    for known in choices:
        if value == known:
            return known
    return refuse(member, " or ".join([f'"{known}"' for known in choices]), value)


def check_number(member: str, value: object, is_right: Callable[[float], bool], what: str) -> float:
    """Accept a finite number that is right."""
    double = as_double(value)
    if double is None or not is_right(double):
        refuse(member, what, value)
    return double


def check_whole(
    member: str, value: object, least: int, most: int, what: str = "a whole number"
) -> int:
    """Accept a whole number within bounds."""
    double = as_double(value)
    if double is None or not (least <= double <= most and double % 1 == 0):
        refuse(member, f"{what} from {least} to {most}", value)
    return int(double)


def check_numbers(document: Document, member: str, numbers: object) -> dict[int, float]:
    """Accept finite numbers for variables of the program; give them by id."""
    if not isinstance(numbers, Mapping):
        refuse(member, "an object of numbers", numbers)
    ids = variables(document)
    doubles: dict[int, float] = {}
    for name in sorted(numbers, key=utf16):
        double, pointer = as_double(numbers[name]), f"/{member}" + pointer_step(name)
        if name not in ids:
            message = f"{quoted(name)} under {named(member)} is no variable of the program"
            raise InvalidValue(message, name=name, pointer=pointer)
        if double is None:
            kind = described(numbers[name])
            message = f"{named(member)} must give `{name}` a finite number, not {kind}"
            raise InvalidValue(message, name=name, pointer=pointer)
        doubles[ids[name]] = double
    return doubles


def check_tolerance(tolerance: object) -> float:
    """Accept a number from 0 to 1."""
    return check_number(
        "tolerance", tolerance, lambda number: 0.0 <= number <= 1.0, "a number from 0 to 1"
    )


def variables(document: Outline | Document) -> dict[str, int]:
    """Give the ids of the variables, by name, in the order of the document's gradients."""
    nodes = document["nodes"]
    return {
        node["label"]: node["id"]
        for node in nodes
        if node["kind"] in ("input", "parameter") and node["label"] is not None
    }


def name_of(node: Node) -> str:
    """Name a node in a sentence: by its label, or by id and operation or number."""
    if node["label"] is not None:
        return f"`{node['label']}`"
    if node["operation"] is not None:
        return f"node {node['id']} (`{node.get('name', node['operation'])}`)"
    return f"node {node['id']}"


def named(member: str) -> str:
    """Write a member, `nodes/0/label`, as a sentence does: `nodes[0].label`."""
    return re.sub(r"/(\d+)", r"[\1]", member).replace("/", ".")


def refuse(member: str, expected: str, value: object) -> NoReturn:
    """Say what a member must be. Raises InvalidRequest."""
    double = as_double(value)
    actual = described(value) if double is None else canonical_text(double)
    raise InvalidRequest(f"{named(member)} must be {expected}, not {actual}", pointer=f"/{member}")
