"""Rows of `make bench`: the picture of 300 nodes beside the canonical text of the same document.

Both write every number of the document once; the picture has to place the nodes, too. The shapes
are those that take the longest: in most of 299 layers, many wires pass.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from engine_py.bench.measure import timed
from engine_py.canonical import canonical_text
from engine_py.introspect import introspect
from engine_py.picture.draw import draw

ROUNDS = 15
STEPS = 297


def pictures_in_time() -> bool:
    """Print a row per shape; False where a goal is missed."""
    in_time = [
        _row("picture of 300 nodes, a chain", _chain(), 3.5),
        _row("picture of 300 nodes, any operands", _anywhere(), 4.0),
        _row("picture of 300 nodes, first used last", _crossed(), 8.0),
    ]
    return all(in_time)


def _row(name: str, lines: list[str], goal: float) -> bool:
    document = introspect("\n".join(["n0 = x * y", *lines]), {"x": 0.001, "y": 0.5})
    steps: list[Callable[[], Any]] = [lambda: canonical_text(document), lambda: draw(document)]
    times = [[timed(step, 1) for step in steps] for _ in range(ROUNDS)]
    ratio = median(ours / theirs for theirs, ours in times)
    theirs, ours = (1e3 * median(row[column] for row in times) for column in (0, 1))
    print(f"{name:37} {theirs:9.3f} ms {ours:9.3f} ms {ratio:6.2f}  <= {goal}", flush=True)
    return ratio <= goal


def _chain() -> list[str]:
    return [f"n{step} = n{step - 1} * x + y" for step in range(1, STEPS // 2)]


def _anywhere() -> list[str]:
    """Let each operation take the one before, and anything else."""
    random, lines = Random(1), list[str]()
    for step in range(1, STEPS):
        other = random.choice([f"n{random.randrange(step)}", "x", "y"])
        lines.append(f"n{step} = n{step - 1} {random.choice('+*-')} {other}")
    return lines


def _crossed() -> list[str]:
    """Let the second half take the first half's results, the last one first: 149 wires pass."""
    others = ["x" if step <= STEPS // 2 else f"n{STEPS - step}" for step in range(STEPS)]
    return [f"n{step} = n{step - 1} + {others[step]}" for step in range(1, STEPS)]
