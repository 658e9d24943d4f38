import os
from collections.abc import Iterator

import pytest

from service.deploy.tests.containers import Project, docker, missing_runtime, project

_untested = pytest.StashKey[str]()


@pytest.fixture(scope="session")
def images(pytestconfig: pytest.Config) -> None:
    """Build the service's image; skip the test if there is no container runtime."""
    reason = missing_runtime()
    if reason and os.environ.get("REQUIRE_CONTAINERS") == "1":
        pytest.fail(f"REQUIRE_CONTAINERS=1, but no container runtime can be used: {reason}")
    if reason:
        pytestconfig.stash[_untested] = reason
        pytest.skip(f"no container runtime can be used: {reason}")
    docker("compose", "build", "service")


@pytest.fixture(scope="session")
def composition(images: None) -> Iterator[Project]:
    """nginx and two services as `docker compose up` starts them, behind another proxy."""
    arguments = ("--scale", "service=2")
    with project("scaled", *arguments, TRUSTED_PROXY="0.0.0.0/0") as started:
        yield started


@pytest.fixture
def port(composition: Project) -> int:
    """The port that nginx is published on."""
    return composition.port()


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if reason := config.stash.get(_untested, None):
        terminalreporter.write_sep("!", "NOTHING WAS TESTED IN A CONTAINER", red=True, bold=True)
        terminalreporter.write_line(
            f"{reason}. Start a container runtime with Compose and repeat.", red=True
        )
