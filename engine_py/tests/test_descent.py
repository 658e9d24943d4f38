"""Descents; what is expected comes from hands, the lessons, or a network written down by itself.

Fixtures hold every rule of a step, and three trajectories of the referee to the bit.
"""

from math import tanh
from typing import Any

import pytest

from engine_py import Descending, Document, Value, descend, introspect, introspect_value
from engine_py.lab.settings import DEFAULTS, check_settings
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.tests.helpers import refusal

LINE = introspect("w * x", {"w": 0, "x": 1}, parameters=["w"])
HIDDEN = range(1, 5)
NAMES = [*(f"{name}{k}" for k in HIDDEN for name in "uvb"), *(f"w{k}" for k in HIDDEN), "c"]
WEIGHTS = {name: ((5 * place**2 + 3 * place) % 17 - 8) / 8 for place, name in enumerate(NAMES)}
XOR = [{"x": x, "y": y, "t": 1 if x != y else -1} for x in (-1, 1) for y in (-1, 1)]


def network() -> Document:
    """Give the squared error of a 2-4-1 network of tanh at one row."""
    lines = [f"h{k} = tanh(u{k} * x + v{k} * y + b{k})" for k in HIDDEN]
    out = " + ".join(f"w{k} * h{k}" for k in HIDDEN)
    text = "\n".join([*lines, f"out = tanh({out} + c)", "(out - t) ** 2"])
    return introspect(text, {**WEIGHTS, "x": 0, "y": 0, "t": 0}, parameters=NAMES)


def output(w: dict[str, float], row: Any) -> float:
    hidden = [tanh(w[f"u{k}"] * row["x"] + w[f"v{k}"] * row["y"] + w[f"b{k}"]) for k in HIDDEN]
    return tanh(sum(w[f"w{k}"] * h for k, h in zip(HIDDEN, hidden, strict=True)) + w["c"])


def error_and_slopes(w: dict[str, float], rows: list[Any]) -> tuple[float, dict[str, float]]:
    """Give the mean squared error of the network, and its slopes as a textbook derives them."""
    error, slopes = 0.0, dict.fromkeys(w, 0.0)
    for row in rows:
        out = output(w, row)
        error += (out - row["t"]) ** 2 / len(rows)
        slopes["c"] += (d_out := 2 * (out - row["t"]) * (1 - out * out) / len(rows))
        for k in HIDDEN:
            hidden = tanh(w[f"u{k}"] * row["x"] + w[f"v{k}"] * row["y"] + w[f"b{k}"])
            slopes[f"w{k}"] += d_out * hidden
            slopes[f"b{k}"] += (d_hidden := d_out * w[f"w{k}"] * (1 - hidden * hidden))
            slopes[f"u{k}"] += d_hidden * row["x"]
            slopes[f"v{k}"] += d_hidden * row["y"]
    return error, slopes


def test_xor_is_learned_step_by_step_as_a_network_written_down_by_itself_does() -> None:
    result = descend(network(), rows=XOR, learning_rate=0.2, momentum=0.9, steps=60)
    weights, velocity = WEIGHTS.copy(), dict.fromkeys(WEIGHTS, 0.0)
    for point in result["trajectory"]:
        error, slopes = error_and_slopes(weights, XOR)
        assert point["loss"] == pytest.approx(error, rel=1e-9)
        norm = sum(slope**2 for slope in slopes.values()) ** 0.5
        assert point["gradient_norm"] == pytest.approx(norm, rel=1e-9)
        assert point["parameters"] == pytest.approx(weights, rel=1e-9, abs=1e-12)
        velocity = {name: 0.9 * velocity[name] + slopes[name] for name in weights}
        weights = {name: weights[name] - 0.2 * velocity[name] for name in weights}
    learned = result["trajectory"][-1]["parameters"]
    assert [output(learned, row) * row["t"] > 0.9 for row in XOR] == [True] * 4


def test_a_descent_stands_still_until_it_is_asked_for_the_next_point() -> None:
    document = introspect("log(w)", {"w": 1}, parameters=["w"])
    descending = Descending(document, learning_rate=2, steps=5)
    assert next(descending)["parameters"] == {"w": 1}
    before = descending.fault
    assert next(descending, None) is None
    after = descending.fault
    assert before is None
    assert after is not None
    assert (after["step"], after["error"]["operands"]) == (1, [-1])
    assert next(descending, None) is None


def test_the_settings_of_a_descent_are_checked_before_the_first_point() -> None:
    assert refusal(Descending, LINE, steps=-1)["pointer"] == "/steps"


def test_a_graph_of_values_descends() -> None:
    w, x = Value(3, "w"), Value(2, "an input")
    document = introspect_value(w * x * 2.0, parameters=["w"])
    [first, second] = descend(document, rows=[{"an input": 1}], steps=1)["trajectory"]
    assert (first["loss"], first["parameters"]) == (6, {"w": 3})
    assert second["parameters"] == {"w": 3 - 0.1 * 2}


def test_a_label_in_a_pointer_is_escaped() -> None:
    document = introspect_value(Value(3, "a/b") * 2.0, parameters=[])
    document["nodes"][0]["kind"] = "parameter"
    assert refusal(descend, document, rows=[{"a/b": 1}])["pointer"] == "/rows/0/a~1b"


def test_an_unknown_setting_is_the_calling_programs_mistake() -> None:
    with pytest.raises(TypeError, match="'rate'"):
        descend(LINE, rate=1)  # type: ignore[call-arg]


def test_as_many_nodes_as_the_bound_are_computed() -> None:
    assert len(descend(LINE, steps=2, limits=Limits(descent_nodes=9))["trajectory"]) == 3
    error = refusal(descend, LINE, steps=2, limits=Limits(descent_nodes=8))
    assert (error["name"], error["limit"], error["actual"]) == ("descent_nodes", 8, 9)


@pytest.mark.parametrize(
    ("member", "right"),
    [
        *(("learning_rate", [0, 1e300]), ("weight_decay", [0, 5]), ("epsilon", [5e-324, 9])),
        *((part, [0, 0.9999]) for part in ("momentum", "beta1", "beta2")),
        *(("steps", [0, 10_000]), ("every", [1, 10_000]), ("rows", [[{}] * 33])),
        ("zero_grad", [True, False]),
        *(("loss", ["sum", "mean"]), ("schedule", ["constant", "linear"])),
        ("optimizer", ["sgd", "adam", "adamw"]),
    ],
)
def test_the_ends_of_what_is_allowed_are_allowed(member: str, right: list[Any]) -> None:
    for value in right:
        settings = check_settings(LINE, {member: value}, DEFAULT_LIMITS)._asdict()
        assert settings[member] == value


def test_the_members_of_a_request_are_all_that_is_checked() -> None:
    settings = check_settings(LINE, {}, DEFAULT_LIMITS)
    assert list(settings._asdict()) == list(DEFAULTS)
    assert settings._asdict() == DEFAULTS


def test_a_message_says_what_to_do() -> None:
    document = introspect("w * 1e308", {"w": 0}, parameters=["w"])
    fault = descend(document, learning_rate=10)["fault"]
    assert fault is not None
    assert fault["error"]["message"] == (
        "`w`, once moved, is too large for a double; use a smaller learning rate"
    )
