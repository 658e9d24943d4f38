"""A release is refused where the changelog or the tag is not the version's."""

import re

import pytest
import yaml

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


def test_the_workflow_publishes_the_sandbox_and_the_page_of_engines() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    build, site = (workflow["jobs"][name] for name in ("build", "site"))
    runs = [step["run"] for step in build["steps"] if "run" in step]
    made = [target for run in runs if run.startswith("make ") for target in run.split()[1:]]
    makefile = (ROOT / "Makefile").read_text()
    assert {"page", "report-site"} <= set(made)
    assert all(f"\n{target}: " in makefile for target in ("page", "report-site"))
    [path] = [
        step["with"]["path"]
        for step in build["steps"]
        if step.get("uses", "").startswith("actions/upload-pages-artifact@")
    ]
    assert all(f"{path}/{name}" in runs[-1] for name in ("index.html", "engines"))
    assert (site["needs"], site["permissions"]["pages"]) == (["python", "npm"], "write")
