"""Request -> document, outline or canonical text, members last to first (R28, R33, R35)."""

from hashlib import sha256
from math import isfinite

from checks import check_numbers, checked, units
from faults import Fault
from grammar import Parser
from passes import Graph, backward, forward
from writing import shortest

CONTRACT = "2.0.0"


def introspect(request, limits):
    return computed(request, limits)[0]


def computed(request, limits):
    """Give the document, and the graph that it tells of."""
    text, values, parameters, view = checked(request, limits, check_numbers)
    parser, graph = read(text, parameters, view, limits)
    refuse_missing(parser, parameters, values)
    forward(graph.order, values)
    backward(graph.order)
    variables = graph.variables
    ids = [node.id for node in graph.order]
    document = {
        "backward_order": ids[::-1],
        "topological_order": ids,
        "edges": edges(graph.order),
        "nodes": [node_row(node) for node in graph.order],
        "gradients": {name: plain(node.grad) for name, node in reversed(variables.items())},
        "result": plain(graph.root.data),
        "root": graph.root.id,
        "view": view,
        "unused_values": sorted(values.keys() - variables.keys()),
        "values": {name: plain(node.data) for name, node in reversed(variables.items())},
        "expression": text,
        "contract": CONTRACT,
    }
    return document, graph


def outline(request, limits):
    text, _, parameters, view = checked(request, limits, check_values=None)
    parser, graph = read(text, parameters, view, limits)
    rows = [node_row(node) for node in graph.order]
    for node, row in zip(graph.order, rows, strict=True):
        del row["grad"]
        row["data"] = plain(node.data) if node.kind == "constant" else None
    kept = ("slot", "to", "from", "differentiable", "id")
    return {
        "edges": [{name: row[name] for name in kept} for row in edges(graph.order)],
        "nodes": rows,
        "root": graph.root.id,
        "variables": [leaf.label for leaf in parser.variables],
        "view": view,
        "expression": text,
        "contract": CONTRACT,
    }


def canonicalize(request, limits):
    text = canonical(introspect(request, limits))
    return {"digest": sha256(text.encode("utf-8")).hexdigest(), "text": text}


def read(text, parameters, view, limits):
    parser = Parser(text, view, limits["nodes"])
    root = parser.program()
    graph = Graph(root, parameters, view)
    for name, tree in parser.bound:
        if not graph.reaches(tree):
            raise Fault("unused_name", name.span, name=name.text)
    graph.variables = {leaf.label: graph.node(leaf) for leaf in parser.variables}
    return parser, graph


def refuse_missing(parser, parameters, values):
    spans = {leaf.label: leaf.span for leaf in parser.variables}
    names = [name for name in dict.fromkeys([*spans, *parameters]) if name not in values]
    if names:
        raise Fault("missing_value", spans.get(names[0]), name=names[0], names=names)


def node_row(node):
    return {
        "span": {"end": node.span[1], "start": node.span[0]},
        "derived": node.derived,
        "grad": plain(node.grad),
        "data": plain(node.data),
        "label": node.label,
        "operation": node.symbol,
        "kind": node.kind,
        "id": node.id,
    }


def edges(order):
    rows = []
    for node in order:
        for slot, operand in enumerate(node.operands):
            numbers = node.rows[slot] if node.rows else (None, None, None, None)
            incoming, local, contribution, running = map(plain, numbers)
            rows.append(
                {
                    "running_grad": running,
                    "contribution": contribution,
                    "local_grad": local,
                    "incoming_grad": incoming,
                    "differentiable": (node.symbol, slot) != ("**", 1),
                    "slot": slot,
                    "to": node.id,
                    "from": operand.id,
                    "id": len(rows),
                }
            )
    return rows


def plain(number):
    """Take the sign from a zero; give None for what is no double."""
    return number + 0.0 if number is not None and isfinite(number) else None


def canonical(value):
    if value is None or type(value) is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if type(value) is str:
        return quoted(value)
    if type(value) is list:
        return "[" + ",".join(map(canonical, value)) + "]"
    if type(value) is dict:
        members = [f"{quoted(name)}:{canonical(value[name])}" for name in sorted(value, key=units)]
        return "{" + ",".join(members) + "}"
    return shortest(float(value))


def quoted(text):
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(short.get(each, each) for each in text) + '"'
