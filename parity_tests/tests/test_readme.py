"""The README's examples, run as they are written."""

import doctest
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service import create_app
from service.tests.processes import started

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()

CURLS: list[tuple[str, str]] = re.findall(
    r"```sh\n(curl [^\n]*)\n```\n\n```json\n(.*?)```", README, re.DOTALL
)
TYPESCRIPT: list[str] = re.findall(r"```ts\n(.*?)```", README, re.DOTALL)
PYTHON: list[str] = re.findall(r"```python\n(import .*?)```", README, re.DOTALL)
SERVED = "http://127.0.0.1:8000"


def _answer(command: str) -> Any:
    """Send what a curl command line would send."""
    words = shlex.split(command)
    [url] = [word for word in words if word.startswith("localhost:8000/")]
    rest = words[words.index(url) + 1 :]
    options = dict(zip(rest[::2], rest[1::2], strict=True))
    name, content_type = options["-H"].split(": ")
    response = (
        create_app()
        .test_client()
        .post(url.removeprefix("localhost:8000"), data=options["-d"], headers={name: content_type})
    )
    return response.get_json(force=True)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A running service, for the clients."""
    with started() as server:
        yield f"http://127.0.0.1:{server.port}"


def test_there_are_examples_of_every_kind() -> None:
    assert len(CURLS) >= 2
    assert len(TYPESCRIPT) >= 2
    assert len(PYTHON) >= 1
    assert any(SERVED in source for source in TYPESCRIPT)
    assert any(SERVED in source for source in PYTHON)
    assert README.count(">>> ") >= 8


@pytest.mark.parametrize(("command", "printed"), CURLS)
def test_a_curl_prints_what_the_readme_shows(command: str, printed: str) -> None:
    assert _answer(command) == json.loads(printed)


def test_the_python_examples_print_what_the_readme_shows() -> None:
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted >= 8
    assert failed == 0


@pytest.mark.parametrize("source", TYPESCRIPT)
def test_the_typescript_examples_print_what_the_readme_shows(
    source: str, address: str, tmp_path: Path
) -> None:
    index = (ROOT / "engine_ts" / "src" / "index.ts").as_uri()
    script = tmp_path / "example.ts"
    script.write_text(source.replace("@gradient-service/engine", index).replace(SERVED, address))
    expected = re.findall(r"console\.log\(.*\); // (.*)", source)
    assert len(expected) >= 1
    assert printed_by("node", script) == expected


@pytest.mark.parametrize("source", PYTHON)
def test_the_python_client_prints_what_the_readme_shows(
    source: str, address: str, tmp_path: Path
) -> None:
    script = tmp_path / "example.py"
    script.write_text(source.replace(SERVED, address))
    expected = re.findall(r"^print\(.*\)  # (.*)", source, re.MULTILINE)
    assert len(expected) >= 1
    assert printed_by(sys.executable, script) == expected


@pytest.mark.parametrize("source", TYPESCRIPT)
def test_the_typescript_examples_have_the_types_that_they_say(source: str, tmp_path: Path) -> None:
    index = ROOT / "engine_ts" / "src" / "index.ts"
    script = tmp_path / "example.ts"
    script.write_text(source.replace("@gradient-service/engine", str(index)))
    options = {
        "strict": True,
        "noEmit": True,
        "target": "esnext",
        "module": "nodenext",
        "lib": ["esnext", "dom"],
        "types": [],
        "skipLibCheck": True,
        "allowImportingTsExtensions": True,
    }
    config = {"compilerOptions": options, "files": [str(script)]}
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    compiler = ROOT / "engine_ts" / "node_modules" / ".bin" / "tsc"
    checked = subprocess.run(
        [compiler, "-p", tmp_path], capture_output=True, text=True, check=False
    )
    assert checked.stdout == ""
    assert checked.returncode == 0


def printed_by(*argv: str | Path) -> list[str]:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_every_make_target_in_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"`make ([a-z-]+)", README)) | set(
        re.findall(r"^make ([a-z-]+)$", README, re.MULTILINE)
    )
    assert len(targets) >= 8
    for target in targets:
        assert re.search(rf"^{target}:.*##", makefile, re.MULTILINE), target


def test_every_link_in_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) >= 3
    headings = re.findall(r"^#+ (.*)$", README, re.MULTILINE)
    anchors = {f"#{heading.lower().replace(' ', '-')}" for heading in headings}
    for link in links:
        assert link in anchors or (ROOT / link).exists(), link


def test_every_environment_variable_is_in_the_readme_and_in_the_configuration() -> None:
    read = set(
        re.findall(r'"(GRADIENT_[A-Z_]+|PORT)"', (ROOT / "service" / "config.py").read_text())
    )
    told = set(re.findall(r"`(GRADIENT_[A-Z_]+|PORT)`", README))
    assert told == read


def test_every_path_in_the_readme_leads_somewhere() -> None:
    paths = set(re.findall(r"`(?:GET |POST )?(/[a-z0-9/<>._]+)", README))
    routes = {
        re.sub(r"<\w+:?\w*>", "<code>", str(rule)) for rule in create_app().url_map.iter_rules()
    }
    assert len(paths) >= 10
    assert paths <= routes | {"/tmp"}  # the container's own


def test_the_readme_and_the_reference_name_every_route_of_the_api() -> None:
    routes = {str(rule) for rule in create_app().url_map.iter_rules()}
    of_the_api = {route for route in routes if route.startswith("/v1/")}
    assert len(of_the_api) >= 5
    assert all(route in README for route in of_the_api)
