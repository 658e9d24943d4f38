"""What is published: its version, its metadata, and a wheel that holds all that serves."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from parity_tests.kit.engines import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
SHIPPED = ("engine_py", "schemas", "service")
NOT_SHIPPED = {"tests", "attack", "bench", "deploy", "examples", "__pycache__"}
SERVE = """
from service import Config, create_app
client = create_app(Config(log_requests=False)).test_client()
reply = client.post("/v1/gradient", json={"expression": "a * a", "values": {"a": 3}})
print(reply.get_json()["gradients"])
for path in ("/docs", "/openapi.json", "/problems/domain_error", "/v1/operations", "/v1/examples"):
    print(client.get(path).status_code)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a package is built from. A copy, because a build leaves files behind."""
    folder = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in SHIPPED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def installed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet")
    offline = ("--no-build-isolation", "--no-deps", "--no-index")
    run(*pip, *offline, "--wheel-dir", folder, source)
    [wheel] = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pyroma(folder: Path) -> subprocess.CompletedProcess[str]:
    tool = Path(sys.executable).parent / "pyroma"
    return subprocess.run(
        [tool, "--min", "9", str(folder)], capture_output=True, text=True, check=False
    )


def test_every_file_that_states_the_version_states_the_same() -> None:
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    lock = json.loads((ROOT / "engine_ts" / "package-lock.json").read_text())
    stated = {
        "package.json": package["version"],
        "package-lock.json": lock["version"],
        "Dockerfile": found(r"^ARG VERSION=(\S+)$", "service/Dockerfile"),
        "Kubernetes": found(r"newTag: (\S+)$", "service/deploy/kubernetes/kustomization.yaml"),
    }
    assert stated == dict.fromkeys(stated, PROJECT["version"])


def test_the_version_has_its_part_in_the_changelog() -> None:
    assert found(r"^## (\d\S*)", "CHANGELOG.md") == PROJECT["version"]


def found(pattern: str, file: str) -> str:
    match = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert match, f"{file} states no version"
    return match[1]


def test_both_packages_name_the_license() -> None:
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    assert PROJECT["license"] == package["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text().startswith("MIT License\n")


def test_every_python_of_the_classifiers_is_supported() -> None:
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert found(r"^OLDEST=(\d+)", ".ci/pythons") == versions[0].removeprefix("3.")


def test_the_metadata_is_complete(source: Path) -> None:
    rated = pyroma(source)
    assert rated.returncode == 0, rated.stdout


def test_incomplete_metadata_would_be_found(source: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(source, tmp_path / "copy")
    text = (copy / "pyproject.toml").read_text()
    (copy / "pyproject.toml").write_text(
        re.sub(r"^classifiers = \[.*?^\]", "", text, flags=re.MULTILINE | re.DOTALL)
    )
    assert "classifier" in pyroma(copy).stdout
    assert pyroma(copy).returncode != 0


def test_the_wheel_holds_what_serves_and_no_tests(installed: Path) -> None:
    expected = {
        file.relative_to(ROOT)
        for name in SHIPPED
        for file in (ROOT / name).rglob("*.py")
        if NOT_SHIPPED.isdisjoint(file.relative_to(ROOT).parts)
    }
    assert len(expected) >= 40
    assert {file.relative_to(installed) for file in installed.rglob("*.py")} == expected


def test_the_wheel_serves(installed: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(installed)!r})\n{SERVE}"
    printed = run(sys.executable, "-I", "-c", code, cwd=installed.parent)
    assert printed.split("\n") == ["{'a': 6.0}", *["200"] * 5, ""]


def test_the_npm_package_runs_from_its_archive(tmp_path: Path) -> None:
    engine = tmp_path / "engine_ts"
    unwanted = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(ROOT / "engine_ts", engine, ignore=unwanted)
    (engine / "node_modules").symlink_to(ROOT / "engine_ts" / "node_modules")
    shutil.copy(ROOT / "LICENSE", tmp_path)
    node = Path(sys.executable).parent / "node"
    npm = [str(node), str(node.with_name("npm")), "--offline", "--loglevel=error"]
    path = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"}
    packed = subprocess.run([*npm, "pack"], cwd=engine, env=path, capture_output=True, check=False)
    assert packed.returncode == 0, packed.stderr
    [archive] = engine.glob("*.tgz")
    run("tar", "-xzf", archive, "-C", tmp_path)
    package = tmp_path / "node_modules" / "@gradient-service" / "engine"
    package.parent.mkdir(parents=True)
    (tmp_path / "package").rename(package)
    assert (package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert not (package / "test").exists()
    (tmp_path / "use.mjs").write_text(
        'import { introspect } from "@gradient-service/engine";'
        'console.log(introspect("a * a", { a: 3 }).gradients.a);'
    )
    assert run(node, "--no-strip-types", "use.mjs", cwd=tmp_path) == "6\n"
