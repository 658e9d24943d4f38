"""`make bench-sweep`: the tanh neuron and its five gradients at a million points, over a floor.

The floor is the same program written by hand for numpy, on blocks of as many points, with numpy's
own tanh, which is not correctly rounded. The goal is a ratio to the floor in the same run; the
seconds are that goal on an idle core.
"""

import sys
from statistics import median
from typing import Any

import numpy as np

from engine_py import Limits, prepare
from engine_py.bench.measure import timed
from engine_py.sweeps.blocks import POINTS

COUNT = 1_000_000
ROUNDS = 9
NEURON = "tanh(x1 * w1 + x2 * w2 + b)"
GOAL, SECONDS = 9.0, 0.15
LIMITS = Limits(sweep_nodes=100 * COUNT)


def main() -> int:
    """Print the figures; return 1 if the goal is missed."""
    draw = np.random.default_rng(1)
    program = prepare(NEURON, limits=LIMITS)
    columns = {name: draw.uniform(-1.5, 1.5, COUNT) for name in program.variables}
    rounds = [
        (timed(lambda: by_hand(columns), 1), timed(lambda: program.columns(columns), 1))
        for _ in range(ROUNDS + 1)
    ][1:]
    ratio = median(ours / floor for floor, ours in rounds)
    floor, ours = (median(row[column] for row in rounds) for column in (0, 1))
    print(f"{COUNT:,} points, Python {'seconds':>24} {'by hand':>8} {'ratio':>6}  goal")
    print(f"{NEURON:35} {ours:11.3f} {floor:8.3f} {ratio:6.2f}  <= {GOAL} ({SECONDS} s)")
    return 1 if ratio > GOAL else 0


def by_hand(columns: dict[str, Any]) -> None:
    """Compute the neuron's result and gradients at all points."""
    found = np.empty((6, COUNT))
    for first in range(0, COUNT, POINTS):
        part = slice(first, first + POINTS)
        x1, w1, x2, w2, b = (columns[name][part] for name in ("x1", "w1", "x2", "w2", "b"))
        out = np.tanh(x1 * w1 + x2 * w2 + b)
        slope = 1.0 - out * out
        rows = out, slope * w1, slope * x1, slope * w2, slope * x2, slope
        for row, column in zip(found, rows, strict=True):
            row[part] = column


if __name__ == "__main__":
    sys.exit(main())
