"""Calls -> responses, through one long-lived process for each engine.

A worker speaks `schemas/protocol.schema.json`: one JSON object per line on stdin and stdout. It
gets the request only, never the expected result.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

from parity_tests.kit.contract import judged_number, refuse_short
from parity_tests.kit.engines import Engine, SetupError

PROTOCOL = "1"

Json = dict[str, Any]
Call = tuple[str, Mapping[str, Any], Mapping[str, int] | None]
"""A command, its request, and limits other than the defaults."""


class EngineFault(Exception):
    """A worker broke the protocol, ended or did not respond in time; the message names the case."""


class OverBudget(EngineFault):
    """A worker took more time or memory than its budget, so it gets no more requests."""

    is_later = False
    """Whether this is about a later request, which was not sent."""


class Budget(NamedTuple):
    """The time and memory that an engine may take: far more than programs need.

    On Linux, time spent waiting for a CPU does not count.
    """

    seconds: float = 10.0
    """For one response."""
    pace: float = 0.5
    """Seconds per response, on average."""
    grace: float = 60.0
    """Seconds for all responses together, before `pace` counts."""
    memory: int = 1024
    """MiB that its processes may reach (Linux)."""


STARTING = 60.0
"""Seconds that a process may take to start; they are not part of its budget."""

_PROMPT = 0.01
"""The share of the time limit within which waiting for a CPU need not be measured."""


class Started(NamedTuple):
    """What an engine states about itself."""

    contract: str
    profiles: tuple[str, ...]
    name: str
    version: str
    homepage: str = ""
    """An address, or nothing."""


def _no_check(_message: Json) -> str | None:
    """Accept every message."""
    return None


class Worker:
    """One engine's process. After a fault, the next call starts a new one."""

    def __init__(
        self,
        engine: Engine,
        *,
        budget: Budget | None = None,
        check: Callable[[Json], str | None] | None = None,
    ) -> None:
        """`check` returns the error in a message; the kit's own processes get a minute."""
        self.engine = engine
        self.budget = budget or Budget(60.0)
        self.check = check or _no_check
        self._child: Child | None = None
        self._stated: Json = {}
        self._sequence = 0
        self._waited, self._answers = 0.0, 0
        self._first_waits: Mapping[str, int] = {}
        self.is_over = False
        """Whether it took more than its budget, after which it gets no more requests."""

    def __enter__(self) -> Self:
        self._running()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        elif self._child is not None:
            self._child.kill()

    @property
    def started(self) -> Started:
        """What the engine states about itself; empty strings for members that it leaves out."""
        if not self._stated:
            self._running()
        own = self._stated.get("implementation", {})
        profiles = tuple(self._stated.get("profiles", ()))
        members = [own.get(member, "") for member in ("name", "version", "homepage")]
        return Started(self._stated["contract"], profiles, *members)

    @property
    def peak(self) -> int:
        """The peak memory of the process in bytes, as Linux counts it."""
        return self._running().peak

    def run(
        self, command: str, request: Mapping[str, Any], limits: Mapping[str, int] | None = None
    ) -> Json:
        """Make one call."""
        return self.run_many([(command, request, limits)])[0]

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        """Make many calls at once. A thread writes, so that two full pipes cannot deadlock."""
        child, first = self._running(), self._sequence
        if calls and (early := child.read_early()):
            extra = (
                f"wrote {early[:200]!r} before this request, after its response to the one before"
            )
            raise self._fault(extra, calls[0])
        self._sequence += len(calls)
        lines = [self._line(_run(sequence, call)) for sequence, call in enumerate(calls, first)]
        writer = threading.Thread(target=child.write, args=(lines,), daemon=True)
        if sum(map(len, lines)) <= select.PIPE_BUF:  # the pipe is empty, so this cannot block
            writer.run()
        else:
            writer.start()
        responses = []
        for sequence, call in enumerate(calls, first):
            responses.append(self._read(child, call))
            if (given := responses[-1].get("sequence")) != sequence:
                wrong = f"responded with sequence {given!r} to {sequence}, which is out of order"
                raise self._fault(wrong, call)
        if writer.ident is not None:
            writer.join()
        if calls:
            self._refuse_growth(child, calls[-1])
        return responses

    def send(self, line: bytes) -> Json:
        """Send a line, which may be an invalid message, and return the response."""
        child = self._running()
        child.write_bytes(line + b"\n")
        response = self._read(child, f"the line {line[:300]!r}")
        self._refuse_growth(child, f"the line {line[:300]!r}")
        return response

    def close(self) -> None:
        """Stop the process, which must respond `stopped` and exit with 0."""
        child = self._child
        if child is None:
            return
        child.write([self._line({"kind": "stop"})])
        if self._read(child, "stop") != {"kind": "stopped"}:
            raise self._fault("did not respond with `stopped`", "stop")
        code = child.wait(self.budget.seconds)
        if code != 0:
            ending = "did not end in time" if code is None else f"ended with {code} instead of 0"
            raise self._fault(ending, "stop")
        child.kill()
        self._child = None

    def _running(self) -> Child:
        if self.is_over:
            later = OverBudget(f"{self.engine.name} was not asked: it is over its budget")
            later.is_later = True
            raise later
        if self._child is None:
            self._child = Child(self.engine.argv, self.engine.root)
            self._child.write([self._line({"kind": "start", "protocol": PROTOCOL})])
            started = self._read(self._child, "start")
            for member, expected in {"kind": "started", "protocol": PROTOCOL}.items():
                if (given := started.get(member)) != expected:
                    difference = f"has {member} {given!r}, but this suite needs {expected!r}"
                    raise self._fault(difference, "start")
            try:
                judged_number(str(started.get("contract")))
                refuse_short(started["contract"])
            except SetupError as reason:
                raise self._fault(f"cannot be judged: {reason}", "start") from None
            if not isinstance(started.get("profiles"), list):
                missing = 'does not list the `profiles` that it claims, such as ["core"]'
                raise self._fault(missing, "start")
            self._stated, self._first_waits = started, self._child.waits()
        return self._child

    def _read(self, child: Child, case: str | Call) -> Json:
        started, starts = time.monotonic(), case == "start"
        try:
            line = child.read_line(max(self.budget.seconds, STARTING * starts))
        except ChildFault as fault:
            self._count(started)
            if self._is_slow(child):
                raise self._too_slow(case, f", and now {fault}") from None
            raise self._fault(str(fault), case) from None
        if not starts:
            self._count(started)
        if self._is_slow(child):
            raise self._too_slow(case)
        try:
            # Decoded first, because Python accepts a byte-order mark, or UTF-16, in bytes.
            response = json.loads(line.decode(), parse_constant=_refuse)
        except ValueError as fault:
            place = getattr(fault, "pos", 0)
            around = line[max(0, place - 60) : place + 20]
            raise self._fault(f"wrote invalid JSON: {fault}, at ...{around!r}...", case) from None
        if not isinstance(response, dict):
            raise self._fault(f"wrote {line[:200]!r}, which is not a JSON object", case)
        if wrong := self.check(response):
            raise self._fault(f"wrote a malformed response, {wrong}", case)
        return response

    def _count(self, started: float) -> None:
        self._waited += time.monotonic() - started
        self._answers += 1

    def _is_slow(self, child: Child) -> bool:
        most = max(self.budget.grace, self.budget.pace * self._answers)
        # Measuring how long the process waited takes time, so only slow ones are measured.
        return self._waited > most and self._waited - child.waited(self._first_waits) > most

    def _too_slow(self, case: str | Call, now: str = "") -> EngineFault:
        took = f"it took {self._waited:.1f} s for {self._answers} responses{now}"
        most = f"more than {self.budget.grace:g} s and {self.budget.pace:g} s each (--pace)"
        return self._fault(f"is too slow: {took}; {most}", case, OverBudget)

    def _refuse_growth(self, child: Child, case: str | Call) -> None:
        if (most := self.budget.memory << 20) < (peak := child.peak):
            grown = f"{peak >> 20} MiB of memory after {self._answers} responses"
            wrong = f"leaks or wastes memory: it has {grown}, more than {most >> 20} (--memory)"
            raise self._fault(wrong, case, OverBudget)

    def _line(self, message: Json) -> str:
        if wrong := self.check(message):
            raise ValueError(f"the harness itself wrote a malformed message, {wrong}")
        return json.dumps(message, separators=(",", ":")) + "\n"

    def _fault(
        self, failure: str, case: str | Call, kind: type[EngineFault] = EngineFault
    ) -> EngineFault:
        if not isinstance(case, str):
            case = f"{case[0]} {json.dumps(case[1])[:300]}"
        self.is_over = kind is OverBudget
        child, self._child = self._child, None
        stderr = child.kill() if child is not None else ""
        return kind(f"{self.engine.name} {failure}, on: {case}\n{stderr}".rstrip())


