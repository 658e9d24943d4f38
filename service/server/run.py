"""Environment variables -> a running server, until it is interrupted or terminated.

Not in `__main__`, which a worker that is spawned and not forked could not import.
"""

import atexit
import os
import signal
import socket
import sys
import time
from functools import partial
from http.client import HTTPConnection
from multiprocessing import Event
from multiprocessing.synchronize import Event as EventType
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread, Timer
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.mp import MPServer

from service.app import create_app
from service.config import Config, ConfigError
from service.observe.metrics import share_between_processes
from service.observe.tracing import refuse_missing_extra
from service.server.asgi import AsgiAdapter

_CONNECTIONS = 4_096
"""Most of them may be idle or stalled: one costs some kilobytes."""

_SECONDS_TO_START = 10
_SECONDS_TO_STOP = 10
_SECONDS_TO_SETTLE = 0.1
"""For the first milliseconds after its first answer granian may miss that it is told to stop."""

_EXAMPLE = '{"expression":"(a + b) * c","values":{"a":2,"b":-3,"c":10}}'


def main() -> None:
    """Serve until SIGINT or SIGTERM. What keeps it from serving is said, with exit code 1."""
    try:
        config = Config.from_environ(os.environ)
        refuse_missing_extra(config)
        address = _free_address(config)
    except ConfigError as fault:
        sys.exit(f"service: {fault}")
    draining = Event()
    with TemporaryDirectory(prefix="gradient-service-") as folder:
        # Where prometheus_client looks for it, in the workers too.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        server = DrainingServer(
            "service",
            draining=draining,
            drain_seconds=config.drain_seconds,
            address=address,
            port=config.port,
            interface=Interfaces.ASGINL,
            workers=config.workers,
            websockets=False,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=config.read_seconds * 1000),
            backlog=_CONNECTIONS,
            backpressure=_CONNECTIONS,
            log_level=LogLevels.error,
            respawn_failed_workers=True,
            workers_kill_timeout=_SECONDS_TO_STOP,
        )
        server.serve(target_loader=partial(_load, config, draining), wrap_loader=False)


class DrainingServer(MPServer):
    """A server that, told to stop, first says that it is not ready, and serves on for a while."""

    def __init__(
        self, target: str, *, draining: EventType, drain_seconds: int, **options: Any
    ) -> None:
        """Take the flag that the workers read, too."""
        super().__init__(target, **options)
        self.draining = draining
        self.drain_seconds = drain_seconds

    def signal_handler_interrupt(self, *args: Any, **kwargs: Any) -> None:
        """Wait with the stop; a second signal stops at once."""
        stop = partial(super().signal_handler_interrupt, *args, **kwargs)
        if self.drain_seconds == 0 or self.draining.is_set():
            stop()
            return
        self.draining.set()
        timer = Timer(self.drain_seconds, stop)
        timer.daemon = True
        timer.start()


def _free_address(config: Config) -> str:
    """Give the host as a number, which is what granian binds, if the port is free there.

    A port that another granian has would be shared with it unasked.
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


def _load(config: Config, draining: EventType) -> AsgiAdapter:
    """Make the application, in the worker process."""
    # A terminal's Ctrl-C is for the parent, which ends the worker: told twice, that one may hang.
    os.setpgrp()
    Thread(target=_announce, args=(config,), daemon=True).start()
    Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    # A spawned worker takes its interpreter apart when it ends, and granian's threads panic then.
    atexit.register(os._exit, 0)
    share_between_processes()
    app = create_app(
        config,
        is_draining=draining.is_set,
        metrics_folder=Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]),
    )
    return AsgiAdapter(app, config)


def _announce(config: Config) -> None:
    """Print the address as soon as the service answers there."""
    started = time.monotonic()
    while time.monotonic() - started < _SECONDS_TO_START:
        try:
            connection = HTTPConnection(config.local_host, config.port, timeout=1)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
        except OSError:
            time.sleep(0.01)
        else:
            connection.close()
            time.sleep(_SECONDS_TO_SETTLE)
            call = f"curl -s {config.url}/v1/gradient -H 'content-type: application/json'"
            print(f"{config.url} is up; try: {call} -d '{_EXAMPLE}'", flush=True)
            return


def _follow(parent: int) -> None:
    """End with the parent, even where it was killed: nobody else would free the port."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
