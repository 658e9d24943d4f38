"""A release is refused where the changelog or the tag is not the version's."""

import re

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.release import (
    NotReadyError,
    main,
    refuse_other_changelog,
    refuse_other_tag,
)

HEAD = "# Changes\n\nIn this order.\n\n"


@pytest.mark.parametrize(
    "changelog",
    [
        "## 1.2.3\n\n- It is mended.\n\n## 1.2.2\n\n- It is there.\n",
        "## Unreleased\n\n## 1.2.3\n\n- It is mended.\n",
    ],
)
def test_a_changelog_that_begins_with_the_version_is_ready(changelog: str) -> None:
    refuse_other_changelog(HEAD + changelog, "1.2.3")


@pytest.mark.parametrize(
    ("changelog", "found"),
    [
        ("## Unreleased\n\n- It is mended.\n\n## 1.2.3\n\n- It is there.\n", "begins with Unrel"),
        ("## 1.2.2\n\n- It is there.\n", "begins with 1.2.2"),
        ("## 1.2.3\n\n## 1.2.2\n\n- It is there.\n", "begins with 1.2.2"),
        ("", "has no part"),
    ],
)
def test_a_changelog_without_the_version_stops_a_release(changelog: str, found: str) -> None:
    with pytest.raises(NotReadyError, match=f"{found}.*write under `## 1.2.3`"):
        refuse_other_changelog(HEAD + changelog, "1.2.3")


def test_a_tag_names_the_version() -> None:
    refuse_other_tag(None, "1.2.3")
    refuse_other_tag("v1.2.3", "1.2.3")
    for tag in ("v1.2.4", "1.2.3", ""):
        with pytest.raises(NotReadyError, match=r"is not v1\.2\.3"):
            refuse_other_tag(tag, "1.2.3")


def test_the_command_stops_before_it_builds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--trial", "--tag", "v0.0.0"]) == 1
    assert f"the tag v0.0.0 is not v{__version__}" in capsys.readouterr().err


def test_the_workflow_publishes_for_a_tag_alone_and_builds_as_everyone_can() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    [switch] = re.findall(r"^on:\n(.*?)^\S", workflow, re.MULTILINE | re.DOTALL)
    assert switch.split() == ["push:", "tags:", "[v*]"]
    assert "make release ARGS=\"--tag '$GITHUB_REF_NAME'\"" in workflow
