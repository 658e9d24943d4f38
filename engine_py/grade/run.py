"""A learner's file -> the numbers of its class for every program, from a child process.

The child runs a copy with its own HOME and limits of time and memory; its output is dropped.
`isolation` restricts it as far as the system allows. That keeps a mistake from doing harm, but is
not a sandbox against malice: the file may read what its user may read.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any, NamedTuple

from engine_py.grade.load import package_folder

Json = dict[str, Any]

_MEMORY = 1 << 32
"""Bytes of address space; numpy and PyTorch fit into it with one thread."""
_GRADING = "GRADIENT_GRADING"
_ENVIRONMENT = {
    _GRADING: "1",
    "MPLBACKEND": "Agg",  # opens no window
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONHASHSEED": "0",  # the same file has the same result
    "PYTHONWARNINGS": "ignore",
}
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "VIRTUAL_ENV")
"""The variables of the environment that a hand-in gets; no key, token or path of the grader's."""
MAX_FILES, MAX_BYTES, LARGEST = 1_000, 50_000_000, 5_000_000
"""Limits of a copy or an archive: files, bytes in total, bytes of each but the graded file."""
_NOT_COPIED = ("__pycache__", "node_modules", "site-packages", "venv")
_WAITS = 10
"""A child that has not answered after this multiple of its limit is killed: the machine is
overloaded, or the file has stopped the clock."""

_ENDS = 5
"""Seconds for a child to kill the processes that the file has started."""


class Answers(NamedTuple):
    """The child's reports until it ended."""

    head: Json
    """The description of the class, or the exception of its import."""
    replies: list[Json]
    """For each program in turn; the last ones are missing if the child was killed."""
    end: str
    """The reason if some are missing: "time", "exit code 3", "signal 9"; otherwise empty."""


def run(
    file: Path, seconds: float, names: Mapping[str, str] | None = None, root: Path | None = None
) -> Answers:
    """Run a copy of a file in a child process, limited to `seconds` of CPU time.

    Args:
        file: a script, a notebook, or a file of a package.
        seconds: the limit.
        names: the names of the class and its attributes, if they are given.
        root: the file or folder that was handed in, which is copied; None for the folder of the
            file, or of its package.

    Raises:
        RecursionError: the file that is being graded called the grader.
    """
    if os.environ.get(_GRADING):
        raise RecursionError("a file that is being graded cannot grade")
    token = token_hex()
    limits = {"memory": _MEMORY, "seconds": int(seconds) + 1, "token": token}
    child = str(Path(__file__).with_name("child.py"))
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with TemporaryDirectory(ignore_cleanup_errors=True) as place, TemporaryFile() as output:
        own = Path(place).resolve()
        home = own / "home"
        home.mkdir()
        copy, base, above = _copied(file.resolve(), root and root.resolve(), own / "work")
        places = {"file": str(copy), "base": str(base), "above": above and str(above)}
        request = {**(names or {}), **limits, **places, "writable": str(own)}
        with subprocess.Popen(  # noqa: S603 - no shell, and our own script
            [sys.executable, "-P", *(["-B"] if sys.dont_write_bytecode else []), child],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.DEVNULL,
            cwd=home if copy == file.resolve() else copy.parent,
            env={**kept, **_ENVIRONMENT, "HOME": str(home), "TMPDIR": str(home)},
            start_new_session=True,
        ) as process:
            late = False
            try:
                process.communicate(json.dumps(request).encode(), timeout=_WAITS * seconds)
            except subprocess.TimeoutExpired:
                late = True
            finally:
                _end(process)
            code = process.wait()
        output.seek(0)
        head, *replies = _said(output.read(), token) or [{}]
    if replies and "done" in replies[-1]:
        return Answers(head, replies[:-1], "")
    if late or -code == getattr(signal, "SIGXCPU", None):
        return Answers(head, replies, "time")
    return Answers(head, replies, f"exit code {code}" if code >= 0 else f"signal {-code}")


def _copied(file: Path, root: Path | None, work: Path) -> tuple[Path, Path, Path | None]:
    """Copy a hand-in; one that is too large is not copied, and runs in its place.

    Returns:
        The file's copy, the folder with all copies, and the original of that folder, from whose
        parents the file may import; None for a file that was handed in alone.
    """
    folder = package_folder(file) if root is None else root if root.is_dir() else file.parent
    base = work / (folder.name or "root")
    files = [file]
    left = MAX_BYTES
    for each in _files(folder) if root != file else ():
        size = each.stat().st_size
        if each != file and size <= LARGEST:
            files.append(each)
            left -= size
        if len(files) > MAX_FILES or left < 0:
            return file, folder, folder
    for each in files:
        target = base / each.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(each, target)
    return base / file.relative_to(folder), base, None if root == file else folder


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that its code may need."""
    for place, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith((".", *_NOT_COPIED))]
        yield from [each for name in names if (each := Path(place, name)).is_file()]


def _said(output: bytes, token: str) -> list[Json]:
    """Return the child's replies; the file may have written to the same descriptor."""
    lines = output.decode("ascii", "replace").split("\n")
    replies = []
    for line in lines:
        with suppress(ValueError):  # a line that is cut off
            replies += [json.loads(line.removeprefix(token))] if line.startswith(token) else []
    return replies


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the child and its descendants; on SIGTERM its watching process kills them itself."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_ENDS)
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
