"""A report of a whole run -> a record of each engine; all records -> a page.

    python -m parity_tests --report json=report.json
    python -m parity_tests.results record report.json
    python -m parity_tests.results site build/report

A record is a file `CONTRACT/NAME-VERSION.json` in this folder, as `record.schema.json` describes.
"""

import argparse
import json
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from parity_tests.kit.engines import SetupError
from parity_tests.results.records import FOLDER, load_records, records_of, write
from parity_tests.results.site import build


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.command == "record":
            report = json.loads(options.report.read_text(encoding="utf-8"))
            for record in records_of(report, options.date):
                print(write(record, options.folder))
        else:
            build(load_records(options.folder), options.site)
            print(options.site / "index.html")
    except (SetupError, OSError, json.JSONDecodeError) as fault:
        print(f"results: {fault}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m parity_tests.results", description="Keep and show what engines have passed."
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="the folder of the records")
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record", help="keep the results of a complete run")
    record.add_argument("report", type=Path, help="the file that `--report json=FILE` wrote")
    today = datetime.now(UTC).date()
    record.add_argument(
        "--date", type=date.fromisoformat, default=today, help="the date of the run"
    )
    site = commands.add_parser("site", help="write a page of all records")
    site.add_argument("site", type=Path, help="the folder to write to")
    return parser


if __name__ == "__main__":
    sys.exit(main())
