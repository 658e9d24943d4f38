"""Write the GitHub account that hosts this repository from pyproject.toml into all files.

    python -m parity_tests.packaging.owner

`Repository` under `[project.urls]` names the account. Links, the address of the authors and the
action's name repeat it, since registries and GitHub read them as they are; this command rewrites
them. Until somebody hosts the repository the account is OWNER, and `make release --tag` stops.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PLACEHOLDER = "OWNER"
ACCOUNT = r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}"
"""A name that GitHub allows."""
MENTION = re.compile(
    rf"(?<=github\.com/){ACCOUNT}(?=/gradient-service)"
    rf"|(?<=uses: ){ACCOUNT}(?=/gradient-service/)"
    rf"|\b{ACCOUNT}(?=\.github\.io/gradient-service)"
    rf"|\b{ACCOUNT}(?=@users\.noreply\.github\.com)"
)


def main(root: Path = ROOT) -> int:
    """Write the account into the files under `root` that name another one; return the exit code."""
    named = account(root)
    if not re.fullmatch(ACCOUNT, named):
        print(f"owner: {named!r} in pyproject.toml is not an account's name", file=sys.stderr)
        return 2
    for file in outdated(root):
        file.write_bytes(MENTION.sub(named, file.read_bytes().decode()).encode())
        print(file.relative_to(root))
    return 0


def account(root: Path = ROOT) -> str:
    """Return the account that pyproject.toml names."""
    urls = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return str(urls["Repository"]).split("/")[-2]


def outdated(root: Path = ROOT) -> Iterator[Path]:
    """Yield each file that git knows and that names another account."""
    named = account(root)
    command = ("git", "-C", str(root), "grep", "-lIz", "-e", "/gradient-service", "-e", "@users")
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for name in filter(None, listed.split("\0")):
        if set(MENTION.findall((root / name).read_bytes().decode())) - {named}:
            yield root / name


if __name__ == "__main__":
    sys.exit(main())
