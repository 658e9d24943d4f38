"""The port -> connections, which begin in turns, one of each address.

By itself an event loop accepts one connection in a turn, in order of arrival, whatever else it has
to do in that turn: a probe would wait until all that came before it have been made and let go.
"""

import asyncio
import socket
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn

from service.server.budget import Budget
from service.server.protocol import Connection
from service.server.turns import CONNECTION

_MOST = 10_240
"""So many wait to begin at most; others wait in the kernel."""

_ACCEPTED = 1_024
"""So many in one turn of the event loop: they take 8 µs each."""

_PAUSE = 0.1
"""Seconds until a process that has no file left tries again."""


class Server(uvicorn.Server):
    """uvicorn's server, but for how connections begin."""

    def __init__(self, config: uvicorn.Config) -> None:
        """Begin without connections."""
        super().__init__(config)
        self._turns = config.app.turns  # type: ignore[union-attr]
        self._arrived = Budget(_MOST, "connections wait to begin")

    async def startup(self, sockets: Any = None) -> None:
        """Begin to accept."""
        self.servers, self.started = [], True
        self._loop = asyncio.get_running_loop()
        [self._listening] = sockets
        self._listening.settimeout(0)
        self._resume()

    async def shutdown(self, sockets: Any = None) -> None:
        """Accept no more, and wait until all that has begun is answered."""
        self._loop.remove_reader(self._listening)
        await super().shutdown(sockets)

    def _resume(self) -> None:
        if not self.should_exit:
            self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        try:
            for _ in range(min(_ACCEPTED, _MOST - self._arrived.held)):
                client, (address, *_) = self._listening.accept()
                if self._arrived.take(address):
                    self._turns.add(address, CONNECTION, partial(self._begin, address, client))
                else:
                    client.close()
        except BlockingIOError:
            pass
        except OSError:
            self._loop.remove_reader(self._listening)
            self._loop.call_later(_PAUSE, self._resume)

    def _begin(self, address: str, client: socket.socket) -> None:
        self._arrived.give_back(address)
        task = self._loop.create_task(self._connect(client))
        self.server_state.tasks.add(task)
        task.add_done_callback(self.server_state.tasks.discard)

    async def _connect(self, client: socket.socket) -> None:
        if self.should_exit:
            client.close()
            return
        client.settimeout(0)
        with suppress(OSError):  # it has left
            await self._loop.connect_accepted_socket(self._make_connection, client)

    def _make_connection(self) -> Connection:
        return Connection(config=self.config, server_state=self.server_state, app_state={})
