"""The port -> connections, which begin in turns, one of each address.

By itself an event loop accepts one connection in a turn, in order of arrival, whatever else it has
to do in that turn: a probe would wait until all that came before it have been made and let go.
"""

import asyncio
import socket
from contextlib import suppress
from functools import partial

import uvicorn

from service.server.budget import Budget
from service.server.protocol import Connection
from service.server.turns import CONNECTION, Turns

_MOST = 10_240
"""So many wait to begin at most; others wait in the kernel."""

_ACCEPTED = 1_024
"""So many in one turn of the event loop: they take 8 µs each."""

_PAUSE = 0.1
"""Seconds until a process that has no file left tries again."""


class Accepting:
    """A server's port."""

    def __init__(self, server: uvicorn.Server, listening: socket.socket) -> None:
        """Begin to accept."""
        self._server, self._listening = server, listening
        self._arrived, self.turns = Budget(_MOST, "connections wait to begin"), Turns()
        self._loop = asyncio.get_running_loop()
        listening.settimeout(0)
        self._resume()

    def end(self) -> None:
        """Accept no more, and have the server stop when all that has begun is answered."""
        if not self._server.should_exit:
            self._server.should_exit = True
            self._loop.remove_reader(self._listening)
            self._listening.close()

    def _resume(self) -> None:
        if not self._server.should_exit:
            self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        try:
            for _ in range(min(_ACCEPTED, _MOST - self._arrived.held)):
                client, (address, *_) = self._listening.accept()
                if self._arrived.take(address):
                    self.turns.add(address, CONNECTION, partial(self._begin, address, client))
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
        self._server.server_state.tasks.add(task)
        task.add_done_callback(self._server.server_state.tasks.discard)

    async def _connect(self, client: socket.socket) -> None:
        if self._server.should_exit:
            client.close()
            return
        client.settimeout(0)
        with suppress(OSError):  # it has left
            await self._loop.connect_accepted_socket(self._make_connection, client)

    def _make_connection(self) -> Connection:
        config, state = self._server.config, self._server.server_state
        return Connection(config=config, server_state=state, app_state={})
