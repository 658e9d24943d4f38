"""State that the processes of a server share: whether it is ready or stops, and who is alive.

It is shared through pipes where it matters: the kernel closes a process's ends however the process
ends, and a process that was killed keeps no lock.
"""

from math import inf
from multiprocessing import Pipe, RawValue
from time import monotonic


class Shared:
    """Made by the main process before there are others, and handed to each worker."""

    def __init__(self) -> None:
        """Open the pipes."""
        self.serves, self._serving = Pipe(duplex=False)
        """`serves` ends when the main process stops, or was killed: it alone has the other end."""
        self._lives, self.living = Pipe(duplex=False)
        """`living` is held by every process, also by those that workers start."""
        self._doubted = RawValue("d")

    # In the main process.

    def doubt(self, seconds: float = inf) -> None:
        """Have the workers say for so long that they are not ready."""
        self._doubted.value = monotonic() + seconds

    def stop(self) -> None:
        """Tell the workers, also those that have not started yet."""
        self._serving.close()

    def wait_until_alone(self, seconds: float) -> bool:
        """Wait until no other process is left; False if one still is."""
        self.living.close()
        return self._lives.poll(seconds)

    # In a worker.

    def begin_worker(self) -> None:
        """Let go of what only the main process may hold."""
        self._serving.close()
        self._lives.close()

    def is_draining(self) -> bool:
        """Say whether the server is about to stop, or not sound."""
        return monotonic() < float(self._doubted.value)
