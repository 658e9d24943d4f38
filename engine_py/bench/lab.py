"""Rows of `make bench`: an experiment beside a plain request, forward mode beside forward passes.

An experiment differentiates its program, as a request does, and then walks it again, here from the
leaves on. Forward mode takes a pass a variable, with the bounds that a check needs, and is held
against so many forward passes; in the chain, each pass reaches every node.
"""

from collections.abc import Callable
from statistics import median
from typing import Any

from engine_py.bench.measure import timed
from engine_py.bench.stages import KIT
from engine_py.bench.workloads import mlp_loss
from engine_py.document import Document
from engine_py.forward import forward
from engine_py.introspect import introspect
from engine_py.lab.columns import columns_of
from engine_py.lab.conditions import variables
from engine_py.lab.experiment import experiment
from engine_py.lab.modes import (
    bounds_of_local_grads,
    forward_mode,
    magnitudes,
    prepare_forward,
)
from engine_py.lab.program import evaluate, program_of
from engine_py.value import introspect_value

Pair = tuple[Callable[[], Any], Callable[[], Any]]
"""What is the measure, and what is measured."""

ROUNDS = 9
EXPERIMENT_GOAL, FORWARD_GOAL = 3.0, 2.0
MOST_VARIABLES = 20
FIVE: Any = ("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
CHAIN: Any = (
    "\n".join(["n0 = x * y", *(f"n{i} = n{i - 1} * x + y" for i in range(1, 1_000))]),
    {"x": 0.999, "y": 0.001},
)


def lab_in_time() -> bool:
    """Print a row per comparison; False where a goal is missed."""
    mlp = introspect_value(mlp_loss(KIT))
    in_time = [
        _row("experiment, 5 nodes / request", experiments(*FIVE), 500, EXPERIMENT_GOAL),
        _row("experiment, 2,000 nodes / request", experiments(*CHAIN), 1, EXPERIMENT_GOAL),
        _row("forward mode, MLP / forward passes", forward_modes(mlp), 1, FORWARD_GOAL),
        _row("forward mode, chain / the same", forward_modes(introspect(*CHAIN)), 3, FORWARD_GOAL),
    ]
    return all(in_time)


def _row(name: str, pair: Pair, repeats: int, goal: float) -> bool:
    base, work = pair
    times = [(timed(base, repeats), timed(work, repeats)) for _ in range(ROUNDS)]
    ratio = median(ours / theirs for theirs, ours in times)
    theirs, ours = (1e3 * median(row[column] for row in times) for column in (0, 1))
    print(f"{name:37} {theirs:9.3f} ms {ours:9.3f} ms {ratio:6.2f}  <= {goal}", flush=True)
    return ratio <= goal


def experiments(expression: str, values: dict[str, float]) -> Pair:
    """Give a plain request, and the same one walked once more in a wrong order."""
    order = introspect(expression, values)["topological_order"]
    return (
        lambda: introspect(expression, values),
        lambda: experiment(introspect(expression, values), order=order),
    )


def forward_modes(document: Document) -> Pair:
    """Give a forward pass for each variable, of many the first ones, and forward mode for these."""
    leaves = list(variables(document).values())[:MOST_VARIABLES]
    graph, order, steps = columns_of(document)
    program = program_of(document)
    here = evaluate(program, document["root"], document["result"])
    errors = bounds_of_local_grads(program, here)
    prepared = prepare_forward(document, errors, magnitudes(document))
    return (
        lambda: [forward(graph, order, steps, document["values"]) for _ in leaves],
        lambda: [forward_mode(prepared, leaf) for leaf in leaves],
    )
