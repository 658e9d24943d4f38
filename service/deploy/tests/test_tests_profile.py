"""The tests of the engine and of the service, on the Python of the image that ships."""

import re

import pytest

from service.deploy.tests.containers import IMAGE, Tell, docker, project

pytestmark = [pytest.mark.container, pytest.mark.usefixtures("images")]

RUN = ("--progress", "quiet", "run", "--rm", "--no-TTY")
VERSION = ("--entrypoint", "python")
SHOWN = ("-c", "import sys; print(sys.version)")


def test_the_engine_and_the_service_pass_their_tests_on_the_python_that_ships(tell: Tell) -> None:
    shipped = docker("run", "--rm", "--network", "none", *VERSION, IMAGE, *SHOWN).stdout
    with project("tests") as tests:
        assert tests.compose(*RUN, *VERSION, "tests", *SHOWN).stdout == shipped
        done = tests.compose(*RUN, "tests", "-v", check=False)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-2_000:]
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    assert int(passed) > 1_000
    tell(f"tests on the image's Python {shipped.split()[0]}: {passed} passed")
