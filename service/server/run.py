"""Environment variables -> a running server, until it is interrupted or terminated.

The main process holds the port, starts the workers, replaces one that ends and stops them; each
worker is a process with the application, which this one never imports: `worker` does. Not in
`__main__`, which a worker that is spawned could not import.
"""

import os
import signal
import socket
import sys
import time
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from tempfile import TemporaryDirectory
from typing import Any

from service.config import Config, ConfigError
from service.observe.log import write_line
from service.observe.tracing import refuse_missing_extra
from service.server.shared import Shared

_QUEUE = 10_240
"""So many wait to be accepted at most; the kernel has a bound of its own. Who comes when all places
are taken tries again after a second."""

_KERNEL_BYTES = 65_536
"""What the kernel holds of a connection each way; by itself megabytes, which a container counts."""

_SECONDS_TO_STOP = 5
"""After the last reply; a worker that takes longer is killed."""

_SOUND = 10
"""Seconds: a worker that ends sooner has not served, and the next one is started later."""

_FIRST_PAUSE, _LONGEST_PAUSE, _PAUSES_IN_ALL = 0.25, 8.0, 60.0
"""Seconds until a worker is started again, twice as long each time, until the server gives up."""


def main() -> None:
    """Serve until SIGINT or SIGTERM. What prevents it is said on stderr, with exit code 1."""
    try:
        config = Config.from_environ(os.environ)
        refuse_missing_extra(config)
        listening = _listen(config)
        folder = TemporaryDirectory(prefix="gradient-service-")
        shared = Shared()
    except ConfigError as fault:
        sys.exit(f"service: {fault}")
    except OSError as fault:
        message = f"service: cannot write to a temporary folder: {fault.strerror}"
        sys.exit(f"{message}; name one that can be written to by TMPDIR")
    with folder as name:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = name
        sys.exit(_Main(config, shared, listening, name).run())


def _listen(config: Config) -> socket.socket:
    """Open the port. A worker that ends refuses nobody: who connects waits for the next."""
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM
        )
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            listening.setsockopt(socket.SOL_SOCKET, option, _KERNEL_BYTES)
        listening.bind(address)
        listening.listen(_QUEUE)
    except OSError as fault:
        message = f"cannot listen on {config.host}, port {config.port}: {fault.strerror}"
        raise ConfigError(f"{message}; choose another by PORT or GRADIENT_HOST") from None
    return listening


def _work(config: Config, shared: Shared, listening: socket.socket, folder: str) -> None:
    from service.server.worker import serve  # noqa: PLC0415 - in the worker process alone

    serve(config, shared, listening, folder)


class _Main:
    """The main process and its workers."""

    def __init__(
        self, config: Config, shared: Shared, listening: socket.socket, folder: str
    ) -> None:
        self._config, self._shared, self._listening = config, shared, listening
        self._arguments = (config, shared, listening, folder)
        self._context: Any = get_context()
        self._workers: dict[int, tuple[Any, float]] = {}
        """By what tells that it has ended: a worker, and when it began."""
        self._pause = self._paused = 0.0
        # The kernel gives a signal to any thread, and Python's handlers run in the main one when
        # it runs: this wakes it.
        self._woken, self._wakes = socket.socketpair()
        for end in (self._woken, self._wakes):
            end.settimeout(0)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._signals = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._count)

    def _count(self, _number: int, _frame: Any) -> None:
        self._signals += 1

    def run(self) -> int:
        """Keep the workers alive until a signal; 1 where they end again and again."""
        code = 0
        try:
            while not self._signals and not code:
                code = self._keep_alive()
            if self._signals and self._config.drain_seconds:
                self._shared.doubt()
                self._wait_for_signal(2, self._config.drain_seconds)
        finally:
            self._stop()
        return code

    def _keep_alive(self) -> int:
        while len(self._workers) < self._config.workers:
            self._start()
        for ended in self._wait(self._workers):
            if ended in self._workers:
                process, began = self._workers.pop(ended)
                process.join()
                message = f"a worker has ended with {process.exitcode}; another takes its place"
                write_line("error", message=message)
                if time.monotonic() - began > _SOUND:
                    self._pause = self._paused = 0.0
                elif self._paused > _PAUSES_IN_ALL:
                    write_line("error", message="workers end again and again: the service stops")
                    return 1
                else:
                    self._pause = min(2 * self._pause or _FIRST_PAUSE, _LONGEST_PAUSE)
                    self._paused += self._pause
                    self._shared.doubt(self._pause + _SOUND)
                    self._wait_for_signal(1, self._pause)
        return 0

    def _start(self) -> None:
        process = self._context.Process(target=_work, args=self._arguments)
        process.start()
        self._workers[process.sentinel] = process, time.monotonic()

    def _wait(self, others: Any, seconds: float | None = None) -> list[Any]:
        """Wait for a signal, or what else there is."""
        ready = wait([self._woken, *others], seconds)
        with suppress(BlockingIOError):
            self._woken.recv(64)
        return ready

    def _wait_for_signal(self, count: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while self._signals < count and (left := end - time.monotonic()) > 0:
            self._wait((), left)

    def _stop(self) -> None:
        """Tell the workers, and wait for them and for what they have started."""
        self._listening.close()
        self._shared.stop()
        end = time.monotonic() + self._config.stop_seconds + _SECONDS_TO_STOP
        for process, _ in self._workers.values():
            process.join(max(0.0, end - time.monotonic()))
            process.kill()
            process.join()
        self._shared.wait_until_alone(_SECONDS_TO_STOP)
