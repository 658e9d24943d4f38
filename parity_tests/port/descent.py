"""Gradient descent over rows (R40)."""

from math import isfinite, sqrt

from checks import check_least, is_double, is_whole, member, refuse_large, word
from faults import Fault
from passes import backward, forward
from report import computed, plain


def descend(request, limits):
    document, graph = computed(request, limits)
    moving = [Moving(node) for node in graph.order if node.kind == "parameter"]
    if not moving:
        raise Fault("invalid_request", None, pointer="/parameters")
    settings = settings_of(request, graph)
    steps, every, rows = (settings[name] for name in ("steps", "every", "rows"))
    refuse_large("descent_nodes", (steps + 1) * len(rows) * len(graph.order), limits)
    refuse_large("descent_numbers", (steps // every + 2) * len(moving), limits)
    descent = Descent(graph, moving, settings)
    trajectory, fault = [], None
    try:
        for step in range(int(steps) + 1):
            point = descent.point()
            if step % every == 0 or step == steps:
                trajectory.append({**point, "step": step})
            if step < steps:
                descent.move()
    except Fault as error:
        fault = {"error": error.shown(), "row": descent.row, "step": descent.step}
    return {"fault": fault, "trajectory": trajectory, "document": document}


def settings_of(request, graph):
    """Check the members in the contract's order."""

    def number(name, default, is_right):
        return member(request, name, default, lambda value: is_double(value) and is_right(value))

    rows = member(request, "rows", [{}], lambda rows: type(rows) is list and 1 <= len(rows) <= 1000)
    for place, row in enumerate(rows):
        check_row(place, row, graph)
    return {
        "rows": rows,
        "loss": word(request, "loss", "mean", "sum"),
        "optimizer": word(request, "optimizer", "sgd", "adamw", "adam"),
        "learning_rate": number("learning_rate", 0.1, lambda rate: rate >= 0.0),
        "schedule": word(request, "schedule", "constant", "linear"),
        "momentum": number("momentum", 0.0, lambda part: 0.0 <= part < 1.0),
        "beta1": number("beta1", 0.9, lambda part: 0.0 <= part < 1.0),
        "beta2": number("beta2", 0.999, lambda part: 0.0 <= part < 1.0),
        "epsilon": number("epsilon", 1e-8, lambda term: term > 0.0),
        "weight_decay": number("weight_decay", 0.01, lambda rate: rate >= 0.0),
        "zero_grad": member(request, "zero_grad", True, lambda value: type(value) is bool),
        "steps": member(request, "steps", 100.0, lambda count: is_whole(count, 0, 10_000)),
        "every": member(request, "every", 1.0, lambda count: is_whole(count, 1, 10_000)),
    }


def check_row(place, row, graph):
    """Refuse what is no row of numbers for variables, then a row that names a parameter."""
    if type(row) is not dict:
        raise Fault("invalid_request", None, pointer=f"/rows/{place}")
    variables = graph.variables
    check_least(row, ["rows", place], lambda name, value: name in variables and is_double(value))
    check_least(row, ["rows", place], lambda name, _: variables[name].kind == "input")


class Moving:
    """A parameter, and what its optimizer remembers."""

    def __init__(self, node):
        self.node, self.p, self.m, self.v = node, node.data, 0.0, 0.0

    def by_sgd(self, g, rate, given):
        self.v = given["momentum"] * self.v + g
        self.p = self.p - rate * self.v
        return [self.v, self.p]

    def by_adamw(self, g, rate, given, b1, b2):
        beta1, beta2 = given["beta1"], given["beta2"]
        decay = given["weight_decay"] if given["optimizer"] == "adamw" else 0.0
        self.m = beta1 * self.m + (1.0 - beta1) * g
        self.v = beta2 * self.v + (1.0 - beta2) * (g * g)
        square = self.v / (1.0 - b2)
        kept = self.p * (1.0 - rate * decay)
        self.p = kept - rate * ((self.m / (1.0 - b1)) / (sqrt(square) + given["epsilon"]))
        return [self.m, self.v, square, self.p]


class Descent:
    """The parameters on their way; `step` and `row` say what is being computed."""

    def __init__(self, graph, moving, given):
        self.graph, self.moving, self.given = graph, moving, given
        self.inputs = {name: node.data for name, node in graph.variables.items()}
        self.step, self.row, self.b1, self.b2 = 0, None, 1.0, 1.0
        self.gradients = [0.0] * len(moving)

    def point(self):
        """Compute loss and gradients."""
        order, root = self.graph.order, self.graph.root
        loss, gradients = 0.0, [0.0] * len(self.moving)
        parameters = {each.node.label: each.p for each in self.moving}
        for self.row, row in enumerate(self.given["rows"]):
            forward(order, {**self.inputs, **parameters, **row})
            backward(order)
            loss += root.data
            gradients = [g + each.node.grad for g, each in zip(gradients, self.moving, strict=True)]
        self.row = None
        finite([loss], "data", root)
        for g, each in zip(gradients, self.moving, strict=True):
            finite([g], "grad", each.node)
        count = float(len(self.given["rows"])) if self.given["loss"] == "mean" else 1.0
        before = [0.0 if self.given["zero_grad"] else g for g in self.gradients]
        self.gradients = [g / count + old for g, old in zip(gradients, before, strict=True)]
        for g, each in zip(self.gradients, self.moving, strict=True):
            finite([g], "grad", each.node)
        return {
            "parameters": {name: plain(p) for name, p in parameters.items()},
            "gradient_norm": norm(self.gradients),
            "loss": plain(loss / count),
        }

    def move(self):
        """Move every parameter, to the next step."""
        self.step += 1
        self.b1 *= self.given["beta1"]
        self.b2 *= self.given["beta2"]
        rate = self.given["learning_rate"]
        if self.given["schedule"] == "linear":
            rate *= 1.0 - (self.step - 1) / self.given["steps"]
        for g, each in zip(self.gradients, self.moving, strict=True):
            if self.given["optimizer"] == "sgd":
                numbers = each.by_sgd(g, rate, self.given)
            else:
                numbers = each.by_adamw(g, rate, self.given, self.b1, self.b2)
            finite(numbers, "data", each.node)


def norm(gradients):
    square = 0.0
    for g in gradients:
        square += g * g
    return sqrt(square) if isfinite(square) else None


def finite(numbers, stage, node):
    if not all(map(isfinite, numbers)):
        nothing = {"operation": None, "operands": [], "slot": None}
        raise Fault("non_finite", None, stage=stage, node=node.id, **nothing)
