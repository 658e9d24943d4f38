"""`make bench`: time per node, and the ratio to micrograd on the same graph in the same run.

Both do what one step of training does. micrograd builds its graph as it computes, so its forward
pass is the building, and its backward pass sorts anew. The engine prepares a graph's steps
once, as the service does for each text it keeps, and records the ledger, which micrograd does not.
The last column is the ratio when the engine, too, sorts anew in every step.

The last row is a whole step of training as a reader of micrograd writes it, with Values of each;
the engine's also check that every number is finite. After it come those of the lab and of pictures.
"""

import sys
from collections.abc import Callable
from statistics import median
from typing import Any

from micrograd.engine import Value as MicrogradValue

from engine_py.backward import backward
from engine_py.bench.functions import print_functions
from engine_py.bench.lab import lab_in_time
from engine_py.bench.picture import pictures_in_time
from engine_py.bench.workloads import Leaf, five_nodes, mlp_loss, timed
from engine_py.forward import forward
from engine_py.order import Step, make_steps, topological_order
from engine_py.value import Value, value_graph

ROUNDS = 15
TRAINING_GOAL = 1.0
WORKLOADS: list[tuple[str, Callable[[Leaf], Any], int, float]] = [
    #  name                       build       repeats  goal
    ("(a + b) * c, 5 nodes", five_nodes, 2_000, 0.27),
    ("MLP 2-16-16-1 loss, 8 points", mlp_loss, 3, 0.055),
]


def main() -> int:
    """Print a row per workload; 1 when a goal is missed."""
    print(
        f"{'workload':30} {'nodes':>6} {'micrograd':>12} {'engine':>12} {'ratio':>6}  goal  sorting"
    )
    missed = 0
    for name, build, repeats, goal in WORKLOADS:
        nodes, engine, sorting_engine = engine_steps(build)
        steps = micrograd_step(build), engine, sorting_engine
        rows = [[timed(step, repeats) for step in steps] for _ in range(ROUNDS)]
        ratio, sorting = (median(row[column] / row[0] for row in rows) for column in (1, 2))
        theirs, ours = (1e9 * median(row[column] for row in rows) / nodes for column in (0, 1))
        print(
            f"{name:30} {nodes:6} {theirs:9.0f} ns {ours:9.0f} ns {ratio:6.2f}  <= {goal:<5} "
            f"{sorting:7.2f}",
            flush=True,
        )
        missed += ratio > goal
    missed += not _trains_in_time()
    missed += not lab_in_time()
    missed += not pictures_in_time()
    missed += print_functions()
    return 1 if missed else 0


def _trains_in_time() -> bool:
    """Print how long a step of training takes with Values of each kind: build, backward, update."""
    steps = [training_step(kind) for kind in (MicrogradValue, Value)]
    rows = [[timed(step, 1) for step in steps] for _ in range(ROUNDS)]
    ratio = median(ours / theirs for theirs, ours in rows)
    theirs, ours = (1e3 * median(row[column] for row in rows) for column in (0, 1))
    print(
        f"{'a step of training with Value':37} {theirs:9.1f} ms {ours:9.1f} ms {ratio:6.2f}  "
        f"<= {TRAINING_GOAL}"
    )
    return ratio <= TRAINING_GOAL


def training_step(kind: Callable[[float], Any]) -> Callable[[], None]:
    """Build the loss of the MLP from fresh leaves, walk backward, and move each leaf a little."""

    def step() -> None:
        leaves: list[Any] = []

        def leaf(_: str, data: float) -> Any:
            leaves.append(kind(data))
            return leaves[-1]

        mlp_loss(leaf).backward()
        for each in leaves:
            each.data -= 0.01 * each.grad
            each.grad = 0.0

    return step


def micrograd_step(build: Callable[[Leaf], Any]) -> Callable[[], None]:
    """Build from fresh leaves, which is the forward pass, then walk backward."""

    def leaf(_: str, data: float) -> Any:
        return MicrogradValue(data)

    return lambda: build(leaf).backward()


def engine_steps(
    build: Callable[[Leaf], Any],
) -> tuple[int, Callable[[], None], Callable[[], None]]:
    """Forward and backward with the ledger, on the columns of the same graph; then sorting, too."""
    root = build(lambda name, data: Value(data, name))
    graph, leaves = value_graph(root)

    def sort() -> tuple[list[int], list[Step]]:
        order = topological_order(len(graph.operations) - 1, graph.operands)
        return order, make_steps(graph, order)

    def step(order: list[int], steps: list[Step]) -> None:
        backward(graph, order, steps, forward(graph, order, steps, leaves))

    order, steps = sort()
    return len(graph.operations), lambda: step(order, steps), lambda: step(*sort())


if __name__ == "__main__":
    sys.exit(main())
