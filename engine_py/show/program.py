"""Document -> a request that gives the same document: a graph of Values becomes a program.

A node that is shared or labelled becomes a statement, so the program has the graph of the Values,
and its document has bit-identical gradients.
"""

import re
from collections import Counter

from engine_py.document import GradientDocument
from engine_py.language.parser import BINARY, PREFIX
from engine_py.operations import CUSTOM, NO_GRADIENT
from engine_py.request import GradientRequest, is_name
from engine_py.template import Node

POWER_SIGN, _ = NO_GRADIENT
POWER, WHOLE = PREFIX + 1, PREFIX + 2
"""Precedence of a power, and of expressions that never need parentheses."""

Written = tuple[int, str]
"""An expression: its precedence and its text."""

_VARIABLE = ("input", "parameter")


def request_of(document: GradientDocument) -> GradientRequest:
    """Write a document as a request.

    Labels are kept if they are names and no other node has them.

    Raises:
        ValueError: the graph has a custom operation, which the language does not have.
    """
    text, values, nodes = document["expression"], document["values"], document["nodes"]
    if text is None:
        names = _names(document)
        text = _program(document, names)
        values = {names[node["id"]]: node["data"] for node in nodes if node["kind"] in _VARIABLE}
    # A parameter's label is a name, so it is kept.
    parameters = [str(node["label"]) for node in nodes if node["kind"] == "parameter"]
    return GradientRequest(text, values, parameters, document["view"])


def _names(document: GradientDocument) -> dict[int, str]:
    """Name shared and labelled nodes: first by labels that are names, starting with variables."""
    uses = Counter(edge["from"] for edge in document["edges"] if edge["differentiable"])
    nodes = [node for node in document["nodes"] if node["label"] or uses[node["id"]] > 1]
    nodes.sort(key=lambda node: (not is_name(node["label"]), node["kind"] not in _VARIABLE))
    names: dict[str, int] = {}
    for node in nodes:
        name = _written_label(node)
        while name in names:
            name += f"_{node['id']}"
        names[name] = node["id"]
    return {id_: name for name, id_ in names.items()}


def _written_label(node: Node) -> str:
    """Turn a label into a name, such as `x1 * w1` into x1_w1, or else use the node's id."""
    label = node["label"] or ""
    if is_name(label):
        return label
    cleaned = re.sub(r"\W+", "_", label, flags=re.ASCII).strip("_")
    return cleaned if is_name(cleaned) else f"n{node['id']}"


def _program(document: GradientDocument, names: dict[int, str]) -> str:
    """Write each node in topological order, inside its only user or as a statement."""
    nodes = document["nodes"]
    below: list[list[int]] = [[] for _ in nodes]
    for edge in document["edges"]:
        below[edge["to"]].append(edge["from"])
    statements: list[str] = []
    written: list[Written] = []
    for node in nodes:
        name = names.get(node["id"])
        operands = [written[each] for each in below[node["id"]]]
        if node["operation"] == POWER_SIGN:
            # An exponent is written as a number even if other nodes share it.
            operands[1] = _number(nodes[below[node["id"]][1]]["data"])
        expression = _expression(node, operands)
        if name and node["kind"] not in _VARIABLE:
            statements.append(f"{name} = {expression[1]}")
        written.append((WHOLE, name) if name else expression)
    if nodes[-1]["id"] not in names or nodes[-1]["kind"] in _VARIABLE:
        statements.append(written[-1][1])
    return "; ".join(statements)


def _number(data: float) -> Written:
    """Write a constant; a negative one has the precedence of a negation."""
    text = repr(data).removesuffix(".0")
    return (PREFIX if text.startswith("-") else WHOLE), text


def _expression(node: Node, operands: list[Written]) -> Written:
    """Write the expression of a node; the caller writes a variable by its name."""
    symbol = node["operation"]
    if symbol is None:
        return _number(node["data"])
    if symbol == CUSTOM:
        message = (
            f"`{node.get('name', CUSTOM)}` at node {node['id']} is an operation of your own, "
            "which the language cannot express; write it with operations of the table"
        )
        raise ValueError(message)
    if symbol == POWER_SIGN:
        return POWER, f"{_held(operands[0], WHOLE)} ** {operands[1][1]}"
    if symbol in BINARY:
        level = BINARY[symbol]
        left, right = _held(operands[0], level), _held(operands[1], level + 1)
        return level, f"{left} {symbol} {right}"
    if symbol == "neg":
        # Without parentheses, a minus before a number would make a negative number.
        text = _held(operands[0], POWER)
        return PREFIX, f"-({text})" if text[0] in ".0123456789" else f"-{text}"
    return WHOLE, f"{symbol}({', '.join(text for _, text in operands)})"


def _held(expression: Written, level: int) -> str:
    """Put an expression in parentheses unless its precedence is at least `level`."""
    tightness, text = expression
    return text if tightness >= level else f"({text})"
