"""A row of `make bench`: a step of the example's GPT, with `Value` and with the lessons' class."""

from typing import Any

from engine_py.bench.measure import Run, interleaved
from engine_py.bench.peers import LocalGradsValue
from engine_py.examples.microgpt import loss_of, make_weights, uniforms
from engine_py.value import Value

ROUNDS = 9
GOAL = 0.6


def gpt_in_time() -> bool:
    """Print the row; False where the goal is missed."""
    times = interleaved({"plain": _step(LocalGradsValue), "Value": _step(Value)}, ROUNDS)
    theirs, ours = (1e3 * seconds for seconds in times.values() if seconds is not None)
    ratio = ours / theirs
    name = "GPT, Value / microgpt's, a step"
    print(f"{name:37} {theirs:9.3f} ms {ours:9.3f} ms {ratio:6.2f}  <= {GOAL}", flush=True)
    return ratio <= GOAL


def _step(leaf: Any) -> Run:
    weights = make_weights(uniforms(), leaf)
    return lambda: loss_of(weights, "bruno").backward()
