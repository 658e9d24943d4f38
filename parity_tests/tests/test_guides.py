"""The guides: their links and make targets exist, and their examples are valid."""

import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine_py import draw, introspect
from parity_tests.kit.cases import Case
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Worker
from service.app import create_app
from service.tests.processes import started

GUIDES = [
    *("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md"),
    *("parity_tests/IMPLEMENTING.md", "schemas/OPERATIONS.md"),
    *("service/README.md", "service/deploy/README.md", "service/web/README.md"),
]


def test_every_link_of_a_guide_exists() -> None:
    for guide in GUIDES:
        file = ROOT / guide
        headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
        anchors = {
            "#" + re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in headings
        }
        for link in re.findall(r"\]\(([^)]+)\)", file.read_text()):
            known = link.startswith("https://") or link in anchors
            assert known or (file.parent / link.partition("#")[0]).exists(), (guide, link)


def test_every_make_target_of_a_guide_exists() -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for guide in GUIDES:
        text = (ROOT / guide).read_text()
        named = re.findall(r"`make ([a-z-]+)", text)
        named += re.findall(r"^make ([a-z-]+)$", text, re.MULTILINE)
        assert set(named) <= set(targets), guide


def test_the_fixture_shown_to_contributors_passes(
    workers: dict[str, Worker], validators: dict[str, Draft202012Validator]
) -> None:
    [shown] = re.findall(r"```json\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    fixture = json.loads(shown)
    validators["fixture"].validate([fixture])
    case = Case("contributing", source="hand derivation", limits=None, **fixture)
    for worker in workers.values():
        assert case.verdict(worker.run(*case.call)) is None


@pytest.mark.parametrize(
    ("subject", "date", "code"),
    [
        ("×" * 72, "2030-01-01T00:00Z", 0),
        ("×" * 73, "2030-01-01T00:00Z", 1),
        ("×" * 73, "2026-01-01T00:00Z", 0),  # before the rule
        (None, "", 0),  # no history
    ],
)
def test_the_first_line_of_a_new_commit_has_at_most_72_characters(
    tmp_path: Path, subject: str | None, date: str, code: int
) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "commits", tmp_path / ".ci")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    if subject:
        subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
        commit = [*git, "commit", "-q", "--allow-empty", f"--date={date}", "-m", subject, "-m", "."]
        subprocess.run(commit, cwd=tmp_path, check=True)
    checked = subprocess.run(
        [tmp_path / ".ci" / "commits"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == code
    assert (str(subject) in checked.stderr) == bool(code)


# Examples of the READMEs, run as they are written


README = (ROOT / "README.md").read_text()
SERVICE = (ROOT / "service" / "README.md").read_text()
BOTH = README + SERVICE
TUTORIAL = (ROOT / "parity_tests" / "TUTORIAL.md").read_text()
NPM = (ROOT / "engine_ts" / "README.md").read_text()

CURLS: list[tuple[str, str]] = re.findall(
    r"```sh\n(curl [^\n]*)\n```\n\n```json\n(.*?)```", BOTH + TUTORIAL, re.DOTALL
)
TYPESCRIPT: list[str] = re.findall(r"```ts\n(.*?)```", BOTH + NPM, re.DOTALL)
PYTHON: list[str] = re.findall(r"```python\n(import .*?)```", BOTH, re.DOTALL)
PROGRAMS: list[tuple[str, ...]] = re.findall(
    r"^\| `(.*?)` \| `(.*?)` \| (-?\d+) \| `(.*?)` \|", SERVICE, re.MULTILINE
)
SERVED = "http://127.0.0.1:8000"


def _answer(command: str) -> Any:
    """Send the request of a curl command line."""
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
    assert len(TYPESCRIPT) >= 4
    assert len(PYTHON) >= 1
    assert any(SERVED in source for source in TYPESCRIPT)
    assert any(SERVED in source for source in PYTHON)
    assert README.count(">>> ") >= 5
    assert len(PROGRAMS) >= 7


@pytest.mark.parametrize(("command", "printed"), CURLS)
def test_a_curl_prints_what_the_readme_shows(command: str, printed: str) -> None:
    assert _answer(command) == json.loads(printed)


def test_the_python_examples_print_what_the_readme_shows() -> None:
    failed, attempted = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert attempted >= 5
    assert failed == 0


@pytest.mark.parametrize("source", TYPESCRIPT)
def test_the_typescript_examples_print_what_the_readme_shows(
    source: str, address: str, tmp_path: Path
) -> None:
    install_engine(tmp_path)
    script = tmp_path / "example.ts"
    script.write_text(source.replace(SERVED, address))
    expected = re.findall(r"console\.log\(.*\); // (.*)", source)
    assert len(expected) >= 1
    assert printed_by(Path(sys.executable).parent / "node", script) == expected


@pytest.mark.parametrize("source", PYTHON)
def test_the_python_client_prints_what_the_readme_shows(
    source: str, address: str, tmp_path: Path
) -> None:
    script = tmp_path / "example.py"
    script.write_text(source.replace(SERVED, address))
    expected = re.findall(r"^print\(.*\)  # (.*)", source, re.MULTILINE)
    assert len(expected) >= 1
    assert printed_by(sys.executable, script) == expected


def test_the_typescript_examples_have_the_types_that_they_say(tmp_path: Path) -> None:
    install_engine(tmp_path)
    scripts = [tmp_path / f"example{number}.ts" for number in range(len(TYPESCRIPT))]
    for script, source in zip(scripts, TYPESCRIPT, strict=True):
        script.write_text(source)
    options = {
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
        "noEmit": True,
        "target": "esnext",
        "module": "nodenext",
        "moduleDetection": "force",  # no example has the names of another
        "lib": ["esnext", "dom"],
        "types": [],
    }
    config = {"compilerOptions": options, "files": [*map(str, scripts)]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    compiler = ROOT / "engine_ts" / "node_modules" / ".bin" / "tsc"
    checked = subprocess.run(
        [compiler, "-p", tmp_path], capture_output=True, text=True, check=False
    )
    assert checked.stdout == ""
    assert checked.returncode == 0


def install_engine(project: Path) -> None:
    """Make the link that `npm install .../engine_ts` would make."""
    built = ROOT / "engine_ts" / "dist" / "index.js"
    newest = max(file.stat().st_mtime for file in (ROOT / "engine_ts" / "src").glob("*.ts"))
    assert built.exists(), "engine_ts is not compiled: make setup"
    assert built.stat().st_mtime >= newest, "engine_ts/dist is older than its sources: make setup"
    (project / "package.json").write_text('{"type": "module"}')
    scope = project / "node_modules" / "@gradient-service"
    scope.mkdir(parents=True)
    (scope / "engine").symlink_to(ROOT / "engine_ts")


def printed_by(*argv: str | Path) -> list[str]:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(("program", "values", "result", "gradients"), PROGRAMS)
def test_a_program_has_the_result_of_its_row(
    program: str, values: str, result: str, gradients: str
) -> None:
    document = introspect(program, numbers(values))
    assert document["result"] == float(result)
    assert document["gradients"] == numbers(gradients)


def numbers(text: str) -> dict[str, float]:
    pairs = (pair.split("=") for pair in text.split(", "))
    return {name: float(number) for name, number in pairs}


def test_the_picture_is_drawn_from_the_first_example() -> None:
    document = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    drawn = (ROOT / ".github" / "graph.svg").read_text(encoding="utf-8")
    assert drawn == draw(document), "write draw(document) to .github/graph.svg"


def test_the_table_of_files_names_every_file_and_folder_of_the_engines() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text()
    [table] = re.findall(r"^\| file \|.*?All modules use.*?\.", guide, re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([a-z0-9_]+)/?`", table))
    files = (ROOT / "engine_ts" / "src").iterdir()
    assert named == {file.stem for file in files} - {"index"}


def test_the_first_command_prints_what_follows_it() -> None:
    [(command, shown)] = re.findall(
        r"```sh\n(?:git clone .*\n)python3 (.*)\n```\n\n```\n(.*?)```", README, re.DOTALL
    )
    assert printed_by(sys.executable, *shlex.split(command)) == shown.splitlines()


def test_every_command_of_the_lab_prints_what_follows_it() -> None:
    lab = (ROOT / "parity_tests/packaging/docs/pages/lab.md").read_text(encoding="utf-8")
    shown = re.findall(r"```sh\ngradient ([^\n]*)\n```\n\n```\n(.*?)```", lab, re.DOTALL)
    assert [command.split()[0] for command, _ in shown] == [
        *("experiment", "paths", "hessian", "descend", "accuracy")
    ]
    for command, printed in shown:
        argv = (sys.executable, "-m", "engine_py", *shlex.split(command))
        assert subprocess.run(argv, capture_output=True, text=True, check=False).stdout == printed


def test_the_readme_is_read_aloud_in_two_minutes() -> None:
    """At 180 words per minute, without code and the picture."""
    prose = re.sub(r"```.*?```|<picture>.*?</picture>|\]\(.*?\)", " ", README, flags=re.DOTALL)
    assert len(re.findall(r"\w[\w.'×-]*", prose)) <= 360


def test_every_path_in_the_readme_exists() -> None:
    paths = set(re.findall(r"`(?:GET |POST )?(/[a-z0-9/<>._]+)", BOTH))
    routes = {
        re.sub(r"<\w+:?\w*>", "<code>", str(rule)) for rule in create_app().url_map.iter_rules()
    }
    assert len(paths) >= 10
    assert paths <= routes


def test_the_readme_and_the_reference_name_every_route_of_the_api() -> None:
    routes = {str(rule) for rule in create_app().url_map.iter_rules()}
    of_the_api = {route for route in routes if route.startswith("/v1/")}
    assert len(of_the_api) >= 5
    assert {route for route in of_the_api if f"{route}`" not in SERVICE} == set()
