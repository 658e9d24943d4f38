"""What can be found out about the files without a container, by the tools of their formats."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from service.deploy.tests.containers import ROOT

pytestmark = pytest.mark.container

KUBERNETES = ROOT / "service/deploy/kubernetes"
TOOLS = Path(sys.executable).parent


def complaints(tool: str, *arguments: str | Path) -> str:
    command = [shutil.which(tool, path=str(TOOLS)) or tool, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode else ""


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    assert complaints("hadolint", "service/Dockerfile") == ""


def test_hadolint_would_find_something(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM python\nRUN cd / && pip install flask\n")
    assert "DL3006" in complaints("hadolint", tmp_path / "Dockerfile")


def test_the_compose_file_follows_the_compose_specification() -> None:
    schema = ["--builtin-schema", "vendor.compose-spec"]
    assert complaints("check-jsonschema", *schema, "docker-compose.yml") == ""


def test_shellcheck_finds_nothing_in_the_scripts() -> None:
    assert complaints("shellcheck", *sorted((ROOT / ".ci").iterdir())) == ""


def test_every_object_is_one_that_kubernetes_knows_member_by_member() -> None:
    assert complaints("kubernetes-validate", "--strict", "--quiet", *manifests()) == ""


def test_an_unknown_member_would_be_found(tmp_path: Path) -> None:
    text = (KUBERNETES / "service.yaml").read_text().replace("ports:", "prots:")
    (tmp_path / "service.yaml").write_text(text)
    validate = ["kubernetes-validate", "--strict", "--quiet"]
    assert "prots" in complaints(*validate, tmp_path / "service.yaml")


def test_what_kustomize_makes_of_them_is_known_too(tmp_path: Path) -> None:
    if not shutil.which("kubectl"):
        pytest.skip("no kubectl on PATH; the files themselves are checked all the same")
    command = ["kubectl", "kustomize", str(KUBERNETES)]
    built = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert len(list(yaml.safe_load_all(built))) == len(manifests())
    (tmp_path / "built.yaml").write_text(built)
    assert complaints("kubernetes-validate", "--strict", "--quiet", tmp_path / "built.yaml") == ""


def manifests() -> list[Path]:
    return sorted(set(KUBERNETES.glob("*.yaml")) - {KUBERNETES / "kustomization.yaml"})
