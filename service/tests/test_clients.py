"""Clients for Python and TypeScript that other tools generate from /openapi.json."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from service.tests.processes import ROOT, started

SOURCES = Path(__file__).parent / "clients"
INSTALLED = ROOT / "build" / "tools"
NODE = ROOT / ".venv" / "bin" / "node"

SUM = {"a": 10, "b": 10, "c": -1}
"""The gradients of (a + b) * c at 2, -3 and 10, derived by hand."""

README = (ROOT / "service" / "README.md").read_text()
[CALL] = re.findall(r"```typescript\n(.*?)```", README, re.DOTALL)

FOR_TYPESCRIPT = {
    "strict": True,
    "target": "esnext",
    "module": "esnext",
    "moduleResolution": "bundler",
    "lib": ["esnext", "dom", "dom.iterable"],
    "types": [],
    "allowImportingTsExtensions": True,
    "rewriteRelativeImportExtensions": True,
    "outDir": "js",
}
FOR_PYTHON = "post_hooks: []"  # the default runs ruff, but nobody reads the generated files

REFUSED = ("unexpected_token", {"start": 1, "end": 2})

pytestmark = pytest.mark.clients


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with started() as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, address: str) -> Path:
    """A folder to generate into, with the sources, the packages and the document."""
    assert INSTALLED.exists(), "the generator is not installed; run `make clients`"
    folder = tmp_path_factory.mktemp("clients")
    for source in SOURCES.iterdir():
        shutil.copy(source, folder)
    (folder / "node_modules").symlink_to(INSTALLED / "node_modules")
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": FOR_TYPESCRIPT}))
    (folder / "python_client.yaml").write_text(FOR_PYTHON)
    with urlopen(f"{address}/openapi.json") as reply:
        (folder / "openapi.json").write_bytes(reply.read())
    return folder


@pytest.fixture(scope="module")
def compiled(folder: Path, address: str) -> Path:
    """The folder, with the TypeScript client and the README's example compiled by tsc."""
    package(folder, "openapi-typescript", "openapi.json", "--output", "api.ts")
    (folder / "readme.ts").write_text(CALL.replace("http://127.0.0.1:8000", address))
    package(folder, "tsc")
    return folder


def run(*argv: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def node(folder: Path, script: str, *arguments: str | Path) -> str:
    return run(NODE, script, *arguments, cwd=folder)


def package(folder: Path, command: str, *arguments: str) -> None:
    """Run a command of a package, as npx would."""
    node(folder, str((folder / "node_modules" / ".bin" / command).resolve()), *arguments)


def read(line: str) -> tuple[str, Any]:
    """Split `line` into a code and the JSON after it."""
    code, _, text = line.partition(" ")
    return code, json.loads(text)


def test_the_openapi_typescript_client_compiles_and_works(compiled: Path, address: str) -> None:
    *sums, refused, item = node(compiled, "js/openapi_typescript.js", address).splitlines()
    assert [json.loads(line) for line in sums] == [SUM, SUM]
    assert (read(refused), json.loads(item)) == (REFUSED, {"a": 6})


def test_the_readme_example_compiles_and_prints_the_output_shown(compiled: Path) -> None:
    assert "http://127.0.0.1:8000" in CALL
    [shown] = re.findall(r"console\.log\(.*\); // (.*)", CALL)
    assert node(compiled, "js/readme.js") == f"{shown}\n"


def test_the_openapi_python_client_works(folder: Path, address: str) -> None:
    command = ("generate", "--path", "openapi.json", "--output-path", "gradient", "--meta", "none")
    options = ("--config", "python_client.yaml", "--fail-on-warning")
    run(sys.executable, "-m", "openapi_python_client", *command, *options, cwd=folder)
    lines = run(sys.executable, "python_client.py", address, cwd=folder).splitlines()
    posted, got, refused, first, second = lines
    assert [json.loads(line) for line in (posted, got, first)] == [SUM, SUM, SUM]
    assert (read(refused), second) == (REFUSED, REFUSED[0])
