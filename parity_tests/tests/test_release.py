"""Checks of a release that need no build: versions, links, and the errors that stop it.

parity_tests/packaging has the tests that build and install.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging import problem_types, release
from parity_tests.packaging.cases import write_cases
from parity_tests.packaging.owner import account, outdated
from parity_tests.packaging.owner import main as name_owner
from parity_tests.packaging.release import (
    NotReadyError,
    refuse_other_account,
    refuse_other_changelog,
    refuse_other_tag,
)

READMES = {
    "gradient-parity": "parity_tests/packaging/README.md",
    "gradient-engine": "engine_py/README.md",
    "@gradient-service/engine": "engine_ts/README.md",
}
IN_THE_REPOSITORY = f"https://github.com/{account()}/gradient-service/blob/main/"
URLS = '[project.urls]\nRepository = "https://github.com/{0}/gradient-service"\n'
MENTIONS = (
    "https://github.com/{0}/gradient-service/issues {0}@users.noreply.github.com\n"
    "https://{0}.github.io/gradient-service/\n"
    "- uses: {0}/gradient-service/parity_tests@v1 of a HOMEOWNER in ../gradient-service\n"
)


MINE = """
import json

from engine_py.protocol.worker import answer as respond


def answer(command, request, limits):
    message = {{"kind": "run", "sequence": 0, "command": command, "request": request}}
    line = json.dumps(message | ({{"limits": limits}} if limits else {{}}))
    response = json.loads(json.dumps(respond(line.encode())))
    result = response[response["kind"]]
    {}
    return {{response["kind"]: result}}
"""


def test_every_file_that_states_the_version_states_the_same() -> None:
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    lock = json.loads((ROOT / "engine_ts" / "package-lock.json").read_text())
    npm = (ROOT / READMES["@gradient-service/engine"]).read_text("utf-8")
    kit, guide = "parity_tests/packaging/README.md", "parity_tests/IMPLEMENTING.md"
    stated = [
        package["version"],
        lock["version"],
        found(r"^## (\d\S*)", "CHANGELOG.md"),
        found(r'"gradient-engine==(\S+)"', "parity_tests/packaging/pyproject.toml"),
        found(r"parity_tests@v(\S+)$", guide),
        found(r"gradient-parity==(\S+)$", guide),
        found(r"parity_tests@v(\S+)$", kit),
        found(r"parity==(\S+) --engines", kit),
        found(r"^ARG VERSION=(\S+)$", "service/Dockerfile"),
        *re.findall(r"npm/@gradient-service/engine@([\d.]+)/", npm),
        found(r"newTag: (\S+)$", "service/deploy/kubernetes/kustomization.yaml"),
    ]
    assert set(stated) == {__version__}


def test_the_client_has_the_types_of_the_services_problems() -> None:
    assert problem_types.FILE.read_text("utf-8") == problem_types.written()


def found(pattern: str, file: str) -> str:
    match = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    assert match, f"{file} states no version"
    return match[1]


def test_every_action_is_named_by_its_commit() -> None:
    workflows = [*(ROOT / ".github/workflows").glob("*.yml"), ROOT / "parity_tests/action.yml"]
    for file in workflows:
        for action in re.findall(r"uses: (.+)", file.read_text()):
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action), (file.name, action)


@pytest.mark.parametrize("package", READMES)
def test_the_links_of_a_package_lead_out_of_it(package: str) -> None:
    """A registry shows the text, where paths of the repository do not exist."""
    text = (ROOT / READMES[package]).read_text()
    assert f"# {package}" in text
    for link in re.findall(r"\]\(([^)]+)\)", text):
        assert link.startswith("https://"), link
        if link.startswith(IN_THE_REPOSITORY):
            assert (ROOT / link.removeprefix(IN_THE_REPOSITORY)).exists(), link


def test_a_changelog_without_the_version_stops_a_release() -> None:
    ready = "# Changes\n\n## Unreleased\n\n## 1.2.3\n\n- It is mended.\n"
    refuse_other_changelog(ready, "1.2.3")
    for changelog, problem in [
        (ready.replace("Unreleased", "Unreleased\n\n- More."), "begins with Unreleased"),
        (ready.replace("1.2.3", "1.2.2"), r"begins with 1\.2\.2"),
        ("", "has no part"),
    ]:
        with pytest.raises(NotReadyError, match=f"{problem}.*write under `## 1.2.3`"):
            refuse_other_changelog(changelog, "1.2.3")


def test_a_tag_of_another_version_stops_a_release(capsys: pytest.CaptureFixture[str]) -> None:
    refuse_other_tag(None, "1.2.3")
    refuse_other_tag("v1.2.3", "1.2.3")
    assert release.main(["--trial", "--tag", "v0.0.0"]) == 1
    assert f"the tag v0.0.0 is not v{__version__}" in capsys.readouterr().err


def test_the_cases_of_a_release_need_only_a_json_parser(tmp_path: Path) -> None:
    """The guide's program prints nothing for a correct engine, and a wrong one's failures."""
    guide = (ROOT / "parity_tests/IMPLEMENTING.md").read_text("utf-8")
    [program] = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    write_cases(tmp_path, ["paths"])
    (tmp_path / "play.py").write_text(program)
    printed = []
    for change in ("", "result['gradient'] = 0"):
        (tmp_path / "mine.py").write_text(MINE.format(change))
        command = (sys.executable, "play.py")
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        played = subprocess.run(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, check=True)
        printed.append(played.stdout.decode())
    assert printed[0] == ""
    assert "\n  The lesson's 15 is the sum over its two paths.\n  {'R37': " in printed[1]


def test_every_file_names_the_account_that_pyproject_names() -> None:
    assert [str(file.relative_to(ROOT)) for file in outdated()] == []


def test_one_line_names_the_account_and_a_release_stops_until_all_files_have_it(
    tmp_path: Path,
) -> None:
    project, links = tmp_path / "pyproject.toml", tmp_path / "links.md"
    project.write_text(URLS.format("OWNER"))
    links.write_text(MENTIONS.format("OWNER"))
    subprocess.run(("git", "init", "--quiet", tmp_path), check=True)
    subprocess.run(("git", "-C", tmp_path, "add", "."), check=True)
    with pytest.raises(NotReadyError, match="the account is still OWNER"):
        refuse_other_account(tmp_path)
    project.write_text(URLS.format("a--b"))
    assert name_owner(tmp_path) == 2
    project.write_text(URLS.format("ada-l"))
    with pytest.raises(NotReadyError, match=r"^links\.md: not of the account"):
        refuse_other_account(tmp_path)
    assert name_owner(tmp_path) == 0
    assert links.read_text() == MENTIONS.format("ada-l")
    refuse_other_account(tmp_path)
