"""Plan + cluster -> the files of the plan; two chunks wait for each thread of the cluster."""

import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from distributed import Client, as_completed

from engine_py.distributed.plan import Plan, begin, refuse_other
from engine_py.distributed.work import write_chunk


class Progress(NamedTuple):
    """How far a sweep is."""

    done: int
    """Chunks, with those of an earlier run."""
    chunks: int
    points: int
    """Computed by this run."""
    problems: int
    """Points among them that have no result."""
    seconds: float


class NoCluster(Exception):
    """No scheduler can be reached; the text says why."""


class NotShared(Exception):
    """A worker wrote a file that is not here; the text says so."""


def spread(plan: Plan, address: str, show: Callable[[Progress], None]) -> Progress:
    """Have the cluster compute what is left of a plan.

    The scheduler gives the chunks of a worker that is lost to others. After a stop, the same call
    goes on: a chunk whose file is there is not computed again.

    Args:
        plan: the sweep.
        address: of the Dask scheduler, such as `tcp://10.0.0.1:8786`.
        show: is called with the progress after each chunk.

    Raises:
        WrongFolder: the folder has another sweep, or can't be made.
        NotShared: the workers do not write to this machine's folder.
        NoCluster: there is no scheduler at the address; nothing has been written.
    """
    refuse_other(plan)
    left = plan.left()
    progress = Progress(plan.chunks - len(left), plan.chunks, 0, 0, 0.0)
    show(progress)
    if not left:
        return progress
    started = time.monotonic()
    with _connected(address) as client:
        begin(plan)
        shared = client.submit(_same, plan)  # once for all chunks, and made again if it is lost
        chunks = iter(left)
        at_once = 2 * max(1, sum(client.nthreads().values()))
        running = as_completed(
            [_submit(client, shared, chunk) for chunk in islice(chunks, at_once)]
        )
        for future in running:
            points, problems = future.result()
            for chunk in islice(chunks, 1):
                running.add(_submit(client, shared, chunk))
            progress = Progress(
                progress.done + 1,
                plan.chunks,
                progress.points + points,
                progress.problems + problems,
                time.monotonic() - started,
            )
            show(progress)
    if missing := plan.left():
        message = f"{plan.file(missing[0])} was written elsewhere; "
        raise NotShared(message + "the folder must be the same one on all machines")
    for unfinished in Path(plan.folder).glob(".part-*"):  # of workers that were lost
        unfinished.unlink()
    return progress


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout="10s")
    except (OSError, ValueError) as fault:  # nobody listens, or the address is none
        raise NoCluster(f"{address} is no scheduler such as tcp://10.0.0.1:8786: {fault}") from None


def _submit(client: Client, shared: object, chunk: int) -> object:
    # Not pure: what a chunk leaves is a file, so a result that Dask remembers is worth nothing.
    return client.submit(write_chunk, shared, chunk, pure=False, retries=3)


def _same(plan: Plan) -> Plan:
    return plan
