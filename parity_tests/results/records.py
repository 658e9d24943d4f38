"""A report -> records: how much of each profile an engine passes, and its failures."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

from parity_tests.kit.engines import SetupError, load_engines
from parity_tests.kit.protocol import load_validators

FOLDER = Path(__file__).parent
GOOD = ("passed", "not claimed")
KEPT = ("case", "status", "why", "holds", "program", "explanation")
SHOWN = 1_000
"""The maximum number of characters of a program or an explanation."""

Record = dict[str, Any]


def records_of(report: Any, day: date) -> list[Record]:
    """Return a record for each engine. Raises SetupError unless the report is of a complete run."""
    try:
        lacking, engines, rows = report["lacking"], report["engines"], report["results"]
        failures = [row for row in rows if row["status"] not in GOOD]
        records = [
            {
                **engine,
                "date": day.isoformat(),
                "failures": [_failure(row) for row in failures if row["engine"] == engine["name"]],
            }
            for engine in engines
        ]
    except (KeyError, TypeError) as fault:
        raise SetupError(f"this is not the JSON report of a run: {fault!r}") from None
    if lacking:
        raise SetupError(f"record a complete run; this one lacks {', '.join(lacking)}")
    if own := sorted({engine["name"] for engine in engines} & load_engines().keys()):
        raise SetupError(f"{own[0]} comes with the kit; records are of engines from elsewhere")
    return [_checked(record, "the report") for record in records]


def _failure(row: Record) -> Record:
    program = row["program"]
    text = program if isinstance(program, str) else json.dumps(program)
    return {**{name: row[name] for name in KEPT}, "program": text[:SHOWN],
            "explanation": row["explanation"][:SHOWN]}  # fmt: skip


def write(record: Record, folder: Path = FOLDER) -> Path:
    """Write a record, replacing one of the same version; return its file."""
    file = Path(folder, record["contract"], f"{record['name']}-{record['version']}.json")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def load_records(folder: Path = FOLDER) -> list[Record]:
    """Read all records, newest contract and version first."""
    files = sorted(folder.glob("*/*.json"))
    records = [_checked(json.loads(file.read_text(encoding="utf-8")), str(file)) for file in files]
    return sorted(records, key=_newness, reverse=True)


def _checked(record: Record, where: str) -> Record:
    """Return the record. Raises SetupError if it violates its schema."""
    for error in load_validators()["record"].iter_errors(record):
        raise SetupError(f"{where} has no valid record: {error.json_path}: {error.message[:300]}")
    return record


def _newness(record: Record) -> list[list[tuple[int, str]]]:
    """Return a key that sorts 1.10 after 1.9."""
    return [
        [(int(digits or 0), rest) for digits, rest in re.findall(r"(\d*)(\D*)", version)]
        for version in (record["contract"], record["version"])
    ]
