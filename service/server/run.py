"""Environment variables -> a running server, until it is interrupted or terminated.

granian's main process starts the workers, replaces one that dies and stops them; each worker is a
process with the application, which this one never imports: `worker` does. Not in `__main__`, which
a worker that is spawned could not import.
"""

import os
import signal
import socket
import sys
from _thread import start_new_thread  # takes no lock that the interrupted thread may have
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory, gettempdir
from threading import Event
from typing import TYPE_CHECKING, Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from service.config import Config, ConfigError
from service.observe.log import LOGGING
from service.observe.tracing import refuse_missing_extra
from service.server.shared import Shared

if TYPE_CHECKING:
    from service.server.asgi import AsgiAdapter

_CONNECTIONS = 10_240
"""Most of them may be idle or stalled: one costs 3 kB, and 11 kB with the start of a request."""

_HEAD_BYTES = 8_192
"""Of a request line and headers; as much of a body, or of a reply, waits in the server's buffer.

All connections together hold no more than 80 MB of heads that have not ended."""

_SECONDS_TO_STOP = 5
"""After the last reply; a worker that takes longer is killed."""

_SECONDS_TO_HEAR = 0.5


def main() -> None:
    """Serve until SIGINT or SIGTERM. What prevents it is said on stderr, with exit code 1."""
    try:
        config = Config.from_environ(os.environ)
        refuse_missing_extra(config)
        address = _free_address(config)
        folder = _temporary_folder()
    except ConfigError as fault:
        sys.exit(f"service: {fault}")
    shared = Shared()
    with folder as name:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = name
        server = Granian(
            "service",
            address=address,
            port=config.port,
            interface=Interfaces.ASGI,
            workers=config.workers,
            websockets=False,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(
                header_read_timeout=config.read_seconds * 1000, max_buffer_size=_HEAD_BYTES
            ),
            backlog=_CONNECTIONS,
            backpressure=_CONNECTIONS,
            log_level=LogLevels.error,
            log_dictconfig=LOGGING,
            respawn_failed_workers=True,
            workers_kill_timeout=config.stop_seconds + _SECONDS_TO_STOP,
        )
        server.main_loop_interrupt = _Interrupt()
        server.on_startup(partial(_drain_before_stop, config.drain_seconds, shared))
        try:
            server.serve(target_loader=partial(_load, config, shared, name), wrap_loader=False)
        finally:
            # What a worker that was killed has started ends a moment after it, and writes there.
            shared.stop()
            shared.wait_until_alone(_SECONDS_TO_STOP)


def _load(config: Config, shared: Shared, folder: str) -> "AsgiAdapter":
    from service.server.worker import load  # noqa: PLC0415 - in the worker process alone

    return load(config, shared, folder)


def _temporary_folder() -> TemporaryDirectory[str]:
    """Make the folder in which the processes count. Raises ConfigError: it has no place."""
    try:
        return TemporaryDirectory(prefix="gradient-service-", dir=gettempdir())
    except OSError as fault:
        message = f"cannot write to a temporary folder: {fault.strerror}"
        raise ConfigError(f"{message}; name one that can be written to by TMPDIR") from None


class _Interrupt(Event):
    """What granian's main thread waits for, waking to hear of a signal that another thread got.

    The kernel gives a signal to any thread; Python's handlers run in the main thread, when it runs.
    """

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is set; granian gives no time."""
        while not super().wait(timeout or _SECONDS_TO_HEAR):
            pass
        return True


def _drain_before_stop(seconds: int, shared: Shared) -> None:
    """Take the signals over: the first one makes the service not ready, and stops it later.

    granian has set its own handlers and has started no worker yet. Its handler sets an event that
    the main thread waits for, and would wait for the event's lock forever if the signal came while
    the main thread has it; called in another thread it cannot. That thread begins with the first
    signal, because a process that forks should have no other. A worker that was just forked has
    these handlers, too, and Python drops the signals that come while it forks: that is why workers
    also follow what is shared.
    """
    main_process, stop = os.getpid(), signal.getsignal(signal.SIGTERM)
    signals: SimpleQueue[int] = SimpleQueue()
    is_first = iter([True])

    def handle(number: int, _frame: Any) -> None:
        if os.getpid() == main_process:
            signals.put(number)
            if next(is_first, False):
                start_new_thread(follow, ())

    def follow() -> None:
        number = signals.get()
        if seconds:
            shared.drain()
            with suppress(Empty):
                signals.get(timeout=seconds)  # a second signal stops at once
        shared.stop()
        if callable(stop):
            stop(number, None)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handle)


def _free_address(config: Config) -> str:
    """Give the host as a number, which is what granian binds, if the port is free there.

    granian sets SO_REUSEPORT, so that it would share a port with another granian unasked.
    """
    try:
        [(family, *_, address), *_] = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM
        )
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as fault:
        message = f"cannot listen on {config.host}, port {config.port}: {fault.strerror}"
        raise ConfigError(f"{message}; choose another by PORT or GRADIENT_HOST") from None
    return str(address[0])
