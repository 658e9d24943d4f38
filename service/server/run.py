"""Environment variables -> a running server, until it is interrupted or terminated.

granian's main process starts the workers, replaces one that dies and stops them; each worker is a
process with the application. Not in `__main__`, which a worker that is spawned could not import.
"""

import atexit
import os
import signal
import socket
import sys
import time
from _thread import start_new_thread  # takes no lock that the interrupted thread may have
from contextlib import suppress
from functools import partial
from multiprocessing import Event, Value
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event as EventType
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, NamedTuple

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from service.app import create_app
from service.config import Config, ConfigError
from service.observe.log import LOGGING
from service.observe.tracing import refuse_missing_extra
from service.server import healthcheck
from service.server.allocator import give_memory_back
from service.server.asgi import AsgiAdapter
from service.server.large import LargeWork

_CONNECTIONS = 8_192
"""Most of them may be idle or stalled: one costs some kilobytes."""

_HEAD_BYTES = 16_384
"""Of a request line and headers; as much of a body, or of a reply, waits in the server's buffer."""

_SECONDS_TO_START = 10
_SECONDS_TO_STOP = 10

_EXAMPLE = '{"expression":"(a + b) * c","values":{"a":2,"b":-3,"c":10}}'


class State(NamedTuple):
    """What the processes of a server share."""

    draining: EventType
    stopping: EventType
    started: "Synchronized[int]"
    """Workers so far, those included that took another's place."""


def main() -> None:
    """Serve until SIGINT or SIGTERM. What prevents it is said on stderr, with exit code 1."""
    try:
        config = Config.from_environ(os.environ)
        refuse_missing_extra(config)
        address = _free_address(config)
    except ConfigError as fault:
        sys.exit(f"service: {fault}")
    state = State(Event(), Event(), Value("i", 0))
    # A child for large work that ends a moment after its worker may still write there.
    with TemporaryDirectory(prefix="gradient-service-", ignore_cleanup_errors=True) as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
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
            workers_kill_timeout=_SECONDS_TO_STOP,
        )
        server.on_startup(partial(_drain_before_stop, config.drain_seconds, state))
        server.serve(target_loader=partial(_load, config, state), wrap_loader=False)


def _drain_before_stop(seconds: int, state: State) -> None:
    """Take the signals over: the first one makes the service not ready, and stops it later.

    granian has set its own handlers and has started no worker yet. Its handler sets an event that
    the main thread waits for, and would wait for the event's lock forever if the signal came while
    the main thread has it; called in another thread it cannot. That thread begins with the first
    signal, because a process that forks should have no other. A worker that was just forked has
    these handlers, too, and Python drops the signals that come while it forks: workers that start
    look at `stopping` instead.
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
            state.draining.set()
            with suppress(Empty):
                signals.get(timeout=seconds)  # a second signal stops at once
        state.stopping.set()
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


def _load(config: Config, state: State) -> AsgiAdapter:
    """Make the application, in the worker process."""
    # A terminal's Ctrl-C is for the parent, which ends the worker: one that gets both may hang.
    os.setpgrp()
    Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    # A spawned worker takes its interpreter apart when it ends, and granian's threads panic then.
    atexit.register(os._exit, 0)
    give_memory_back()
    app = create_app(config, is_draining=state.draining.is_set)
    on_startup = partial(_start_serving, config, state)
    return AsgiAdapter(app, config, call_large=LargeWork(config).call, on_startup=on_startup)


def _start_serving(config: Config, state: State) -> None:
    """Have the last worker to start announce the server; one that is to stop already, stops."""
    if state.stopping.is_set():
        os.kill(os.getpid(), signal.SIGTERM)  # now handled by granian
        return
    with state.started.get_lock():
        state.started.value += 1
        is_last = state.started.value == config.workers
    if is_last:
        Thread(target=_announce, args=(config,), daemon=True).start()


def _announce(config: Config) -> None:
    """Print the address as soon as the service answers there."""
    give_up = time.monotonic() + _SECONDS_TO_START
    while healthcheck.main() is not None:
        if time.monotonic() > give_up:
            return
        time.sleep(0.01)
    call = f"curl -s {config.url}/v1/gradient -H 'content-type: application/json'"
    print(f"{config.url} is up; try: {call} -d '{_EXAMPLE}'", flush=True)


def _follow(parent: int) -> None:
    """Stop when the main process is gone, even if it was killed: the port is freed."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
