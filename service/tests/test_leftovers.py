"""What is left of a service: no process, no file, and no more of them while it runs."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.attack.bodies import LARGEST, posted
from service.attack.target import family
from service.bench.load import processor_seconds
from service.tests.processes import (
    ROOT,
    Server,
    command,
    eventually,
    free_port,
    is_answered,
    started,
    stop,
    workers_of,
)
from service.tests.test_main_under_load import LARGE, count_of, opened

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not family(os.getpid()), reason="processes are found in Linux' /proc"),
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One whose every file is in a folder of its own."""
    with started(TMPDIR=str(tmp_path)) as running:
        yield running


def child_of(server: Server) -> int:
    """Give the process that computes large requests, when it is there."""
    [worker] = workers_of(server)
    assert eventually(lambda: len(family(worker)) == 2)
    return family(worker)[1]


def is_there(pid: int) -> bool:
    """Say whether a process is there; a parent that died leaves zombies to the system."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # before it was opened, or since
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_leaves_no_process_and_no_file(
    server: Server, tmp_path: Path, number: signal.Signals
) -> None:
    child, everyone = child_of(server), family(server.process.pid)
    before = processor_seconds(child)
    with opened(server, posted("/v1/gradients", LARGEST)):
        assert eventually(lambda: processor_seconds(child) > before + 0.2)
    # Its client has left, and it computes on.
    assert stop(server, number)[0] == 0
    assert not any(map(is_there, everyone))
    assert list(tmp_path.iterdir()) == []


def test_a_worker_that_is_killed_leaves_no_process_and_no_file(
    server: Server, tmp_path: Path
) -> None:
    [worker], child = workers_of(server), child_of(server)
    os.kill(child, signal.SIGSTOP)  # or it might have ended before it is looked for
    os.kill(worker, signal.SIGKILL)
    os.kill(server.process.pid, signal.SIGTERM)
    os.kill(child, signal.SIGCONT)
    server.process.communicate(timeout=20)
    assert not is_there(child)
    assert list(tmp_path.iterdir()) == []


def test_a_main_process_that_is_killed_leaves_no_process_and_no_file(
    server: Server, tmp_path: Path
) -> None:
    child_of(server)
    everyone = family(server.process.pid)
    assert stop(server, signal.SIGKILL)[0] == -signal.SIGKILL
    assert eventually(lambda: list(tmp_path.iterdir()) == [])
    assert eventually(lambda: not any(map(is_there, everyone)))


def test_processes_that_are_killed_do_not_fill_the_folder(server: Server, tmp_path: Path) -> None:
    def files() -> list[str]:
        return sorted(str(file) for file in tmp_path.rglob("*"))

    assert server.post(LARGE).status == 200
    before = files()
    for _ in range(3):
        os.kill(child_of(server), signal.SIGKILL)
        assert eventually(lambda: server.post(LARGE).status == 200)
    [worker] = workers_of(server)
    os.kill(worker, signal.SIGKILL)
    assert eventually(lambda: is_answered(server) and workers_of(server) != [worker])
    assert server.post(LARGE).status == 200
    assert eventually(lambda: files() == before)
    # Replies that a killed process had to give are not known to it; the others are.
    assert count_of(server, "/v1/gradient") >= 5


def test_without_a_temporary_folder_it_says_what_to_do() -> None:
    nowhere = "import tempfile; tempfile._candidate_tempdir_list = lambda: ['/nowhere']"
    process = command(
        free_port(), ("-c", f"{nowhere}; from service.server.run import main; main()")
    )
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout) == (1, "")
    assert stderr.startswith("service: cannot write to a temporary folder: ")
    assert stderr.endswith("; name one that can be written to by TMPDIR\n")
    assert stderr.count("\n") == 1


def test_the_main_process_does_not_hold_the_application() -> None:
    program = "import sys, json, service.server.run; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=ROOT
    )
    modules = json.loads(done.stdout)
    assert "service.server.run" in modules
    assert not {"uvicorn", "flask", "marshmallow", "werkzeug", "service.app"} & set(modules)


NO_LARGE_FILE = """
import resource
from service.server.run import main

resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
main()
"""


def test_without_space_for_its_counts_a_process_counts_in_memory(tmp_path: Path) -> None:
    with started(("-c", NO_LARGE_FILE), TMPDIR=str(tmp_path)) as server:
        told = [server.line]
        while " is up" not in told[-1]:
            assert server.process.stdout
            told.append(json.loads(server.process.stdout.readline())["message"])
        [worker] = workers_of(server)
        for _ in range(3):
            assert server.post(LARGE).status == server.get("/v1/limits")[0] == 200
        assert workers_of(server) == [worker]
        assert count_of(server, "/v1/limits") == 3
        code, log, stderr = stop(server, signal.SIGTERM)
        assert (code, stderr) == (0, "")
        told += [json.loads(line)["message"] for line in log.splitlines()]
        assert told.count("counts are this process's alone: File too large") == len(told) - 1 >= 2
        assert list(tmp_path.iterdir()) == []
