"""`make bench`: nanoseconds a node, and the ratio to micrograd on the same graph in the same run.

micrograd builds its graph as it computes, so its step is the building and its backward pass, which
sorts anew. `forward + backward` is what the engine does for a graph it has prepared, as the service
does for each text it keeps, with the ledger, which micrograd does not record.

    make bench                  W1 to W4, and W5 of 10,000 nodes
    make bench ARGS=--long      W5 of 100,000 and 1,000,000 nodes, too

All figures are written to build/bench.json and build/bench.md. PyTorch is timed where `make torch`
has installed it.
"""

import json
import platform
import sys
from argparse import ArgumentParser
from functools import partial
from pathlib import Path

from engine_py.bench import stages
from engine_py.bench.figures import BYTES, Figure, markdown, print_table
from engine_py.bench.functions import print_functions
from engine_py.bench.gpt import gpt_in_time
from engine_py.bench.lab import lab_in_time
from engine_py.bench.measure import interleaved
from engine_py.bench.peers import PEERS
from engine_py.bench.picture import pictures_in_time
from engine_py.bench.torch_scalars import TORCH, torch_times
from engine_py.bench.workloads import (
    NEURON,
    SENTENCE,
    Build,
    chain,
    five_nodes,
    mlp_loss,
    tanh_neuron,
    wide,
)

WRITTEN = Path("build/bench")
WORKLOADS: dict[str, Build] = {
    "W1 (a + b) * c": five_nodes,
    "W2 tanh neuron": tanh_neuron,
    "W3 MLP loss": mlp_loss,
    "W4 chain": chain,
    "W5 wide": partial(wide, nodes=10_000),
}
LONG: dict[str, Build] = {
    "W5 wide, 100k": partial(wide, nodes=100_000),
    "W5 wide, 1M": partial(wide, nodes=1_000_000),
}
TEXTS = {"W1 (a + b) * c": SENTENCE, "W2 tanh neuron": NEURON}
GOALS = {
    stages.PASSES: (0.27, 0.28, 0.055, None, None, 0.04),
    stages.VALUE: (0.8, 0.8, 0.3, None, None, 0.3),
    stages.PREPARED: (0.9, 0.9),
    stages.TEXT: (4.0, 4.0),
}
"""For each of WORKLOADS, then of LONG: parts of micrograd's time."""
BYTES_GOAL = 300.0
GROWTH_GOAL = 1.5
"""ns a node of 1,000,000 nodes, as parts of those of 10,000."""
MANY = 9_000
"""Nodes from which on memory is measured, and slow peers are left out."""
SLOW = {"HIPS autograd", "CasADi SX, cold", "micrograd, collect() each step"}
"""Slow peers, and what differs in small graphs alone: in a large one the collector comes anyway."""


def main() -> int:
    """Print the tables; 1 when a goal is missed."""
    parser = ArgumentParser(prog="make bench", description="time the engine beside others")
    parser.add_argument("--long", action="store_true", help="graphs of 100,000 and 1,000,000 nodes")
    parser.add_argument("--rounds", type=int, default=9, help="of which the median is taken")
    options = parser.parse_args()
    workloads = WORKLOADS | (LONG if options.long else {})
    figures: list[Figure] = []
    for name, build in workloads.items():
        found = _figures(name, build, 3 if name in LONG else options.rounds)
        print_table(found)
        figures += found
    missed = sum(figure.missed for figure in figures) + _growth_missed(figures)
    WRITTEN.parent.mkdir(exist_ok=True)
    WRITTEN.with_suffix(".json").write_text(
        json.dumps([figure._asdict() for figure in figures], indent=1)
    )
    head = f"Python {platform.python_version()}, {platform.machine()}; ns a node, ratio (goal)\n\n"
    WRITTEN.with_suffix(".md").write_text(head + markdown(figures))
    print(f"\nwritten to {WRITTEN}.json and .md; {missed} goals of this table missed\n")
    missed += not gpt_in_time()
    missed += not lab_in_time()
    missed += not pictures_in_time()
    missed += print_functions()
    return 1 if missed else 0


def _figures(name: str, build: Build, rounds: int) -> list[Figure]:
    nodes, steps = stages.steps_of(build)
    small = nodes < MANY
    if name in TEXTS:
        steps |= stages.text_steps(*TEXTS[name])
    steps |= {peer: make(build) for peer, make in PEERS.items() if small or peer not in SLOW}
    times = interleaved(steps, rounds)
    base = times["micrograd"]
    place = list(WORKLOADS | LONG).index(name)
    if small:
        times[TORCH] = torch_times().get(name)
    figures = []
    for column, seconds in times.items():
        goals = GOALS.get(column, ())
        goal = goals[place] if place < len(goals) else None
        size = None if seconds is None else 1e9 * seconds / nodes
        ratio = None if seconds is None or base is None else seconds / base
        figures.append(Figure(name, column, nodes, size, ratio, goal))
    if not small:
        goal = None if build is chain else BYTES_GOAL
        figures.append(Figure(name, BYTES, nodes, stages.bytes_a_node(build), None, goal))
    return figures


def _growth_missed(figures: list[Figure]) -> bool:
    sizes = {each.workload: each.size for each in figures if each.column == stages.PASSES}
    small, large = sizes.get("W5 wide"), sizes.get("W5 wide, 1M")
    if small is None or large is None:
        return False
    print(f"\nns a node at 1,000,000 / at 10,000: {large / small:.2f}  <= {GROWTH_GOAL}")
    return large / small > GROWTH_GOAL


if __name__ == "__main__":
    sys.exit(main())
