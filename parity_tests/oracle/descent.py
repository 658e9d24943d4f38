"""The reference for descents: gradients of its own documents, and steps as R40 defines them.

The documents are MPFR's (see `document`). Sums, products, quotients and roots of doubles are
computed by the processor, which rounds each of them once.
"""

from collections.abc import Mapping
from math import sqrt

from parity_tests.kit.worker import Json
from parity_tests.oracle.document import reference_document

SGD: Json = {"optimizer": "sgd", "momentum": 0, "schedule": "constant", "zero_grad": True}
ADAMW: Json = {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weight_decay": 0.01}
DEFAULTS: Json = {
    "rows": [{}],
    "loss": "mean",
    "learning_rate": 0.1,
    "steps": 100,
    "every": 1,
    "view": "folded",
}


def reference_descent(request: Json) -> list[Json]:
    """Compute the trajectory of a valid request whose descent meets no error."""
    asked = {**DEFAULTS, **SGD, **ADAMW, **request}
    first = _document(asked, asked["values"])
    names = [node["label"] for node in first["nodes"] if node["kind"] == "parameter"]
    weights = {name: float(asked["values"][name]) for name in names}
    memory: Json = dict.fromkeys(names, (0.0, 0.0))
    powers, slopes = [1.0, 1.0], dict.fromkeys(names, 0.0)
    trajectory = []
    for step in range(asked["steps"] + 1):
        before = slopes
        loss, slopes = _slope(asked, weights)
        if not asked["zero_grad"]:
            slopes = {name: before[name] + slopes[name] for name in names}
        if step % asked["every"] == 0 or step == asked["steps"]:
            norm = _norm(slopes)
            shown = {name: weight + 0.0 for name, weight in weights.items()}  # R6: -0 is 0
            point = {"step": step, "loss": loss, "gradient_norm": norm, "parameters": shown}
            trajectory.append(point)
        powers = [powers[0] * asked["beta1"], powers[1] * asked["beta2"]]
        left = 1 - step / max(1, asked["steps"]) if asked["schedule"] == "linear" else 1
        rates = {**asked, "learning_rate": asked["learning_rate"] * left}
        moved = {
            name: _moved(rates, powers, weights[name], slopes[name], memory[name]) for name in names
        }
        weights = {name: weight for name, (weight, _) in moved.items()}
        memory = {name: kept for name, (_, kept) in moved.items()}
    return trajectory


def _slope(asked: Json, weights: Mapping[str, float]) -> tuple[float, dict[str, float]]:
    loss, slopes = 0.0, dict.fromkeys(weights, 0.0)
    for row in asked["rows"]:
        values = {**asked["values"], **row, **weights}
        document = _document(asked, values)
        loss += document["result"]
        for name in slopes:
            slopes[name] += document["gradients"][name]
    count = len(asked["rows"]) if asked["loss"] == "mean" else 1
    return loss / count, {name: slope / count for name, slope in slopes.items()}


def _document(asked: Json, values: Mapping[str, float]) -> Json:
    return reference_document(asked["expression"], values, asked["parameters"], asked["view"])


def _norm(slopes: Mapping[str, float]) -> float:
    squares = 0.0
    for slope in slopes.values():
        squares += slope * slope
    return sqrt(squares)


def _moved(
    asked: Json, powers: list[float], p: float, g: float, kept: tuple[float, float]
) -> tuple[float, tuple[float, float]]:
    rate, beta1, beta2 = asked["learning_rate"], asked["beta1"], asked["beta2"]
    m, v = kept
    if asked["optimizer"] == "sgd":
        v = asked["momentum"] * v + g
        return p - rate * v, (m, v)
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * (g * g)
    root = sqrt(v / (1 - powers[1]))
    step = (m / (1 - powers[0])) / (root + asked["epsilon"])
    kept_part = 1 - rate * asked["weight_decay"] if asked["optimizer"] == "adamw" else 1
    return p * kept_part - rate * step, (m, v)
