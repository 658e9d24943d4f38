"""`make bench`: time per node, and the ratio to micrograd on the same graph in the same run.

Both do what one step of training does. micrograd builds its graph as it computes, so its forward
pass is the building, and its backward pass sorts and walks. The engine sorts, computes and walks
its columns, and records the ledger: what the document tells and micrograd does not keep.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from micrograd.engine import Value as MicrogradValue

from engine_py.backward import backward
from engine_py.bench.workloads import Leaf, five_nodes, mlp_loss
from engine_py.forward import forward
from engine_py.order import topological_order
from engine_py.value import Value, value_graph

ROUNDS = 15
WORKLOADS: list[tuple[str, Callable[[Leaf], Any], int, float]] = [
    #  name                       build       repeats  goal
    ("(a + b) * c, 5 nodes", five_nodes, 2_000, 0.6),
    ("MLP 2-16-16-1 loss, 8 points", mlp_loss, 3, 0.4),
]


def main() -> int:
    """Print a row per workload; 1 when a goal is missed."""
    print(f"{'workload':30} {'nodes':>6} {'micrograd':>12} {'engine':>12} {'ratio':>6}  goal")
    missed = 0
    for name, build, repeats, goal in WORKLOADS:
        nodes, engine = engine_step(build)
        micrograd = micrograd_step(build)
        rows = [(timed(micrograd, repeats), timed(engine, repeats)) for _ in range(ROUNDS)]
        ratio = median(ours / theirs for theirs, ours in rows)
        theirs, ours = (1e9 * median(column) / nodes for column in zip(*rows, strict=True))
        print(
            f"{name:30} {nodes:6} {theirs:9.0f} ns {ours:9.0f} ns {ratio:6.2f}  <= {goal}",
            flush=True,
        )
        missed += ratio > goal
    return 1 if missed else 0


def micrograd_step(build: Callable[[Leaf], Any]) -> Callable[[], None]:
    """Build from fresh leaves, which is the forward pass, then walk backward."""

    def leaf(_: str, data: float) -> Any:
        return MicrogradValue(data)

    return lambda: build(leaf).backward()


def engine_step(build: Callable[[Leaf], Any]) -> tuple[int, Callable[[], None]]:
    """Order, forward and backward with the ledger, on the columns of the same graph."""
    root = build(lambda name, data: Value(data, name))
    graph, leaves = value_graph(root)

    def step() -> None:
        order = topological_order(len(graph.operations) - 1, graph.operands)
        backward(graph, order, forward(graph, order, leaves))

    return len(graph.operations), step


def timed(step: Callable[[], None], repeats: int) -> float:
    """Seconds for one step."""
    start = perf_counter()
    for _ in range(repeats):
        step()
    return (perf_counter() - start) / repeats


if __name__ == "__main__":
    sys.exit(main())
