"""The backward pass done otherwise (R36): walks, their ledgers, and what is lost on the way."""

from math import isfinite

import calculus
from checks import check_least, is_double, is_whole, member, refuse_large, word
from faults import Fault
from passes import edges_of, place
from report import computed, plain


def experiment(request, limits):
    document, graph = computed(request, limits)
    given = settings_of(request, graph)
    edges = edges_of(graph.order)
    refuse_large("steps", given["passes"] * len(edges), limits)
    order, push = given["order"], given["walk"] == "push"
    visited = set(order)
    unvisited = [
        node for node in graph.order if is_needed(node, graph, push) and node not in visited
    ]
    broken = broken_edge(order, edges, unvisited)
    reads = ["stored", "reread"] if given["mutate"] else ["stored"]
    return {
        "walks": [Walk(graph, given, read == "reread").shown() for read in reads],
        "unvisited": [node.id for node in unvisited],
        "broken_edge": broken,
        "reverse_topological": broken is None and not unvisited,
        "order": [node.id for node in order],
        "document": document,
    }


def settings_of(request, graph):
    """Check the members in the contract's order."""

    return {
        "walk": word(request, "walk", "push", "pull"),
        "order": order_of(request, graph),
        "accumulate": word(request, "accumulate", "add", "replace"),
        "seed": member(request, "seed", 1.0, is_double),
        "passes": member(request, "passes", 1.0, lambda count: is_whole(count, 1, 10)),
        "reset": word(request, "reset", "none", "inner", "all"),
        "mutate": mutated(request, graph),
    }


def order_of(request, graph):
    """Give the nodes that are visited."""
    keys = member(
        request, "order", "backward", lambda keys: keys == "backward" or type(keys) is list
    )
    if keys == "backward":
        return graph.order[::-1]
    order = {}
    for at, key in enumerate(keys):
        node = graph.find(key)
        if node is None or node in order:
            raise Fault("invalid_request", None, pointer=f"/order/{at}")
        order[node] = at
    return list(order)


def mutated(request, graph):
    mutate = member(request, "mutate", {}, lambda mutate: type(mutate) is dict)
    check_least(
        mutate, ["mutate"], lambda name, value: name in graph.variables and is_double(value)
    )
    return mutate


def is_needed(node, graph, push):
    """Say whether a gradient needs the visit of a node."""
    return bool(node.operands) if push else node is not graph.root and node.kind != "constant"


def broken_edge(order, edges, unvisited):
    places = {node: at for at, node in enumerate(order)}
    never = dict.fromkeys(unvisited, len(order))
    broken = []
    for each, (node, slot) in enumerate(edges):
        visit = places.get(node.operands[slot])
        if visit is not None and visit < places.get(node, never.get(node, -1)):
            broken.append((visit, each))
    return min(broken)[1] if broken else None


class Walk:
    """Some passes. `waiting` has, by operation, the steps that it did not pass on yet, each with the
    nodes whose visits would; `kept` has the step of this pass whose contribution a leaf has.
    """

    def __init__(self, graph, given, reread):
        self.graph, self.given, self.reread = graph, given, reread
        self.grads = dict.fromkeys(graph.order, 0.0)
        changed = given["mutate"] if reread else {}
        self.data = {node: changed.get(node.label, node.data) for node in graph.order}
        self.ids = {edge: each for each, edge in enumerate(edges_of(graph.order))}
        self.above = {node: [] for node in graph.order}
        for node in graph.order[::-1]:
            for slot, operand in enumerate(node.operands):
                self.above[operand].append((node, slot))
        self.ledger, self.lost = [], []
        self.waiting, self.kept = {node: {} for node in graph.order}, {}
        for number in range(1, int(given["passes"]) + 1):
            self.walk(number)
        self.give_up()

    def walk(self, number):
        inner = self.given["reset"] == "inner"
        if number > 1 and self.given["reset"] != "none":
            self.give_up()
            self.grads.update((node, 0.0) for node in self.grads if node.operands or not inner)
        self.grads[self.graph.root] = self.given["seed"]
        self.kept = {}
        for node in self.given["order"]:
            self.visit(node, number)

    def visit(self, node, number):
        push = self.given["walk"] == "push"
        edges = [(node, slot) for slot in range(len(node.operands))] if push else self.above[node]
        for operation, _ in edges:
            for nodes in self.waiting[operation].values():
                nodes.discard(node)
        for operation, slot in edges:
            if plain(operation.rows[slot][3]) is not None:
                self.carry(operation, slot, number)

    def carry(self, operation, slot, number):
        operand = operation.operands[slot]
        incoming, local = self.grads[operation], self.local_grad(operation, slot)
        finite(local, "local_grad", operation, slot)
        contribution = finite(incoming * local, "contribution", operation, slot)
        if self.given["accumulate"] == "replace":
            self.overwrite(operand)
            self.grads[operand] = contribution
        else:
            total = self.grads[operand] + contribution
            self.grads[operand] = finite(total, "grad", operation, slot)
        self.await_visits(operand)
        self.ledger.append(
            {
                "running_grad": plain(self.grads[operand]),
                "contribution": plain(contribution),
                "local_grad": plain(local),
                "incoming_grad": plain(incoming),
                "edge": self.ids[operation, slot],
                "pass": number,
            }
        )

    def local_grad(self, node, slot):
        if not self.reread:
            return node.rows[slot][1]
        data = [self.data[operand] for operand in node.operands]
        if is_outside(node.symbol, *data):
            shown = {**place(node), "operands": [*map(plain, data)]}
            raise Fault("domain_error", node.span, **shown)
        return calculus.slope(node.symbol, slot, node.data, *data)

    def await_visits(self, operand):
        step = len(self.ledger)
        if not operand.operands:
            self.kept[operand] = step
        elif self.given["walk"] == "push":
            self.waiting[operand][step] = {operand}
        else:
            below = {node for node in operand.operands if node.kind != "constant"}
            self.waiting[operand][step] = below

    def overwrite(self, operand):
        for step, nodes in self.waiting[operand].items():
            if nodes:
                self.lose(step, operand, "overwritten")
        self.waiting[operand] = {}
        if operand in self.kept:
            self.lose(self.kept[operand], operand, "overwritten")

    def give_up(self):
        """Lose what still waits."""
        for operation, steps in self.waiting.items():
            for step, nodes in steps.items():
                for node in nodes:
                    self.lose(step, node, "late" if node in self.given["order"] else "unvisited")
            self.waiting[operation] = {}

    def lose(self, step, node, reason):
        row = {name: self.ledger[step][name] for name in ("contribution", "edge")}
        if row["contribution"]:
            self.lost.append(
                {"sentence": reason, "reason": reason, "node": node.id, **row, "step": step}
            )

    def shown(self):
        grads = {name: self.grads[node] for name, node in self.graph.variables.items()}
        lost = sorted(self.lost, key=lambda loss: (loss["step"], loss["node"]))
        return {
            "lost": lost,
            "differences": {
                name: plain(grads[name] - node.grad) for name, node in self.graph.variables.items()
            },
            "gradients": {name: plain(grad) for name, grad in grads.items()},
            "ledger": self.ledger,
            "local_grads": "reread" if self.reread else "stored",
        }


def is_outside(symbol, x, y=None):
    """Say whether an operand is outside the domain of an operation in a formula of R3."""
    if symbol == "/":
        return y == 0.0
    return x == 0.0 and (symbol == "log" or (symbol == "**" and y < 0.0))


def finite(number, stage, node, slot):
    if not isfinite(number):
        raise Fault("non_finite", node.span, stage=stage, slot=slot, **place(node))
    return number
