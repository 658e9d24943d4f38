"""A learner's file -> the numbers of its class for every program, from a child process.

The child has limits of time and memory, and what the file prints is dropped. That keeps a mistake
from doing harm; it is no sandbox against malice, for the file may do what its user may do.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

Json = dict[str, Any]

MEMORY = 1 << 32
"""Bytes of address space; numpy and PyTorch fit into it with one thread."""


_GRADING = "GRADIENT_GRADING"
_ENVIRONMENT = {
    _GRADING: "1",
    "MPLBACKEND": "Agg",  # which opens no window
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # the same file has the same result
    "PYTHONWARNINGS": "ignore",
}
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "VIRTUAL_ENV")
"""What a hand-in sees of the environment; no key, token or path of the grader's own."""
_WAITS = 10
"""A child that is neither ready nor stopped after so many times its limit is ended: on a machine
that has no time for it, or where the file has stopped its clock."""


class Answers(NamedTuple):
    """What the child told until it ended."""

    head: Json
    """The class, or what its import raised."""
    replies: list[Json]
    """For each program in turn; the last ones are missing where the child was ended."""
    end: str
    """Why they are: "time", "exit code 3", "signal 9"; empty if none is."""


def run(file: Path, seconds: float, names: Mapping[str, str] | None = None) -> Answers:
    """Run a file in a child process for so many seconds of the processor at most.

    Args:
        file: a script, a notebook, or a file of a package.
        seconds: the limit.
        names: the class and its attributes, where they are not to be found out.

    Raises:
        RecursionError: a file that is graded grades.
    """
    if os.environ.get(_GRADING):
        raise RecursionError("a file that is being graded cannot grade")
    token = token_hex()
    limits = {"memory": MEMORY, "seconds": int(seconds) + 1, "token": token}
    request = json.dumps({**(names or {}), "file": str(file.resolve()), **limits})
    child = str(Path(__file__).with_name("child.py"))
    environment = {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        **_ENVIRONMENT,
    }
    with (
        TemporaryDirectory(ignore_cleanup_errors=True) as home,
        TemporaryFile() as output,
        subprocess.Popen(  # noqa: S603 - no shell, and our own script
            [sys.executable, "-P", "-B", child],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.DEVNULL,
            cwd=file.resolve().parent,
            env={**environment, "HOME": home, "TMPDIR": home},
            start_new_session=True,
        ) as process,
    ):
        late = False
        try:
            process.communicate(request.encode(), timeout=_WAITS * seconds)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            _end(process)
        code = process.wait()
        output.seek(0)
        head, *replies = _said(output.read(), token) or [{}]
    if late or -code == getattr(signal, "SIGXCPU", None):
        return Answers(head, replies, "time")
    end = f"exit code {code}" if code > 0 else f"signal {-code}"
    return Answers(head, replies, end if code else "")


def _said(output: bytes, token: str) -> list[Json]:
    """Return the replies of the child among what a file may have written to the same descriptor."""
    lines = output.decode("ascii", "replace").split("\n")
    return [json.loads(line.removeprefix(token)) for line in lines if line.startswith(token)]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the child and what it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
