"""Records -> a page without scripts, in the style of the service's reference."""

from itertools import groupby
from pathlib import Path
from shutil import copy

from jinja2 import Environment, FileSystemLoader, StrictUndefined  # Flask brings it along

from parity_tests.kit.engines import ROOT
from parity_tests.results.records import Record

HERE = Path(__file__).parent
STYLE = ROOT / "service" / "pages" / "assets" / "style.css"
REPOSITORY = "https://github.com/OWNER/gradient-service/blob/main"


def build(records: list[Record], folder: Path) -> None:
    """Write index.html and style.css into `folder`; `records` are sorted, newest first."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    contracts = [
        (contract, _by_name(list(group)))
        for contract, group in groupby(records, lambda record: record["contract"])
    ]
    given = {"contracts": contracts, "profiles": _profiles, "passed": _passed}
    page = environment.get_template("page.html").render(**given, repository=REPOSITORY)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page + "\n", encoding="utf-8")
    copy(STYLE, folder)


def _by_name(records: list[Record]) -> dict[str, list[Record]]:
    """Group records by engine."""
    names = sorted({record["name"] for record in records})
    return {name: [each for each in records if each["name"] == name] for name in names}


def _profiles(engines: dict[str, list[Record]]) -> list[str]:
    """Return all profiles in the newest record of each engine."""
    newest = [record for record, *_ in engines.values()]
    return list(dict.fromkeys(name for record in newest for name in record["profiles"]))


def _passed(record: Record) -> int:
    """Count the profiles whose cases all pass."""
    shares = record["profiles"].values()
    return sum(share["claimed"] and share["passed"] == share["cases"] for share in shares)
