"""The placeholder for the account that hosts the repository: replaced at once, never published."""

import subprocess
from pathlib import Path

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging import release
from parity_tests.packaging.owner import main, placeholders

LINK = '"https://github.com/OWNER/gradient-service/issues" OWNER@users.noreply.github.com\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a link to the placeholder, and a word that only looks like one."""
    (tmp_path / "links.toml").write_text(LINK)
    (tmp_path / "prose.md").write_text("The OWNER of a HOMEOWNER/gradient-service.\n")
    subprocess.run(("git", "init", "--quiet", tmp_path), check=True)
    subprocess.run(("git", "-C", tmp_path, "add", "."), check=True)
    return tmp_path


def test_one_command_replaces_it_everywhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [file.name for file, _ in placeholders(folder)] == ["links.toml"]
    assert main(["ada-l"], folder) == 0
    assert capsys.readouterr().out == "links.toml\n"
    assert (folder / "links.toml").read_text() == LINK.replace("OWNER", "ada-l")
    assert (folder / "prose.md").read_text().startswith("The OWNER of a HOMEOWNER/")
    assert [*placeholders(folder)] == []


@pytest.mark.parametrize("account", ["", "-a", "a/b", "a b", "a" * 40])
def test_what_is_no_account_is_refused(folder: Path, account: str) -> None:
    assert main(["--", account], folder) == 2
    assert (folder / "links.toml").read_text() == LINK


def test_every_link_of_this_repository_is_found() -> None:
    """Where an account is named, none is left; before that, each package has some."""
    found = {str(file.relative_to(ROOT)) for file, _ in placeholders()}
    packages = {"pyproject.toml", "engine_ts/package.json", "parity_tests/packaging/pyproject.toml"}
    assert not found or packages <= found


def test_a_release_with_a_tag_stops_at_the_placeholder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    built: list[str] = []
    steps = ("build_packages", "write_sboms", "build_images", "write_sums")
    for step in steps:
        monkeypatch.setattr(release, step, lambda step=step: built.append(step))
    monkeypatch.setattr(release, "refuse_other_changelog", lambda *_: None)
    monkeypatch.setattr(release, "FOLDER", ROOT / "build" / "release-of-nothing")
    monkeypatch.setattr(release, "placeholders", lambda _: [(ROOT / "pyproject.toml", LINK)])
    tag = ["--tag", f"v{__version__}"]
    assert release.main(tag) == 1
    assert "pyproject.toml still have the placeholder OWNER; run" in capsys.readouterr().err
    assert built == []
    assert release.main([]) == release.main(["--trial", *tag]) == 0
    monkeypatch.setattr(release, "placeholders", lambda _: [])
    assert release.main(tag) == 0
    assert built == [*steps] * 3
