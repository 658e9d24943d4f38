"""Engines whose memory is bounded, so that a number that becomes the size of anything is found."""

from collections.abc import Sequence
from pathlib import Path

from parity_tests.kit.engines import Engine
from parity_tests.kit.worker import Call, Json, Worker

ADDRESSES = 1_000_000_000
"""Bytes of address space, beyond which Python has a MemoryError."""
HEAP = 128
"""MiB that V8 takes for old objects; it reserves far more addresses than it takes."""
MOST = 256 << 20
"""Bytes that a process may have held."""


class Bounded(Worker):
    """An engine's process, which fails where it would take far more memory, and may take less."""

    def __init__(self, engine: Engine) -> None:
        """Start it by way of a shell, or with an option of Node's."""
        program, *rest = engine.argv
        # Each thread of numpy's library for matrices would take addresses, and nothing needs one.
        limit = f'export OPENBLAS_NUM_THREADS=1; ulimit -v {ADDRESSES >> 10}; exec "$0" "$@"'
        is_node = Path(program).name.startswith("node")
        argv = (
            (program, f"--max-old-space-size={HEAP}") if is_node else ("sh", "-c", limit, program)
        )
        super().__init__(engine._replace(argv=(*argv, *rest)))

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        """Make the calls one by one. Raises EngineFault for one that took too much memory."""
        return [self._run(call) for call in calls]

    def _run(self, call: Call) -> Json:
        [response] = super().run_many([call])
        if (peak := self.peak) > MOST:
            raise self._fault(f"has held {peak >> 20} MiB, more than {MOST >> 20}", call)
        return response
