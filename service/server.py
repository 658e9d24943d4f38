"""Environment variables -> a running server: the application on granian, until a signal stops it.

granian's main process starts the worker, replaces it if it dies, and stops it. The worker is one
process with a thread for each connection; `load` makes its application. When all connections are
taken, operators can still reach two other ports: the worker's probes and granian's metrics.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from logging.config import dictConfig
from multiprocessing import active_children, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from socketserver import ThreadingMixIn
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import WSGIApplication

from flask import Flask
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from service.app import create_app, make_probes
from service.config import Config, ConfigError
from service.memory import bound_memory, collect_seldom
from service.observe import LOGGING, Observed, choose_form, write_line, write_waiting

CONNECTIONS = 900
"""Fewer than the files that a process may open by default (1,024); further ones wait in the kernel.
Each has a thread, which receives requests and waits for their turns: no probe waits for one."""

_HEAD_MILLISECONDS, _HEAD_BYTES = 10_000, 32_768
_STOPS = {signal.SIGINT, signal.SIGTERM}
_PAUSE_SECONDS, _SECOND = 0.01, 1.0

_LOGGING_SECONDS = 1
"""How many seconds before the end of the grace period replies that will be cut are logged."""


def main() -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP. If that fails, print why on stderr and exit with 1."""
    try:
        config = Config.from_environ(os.environ)
        address, port, reserved = _reserve(config)
    except ConfigError as error:
        sys.exit(f"service: {error}")
    choose_form(config.log)
    os.environ["PORT"] = str(port)  # for the worker, which reads the environment again
    server = Granian(
        "service.server:load",
        factory=True,
        interface=Interfaces.WSGI,
        address=address,
        port=port,
        workers=1,
        blocking_threads=CONNECTIONS,
        backpressure=CONNECTIONS,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(
            header_read_timeout=_HEAD_MILLISECONDS, max_buffer_size=_HEAD_BYTES
        ),
        websockets=False,
        log_dictconfig=LOGGING,
        log_level=LogLevels.error,
        metrics_enabled=bool(config.probes_port),
        metrics_address=address,
        metrics_port=config.probes_port + 1,
        respawn_failed_workers=True,
        workers_kill_timeout=config.stop_seconds,
    )
    server.on_startup(_log_deaths_until_stop)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as `nohup` sets it
        # Stop when the terminal is closed; granian would restart its worker.
        server.on_startup(lambda: signal.signal(signal.SIGHUP, signal.getsignal(signal.SIGTERM)))
    with reserved:
        server.serve()


def _log_deaths_until_stop() -> None:
    """Log the exit status of each worker that dies before a stop; granian does not."""
    is_stopping = Event()
    for number in _STOPS:
        signal.signal(number, _then(is_stopping.set, signal.getsignal(number)))
    Thread(target=_log_deaths, args=(is_stopping,), daemon=True).start()


def _then(first: Callable[[], None], handler: Any) -> Callable[..., None]:
    def handle(*arguments: Any) -> None:
        first()
        handler(*arguments)

    return handle


def _log_deaths(is_stopping: Event) -> None:
    workers: set[BaseProcess] = set()
    while not is_stopping.is_set():
        workers.update(active_children())
        wait([worker.sentinel for worker in workers], _SECOND if workers else _PAUSE_SECONDS)
        for worker in [each for each in workers if each.exitcode is not None]:
            workers.remove(worker)
            if worker.exitcode and not is_stopping.is_set():
                message = f"worker {worker.pid} ended, and its requests with it"
                write_line("error", message=message, exit_status=worker.exitcode)


def _reserve(config: Config) -> tuple[str, int, socket.socket]:
    """Find the address and a free port, and bind it until the worker listens there.

    granian's sockets share ports (SO_REUSEPORT), so it would not notice a port that is taken.
    """
    try:
        [(family, _, _, _, (address, *_)), *_] = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        with socket.socket(family) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((address, config.port))
            port = trial.getsockname()[1]
        reserved = socket.socket(family)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((address, port))
    except OSError as error:
        message = f"cannot listen on {config.host}, port {config.port}: {error.strerror}"
        raise ConfigError(f"{message}; choose another by PORT or GRADIENT_HOST") from None
    return str(address), port, reserved


def load() -> WSGIApplication:
    """Build the worker's application, in its main thread."""
    os.setpgrp()  # a terminal's Ctrl-C is for the main process
    # `_stop` calls granian's handler once. A second signal within that handler would deadlock it.
    for number in _STOPS:
        signal.signal(number, signal.SIG_DFL)  # not the main process's handlers
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    config = Config.from_environ(os.environ)
    dictConfig(LOGGING)
    choose_form(config.log)
    bound_memory(config.max_memory_bytes, CONNECTIONS)
    app = create_app(config, renders_early=True)
    observed: Observed = app.extensions["observed"]
    if config.probes_port:
        Thread(target=_serve_probes, args=(config, app), daemon=True).start()
    Thread(target=_log_that_it_is_up, args=(config,), daemon=True).start()
    if main_process := parent_process():
        Thread(target=_follow, args=(main_process,), daemon=True).start()
    # Not a daemon: the process ends only after this has logged every request.
    Thread(target=_stop, args=(config, observed)).start()
    collect_seldom()
    return app


class _ProbesServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _ProbesHandler(WSGIRequestHandler):
    timeout = 10  # seconds, for a client that sends nothing

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def _serve_probes(config: Config, app: Flask) -> None:
    """Answer probes on a separate port, with the standard library's server."""
    probes = make_probes(app.extensions["metrics"])
    place = (config.host, config.probes_port)
    make_server(*place, probes, _ProbesServer, _ProbesHandler).serve_forever()


def _log_that_it_is_up(config: Config) -> None:
    connection = HTTPConnection(config.local_host, config.port)
    while True:
        with suppress(OSError, HTTPException), closing(connection):
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            break
        sleep(_PAUSE_SECONDS)
    message = f"{config.url} is up: the page, and at /docs the HTTP API"
    write_line("info", message=message, host=config.host)


def _follow(main_process: BaseProcess) -> None:
    """Stop when the main process has been killed."""
    main_process.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _stop(config: Config, observed: Observed) -> None:
    """Wait for a signal, then for all replies; log those that will be cut."""
    signal.sigwait(_STOPS)
    while not callable(stop := signal.getsignal(signal.SIGTERM)):  # granian has not begun
        sleep(_PAUSE_SECONDS)
    stop(signal.SIGTERM, None)
    end = monotonic() + config.stop_seconds - _LOGGING_SECONDS
    while observed.in_flight and monotonic() < end:
        sleep(_PAUSE_SECONDS)
    observed.note_stop()
    while write_waiting() and monotonic() < end:
        sleep(_PAUSE_SECONDS)
