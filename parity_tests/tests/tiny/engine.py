"""A third engine in one file, in the style of the lessons: Values, recursion, Python's own parser.

It knows + * relu, single expressions and finite numbers. It claims `core`, whose other cases it skips,
so it is red. Its mistakes are left in: it writes -0 as it is, and it accepts whatever Python accepts.
These are its known failures, listed in engines.toml.
"""

import ast
import json
import platform
import sys

PROGRAMS = set(";\n=")


class Skip(Exception):
    """Something this engine does not have."""


class Value:
    """A scalar that remembers how it was computed."""

    def __init__(self, data, children=(), local_grads=(), op=None, label=None, span=None):
        self.data, self.grad = data, 0.0
        self.children, self.local_grads, self.op = children, local_grads, op
        self.label, self.span = label, span


class Builder(ast.NodeVisitor):
    """An expression -> Values."""

    def __init__(self, values):
        self.values, self.leaves = values, {}

    def visit_Expression(self, tree):
        return self.visit(tree.body)

    def visit_Name(self, tree):
        if tree.id not in self.values:
            raise Skip("errors")
        if tree.id not in self.leaves:
            self.leaves[tree.id] = Value(self.values[tree.id], label=tree.id, span=span(tree))
        return self.leaves[tree.id]

    def visit_Constant(self, tree):
        if not isinstance(tree.value, int | float) or isinstance(tree.value, bool):
            raise Skip("errors")
        return Value(float(tree.value), span=span(tree))

    def visit_BinOp(self, tree):
        x, y = self.visit(tree.left), self.visit(tree.right)
        match tree.op:
            case ast.Add():
                return Value(x.data + y.data, (x, y), (1.0, 1.0), "+", span=span(tree))
            case ast.Mult():
                return Value(x.data * y.data, (x, y), (y.data, x.data), "*", span=span(tree))
        raise Skip("operations but + * relu")

    def visit_Call(self, tree):
        if not isinstance(tree.func, ast.Name) or tree.func.id != "relu" or len(tree.args) != 1:
            raise Skip("functions but relu")
        x = self.visit(tree.args[0])
        on = x.data > 0
        return Value(x.data if on else 0.0, (x,), (1.0 if on else 0.0,), "relu", span=span(tree))

    def generic_visit(self, tree):
        raise Skip(f"{type(tree).__name__}")


def span(tree):
    return {"start": tree.col_offset, "end": tree.end_col_offset}


def introspect(expression, values=None, **others):
    if others:
        raise Skip("parameters and views")
    if not isinstance(expression, str) or not isinstance(values, dict):
        raise Skip("errors")
    if PROGRAMS & set(expression):
        raise Skip("programs")
    if any(not name.isidentifier() or type(values[name]) not in (int, float) for name in values):
        raise Skip("errors")
    try:
        root = Builder(values).visit(ast.parse(expression, mode="eval"))
    except SyntaxError:
        raise Skip("errors") from None
    order = []

    def build(value):
        if value not in order:
            for child in value.children:
                build(child)
            order.append(value)

    build(root)
    edges, number = [], order.index
    root.grad = 1.0
    for value in reversed(order):
        for slot, child in enumerate(value.children):
            contribution = value.grad * value.local_grads[slot]
            child.grad += contribution
            edges.append(
                {
                    "from": number(child), "to": number(value), "slot": slot, "differentiable": True,
                    "incoming_grad": value.grad, "local_grad": value.local_grads[slot],
                    "contribution": contribution, "running_grad": child.grad,
                }
            )  # fmt: skip
    edges.sort(key=lambda edge: (edge["to"], edge["slot"]))
    variables = [value for value in order if value.label is not None]
    ids = list(range(len(order)))
    return {
        "contract": "2.1.0", "expression": expression, "view": "folded",
        "values": {value.label: value.data for value in variables},
        "unused_values": sorted(values.keys() - {value.label for value in variables}),
        "root": ids[-1], "result": root.data,
        "gradients": {value.label: value.grad for value in variables},
        "nodes": [
            {
                "id": number(value), "operation": value.op, "label": value.label,
                "kind": "operation" if value.op else "input" if value.label else "constant",
                "data": value.data, "grad": value.grad, "derived": False, "span": value.span,
            }
            for value in order
        ],
        "edges": [{"id": id_, **edge} for id_, edge in enumerate(edges)],
        "topological_order": ids, "backward_order": ids[::-1],
    }  # fmt: skip


def answer(message):
    if message["kind"] == "start":
        own = {"name": "tiny", "language": "Python", "version": "1"}
        own["runtime"] = platform.python_version()
        claims = {"protocol": "1", "contract": "2.1.0", "profiles": ["core"]}
        return {"kind": "started", **claims, "implementation": own}
    if message["kind"] == "stop":
        return {"kind": "stopped"}
    reply = {"sequence": message["sequence"]}
    try:
        if message["command"] != "introspect" or "limits" in message:
            raise Skip("limits and other commands")
        document = introspect(**message["request"])
        json.dumps(document, allow_nan=False)
        return {"kind": "result", **reply, "result": document}
    except Skip as reason:
        return {"kind": "skipped", **reply, "reason": f"does not have {reason}"}
    except (ValueError, OverflowError, RecursionError, MemoryError):
        return {"kind": "skipped", **reply, "reason": "does not have errors"}


for line in sys.stdin:
    reply = answer(json.loads(line))
    print(json.dumps(reply), flush=True)
    if reply["kind"] == "stopped":
        break
