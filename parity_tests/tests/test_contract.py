"""One command changes the contract's version everywhere, and no file states another one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.contract import CHANGELOG, main, rewritten, source_texts, stated_versions
from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import contract_version
from parity_tests.kit.engines import ROOT

NEXT = "97.98.99"
SOMEWHERE = re.compile(r"contract.*?(?<![\d.])(\d+\.\d+\.\d+)(?![\d.])", re.IGNORECASE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of every file that the command looks at."""
    for file, text in source_texts():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(text.encode())
    (tmp_path / CHANGELOG).write_text((ROOT / CHANGELOG).read_text())
    return tmp_path


def test_every_file_states_the_version_of_the_operations() -> None:
    found = {str(file): set(stated_versions(text)) for file, text in source_texts()}
    stated = {file: versions for file, versions in found.items() if versions}
    assert len(stated) >= 15
    assert {file for file, versions in stated.items() if versions != {contract_version()}} == set()


def test_no_line_about_the_contract_has_another_version() -> None:
    wrong = [
        f"{file}: {line.strip()[:100]}"
        for file, text in source_texts()
        for line in text.splitlines()
        if set(SOMEWHERE.findall(line)) - {contract_version()}
    ]
    assert wrong == []


def test_the_newest_section_of_the_changelog_is_the_version() -> None:
    first, *_ = re.findall(r"^## (.*)$", (ROOT / CHANGELOG).read_text(), re.MULTILINE)
    assert first == contract_version()


def test_the_command_leaves_the_old_version_nowhere(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([NEXT], copy) == 0
    old = re.compile(rf"(?<![\d.]){re.escape(contract_version())}(?![\d.])")
    # A package that a package.json asks for may have the same version.
    texts = [(file, text) for file, text in source_texts(copy) if file.name != "package.json"]
    assert [str(file) for file, text in texts if old.search(text)] == []
    printed = capsys.readouterr().out
    assert "engine_py/document.py\n" in printed
    assert "engine_ts/src/document.ts\n" in printed
    assert f"Write what changed under `## {NEXT}` in schemas/CHANGELOG.md." in printed
    assert (copy / CHANGELOG).read_text() == (ROOT / CHANGELOG).read_text()


def test_both_engines_of_another_version_agree_with_the_same_fixtures(copy: Path) -> None:
    """The digests change with the version; the kit computes those that the fixtures expect."""
    assert main([NEXT], copy) == 0
    command = [sys.executable, "-m", "parity_tests", "--validate", "--filter", "canonical"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    canonical = sum(case.topic == "canonical" for case in load_cases())
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"engine_ts: {canonical} passed, of {canonical}" in done.stdout


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


@pytest.mark.parametrize("version", ["1.2", "v9.9.9", "0.9.9", contract_version()])
def test_a_version_that_is_none_or_not_above_is_refused(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([version]) == 2
    assert f"{version} is not a version above {contract_version()}" in capsys.readouterr().err


def test_nothing_changes_but_versions() -> None:
    changed = rewritten(NEXT)
    for file, text in source_texts():
        if file in changed:
            pairs = zip(text.splitlines(), changed[file].splitlines(), strict=True)
            for before, after in pairs:
                assert before == after or NEXT in after


def test_no_fixture_changes_with_the_version() -> None:
    assert [file for file in rewritten(NEXT) if "fixtures" in file.parts] == []
