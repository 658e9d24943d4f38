"""The contents of the image."""

import json
import re
from typing import Any

import pytest

from engine_py import __version__
from service.deploy.tests.containers import IMAGE, docker
from service.tests.processes import ROOT

pytestmark = [pytest.mark.container, pytest.mark.image, pytest.mark.usefixtures("images")]

MEGABYTE = 1_000_000
LARGEST = 180 * MEGABYTE
LARGEST_ABOVE_PYTHON = 50 * MEGABYTE

EVERY_PATH = """
import json, os
found = [os.path.join(folder, name)
    for top in ("/bin", "/sbin", "/usr", "/opt", "/app", "/lib", "/home", "/root")
    for folder, folders, files in os.walk(top) for name in folders + files]
print(json.dumps(found))
"""


def inside(program: str) -> Any:
    run = ("run", "--rm", "--network", "none", "--user", "0", "--entrypoint", "python", IMAGE)
    return json.loads(docker(*run, "-c", program).stdout)


def inspected() -> dict[str, Any]:
    [image] = json.loads(docker("image", "inspect", IMAGE).stdout)
    content: dict[str, Any] = image
    return content


def test_the_image_is_not_larger_than_the_readme_says() -> None:
    history = docker("history", "--human=false", "--format", "{{.Size}}", IMAGE).stdout.split()
    *above, _python = [int(size) for size in history if size != "0"]
    assert inspected()["Size"] < LARGEST
    assert MEGABYTE < sum(above) < LARGEST_ABOVE_PYTHON


def test_the_image_has_no_installer_no_compiler_and_no_node() -> None:
    names = {path.rpartition("/")[2] for path in inside(EVERY_PATH)}
    assert {"python3", "flask", "granian"} <= names, "it looked in the wrong place"
    unwanted = re.compile(
        r"(pip[0-9.]*|ensurepip|easy_install.*|uv|node|npm|npx|.*-gcc(-[0-9]+)?|g?cc|[gc]\+\+"
        r"|clang|as|ld|make|rustc|cargo|go|pip-.*\.whl)"
    )
    found = [
        path
        for path in inside(EVERY_PATH)
        if unwanted.fullmatch(path.rpartition("/")[2]) and not path.startswith("/usr/share/")
    ]
    assert found == []


def test_the_image_has_no_tests_and_nothing_of_the_other_engine() -> None:
    ours = [path for path in inside(EVERY_PATH) if path.startswith("/app/")]
    assert {"/app/engine_py/operations.py", "/app/LICENSE"} <= {*ours}
    assert [
        path for path in ours if re.search(r"test|bench|engine_ts|parity|Dockerfile", path)
    ] == []


def test_the_image_has_exactly_the_packages_of_the_lock() -> None:
    listed = "import json; from importlib.metadata import distributions\n"
    found = inside(f"{listed}print(json.dumps([package.name for package in distributions()]))")
    lock = (ROOT / "service/requirements.lock").read_text()
    locked = re.findall(r"^([a-z0-9-]+)==(?!.*; sys_platform == 'win32')", lock, re.MULTILINE)
    assert sorted(name.lower().replace("_", "-") for name in found) == locked


def test_the_image_has_no_setuid_files() -> None:
    program = """
import json, os, stat
found = [os.path.join(folder, name) for folder, _, files in os.walk("/") for name in files
    if not folder.startswith(("/proc", "/sys", "/dev"))
    and os.lstat(os.path.join(folder, name)).st_mode & (stat.S_ISUID | stat.S_ISGID)]
print(json.dumps(found))
"""
    assert inside(program) == []


def test_the_image_has_its_user_ports_and_labels() -> None:
    settings = inspected()["Config"]
    assert settings["User"] == "10001:10001"
    assert list(settings["ExposedPorts"]) == ["8000/tcp", "8001/tcp", "8002/tcp"]
    labels = settings["Labels"]
    assert labels["org.opencontainers.image.version"] == __version__
    assert labels["org.opencontainers.image.title"] == "gradient-service"
    assert labels["org.opencontainers.image.licenses"] == "MIT"
