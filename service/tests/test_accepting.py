"""Connections begin some at a time, one of each address, and none is lost where files are short."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from errno import EMFILE
from typing import Any

import pytest
import uvicorn
import uvloop
from uvicorn.server import ServerState

from service.server import accepting
from service.server import turns as server_turns
from service.server.protocol import make_settings
from service.server.turns import Turns
from service.tests.client import serve, until

BEGUN = 10
CROWD = 300


class Port(socket.socket):
    """A port, which may have no file left some times."""

    full = 0

    def accept(self) -> Any:
        self.full -= 1
        if self.full >= 0:
            raise OSError(EMFILE, "Too many open files")
        return super().accept()


class Made(asyncio.Protocol):
    """A connection that does nothing."""

    addresses: tuple[str, ...] = ()

    def connection_made(self, transport: Any) -> None:
        Made.addresses += (transport.get_extra_info("peername")[0],)
        client = transport.get_extra_info("socket")
        assert client.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        transport.close()


@asynccontextmanager
async def serving(*clients: str, full: int = 0) -> AsyncIterator[tuple[Turns, ServerState]]:
    """Serve clients of such addresses, who have connected before."""
    server = uvicorn.Server(make_settings(serve()))
    with ExitStack() as stack:
        port = stack.enter_context(Port())
        port.full = full
        port.bind(("127.0.0.1", 0))
        port.listen(2 * CROWD)
        for address in clients:
            made = socket.create_connection(port.getsockname(), source_address=(address, 0))
            stack.enter_context(made)
        begun = accepting.Accepting(server, port)
        task = asyncio.create_task(server.serve([]))
        yield begun.turns, server.server_state
        begun.end()
        await task


@pytest.fixture(autouse=True)
def _made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accepting, "Connection", lambda **_: Made())
    monkeypatch.setattr(Made, "addresses", ())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a machine has one such address")
def test_who_comes_after_a_crowd_of_another_address_does_not_wait_for_it() -> None:
    async def run() -> None:
        async with serving(*["127.0.0.2"] * CROWD, "127.0.0.1"):
            await until(lambda: len(Made.addresses) > CROWD)

    uvloop.run(run())
    assert Made.addresses.index("127.0.0.1") < 2 * BEGUN


def test_a_process_without_a_file_left_accepts_again_when_it_has_one() -> None:
    async def run() -> None:
        async with serving("127.0.0.1", full=2):
            await until(lambda: len(Made.addresses) == 1)

    uvloop.run(run())


def test_who_waits_to_begin_at_a_stop_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_turns, "_TURN", 1)

    async def run() -> None:
        async with serving(*["127.0.0.1"] * CROWD) as (turns, state):
            await until(lambda: len(turns._waiting) > 0)
        assert not state.tasks

    uvloop.run(run())
    assert len(Made.addresses) < CROWD
