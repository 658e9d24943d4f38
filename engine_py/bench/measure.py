"""Steps -> medians of interleaved rounds, in seconds of CPU time.

CPU time, because other processes on the machine affect it less.
"""

import gc
from collections.abc import Callable, Mapping
from statistics import median
from time import thread_time
from typing import Any

Run = Callable[[], Any]
ENOUGH = 0.2
"""Seconds per round of one step, enough for Python's collector to run several times."""


def timed(step: Run, repeats: int) -> float:
    """Return the seconds of one step."""
    start = thread_time()
    for _ in range(repeats):
        step()
    return (thread_time() - start) / repeats


def interleaved(steps: Mapping[str, Run], rounds: int) -> dict[str, float]:
    """Return the median time of each step in seconds.

    Each round runs all steps, so a slower machine slows all of them.
    """
    repeats = {name: max(1, int(ENOUGH / timed(step, 1))) for name, step in steps.items()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(_at_pythons_pace(step, repeats[name]))
    return {name: median(each) for name, each in times.items()}


def _at_pythons_pace(step: Run, repeats: int) -> float:
    """Time consecutive steps as in a training loop: the collector runs when Python calls it.

    It finds only the garbage of the steps; the time includes the last collection.
    """
    gc.collect()
    gc.freeze()
    start = thread_time()
    for _ in range(repeats):
        step()
    gc.collect()
    took = thread_time() - start
    gc.unfreeze()
    return took / repeats
