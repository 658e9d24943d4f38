"""The modules that service/README.md names are those that there are."""

import re

from service.tests.processes import ROOT

SERVICE = ROOT / "service"
ON_THE_WAY = ("request", "compute", "reply")


def named_modules() -> set[str]:
    """Read the table: a name after one with a folder is of the same folder."""
    _, _, table = (SERVICE / "README.md").read_text().partition("| module | does |\n|---|---|\n")
    found = set()
    for row in table.partition("\n\n")[0].splitlines():
        names = re.findall(r"`([\w/]+)`", row.split("|")[1])
        folder = names[0].rpartition("/")[0] if not names[0].endswith("/") else ""
        found |= {name if "/" in name or not folder else f"{folder}/{name}" for name in names}
    return found


def test_every_module_that_is_named_is_there() -> None:
    named = named_modules()
    assert len(named) > 20
    assert [name for name in named if not is_there(name)] == []


def is_there(name: str) -> bool:
    return (SERVICE / name).is_dir() or (SERVICE / f"{name}.py").exists()


def test_every_module_on_the_way_of_a_request_is_named() -> None:
    files = [file for folder in ON_THE_WAY for file in (SERVICE / folder).glob("[!_]*.py")]
    modules = {f"{file.parent.name}/{file.stem}" for file in files}
    assert modules <= named_modules()
