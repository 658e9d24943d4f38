"""`python -m service` -> a running server, until it is interrupted or terminated."""

import os
import signal
import socket
import sys
import time
from functools import partial
from http.client import HTTPConnection
from threading import Thread

from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from service.app import create_app
from service.config import Config, ConfigError

_BLOCKING_THREADS = 64
"""So many slow clients can be waited for at once; idle threads go away."""

_SECONDS_TO_START = 10
_SECONDS_TO_STOP = 10
_SECONDS_TO_SETTLE = 0.1
"""For the first milliseconds after its first answer granian may miss that it is told to stop."""

_EXAMPLE = '{"expression":"(a + b) * c","values":{"a":2,"b":-3,"c":10}}'


def main() -> None:
    """Serve until SIGINT or SIGTERM. What keeps it from serving is said, with exit code 1."""
    try:
        config = Config.from_environ(os.environ)
        address = _free_address(config)
    except ConfigError as fault:
        sys.exit(f"service: {fault}")
    server = Granian(
        "service",
        address=address,
        port=config.port,
        interface=Interfaces.WSGI,
        blocking_threads=_BLOCKING_THREADS,
        log_level=LogLevels.error,  # its one warning is about so many threads
        respawn_failed_workers=True,
        workers_kill_timeout=_SECONDS_TO_STOP,
    )
    server.serve(target_loader=partial(_load, config), wrap_loader=False)


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


def _load(config: Config) -> Flask:
    """Make the application, in the worker process."""
    # A terminal's Ctrl-C is for the parent, which ends the worker: told twice, that one may hang.
    os.setpgrp()
    Thread(target=_announce, args=(config,), daemon=True).start()
    Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    return create_app(config)


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


if __name__ == "__main__":
    main()
