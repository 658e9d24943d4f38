"""Steps -> medians of interleaved rounds, in seconds of CPU time, and bytes.

CPU time, because what else runs on the machine changes it less.
"""

import gc
import tracemalloc
from collections.abc import Callable, Mapping
from statistics import median
from time import thread_time
from typing import Any

Run = Callable[[], Any]
ENOUGH = 0.2
"""Seconds that a round of one step is to take, so that Python's collector comes several times."""


def timed(step: Run, repeats: int) -> float:
    """Seconds for one step."""
    start = thread_time()
    for _ in range(repeats):
        step()
    return (thread_time() - start) / repeats


def interleaved(steps: Mapping[str, Run], rounds: int) -> dict[str, float | None]:
    """Give the median time of each step in seconds; None for a step that recurses too deep.

    In each round all steps take their turn, so that what slows the machine slows all of them.
    """
    repeats = {name: _repeats(step) for name, step in steps.items()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, count in repeats.items():
            if count:
                times[name].append(_at_pythons_pace(steps[name], count))
    return {name: median(each) if each else None for name, each in times.items()}


def _at_pythons_pace(step: Run, repeats: int) -> float:
    """Time steps in a row as a training loop takes them: the collector comes when Python calls it.

    It finds nothing but what the steps leave, the last of which is collected within the time.
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


def _repeats(step: Run) -> int:
    try:
        step()
        return max(1, int(ENOUGH / timed(step, 1)))
    except RecursionError:
        return 0


def allocated(make: Callable[[], Any]) -> int:
    """Bytes that live on as long as what is made does."""
    gc.collect()
    tracemalloc.start()
    kept = make()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return size
