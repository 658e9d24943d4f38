"""Second derivatives, by tangents of the ledger (R41). What a direction does not reach is None."""

from math import isfinite

import calculus
from checks import check_least, is_double, is_name, refuse_large
from faults import Fault
from passes import place
from report import computed, plain


def hessian(request, limits):
    document, graph = computed(request, limits)
    names = variables_of(request, graph)
    vector = vector_of(request, graph)
    work = (len(names) + (vector is not None)) * len(document["edges"])
    refuse_large("tangents", work, limits)
    product = None if vector is None else bent(graph, vector)
    along = None if vector is None else plain(graph.root.tangent or 0.0)
    columns = [(name, bent(graph, {name: 1.0})) for name in names]
    rows = {name: {other: column[name] for other, column in columns} for name in names}
    return {
        "directional_derivative": along,
        "product": product,
        "hessian": rows,
        "document": document,
    }


def variables_of(request, graph):
    names = request.get("variables")
    if names is None:
        return [node.label for node in graph.order if node.kind in ("input", "parameter")]
    if type(names) is not list:
        raise Fault("invalid_request", None, pointer="/variables")
    for at, name in enumerate(names):
        if not is_name(name) or name not in graph.variables or name in names[:at]:
            raise Fault("invalid_request", None, pointer=f"/variables/{at}")
    return names


def vector_of(request, graph):
    vector = request.get("vector")
    if vector is None:
        return None
    if type(vector) is not dict:
        raise Fault("invalid_request", None, pointer="/vector")
    check_least(
        vector, ["vector"], lambda name, value: name in graph.variables and is_double(value)
    )
    return vector


def bent(graph, direction):
    """Give the tangent of every variable's gradient in a direction."""
    for node in graph.order:
        node.tangent = direction.get(node.label) if node.kind in ("input", "parameter") else None
        if node.operands:
            locals_ = [local for _, local, _, _ in node.rows]
            node.tangent = finite(weighted(locals_, node.operands), node, None)
        node.grad_tangent = None
    for node in graph.order[::-1]:
        for slot, operand in enumerate(node.operands):
            term = contribution_tangent(node, slot)
            operand.grad_tangent = finite(added(operand.grad_tangent, term), node, slot)
    return {name: plain(node.grad_tangent or 0.0) for name, node in graph.variables.items()}


def contribution_tangent(node, slot):
    incoming, local, _, _ = node.rows[slot]
    if local is None or not node.operands[slot].fed:
        return None
    left = times(node.grad_tangent, local)
    right = times(local_tangent(node, slot), incoming)
    return added(left, right)


def added(one, other):
    if one is None or other is None:
        return one if other is None else other
    return one + other


def times(tangent, number):
    return None if tangent is None else tangent * number


def weighted(locals_, operands):
    """Sum local gradients times tangents, from 0 on."""
    total = None
    for local, operand in zip(locals_, operands, strict=True):
        if operand.tangent is not None:
            total = (0.0 if total is None else total) + local * operand.tangent
    return total


class Number:
    """A number in a formula of R3, and its tangent."""

    def __init__(self, data, tangent=None):
        self.data, self.tangent = data, tangent


def applied(symbol, *operands):
    data = [operand.data for operand in operands]
    out = calculus.data(symbol, *data)
    slopes = [calculus.slope(symbol, slot, out, *data) for slot in range(len(data))]
    return Number(out, weighted(slopes, operands))


def local_tangent(node, slot):
    """Give the tangent of the formula of R3, operation by operation."""
    out, one = Number(node.data, node.tangent), Number(1.0)
    x, y = (*(Number(each.data, each.tangent) for each in node.operands), None)[:2]
    match node.symbol, slot:
        case "*", _:
            formula = x if slot else y
        case "/", 0:
            formula = applied("/", one, y)
        case "/", 1:
            formula = applied("neg", applied("/", out, y))
        case "**", 0 if y.data != 0.0:
            positive = applied("neg", x) if x.data < 0.0 else x
            formula = applied("*", y, applied("**", positive, applied("-", y, one)))
            if x.data < 0.0 and y.data % 2.0 == 0.0:
                formula = applied("neg", formula)
        case "exp", 0:
            formula = out
        case "log", 0:
            formula = applied("/", one, x)
        case "tanh", 0:
            formula = applied("-", one, applied("*", out, out))
        case "sqrt", 0:
            formula = applied("/", Number(0.5), out)
        case "sin", 0:
            formula = applied("cos", x)
        case "cos", 0:
            formula = applied("neg", applied("sin", x))
        case "sigmoid", 0:
            formula = applied("*", out, applied("-", one, out))
        case "softplus", 0:
            formula = applied("sigmoid", x)
        case _:
            return None
    return formula.tangent


def finite(tangent, node, slot):
    if tangent is not None and not isfinite(tangent):
        raise Fault("non_finite", node.span, stage="tangent", slot=slot, **place(node))
    return tangent
