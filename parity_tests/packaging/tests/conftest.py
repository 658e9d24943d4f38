"""What is published, built once."""

from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import build


@pytest.fixture(scope="session")
def engine_packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive of `gradient-engine` and the wheel built from that."""
    folder = tmp_path_factory.mktemp("engine")
    build(ROOT, folder)
    return folder


@pytest.fixture(scope="session")
def engine_wheel(engine_packages: Path) -> Path:
    [wheel] = engine_packages.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def engine_archive(engine_packages: Path) -> Path:
    [archive] = engine_packages.glob("*.tar.gz")
    return archive


@pytest.fixture(scope="session")
def kit_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of `gradient-parity`."""
    folder = tmp_path_factory.mktemp("kit")
    build(ROOT / "parity_tests" / "packaging", folder, "--wheel")
    [wheel] = folder.glob("*.whl")
    return wheel
