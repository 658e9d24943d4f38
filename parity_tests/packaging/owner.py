"""An account of GitHub -> its name in the place of OWNER, in every file of this repository.

    python -m parity_tests.packaging.owner ACCOUNT

Links, the address of the authors and the action's name hold the placeholder OWNER until somebody
hosts the repository. `make release --tag` stops as long as they do.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PLACEHOLDER = re.compile(r"\bOWNER(?=/gradient-service|@users\.noreply\.github\.com)")
ACCOUNT = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
"""What GitHub allows."""


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Rewrite the files under `root`; give the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m parity_tests.packaging.owner", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("account", help="such as `ada`, of https://github.com/ada")
    account = parser.parse_args(arguments).account
    if not ACCOUNT.fullmatch(account):
        print(f"owner: {account!r} is no name of an account", file=sys.stderr)
        return 2
    for file, text in placeholders(root):
        file.write_bytes(PLACEHOLDER.sub(account, text).encode())
        print(file.relative_to(root))
    return 0


def placeholders(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Yield each file that git knows and that has the placeholder, with its text."""
    command = ("git", "-C", str(root), "grep", "-lz", "OWNER")
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    for name in filter(None, listed.split("\0")):
        text = (root / name).read_bytes().decode()
        if PLACEHOLDER.search(text):
            yield root / name, text


if __name__ == "__main__":
    sys.exit(main())
