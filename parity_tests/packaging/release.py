"""A checkout -> all files of a release, in build/release.

    make release
    make release ARGS='--tag v1.2.3'

Both Python packages, the npm package, the page and the documentation that `make docs` wrote, the
schemas as one file, the cases of each profile, the contents of the image as CycloneDX, and the
checksums of all; if a container builder runs, the images too. It stops before it builds anything if
the changelog does not begin with the version, or if a tag would publish links to no account, or to
an account that pyproject.toml does not name. Two builds of a commit give the same files.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from engine_py import __version__
from parity_tests.packaging.cases import write_cases
from parity_tests.packaging.owner import PLACEHOLDER, account, outdated
from schemas.bundle import bundle

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "release"
TOOLS = Path(sys.executable).parent
SUMS = "SHA256SUMS"

PART = re.compile(r"^## (\S+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class NotReadyError(Exception):
    """The checkout is not ready for a release; the message says what to do."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__.partition("\n")[0])
    parser.add_argument("--tag", help="the tag that is released, which must name this version")
    parser.add_argument(
        "--trial", action="store_true", help="build even if the changelog is not ready"
    )
    options = parser.parse_args(arguments)
    try:
        if not options.trial:
            refuse_other_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), __version__)
        refuse_other_tag(options.tag, __version__)
        if options.tag and not options.trial:
            refuse_other_account(ROOT)
    except NotReadyError as reason:
        print(f"release: {reason}", file=sys.stderr)
        return 1
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    build_packages()
    copy_site()
    write_schemas()
    write_cases(FOLDER)
    write_sboms()
    build_images()
    write_sums()
    print(f"release: {__version__} is in {FOLDER.relative_to(ROOT)}")
    return 0


def refuse_other_changelog(changelog: str, version: str) -> None:
    """Raise NotReadyError unless the changelog's first part with any text is about the version."""
    written = [name for name, text in PART.findall(changelog) if text.strip()]
    if written[:1] == [version]:
        return
    found = f"begins with {written[0]}" if written else "has no part with any text"
    message = f"CHANGELOG.md {found}; write under `## {version}` what this version changes"
    raise NotReadyError(message)


def refuse_other_tag(tag: str | None, version: str) -> None:
    """Raise NotReadyError if `tag` is not the version's."""
    if tag not in (None, f"v{version}"):
        advice = "change the tag, or the version in engine_py/__init__.py and where it is repeated"
        raise NotReadyError(f"the tag {tag} is not v{version}; {advice}")


def refuse_other_account(root: Path) -> None:
    """Raise NotReadyError unless all files name the same GitHub account."""
    then = "run `python -m parity_tests.packaging.owner` and commit what it changes"
    if account(root) == PLACEHOLDER:
        where = "name the account in `Repository` of pyproject.toml"
        raise NotReadyError(f"the account is still {PLACEHOLDER}; {where}, {then}")
    if files := ", ".join(str(file.relative_to(root)) for file in outdated(root)):
        raise NotReadyError(f"{files}: not of the account that pyproject.toml names; {then}")


def build_packages() -> None:
    """Build the wheel and the source archive of the engine, the kit's wheel and the npm package."""
    build = (TOOLS / "pyproject-build", "--no-isolation", "--outdir", FOLDER)
    _run(*build, ROOT)
    _run(*build, "--wheel", ROOT / "parity_tests" / "packaging")
    engine = ROOT / "engine_ts"
    _run(TOOLS / "npm", "pack", "--loglevel=error", "--pack-destination", FOLDER, cwd=engine)


def copy_site() -> None:
    """Copy the page, and the documentation as one archive of files without dates."""
    site = ROOT / "build" / "docs"
    shutil.copyfile(
        ROOT / "build" / "sandbox.html", FOLDER / f"gradient-sandbox-{__version__}.html"
    )
    with ZipFile(FOLDER / f"gradient-docs-{__version__}.zip", "w") as archive:
        for file in sorted(site.rglob("*")):
            if file.is_file():
                entry = ZipInfo(f"gradient-docs-{__version__}/{file.relative_to(site).as_posix()}")
                archive.writestr(entry, file.read_bytes(), ZIP_DEFLATED)


def write_schemas() -> None:
    """Write the contract's schemas as one file, for tools that follow only local references."""
    text = json.dumps(bundle(), ensure_ascii=False, indent=1)
    (FOLDER / f"gradient-{__version__}.schema.json").write_text(f"{text}\n", "utf-8")


def write_sboms() -> None:
    """Write SBOMs of the image, without Python, and of the npm package, without dependencies."""
    service = FOLDER / f"gradient-service-{__version__}.cdx.json"
    locked = ROOT / "service" / "requirements.lock"
    _run(TOOLS / "cyclonedx-py", "requirements", "--output-reproducible", "-o", service, locked)
    npm = (TOOLS / "npm", "sbom", "--sbom-format=cyclonedx", "--omit=dev", "--package-lock-only")
    bill = json.loads(_run(*npm, "--loglevel=error", cwd=ROOT / "engine_ts"))
    del bill["serialNumber"], bill["metadata"]["timestamp"]  # which differ in each run
    written = json.dumps(bill, indent=2) + "\n"
    (FOLDER / f"gradient-service-engine-{__version__}.cdx.json").write_text(written, "utf-8")


def build_images() -> None:
    """Build the images of the service and the kit, if a builder runs; write their digests."""
    docker = builder()
    if docker is None:
        print("release: no container builder runs here, so no images", file=sys.stderr)
        return
    _run(docker, "compose", "--profile", "parity", "build", "service", "parity")
    names = [f"{name}:{__version__}" for name in ("gradient-service", "gradient-parity")]
    form = "{{index .RepoTags 0}} {{.Id}}"
    (FOLDER / "images").write_text(_run(docker, "image", "inspect", "--format", form, *names))


def builder() -> str | None:
    """Find the container builder, if it runs."""
    docker = shutil.which("docker")
    if (
        docker is None
        or subprocess.run((docker, "info"), capture_output=True, check=False).returncode
    ):
        return None
    return docker


def write_sums() -> None:
    """Write the checksums as `sha256sum --check` reads them."""
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in _files()]
    (FOLDER / SUMS).write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def _files() -> list[Path]:
    return sorted(file for file in FOLDER.iterdir() if file.is_file() and file.name != SUMS)


def _run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Run a command that must succeed, dated as the commit; return its output."""
    git = ("git", "-C", str(ROOT), "log", "-1", "--format=%ct %H")
    time, revision = subprocess.run(git, check=True, capture_output=True, text=True).stdout.split()
    settings = {
        "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}",
        "SOURCE_DATE_EPOCH": time,
        "REVISION": revision,
        "TAG": __version__,
    }
    env = {**os.environ, **settings}
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
