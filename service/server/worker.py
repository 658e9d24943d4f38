"""Configuration -> the application in a worker process, from its first line to its last."""

import asyncio
import os
import shutil
import signal
import socket
from collections.abc import Sized
from itertools import count
from logging.config import dictConfig
from resource import RLIMIT_NOFILE, getrlimit, setrlimit

import uvicorn
from uvicorn.loops.auto import auto_loop_factory

from service.app import create_app
from service.config import Config
from service.observe.log import LINES, LOGGING, write_line
from service.observe.values import WRITING
from service.server.accepting import Accepting
from service.server.allocator import collect_early, give_memory_back, keep_what_is_loaded, trim
from service.server.entry import Entry
from service.server.large import LargeWork
from service.server.protocol import make_settings
from service.server.shared import Shared

_EXAMPLE = "expression=(a%2Bb)*c&a=2&b=-3&c=10"
"""As a query, which a line of JSON has without a backslash."""

_SECONDS_TO_TIDY = 2

_CROWD, _SELDOM = 500, 30
"""Connections, and in how many rounds the worker tidies up once while there are as many."""


def serve(config: Config, shared: Shared, listening: socket.socket, folder: str) -> None:
    """Serve until the main process stops; the folder is that of the server's metrics."""
    # A terminal's Ctrl-C is for the main process; all workers hear of it by what is shared.
    os.setpgrp()
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    shared.begin_worker()
    give_memory_back()
    dictConfig(LOGGING)
    _, most = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (most, most))  # connections are bounded by their bytes
    with asyncio.Runner(loop_factory=auto_loop_factory(use_subprocess=True)) as runner:
        runner.run(_serve(config, shared, listening, folder))


async def _serve(config: Config, shared: Shared, listening: socket.socket, folder: str) -> None:
    main_process = os.getppid()
    app = create_app(config, is_draining=shared.is_draining, renders_early=True)
    app.app_context().push()  # one for all requests, which would push one each: none has any state
    work = LargeWork(config, keeps=shared.living.fileno())
    entry = Entry(app, config, work.call)
    settings = make_settings(entry, timeout_graceful_shutdown=config.stop_seconds)
    server = uvicorn.Server(settings)
    keep_what_is_loaded()
    collect_early()
    loop = asyncio.get_running_loop()
    for soon in (LINES, WRITING):
        soon.follow(loop)
    tidying = asyncio.ensure_future(_tidy(work, server.server_state.connections))
    accepting = Accepting(server, listening)
    loop.add_reader(shared.serves.fileno(), accepting.end)
    if not shared.serves.poll():  # else it stops already
        call = f"curl -s '{config.url}/v1/gradient?{_EXAMPLE}'"
        write_line("info", message=f"{config.url} is up; try: {call}")
    await server.serve([])
    loop.remove_reader(shared.serves.fileno())
    tidying.cancel()
    if cut := server.server_state.tasks:
        await asyncio.wait(cut)  # each tells of its reply
    await work.close()
    for soon in (LINES, WRITING):
        soon.stop()
    if os.getppid() != main_process:  # it was killed, and removes nothing any more
        shutil.rmtree(folder, ignore_errors=True)


async def _tidy(work: LargeWork, connections: Sized) -> None:
    """Give back, now and then, what a burst of requests has left, here and in the child.

    Here seldom while thousands are connected: to look at all that they hold takes tens of
    milliseconds.
    """
    for number in count(1):
        await asyncio.sleep(_SECONDS_TO_TIDY)
        if len(connections) < _CROWD or number % _SELDOM == 0:
            trim()
        await work.renew()
