"""Configuration -> the application in a worker process, from its first line to its last."""

import asyncio
import atexit
import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread

from service.app import create_app
from service.config import Config
from service.observe.log import LINES, write_line
from service.observe.values import WRITING
from service.server import healthcheck
from service.server.allocator import give_memory_back, keep_what_is_loaded, trim
from service.server.asgi import AsgiAdapter
from service.server.large import LargeWork
from service.server.shared import Shared
from service.server.turns import Turns

_SECONDS_TO_START = 10

_SECONDS_TO_BE_TOLD = 1
"""The main process tells its workers by a signal; one that is being forked does not hear it."""

_SECONDS_TO_TIDY = 2

_EXAMPLE = "expression=(a%2Bb)*c&a=2&b=-3&c=10"
"""As a query, which a line of JSON has without a backslash."""


def load(config: Config, shared: Shared, folder: str) -> AsgiAdapter:
    """Make the application of a worker; the folder is that of the server's metrics."""
    # A terminal's Ctrl-C is for the parent, which ends the worker: one that gets both may hang.
    os.setpgrp()
    main_process = os.getppid()
    shared.begin_worker()
    # A spawned worker takes its interpreter apart when it ends, and granian's threads panic then.
    atexit.register(os._exit, 0)
    give_memory_back()
    app = create_app(config, is_draining=shared.is_draining)
    app.app_context().push()  # one for all requests, which would push one each: none has any state
    work = LargeWork(config, keeps=shared.living.fileno())

    tidying: list[asyncio.Task[None]] = []

    def begin() -> None:
        keep_what_is_loaded()
        loop = asyncio.get_running_loop()
        for soon in (LINES, WRITING):
            soon.follow(loop)
        tidying.append(asyncio.ensure_future(_tidy(work, adapter.turns)))
        cut_later = partial(loop.call_later, config.stop_seconds, adapter.cut)
        _start_serving(config, shared, partial(loop.call_soon_threadsafe, cut_later))

    async def end() -> None:
        tidying.pop().cancel()
        await work.close()
        for soon in (LINES, WRITING):
            soon.stop()
        if os.getppid() != main_process:  # it was killed, and removes nothing any more
            shutil.rmtree(folder, ignore_errors=True)

    adapter = AsgiAdapter(
        app,
        config,
        call_large=work.call,
        on_startup=begin,
        on_shutdown=end,
    )
    return adapter


async def _tidy(work: LargeWork, turns: Turns) -> None:
    """Give back, now and then, what a burst of requests has left.

    Not during one: to look at thousands of requests that wait takes tens of milliseconds.
    """
    while True:
        await asyncio.sleep(_SECONDS_TO_TIDY)
        if turns.goes_on:
            continue
        trim()
        await work.renew()


def _start_serving(config: Config, shared: Shared, stops: Callable[[], object]) -> None:
    """Have the last worker to start announce the server. granian handles signals now."""
    Thread(target=_follow, args=(shared, stops), daemon=True).start()
    if not shared.wait_for_stop(0) and shared.count_start() == config.workers:
        Thread(target=_announce, args=(config,), daemon=True).start()


def _follow(shared: Shared, stops: Callable[[], object]) -> None:
    """Stop when the main process does, even if it was killed: the port is freed."""
    shared.wait_for_stop(None)
    with suppress(RuntimeError):  # the loop has ended already
        stops()
    time.sleep(_SECONDS_TO_BE_TOLD)
    os.kill(os.getpid(), signal.SIGTERM)


def _announce(config: Config) -> None:
    """Write the address to the log as soon as the service answers there."""
    give_up = time.monotonic() + _SECONDS_TO_START
    while healthcheck.main() is not None:
        if time.monotonic() > give_up:
            return
        time.sleep(0.01)
    call = f"curl -s '{config.url}/v1/gradient?{_EXAMPLE}'"
    write_line("info", message=f"{config.url} is up; try: {call}")
