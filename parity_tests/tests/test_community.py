"""The files that GitHub, git and contributors read: well-formed, and true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from parity_tests.kit.cases import Case
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Worker

TOOLS = Path(sys.executable).parent
GITHUB = ROOT / ".github"
ACTION = ROOT / "parity_tests" / "action.yml"
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "parity_tests/IMPLEMENTING.md",
    "schemas/OPERATIONS.md",
    "service/README.md",
    "service/deploy/README.md",
]


def check(schema: str, file: Path) -> subprocess.CompletedProcess[str]:
    command = [str(TOOLS / "check-jsonschema"), "--builtin-schema", f"vendor.{schema}", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(file: Path) -> Any:
    # As in YAML 1.2, `on` is a word; PyYAML reads it as true.
    return yaml.safe_load(re.sub("^on:", "'on':", file.read_text(), flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-workflows", "workflows/ci.yml"),
        ("github-workflows", "workflows/release.yml"),
        ("github-actions", "../parity_tests/action.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/fault.yml"),
        ("github-issue-forms", "ISSUE_TEMPLATE/proposal.yml"),
        ("github-issue-config", "ISSUE_TEMPLATE/config.yml"),
    ],
)
def test_github_can_read_its_files(schema: str, file: str) -> None:
    checked = check(schema, GITHUB / file)
    assert checked.returncode == 0, checked.stdout


def test_a_misspelled_workflow_would_be_found(tmp_path: Path) -> None:
    text = (GITHUB / "workflows" / "ci.yml").read_text().replace("runs-on:", "run-on:")
    (tmp_path / "ci.yml").write_text(text)
    assert check("github-workflows", tmp_path / "ci.yml").returncode == 1


def test_the_workflow_runs_what_everyone_can_run() -> None:
    steps = read(GITHUB / "workflows" / "ci.yml")["jobs"]["test"]["steps"]
    assert ".ci/run ${{ matrix.step }}" in [step.get("run") for step in steps]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_the_call_shown_to_others_gives_the_action_what_it_needs(tmp_path: Path) -> None:
    guide = (ROOT / "parity_tests" / "IMPLEMENTING.md").read_text()
    [shown] = re.findall(r"```yaml\n(on:.*?)```", guide, re.DOTALL)
    (tmp_path / "parity.yml").write_text(shown)
    assert check("github-workflows", tmp_path / "parity.yml").returncode == 0
    inputs = read(ACTION)["inputs"]
    *_, call = read(tmp_path / "parity.yml")["jobs"]["parity"]["steps"]
    assert call["uses"].startswith("OWNER/gradient-service/parity_tests@")
    assert {name for name in inputs if inputs[name].get("required")} <= set(call["with"])
    assert set(call["with"]) <= set(inputs)


def test_gitlab_can_read_the_job_shown_to_others(tmp_path: Path) -> None:
    guide = (ROOT / "parity_tests" / "IMPLEMENTING.md").read_text()
    [shown] = re.findall(r"```yaml\n(parity:.*?)```", guide, re.DOTALL)
    (tmp_path / ".gitlab-ci.yml").write_text(shown)
    assert check("gitlab-ci", tmp_path / ".gitlab-ci.yml").returncode == 0
    (tmp_path / ".gitlab-ci.yml").write_text(shown.replace("junit:", "junjt:"))
    assert check("gitlab-ci", tmp_path / ".gitlab-ci.yml").returncode == 1


def test_the_hooks_are_the_checks_of_make_lint() -> None:
    config = ROOT / ".pre-commit-config.yaml"
    checked = subprocess.run([TOOLS / "pre-commit", "validate-config", config], check=False)
    assert checked.returncode == 0
    lint = re.findall(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    [repository] = read(config)["repos"]
    names = [hook["name"] for hook in repository["hooks"]]
    assert names == [
        "ruff check",
        "ruff format",
        "mypy",
        "prettier and tsc",
        "prettier and tsc, the page",
    ]
    assert len(lint[0].splitlines()) == len(names)


@pytest.mark.parametrize("engine", ["engine_py", "engine_ts"])
def test_the_fixture_shown_to_contributors_is_a_fixture(
    engine: str, workers: dict[str, Worker], validators: dict[str, Draft202012Validator]
) -> None:
    [shown] = re.findall(r"```json\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    fixture = json.loads(shown)
    validators["fixture"].validate([fixture])
    case = Case("contributing", source="hand derivation", limits=None, **fixture)
    assert case.verdict(workers[engine].run(*case.call)) is None


@pytest.mark.parametrize("guide", GUIDES)
def test_every_link_of_a_guide_leads_somewhere(guide: str) -> None:
    file = ROOT / guide
    headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
    anchors = {
        "#" + re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-") for title in headings
    }
    for link in re.findall(r"\]\(([^)]+)\)", file.read_text()):
        known = link.startswith("https://") or link in anchors
        assert known or (file.parent / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("guide", GUIDES)
def test_no_guide_holds_the_marks_of_a_conflict(guide: str) -> None:
    text = (ROOT / guide).read_text()
    assert not re.search(r"^(<{7}|={7}|>{7})( |$)", text, re.MULTILINE)


def test_every_make_target_of_a_guide_exists() -> None:
    targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for guide in GUIDES:
        text = (ROOT / guide).read_text()
        named = re.findall(r"`make ([a-z-]+)", text)
        named += re.findall(r"^make ([a-z-]+)$", text, re.MULTILINE)
        assert set(named) <= set(targets), guide
