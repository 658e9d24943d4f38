"""Trees -> graph, data, gradients, by recursion (R4, R5, R20 to R26)."""

from math import isfinite

import calculus
from faults import Fault


class Node:
    def __init__(self, kind, symbol, operands, tree):
        self.kind, self.symbol, self.operands = kind, symbol, operands
        self.label, self.span, self.data = tree.label, tree.span, tree.data
        self.derived = symbol in calculus.DERIVED
        self.id, self.grad, self.rows = None, 0.0, []


class Graph:
    """Nodes in topological order; made from the root on, so the root is made first."""

    def __init__(self, root, parameters, view):
        self.made, self.order, self.view = {}, [], view
        self.variables, self.found = {}, {}
        self.parameters = frozenset(parameters)
        self.root = self.node(root)
        self.visit(self.root)

    def node(self, tree):
        if id(tree) not in self.made:
            self.made[id(tree)] = self.new(tree)
        return self.made[id(tree)]

    def new(self, tree):
        if tree.symbol is None:
            kind = "constant" if not tree.variable else "input"
            return Node("parameter" if self.is_parameter(tree) else kind, None, [], tree)
        right_to_left = [self.node(operand) for operand in reversed(tree.operands)]
        operands = right_to_left[::-1]
        if self.view == "primitive" and tree.symbol in calculus.DERIVED:
            return self.expanded(tree, operands)
        return Node("operation", tree.symbol, operands, tree)

    def expanded(self, tree, operands):
        def build(symbol, *nodes):
            node = Node("operation", symbol, list(nodes), tree)
            node.label = None
            return node

        def constant(data):
            node = Node("constant", None, [], tree)
            node.label, node.data = None, data
            return node

        outermost = calculus.expand(tree.symbol, build, constant, *operands)
        outermost.label = tree.label
        return outermost

    def is_parameter(self, tree):
        return tree.variable and tree.label in self.parameters

    def visit(self, node):
        if node.id is not None:
            return
        node.id = -1
        for operand in node.operands:
            self.visit(operand)
        node.fed = node.kind in ("input", "parameter") or any(each.fed for each in node.operands)
        node.id = len(self.order)
        self.order.append(node)

    def find(self, key):
        """Give the node with an id or a label, or None."""
        if type(key) not in (float, str):
            return None
        if not self.found:
            self.found = {each: node for node in self.order for each in (node.id, node.label)}
        return self.found.get(key)

    def reaches(self, tree):
        return id(tree) in self.made


def edges_of(order):
    """Give operation and slot of each edge, by its id."""
    return [(node, slot) for node in order for slot in range(len(node.operands))]


def forward(order, values):
    for node in order:
        if node.kind in ("input", "parameter"):
            node.data = values[node.label]
        elif node.kind == "operation":
            operands = [operand.data for operand in node.operands]
            if calculus.outside(node.symbol, *operands):
                raise Fault("domain_error", node.span, **place(node))
            node.data = calculus.data(node.symbol, *operands)
            if not isfinite(node.data):
                raise Fault("non_finite", node.span, stage="data", slot=None, **place(node))


def backward(order):
    for node in order:
        node.grad, node.rows = 0.0, []
    order[-1].grad = 1.0
    for node in order[::-1]:
        data = [operand.data for operand in node.operands]
        for slot, operand in enumerate(node.operands):
            local = calculus.slope(node.symbol, slot, node.data, *data)
            if local is None:
                operand.grad = None
                node.rows.append((node.grad, None, None, None))
                continue
            finite(local, "local_grad", node, slot)
            contribution = finite(node.grad * local, "contribution", node, slot)
            operand.grad = finite(operand.grad + contribution, "grad", node, slot)
            node.rows.append((node.grad, local, contribution, operand.grad))


def finite(number, stage, node, slot):
    """Judge a number on its way to an operand; where no variable feeds that, it may be no double."""
    if node.operands[slot].fed and not isfinite(number):
        raise Fault("non_finite", node.span, stage=stage, slot=slot, **place(node))
    return number


def place(node):
    operands = [operand.data + 0.0 for operand in node.operands]
    return {"operands": operands, "operation": node.symbol, "node": node.id}
