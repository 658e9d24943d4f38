"""`make bench`: nanoseconds a node, and the ratio to micrograd on the same graph in the same run.

micrograd builds its graph as it computes, so its step is the building and its backward pass, which
sorts anew. `forward + backward` is the engine's work on a prepared graph, as in the service for
each cached text. It includes the ledger, which micrograd does not record.

`make bench ARGS=--long` times a graph of 100,000 nodes, too.
"""

import sys
from argparse import ArgumentParser
from functools import partial
from typing import Any

from engine_py.backward import backward
from engine_py.bench.graphs import (
    NEURON,
    SENTENCE,
    Build,
    Kit,
    LocalGradsValue,
    five_nodes,
    micrograd,
    mlp_loss,
    tanh_neuron,
    wide,
)
from engine_py.bench.measure import Run, interleaved
from engine_py.bench.mpfr import print_functions
from engine_py.examples.microgpt import loss_of, make_weights, uniforms
from engine_py.forward import forward
from engine_py.introspect import differentiate, introspect, prepare_text
from engine_py.limits import Limits
from engine_py.order import make_steps, topological_order
from engine_py.request import GradientRequest
from engine_py.value import Value
from engine_py.value_graph import value_graph

PASSES, VALUE = "forward + backward", "Value built and walked"
PREPARED, TEXT = "prepared -> document", "text -> document"

WORKLOADS: dict[str, tuple[Build, dict[str, float]]] = {
    "(a + b) * c": (five_nodes, {PASSES: 0.27, VALUE: 0.8, PREPARED: 0.9, TEXT: 4.0}),
    "tanh neuron": (tanh_neuron, {PASSES: 0.28, VALUE: 0.8, PREPARED: 0.9, TEXT: 4.0}),
    "MLP loss": (mlp_loss, {PASSES: 0.055, VALUE: 0.3}),
    "wide graph": (partial(wide, nodes=10_000), {}),
}
LONG = {"wide graph, 100k": (partial(wide, nodes=100_000), {PASSES: 0.04, VALUE: 0.3})}
"""Graphs to build, and goals as fractions of micrograd's time."""
TEXTS = {"(a + b) * c": SENTENCE, "tanh neuron": NEURON}
GPT_GOAL = 0.6
"""Fraction of the time of the lessons' class."""
KIT = Kit(lambda name, data: Value(data, name))
LIMITS = Limits(variables=10**7, nodes=10**7)


def main() -> int:
    """Print the tables; return 1 if a goal is missed."""
    parser = ArgumentParser(prog="make bench", description="time the engine relative to others")
    parser.add_argument("--long", action="store_true", help="a graph of 100,000 nodes, too")
    parser.add_argument("--rounds", type=int, default=9, help="the median is taken of these")
    options = parser.parse_args()
    missed = 0
    for name, (build, goals) in (WORKLOADS | (LONG if options.long else {})).items():
        nodes, steps = steps_of(build)
        if name in TEXTS:
            steps |= text_steps(*TEXTS[name])
        peers = {"micrograd": micrograd(build), "microgpt's Value": local_grads(build)}
        times = interleaved(steps | peers, 3 if name in LONG else options.rounds)
        print(f"\n{name}, {nodes:,} nodes{'ns a node':>24} {'ratio':>6}  goal")
        for column, seconds in times.items():
            ratio = seconds / times["micrograd"]
            missed += print_row(column, 1e9 * seconds / nodes, "ns", ratio, goals.get(column))
    missed += print_gpt(options.rounds)
    missed += print_functions()
    return 1 if missed else 0


def print_row(name: str, size: float, unit: str, ratio: float, goal: float | None) -> bool:
    """Print a line; return whether its goal is missed."""
    missed = goal is not None and ratio > goal
    goal_text = "" if goal is None else f"  <= {goal}{', MISSED' if missed else ''}"
    print(f"  {name:34} {size:9.1f} {unit} {ratio:6.3f}{goal_text}", flush=True)
    return missed


def steps_of(build: Build) -> tuple[int, dict[str, Run]]:
    """Return the number of nodes, and what to time: passes over columns, and Value."""
    graph, leaves = value_graph(build(KIT), LIMITS)
    root = len(graph.operations) - 1
    order = topological_order(root, graph.operands)
    steps = make_steps(graph, order)

    def passes() -> Any:
        return backward(graph, order, steps, forward(graph, order, steps, leaves))

    return root + 1, {PASSES: passes, VALUE: lambda: build(KIT).backward()}


def text_steps(text: str, values: dict[str, float]) -> dict[str, Run]:
    """Return what to time: the document of a prepared text, and that of a text."""
    prepared, request = prepare_text(text), GradientRequest(text, values, [], "folded")
    return {
        PREPARED: lambda: differentiate(prepared, request),
        TEXT: lambda: introspect(text, values),
    }


def local_grads(build: Build) -> Run:
    """Return a step of the lessons' class that keeps local gradients."""
    kit = Kit(lambda _, data: LocalGradsValue(data))
    return lambda: build(kit).backward()


def print_gpt(rounds: int) -> bool:
    """Time a step of the example's GPT, with `Value` and with the lessons' class."""

    def step(leaf: Any) -> Run:
        weights = make_weights(uniforms(), leaf)
        return lambda: loss_of(weights, "bruno").backward()

    times = interleaved({"plain": step(LocalGradsValue), "Value": step(Value)}, rounds)
    ratio = times["Value"] / times["plain"]
    print(f"\nGPT, a step relative to microgpt's Value{'':11} {'ratio':>6}  goal")
    return print_row("Value", 1e3 * times["Value"], "ms", ratio, GPT_GOAL)


if __name__ == "__main__":
    sys.exit(main())
