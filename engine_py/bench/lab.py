"""Rows of `make bench`: experiments and the truth beside requests.

An experiment differentiates its program, as a request does, and then walks it again, here from the
leaves on.
"""

from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Any

from engine_py.accuracy.accuracy import explain
from engine_py.accuracy.asks import Why
from engine_py.accuracy.program import program_of
from engine_py.accuracy.truth import Truth, true_numbers
from engine_py.bench.measure import timed
from engine_py.introspect import introspect, outline
from engine_py.lab.experiment import experiment

Pair = tuple[Callable[[], Any], Callable[[], Any]]
"""What is the measure, and what is measured."""

ROUNDS = 9
EXPERIMENT_GOAL = 3.0
TRUTH_GOAL, CULPRITS_GOAL = 2.5, 12.0
MOST_WEIGHTS = 900
FIVE: Any = ("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0})
CHAIN: Any = (
    "\n".join(["n0 = x * y", *(f"n{i} = n{i - 1} * x + y" for i in range(1, 1_000))]),
    {"x": 0.999, "y": 0.001},
)


def network(sizes: list[int]) -> Any:
    """Write layers of tanh units; the weights are variables, up to 900 of them, then numbers."""
    values: dict[str, float] = {}

    def weight() -> str:
        x = (len(values) * 37 % 101 - 50) / 64
        if len(values) == MOST_WEIGHTS:
            return "0.3"
        values[f"w{len(values)}"] = x
        return f"w{len(values) - 1}"

    names, lines = [weight() for _ in range(sizes[0])], list[str]()
    for layer, (_, size) in enumerate(pairwise(sizes)):
        sums = [" + ".join([f"{weight()} * {name}" for name in names]) for _ in range(size)]
        lines += [f"h{layer}_{unit} = tanh({total})" for unit, total in enumerate(sums)]
        names = [f"h{layer}_{unit}" for unit in range(size)]
    return "\n".join([*lines, " + ".join(names)]), values


def lab_in_time() -> bool:
    """Print a row per comparison; False where a goal is missed."""
    small, large = network([4, 8, 8, 1]), network([20, 40, 40, 5])
    in_time = [
        _row("experiment, 5 nodes / request", experiments(*FIVE), 500, EXPERIMENT_GOAL),
        _row("experiment, 2,000 nodes / request", experiments(*CHAIN), 1, EXPERIMENT_GOAL),
        _row("truth, 316 nodes / request", truths(*small), 10, TRUTH_GOAL),
        _row("truth, 8,000 nodes / request", truths(*large), 1, TRUTH_GOAL),
        _row("culprits, 316 nodes / request", culprits(*small), 5, CULPRITS_GOAL),
        _row("culprits, 8,000 nodes / request", culprits(*large), 1, CULPRITS_GOAL),
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


def truths(expression: str, values: dict[str, float]) -> Pair:
    """Give a plain request, and the true numbers of its program."""
    graph = outline(expression)
    return (
        lambda: introspect(expression, values),
        lambda: true_numbers(Truth(program_of(graph, values)), None),
    )


def culprits(expression: str, values: dict[str, float]) -> Pair:
    """Give a plain request, and all of its errors with the roundings behind those of a gradient."""
    document = introspect(expression, values)

    def explained() -> Any:
        truth = Truth(program_of(document, values))
        return explain(truth, document, true_numbers(truth, document), Why(0, "grad"), 3)

    return lambda: introspect(expression, values), explained
