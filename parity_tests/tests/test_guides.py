"""The guides: their links and make targets exist, and their examples are valid."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from parity_tests.kit.cases import Case
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Worker
from parity_tests.packaging.owner import account

ACTION = ROOT / "parity_tests" / "action.yml"
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


def test_the_call_shown_to_porters_gives_the_action_what_it_needs() -> None:
    guide = (ROOT / "parity_tests" / "IMPLEMENTING.md").read_text()
    [shown] = re.findall(r"```yaml\n(on:.*?)```", guide, re.DOTALL)
    inputs: Any = yaml.safe_load(ACTION.read_text())["inputs"]
    *_, call = yaml.safe_load(shown)["jobs"]["parity"]["steps"]
    assert call["uses"].startswith(f"{account()}/gradient-service/parity_tests@")
    required = {name for name in inputs if inputs[name].get("required")}
    assert required <= set(call["with"]) <= set(inputs)


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
