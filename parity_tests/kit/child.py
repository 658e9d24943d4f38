"""A command -> lines in, lines out, with a time limit: the process under a `Worker`."""

import contextlib
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path


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
        """Write the lines. If the process has ended, reading its response raises the fault."""
        self.write_bytes("".join(lines).encode("ascii"))

    def write_bytes(self, lines: bytes) -> None:
        """Write lines of any bytes."""
        with contextlib.suppress(OSError, ValueError):
            self._stdin.write(lines)
            self._stdin.flush()

    def read_line(self, seconds: float) -> bytes:
        """Wait for the next line. Raises ChildFault at the end of the output or of the time."""
        deadline = time.monotonic() + seconds
        pieces = []
        line, newline, self._rest = self._rest.partition(b"\n")
        while not newline:
            pieces.append(line)
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._stdout], [], [], left)[0]:
                raise ChildFault(f"did not respond within {seconds:g} s")
            chunk = os.read(self._stdout.fileno(), 1 << 16)
            if not chunk:
                code = self.wait(1.0)
                raise ChildFault("died" if code is None else f"died with exit code {code}")
            line, newline, self._rest = chunk.partition(b"\n")
        return b"".join([*pieces, line])

    def read_early(self) -> bytes:
        """Give what the process has written before any request, as far as it has arrived."""
        if not self._rest and select.select([self._stdout], [], [], 0)[0]:
            self._rest = os.read(self._stdout.fileno(), 1 << 16)
        return self._rest

    def wait(self, seconds: float) -> int | None:
        """Give the exit code, or None when the time is over."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> str:
        """Kill the process and give the end of its stderr."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._stdin, self._stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        with self._stderr as errors:
            errors.seek(0)
            return errors.read()[-2000:].decode(errors="replace").strip()
