"""Engines with bounded memory, to find allocations that grow with a number of the request."""

from collections.abc import Sequence
from pathlib import Path

from parity_tests.kit.engines import Engine
from parity_tests.kit.worker import Call, Json, Worker

ADDRESSES = 1_000_000_000
"""Bytes of address space; Python raises MemoryError beyond it."""
HEAP, SEMI_SPACE = 96, 8
"""MiB of V8's heap and of each half of its new objects, which are limited instead because V8
reserves far more addresses. Their defaults let a process that runs for long exceed `MAX_BYTES`."""
MAX_BYTES = 256 << 20
"""Bytes of peak memory that a process may reach."""


class Bounded(Worker):
    """An engine's process, which fails if it takes far more memory than programs need."""

    def __init__(self, engine: Engine) -> None:
        """Bound the memory by `ulimit`, or by an option of Node."""
        program, *rest = engine.argv
        # Each thread of numpy's matrix library reserves addresses, and sweeps need none.
        limit = f'export OPENBLAS_NUM_THREADS=1; ulimit -v {ADDRESSES >> 10}; exec "$0" "$@"'
        is_node = Path(program).name.startswith("node")
        heap = (f"--max-old-space-size={HEAP}", f"--max-semi-space-size={SEMI_SPACE}")
        argv = (program, *heap) if is_node else ("sh", "-c", limit, program)
        super().__init__(engine._replace(argv=(*argv, *rest)))

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        """Make the calls one by one. Raises EngineFault if one took too much memory."""
        return [self._run(call) for call in calls]

    def _run(self, call: Call) -> Json:
        [response] = super().run_many([call])
        if (peak := self.peak) > MAX_BYTES:
            raise self._fault(f"used {peak >> 20} MiB, more than {MAX_BYTES >> 20}", call)
        return response
