"""The server under attack: a process of our own, or one that runs already, and its memory."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from service.attack.wire import Address

_PROC = Path("/proc")
_SECONDS_TO_STOP = 30
_SECONDS_TO_START = 120
_SECONDS_TO_SETTLE = 30
_GLANCE = 2
"""Seconds. Who holds as much as at the last glance has imported what it needs, and is at rest."""

_AS_MUCH = 1_000_000

_ATTACKER = "127.0.0.2" if sys.platform == "linux" else None


class Target(NamedTuple):
    """A server, and the process whose descendants are all of it; None where that is unknown."""

    address: Address
    pid: int | None
    attacker: str | None = None
    """The address that the attackers have, where it can be another than the good client's."""

    @property
    def attacked(self) -> Address:
        """The server's address as the attackers use it."""
        return self.address._replace(client=self.attacker)

    def resident(self) -> int | None:
        """Add up the resident memory of all its processes, in bytes; None where nothing tells."""
        if self.pid is None or not _PROC.is_dir():
            return None
        page = os.sysconf("SC_PAGE_SIZE")
        return sum(_resident_pages(pid) for pid in family(self.pid)) * page

    def serving(self) -> int | None:
        """Give the process that serves: the last that has the first one's priority."""
        with suppress(OSError, IndexError):
            members = family(self.pid or 0)
            priorities = [os.getpriority(os.PRIO_PROCESS, member) for member in members]
            return members[priorities.count(priorities[0]) - 1]
        return None


def family(pid: int) -> list[int]:
    """Give a process and all its descendants, by Linux' /proc."""
    found = [pid] if (_PROC / f"{pid}").exists() else []
    for file in _PROC.glob(f"{pid}/task/*/children"):
        with suppress(OSError):  # it has ended
            children = map(int, file.read_text().split())
            found += (member for child in children for member in family(child))
    return found


def _resident_pages(pid: int) -> int:
    with suppress(OSError):
        return int((_PROC / str(pid) / "statm").read_text().split()[1])
    return 0


def waited(process: int | None) -> tuple[float, float]:
    """Tell how many seconds a process, and who asks, waited for a processor that others had."""
    with suppress(OSError):
        texts = [(_PROC / name / "schedstat").read_text() for name in (f"{process}", "thread-self")]
        serving, asking = (int(text.split()[1]) / 1e9 for text in texts)
        return serving, asking
    return 0.0, 0.0


@contextmanager
def started(module: str = "service", **variables: str) -> Iterator[Target]:
    """Serve with the defaults, as `make run` does; nothing is left of it afterwards."""
    port = _free_port()
    environ = {name: text for name, text in os.environ.items() if not name.startswith("GRADIENT_")}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-m", module],
            env={**environ, "PORT": str(port), **variables},
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait_until_it_listens(process, port)
            target = Target(Address("127.0.0.1", port), process.pid, _ATTACKER)
            _wait_until_it_rests(target)
            yield target
        finally:
            _stop(process)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=1)
            connection.request("GET", "/readyz")
            if connection.getresponse().status == HTTPStatus.OK:
                connection.close()
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"no server is ready at port {port}")


def _wait_until_it_rests(target: Target) -> None:
    end, before = time.monotonic() + _SECONDS_TO_SETTLE, 0
    while time.monotonic() < end and (now := target.resident() or 0) > before + _AS_MUCH:
        time.sleep(_GLANCE)
        before = now


def _stop(process: subprocess.Popen[bytes]) -> None:
    members = family(process.pid)
    process.terminate()
    try:
        process.wait(_SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        for member in members:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        process.wait()
