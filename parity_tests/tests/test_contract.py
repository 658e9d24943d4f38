"""All files state one contract version, one command changes it, and cases have versions."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from parity_tests.contract import CHANGELOG, main, rewritten, source_texts, stated_versions
from parity_tests.kit import contract
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.contract import contract_version
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.runner import run_cases
from parity_tests.tests.conftest import write_proxy

NOW = contract_version()
NEXT = "97.98.99"
SOMEWHERE = re.compile(r"contract.*?(?<![\d.])(\d+\.\d+\.\d+)(?![\d.])", re.IGNORECASE)


def test_no_line_about_the_contract_has_another_version() -> None:
    stated: dict[str, set[str]] = {}
    for file, text in source_texts():
        lines = [version for line in text.splitlines() for version in SOMEWHERE.findall(line)]
        found = {*stated_versions(text), *lines}
        if found:
            stated[str(file)] = found
    assert len(stated) >= 15
    assert {file: versions for file, versions in stated.items() if versions != {NOW}} == {}


def test_the_newest_section_of_the_changelog_is_the_version() -> None:
    first, *_ = re.findall(r"^## (.*)$", (ROOT / CHANGELOG).read_text(), re.MULTILINE)
    assert first == NOW


def test_the_command_changes_the_version_everywhere_and_both_engines_agree_as_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The digests change with the version; the kit computes the expected ones."""
    for file, text in [*source_texts(), (CHANGELOG, (ROOT / CHANGELOG).read_text())]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(text.encode())
    assert main([NEXT], tmp_path) == 0
    old = re.compile(rf"(?<![\d.]){re.escape(NOW)}(?![\d.])")
    # A package that a package.json asks for may have the same version.
    texts = [(file, text) for file, text in source_texts(tmp_path) if file.name != "package.json"]
    assert [str(file) for file, text in texts if old.search(text)] == []
    assert f"Write what changed under `## {NEXT}` in {CHANGELOG}." in capsys.readouterr().out
    assert (tmp_path / CHANGELOG).read_text() == (ROOT / CHANGELOG).read_text()
    command = [sys.executable, "-m", "parity_tests", "--validate", "--filter", "canonical"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_version_changes_and_no_fixture() -> None:
    changed = rewritten(NEXT)
    assert [file for file in changed if "fixtures" in file.parts] == []
    for file, text in source_texts():
        if file in changed:
            pairs = zip(text.splitlines(), changed[file].splitlines(), strict=True)
            assert all(before == after or NEXT in after for before, after in pairs), file


@pytest.mark.parametrize(
    "line",
    [
        '"contract": "#"',
        r"{\"contract\":\"#\"}",
        "contract: '#',",
        'CONTRACT = "#"',
        'pub const CONTRACT: &str = "#";',
        "response['contract'] = '#'",
        '"contract": {\n      "description": "Which.",\n      "const": "#"\n    }',
        "Contract version: **#**. A change",
    ],
)
def test_a_version_is_found_however_it_is_stated(line: str) -> None:
    assert stated_versions(line.replace("#", NEXT)) == [NEXT]


@pytest.mark.parametrize("line", ['"version": "#"', "contract #", "contracts, flask==#"])
def test_the_version_of_something_else_is_left_alone(line: str) -> None:
    assert stated_versions(line.replace("#", NEXT)) == []


@pytest.mark.parametrize("version", ["1.2", "v9.9.9", "0.9.9"])
def test_an_invalid_or_lower_version_is_refused(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([version]) == 2
    assert f"{version} is not {NOW} or a version above" in capsys.readouterr().err


# A case applies to the versions in which its rule holds, and a version alone changes no case

ENGINE = load_engines()["engine_py"]
CASES = load_cases()
FIRST, SECOND, THIRD, *_ = (case for case in CASES if case.topic == "sharing")
VERSIONED = [FIRST, SECOND._replace(since="97.1"), THIRD._replace(until=NOW.rpartition(".")[0])]

OF_NEXT = f"""
from hashlib import sha256
response = json.loads(json.dumps(response).replace({NOW!r}, {NEXT!r}))
result = response.get("result")
if isinstance(result, dict) and "digest" in result:
    result["digest"] = sha256(result["text"].encode()).hexdigest()
"""


@pytest.fixture
def moved_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit of the next version."""
    monkeypatch.setattr(contract, "contract_version", lambda: NEXT)


def asked(engine: Engine, cases: Sequence[Case]) -> list[str]:
    """Run cases, which the engine must pass; return the names of those that it got."""
    results = list(run_cases([engine], list(cases), ENGINE))
    assert {result.status for result in results} == {"passed"}, results
    return [result.case.name for result in results]


@pytest.mark.usefixtures("moved_on")
def test_an_engine_gets_the_cases_of_its_own_version_or_of_a_given_one() -> None:
    assert asked(ENGINE, VERSIONED) == [FIRST.name, THIRD.name]
    assert asked(ENGINE._replace(contract="97.1"), VERSIONED) == [FIRST.name, SECOND.name]


@pytest.mark.usefixtures("moved_on")
def test_a_version_alone_changes_no_case(tmp_path: Path) -> None:
    """The engine states another version than the model, and must agree with its whole responses."""
    [engine] = load_engines(Path(write_proxy(tmp_path, OF_NEXT))).values()
    topics = ("canonical", "lessons", "outline", "hessian")
    cases = [case for case in CASES if case.topic in topics]
    assert asked(engine, cases) == [case.name for case in cases]


def test_a_document_with_another_version_than_the_engine_states_fails() -> None:
    [case] = [case for case in CASES if "contract" in case.expect.get("document", {})]
    assert "at /contract" in (case.verdict({"kind": "result", "result": {"contract": "1"}}) or "")
