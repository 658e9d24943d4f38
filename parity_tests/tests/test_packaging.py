"""What is published, as far as it is seen without building: versions, licenses, links.

parity_tests/packaging has the tests that build and install.
"""

import doctest
import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.tests.imports import imported_modules

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
READMES = {
    "gradient-parity": "parity_tests/packaging/README.md",
    "gradient-engine": "engine_py/README.md",
    "@gradient-service/engine": "engine_ts/README.md",
}
IN_THE_REPOSITORY = "https://github.com/OWNER/gradient-service/blob/main/"


def test_every_file_that_states_the_version_states_the_same() -> None:
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    lock = json.loads((ROOT / "engine_ts" / "package-lock.json").read_text())
    stated = {
        "package.json": package["version"],
        "package-lock.json": lock["version"],
        "the kit needs": found(
            r'"gradient-engine==(\S+)"', "parity_tests/packaging/pyproject.toml"
        ),
        "the action in the guide": found(r"parity_tests@v(\S+)$", "parity_tests/IMPLEMENTING.md"),
        "the kit in the guide": found(r"gradient-parity==(\S+)$", "parity_tests/IMPLEMENTING.md"),
        "the kit's action": found(r"parity_tests@v(\S+)$", "parity_tests/packaging/README.md"),
        "the kit's command": found(r"parity==(\S+) --engines", "parity_tests/packaging/README.md"),
        "Dockerfile": found(r"^ARG VERSION=(\S+)$", "service/Dockerfile"),
        "Kubernetes": found(r"newTag: (\S+)$", "service/deploy/kubernetes/kustomization.yaml"),
    }
    assert stated == dict.fromkeys(stated, __version__)


def test_the_version_has_its_part_in_the_changelog() -> None:
    assert found(r"^## (\d\S*)", "CHANGELOG.md") == __version__


def found(pattern: str, file: str) -> str:
    match = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert match, f"{file} states no version"
    return match[1]


def test_the_kit_needs_nothing_but_what_its_extra_installs() -> None:
    project = tomllib.loads((ROOT / "parity_tests/packaging/pyproject.toml").read_text())["project"]
    extra = {re.split(r"[^\w-]", each)[0] for each in project["optional-dependencies"]["validate"]}
    imported = {
        name.split(".")[0]
        for file in (ROOT / "parity_tests" / "kit").glob("*.py")
        for name in imported_modules(file.read_text())
    }
    others = imported - sys.stdlib_module_names - {"parity_tests"}
    providers = {packages_distributions()[name][0].replace("_", "-") for name in others}
    brought_along = {"referencing"}  # by jsonschema
    assert providers - brought_along == extra


def test_the_kit_carries_the_fuzzer_but_for_what_needs_the_oracle() -> None:
    listed = (ROOT / "parity_tests/packaging/pyproject.toml").read_text()
    carried = set(re.findall(r'^"\.\./fuzz/(\w+)\.py"', listed, re.MULTILINE))
    files = {file.stem for file in (ROOT / "parity_tests" / "fuzz").glob("*.py")}
    assert files - carried == {"found"}


def test_both_packages_name_the_license() -> None:
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    assert PROJECT["license"] == package["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License\n")


def test_every_python_of_the_classifiers_is_supported() -> None:
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert found(r"^OLDEST=(\d+)", ".ci/pythons") == versions[0].removeprefix("3.")


@pytest.mark.parametrize("package", READMES)
def test_the_links_of_a_package_lead_out_of_it(package: str) -> None:
    """They are read on a registry's page, where a path of the repository leads nowhere."""
    text = (ROOT / READMES[package]).read_text()
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 2
    assert f"# {package}" in text
    for link in links:
        assert link.startswith("https://"), link
        if link.startswith(IN_THE_REPOSITORY):
            assert (ROOT / link.removeprefix(IN_THE_REPOSITORY)).exists(), link


def test_the_readme_of_the_python_package_prints_what_it_shows() -> None:
    failed, attempted = doctest.testfile(
        str(ROOT / READMES["gradient-engine"]), module_relative=False
    )
    assert (failed, attempted >= 6) == (0, True)


@pytest.mark.parametrize("file", ["pyproject.toml", "parity_tests/packaging/pyproject.toml"])
def test_every_python_that_is_tested_is_declared(file: str) -> None:
    ci = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    tested = re.findall(r"^ +(3\.\d+)$", ci, re.MULTILINE)
    declared = tomllib.loads((ROOT / file).read_text())["project"]["classifiers"]
    assert len(tested) >= 2
    assert {f"Programming Language :: Python :: {version}" for version in tested} == {
        each for each in declared if "Python :: 3." in each
    }
