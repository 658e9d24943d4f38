"""Unchecked members of a request -> their values, or an error that says what is accepted."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NoReturn, TypeVar

from engine_py.canonical import canonical_text
from engine_py.document import GradientDocument, Outline
from engine_py.errors import InvalidRequest, InvalidValue
from engine_py.request import as_double, described, pointer_step, quoted, utf16
from engine_py.template import Node

NOTHING: Mapping[str, float] = MappingProxyType({})

Choice = TypeVar("Choice", bound=str)


def check_choice(member: str, value: object, choices: Sequence[Choice]) -> Choice:
    """Return the member if it is one of the words."""
    for known in choices:
        if value == known:
            return known
    return refuse(member, " or ".join([f'"{known}"' for known in choices]), value)


def check_flag(member: str, value: object) -> bool:
    """Return the member if it is true or false."""
    return value if isinstance(value, bool) else refuse(member, "true or false", value)


def check_number(
    member: str, value: object, is_valid: Callable[[float], bool], expected: str
) -> float:
    """Return the member as a double if it is finite and accepted."""
    double = as_double(value)
    if double is None or not is_valid(double):
        refuse(member, expected, value)
    return double


def check_tolerance(tolerance: object) -> float:
    """Return the member as a double if it is from 0 to 1."""
    return check_number(
        "tolerance", tolerance, lambda number: 0.0 <= number <= 1.0, "a number from 0 to 1"
    )


def check_whole(
    member: str, value: object, least: int, most: int, kind: str = "a whole number"
) -> int:
    """Return the member if it is a whole number within the bounds."""
    double = as_double(value)
    if double is None or not (least <= double <= most and double % 1 == 0):
        refuse(member, f"{kind} from {least} to {most}", value)
    return int(double)


def check_node(member: str, value: object, ids: Mapping[str, list[int]], root: int) -> int:
    """Return the id of the node that the member names by id or label."""
    if isinstance(value, str):
        found = ids.get(value, [])
        if len(found) == 1:
            return found[0]
        count = "no node has" if not found else f"{len(found)} nodes have"
        message = f"{count} the label {quoted(value)}; name the node by its id, from 0 to {root}"
        raise InvalidRequest(message, pointer=f"/{member}")
    return check_whole(member, value, 0, root, kind="a label, or an id")


def check_numbers(document: GradientDocument, member: str, numbers: object) -> dict[int, float]:
    """Return finite numbers for variables of the program, by id."""
    if not isinstance(numbers, Mapping):
        refuse(member, "an object of numbers", numbers)
    ids = variables(document)
    doubles: dict[int, float] = {}
    for name in sorted(numbers, key=utf16):
        double, pointer = as_double(numbers[name]), f"/{member}" + pointer_step(name)
        if name not in ids:
            message = f"{quoted(name)} under {_named(member)} is not a variable of the program"
            raise InvalidValue(message, name=name, pointer=pointer)
        if double is None:
            kind = described(numbers[name])
            message = f"{_named(member)} must give `{name}` a finite number, not {kind}"
            raise InvalidValue(message, name=name, pointer=pointer)
        doubles[ids[name]] = double
    return doubles


def variables(document: Outline | GradientDocument) -> dict[str, int]:
    """Return the ids of the variables, by name, in the order of the document's gradients."""
    nodes = document["nodes"]
    return {
        node["label"]: node["id"]
        for node in nodes
        if node["kind"] in ("input", "parameter") and node["label"] is not None
    }


def ids_by_label(document: Outline | GradientDocument) -> dict[str, list[int]]:
    """Return the ids of the nodes with each label."""
    ids: dict[str, list[int]] = {}
    for node in document["nodes"]:
        if node["label"] is not None:
            ids.setdefault(node["label"], []).append(node["id"])
    return ids


def name_of(node: Node) -> str:
    """Name a node in a sentence: by its label, or by id and operation or number."""
    if node["label"] is not None:
        return f"`{node['label']}`"
    if node["operation"] is not None:
        return f"node {node['id']} (`{node.get('name', node['operation'])}`)"
    return f"node {node['id']}"


def _named(member: str) -> str:
    """Write a member such as `nodes/0/label` for a sentence: `nodes[0].label`."""
    return re.sub(r"/(\d+)", r"[\1]", member).replace("/", ".")


def refuse(member: str, expected: str, value: object) -> NoReturn:
    """Refuse a member and say what it must be. Raises InvalidRequest."""
    double = as_double(value)
    actual = described(value) if double is None else canonical_text(double)
    raise InvalidRequest(f"{_named(member)} must be {expected}, not {actual}", pointer=f"/{member}")
