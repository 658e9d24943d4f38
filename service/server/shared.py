"""State that the processes of a server share: whether it drains or stops, and who is alive.

It is shared through pipes where it matters: the kernel closes a process's ends however the process
ends, and a process that was killed keeps no lock.
"""

from multiprocessing import Pipe, RawValue, Value
from multiprocessing.sharedctypes import Synchronized
from typing import Any


class Shared:
    """Made by the main process before there are others, and handed to each worker."""

    def __init__(self) -> None:
        """Open the pipes."""
        self._serves, self._serving = Pipe(duplex=False)  # whose end the main process has alone
        self._lives, self.living = Pipe(duplex=False)
        """`living` is held by every process, also by those that workers start."""
        self._draining: Any = RawValue("b")
        self._started: Synchronized[int] = Value("i", 0)

    # In the main process.

    def drain(self) -> None:
        """Have the workers say that they are not ready."""
        self._draining.value = True

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
        """Say whether the server is about to stop."""
        return bool(self._draining.value)

    def wait_for_stop(self, seconds: float | None) -> bool:
        """Wait until the main process stops, or was killed; False if it still serves."""
        return self._serves.poll(seconds)

    def count_start(self) -> int:
        """Count a worker that has started; give how many have, followers of others included."""
        with self._started.get_lock():
            self._started.value += 1
            return self._started.value