def _run(sequence: int, call: Call) -> Json:
    command, request, limits = call
    message = {"kind": "run", "sequence": sequence, "command": command, "request": request}
    return message if limits is None else {**message, "limits": limits}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


# --- the process ----------------------------------------------------------------------------------


class ChildFault(Exception):
    """The process ended, or did not respond in time."""


class Child:
    """A process that responds to each line with a line. Its stderr goes to a file."""

    def __init__(self, argv: Sequence[str], folder: Path) -> None:
        """Start the process in a folder."""
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill
        self._rest = b""
        self._process = subprocess.Popen(
            argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout

    def write(self, lines: Sequence[str]) -> None:
        """Write the lines. If the process has ended, reading its response reports that."""
        self.write_bytes("".join(lines).encode("ascii"))

    def write_bytes(self, lines: bytes) -> None:
        """Write lines that may contain any bytes."""
        with contextlib.suppress(OSError, ValueError):
            self._stdin.write(lines)
            self._stdin.flush()

    def read_line(self, seconds: float) -> bytes:
        """Wait for the next line; time that the process waits for a CPU does not count.

        Raises:
            ChildFault: at the end of the output, or after `seconds`.
        """
        started, waits = time.monotonic(), None
        allowed = seconds * _PROMPT
        pieces = []
        line, newline, self._rest = self._rest.partition(b"\n")
        while not newline:
            pieces.append(line)
            while not self._has_output(allowed - (time.monotonic() - started)):
                waits = self.waits() if waits is None else waits
                allowed = seconds + self.waited(waits)
                if time.monotonic() - started >= allowed:
                    raise ChildFault(f"did not respond within {seconds:g} s{_unended(pieces)}")
            chunk = os.read(self._stdout.fileno(), 1 << 16)
            if not chunk:
                code = self.wait(1.0)
                ending = "died" if code is None else f"died with exit code {code}"
                raise ChildFault(ending + _unended(pieces))
            line, newline, self._rest = chunk.partition(b"\n")
        return b"".join([*pieces, line])

    def read_early(self) -> bytes:
        """Return output that the process wrote without a request, as far as it has arrived."""
        if not self._rest and select.select([self._stdout], [], [], 0)[0]:
            self._rest = os.read(self._stdout.fileno(), 1 << 16)
        return self._rest

    @property
    def peak(self) -> int:
        """The peak memory of the process and its children in bytes; 0 if nothing counts it."""
        return _peak(self._process.pid)

    def _has_output(self, seconds: float) -> bool:
        return bool(select.select([self._stdout], [], [], max(0.0, seconds))[0])

    def waits(self) -> dict[str, int]:
        """Return how many nanoseconds each thread has waited for a CPU, as Linux counts them."""
        return _waits(self._process.pid)

    def waited(self, before: Mapping[str, int]) -> float:
        """Return the longest time in seconds that a thread has waited since `before`."""
        waits = self.waits()
        return max((waits[each] - before.get(each, 0) for each in waits), default=0) / 1e9

    def wait(self, seconds: float) -> int | None:
        """Wait for the end and return the exit code, or None after `seconds`."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> str:
        """Kill the process and return the end of its stderr."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        with self._stderr as errors:
            errors.seek(0)
            return errors.read()[-2000:].decode(errors="replace").strip()


def _peak(process: int | str) -> int:
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:  # it has ended, or this is not Linux
        return 0
    own = status.partition("VmHWM:")[2].split()
    return (int(own[0]) << 10 if own else 0) + sum(map(_peak, children.split()))


def _waits(process: int | str) -> dict[str, int]:
    """Return the nanoseconds by thread, of the process and its children."""
    waits: dict[str, int] = {}
    try:
        for task in Path(f"/proc/{process}/task").iterdir():
            waits[task.name] = int((task / "schedstat").read_text("ascii").split()[1])
            for child in (task / "children").read_text("ascii").split():
                waits |= _waits(child)
    except OSError:  # it has ended, or this is not Linux
        pass
    return waits


def _unended(pieces: Sequence[bytes]) -> str:
    """Show the beginning of a line that has no end."""
    begun = b"".join(pieces)[:60]
    return f", after {begun!r} without a newline at its end" if begun else ""
