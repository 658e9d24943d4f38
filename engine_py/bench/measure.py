"""Steps -> medians of interleaved rounds, in seconds of CPU time, and bytes.

CPU time, because what else runs on the machine changes it less.
"""

import gc
import tracemalloc
from collections.abc import Callable, Mapping
from statistics import median
from time import thread_time
from typing import Any

Step = Callable[[], Any]
ENOUGH = 0.02
"""Seconds that a round of one step takes at least."""


def timed(step: Step, repeats: int) -> float:
    """Seconds for one step."""
    start = thread_time()
    for _ in range(repeats):
        step()
    return (thread_time() - start) / repeats


def interleaved(steps: Mapping[str, Step], rounds: int) -> dict[str, float | None]:
    """Give the median time of each step in seconds; None for a step that recurses too deep.

    In each round all steps take their turn, so that what slows the machine slows all of them.
    """
    repeats = {name: _repeats(step) for name, step in steps.items()}
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, count in repeats.items():
            if count:
                times[name].append(_with_its_garbage(steps[name], count))
    return {name: median(each) if each else None for name, each in times.items()}


def _with_its_garbage(step: Step, repeats: int) -> float:
    """Time a step with the collection of what it leaves, and of nothing else."""
    gc.collect()
    gc.freeze()
    start = thread_time()
    for _ in range(repeats):
        step()
    gc.collect()
    took = thread_time() - start
    gc.unfreeze()
    return took / repeats


def _repeats(step: Step) -> int:
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
