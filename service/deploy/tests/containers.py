"""docker and docker compose, called by the tests as by a user."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
TAG = "container-test"
IMAGE = f"gradient-service:{TAG}"
CLIENT = "127.0.0.1"

Tell = Callable[[str], None]
"""Keeps a line for the end of the report."""


def docker(
    *arguments: str, check: bool = True, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run it to its end; a failure shows what it said."""
    done = subprocess.run(
        ["docker", *arguments],
        cwd=ROOT,
        env={**os.environ, "TAG": TAG, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if check and done.returncode:
        raise AssertionError(f"docker {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done


def missing_runtime() -> str | None:
    """Say why containers cannot be started here; None if they can."""
    try:
        done = docker("compose", "ls", check=False)
    except FileNotFoundError:
        return "no `docker` on PATH"
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[0]


class Container(NamedTuple):
    """One that was started, by its id."""

    id: str

    def state(self, path: str) -> Any:
        """Give a part of what `docker inspect` says, such as `.State.ExitCode`."""
        return json.loads(docker("inspect", "--format", f"{{{{json {path}}}}}", self.id).stdout)

    def python(self, program: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a program inside, as the service's user."""
        return docker("exec", self.id, "python", "-c", program, check=check)

    def control_group(self, *names: str) -> str:
        """Read a file of the control group, by its names in version 1 and in version 2."""
        paths = f"map(pathlib.Path('/sys/fs/cgroup').joinpath, {names})"
        found = f"next(path for path in {paths} if path.exists())"
        return self.python(f"import pathlib; print({found}.read_text())").stdout

    def ended_by_memory(self) -> int:
        """Give how many of its processes the kernel has ended because memory was short."""
        lines = self.control_group("memory/memory.oom_control", "memory.events").splitlines()
        return int(dict(line.split() for line in lines if line)["oom_kill"])


class Project(NamedTuple):
    """A `docker compose up` with a name of its own, on ports that are free."""

    name: str
    variables: dict[str, str]

    def compose(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return docker("compose", *arguments, check=check, **self.variables)

    def containers(self, service: str) -> list[Container]:
        listed = self.compose("ps", "--all", "--quiet", service).stdout.split()
        return [Container(line) for line in listed]

    def port(self, name: str) -> int:
        """Ask which port of this machine is published; after a restart it may be another."""
        published = self.compose("--profile", "*", "port", *_INSIDE[name]).stdout
        return int(published.rpartition(":")[2])


_INSIDE = {
    "PORT": ("service", "8000"),
    "GATEWAY_PORT": ("gateway", "8080"),
    "PROMETHEUS_PORT": ("prometheus", "9090"),
}
"""The service and the port within that is published as the variable says; by 0 as any free one."""


@contextmanager
def project(name: str, *services: str, **variables: str) -> Iterator[Project]:
    """Start services of docker-compose.yml, wait until they are healthy, and remove all again."""
    ports = dict.fromkeys(_INSIDE, "0")
    project_name = f"{TAG}-{name}-{os.getpid()}"
    started = Project(name, {**ports, **variables, "COMPOSE_PROJECT_NAME": project_name})
    try:
        if services:
            started.compose("up", "--detach", "--wait", "--no-build", *services)
        yield started
    finally:
        all_of_it = ("--profile", "*")
        started.compose(*all_of_it, "down", "--volumes", "--timeout", "2")
