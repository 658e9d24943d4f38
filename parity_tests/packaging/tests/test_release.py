"""`make release`: what it leaves, twice the same."""

import json
import re
from hashlib import sha256

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.release import FOLDER, SUMS, build_packages, builder, main

pytestmark = pytest.mark.packages

IMAGES = "images"
"""Made where a container builder runs."""
IMAGE = re.compile(r"gradient-(?:service|parity):(\S+) sha256:[0-9a-f]{64}")


@pytest.fixture(scope="module")
def released() -> dict[str, bytes]:
    assert main(["--trial", "--tag", f"v{__version__}"]) == 0
    return {file.name: file.read_bytes() for file in FOLDER.iterdir()}


def test_everything_is_there_in_one_version(released: dict[str, bytes]) -> None:
    assert released.keys() - {IMAGES} == {
        SUMS,
        f"gradient_engine-{__version__}-py3-none-any.whl",
        f"gradient_engine-{__version__}.tar.gz",
        f"gradient_parity-{__version__}-py3-none-any.whl",
        f"gradient-service-engine-{__version__}.tgz",
        f"gradient-service-engine-{__version__}.cdx.json",
        f"gradient-service-{__version__}.cdx.json",
    }


@pytest.mark.skipif(not builder(), reason="no container builder runs here")
def test_the_images_have_the_version(released: dict[str, bytes]) -> None:
    found = [IMAGE.fullmatch(line) for line in released[IMAGES].decode().split("\n")[:-1]]
    assert [match and match[1] for match in found] == [__version__] * 2


def test_the_checksums_are_those_of_the_files(released: dict[str, bytes]) -> None:
    lines = released[SUMS].decode().splitlines()
    stated = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = released.keys() - {SUMS}
    assert stated == {name: sha256(released[name]).hexdigest() for name in files}


def test_the_bill_of_materials_names_every_package_of_the_image(
    released: dict[str, bytes],
) -> None:
    bill = json.loads(released[f"gradient-service-{__version__}.cdx.json"])
    assert bill["bomFormat"] == "CycloneDX"
    lock = (ROOT / "service" / "requirements.lock").read_text()
    pinned = re.findall(r"^([\w-]+)==(\S+)", lock, re.MULTILINE)
    assert len(pinned) >= 8
    held = {(each["name"].lower(), each["version"]) for each in bill["components"]}
    assert {(name.replace("_", "-"), version) for name, version in held} == set(pinned)
    assert all(each["purl"].startswith("pkg:pypi/") for each in bill["components"])


def test_the_bill_of_the_npm_package_is_empty(released: dict[str, bytes]) -> None:
    bill = json.loads(released[f"gradient-service-engine-{__version__}.cdx.json"])
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["components"] == []
    assert bill["metadata"]["component"]["version"] == __version__


def test_a_second_build_gives_the_same_packages(released: dict[str, bytes]) -> None:
    build_packages()
    packages = [name for name in released if name.endswith((".whl", ".gz", ".tgz"))]
    assert len(packages) == 4
    assert {name: (FOLDER / name).read_bytes() for name in packages} == {
        name: released[name] for name in packages
    }
