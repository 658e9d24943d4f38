"""`make parity`, and `gradient-parity` of the wheel: fixtures and hard cases x engines.

The exit code is 1 if any case fails or crashes, 2 if the run could not begin.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from parity_tests.kit.again import again
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.engines import ENGINES, Engine, SetupError, load_engines
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.progress import progress
from parity_tests.kit.report import FORMATS
from parity_tests.kit.runner import refuse_stale_lists, run_cases
from parity_tests.kit.worker import EngineFault, Json


def main(argv: list[str] | None = None) -> int:
    """Run, report, and give the exit code."""
    options = _parser().parse_args(argv)
    try:
        everything = [*load_cases(), *load_hard_cases(), *load_lines()]
        model, *_ = load_engines().values()
        engines = _chosen_engines(options.engines, options.engine)
        refuse_stale_lists(engines, everything)
        cases = _chosen_cases(everything, options.filter, with_lines=options.lines)
        check = _load_check() if options.validate else None
        for _, file in options.report:
            file.parent.mkdir(parents=True, exist_ok=True)
    except SetupError as fault:
        print(f"parity: {fault}", file=sys.stderr)
        return 2
    running = run_cases(engines, cases, model, seconds=options.seconds, check=check)
    try:
        results = list(progress(running, len(cases) * len(engines), "cases"))
    except EngineFault as fault:
        print(f"parity: {fault}", file=sys.stderr)
        return 2
    print(FORMATS[options.format](results), end="")
    for name, file in options.report:
        file.write_text(FORMATS[name](results), encoding="utf-8")
    return 0 if all(result.good for result in results) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=again("parity_tests"),
        description="Run the fixtures and the hard cases against engines.",
    )
    parser.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        help="run this engine only, of that file or of those that come with the kit",
    )
    parser.add_argument(
        "--engines", action="append", type=Path, metavar="FILE", default=None,
        help="run the engines of this file",
    )  # fmt: skip
    parser.add_argument("--filter", metavar="TOPIC", help="a topic, or a part of a case's name")
    parser.add_argument(
        "--lines", action="store_true", help="send the lines of the protocol, too, good and bad"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="what is printed")
    parser.add_argument(
        "--report", action="append", type=_report, default=[], metavar="FORMAT=FILE",
        help="write this, too; may be repeated, such as --report badge=badge.json",
    )  # fmt: skip
    parser.add_argument("--seconds", type=float, default=10.0, help="time limit of one case")
    parser.add_argument(
        "--validate", action="store_true", help="check every message against the protocol's schema"
    )
    return parser


def _report(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if name not in FORMATS or not file:
        raise argparse.ArgumentTypeError(f"{text!r} is not FORMAT=FILE, of {', '.join(FORMATS)}")
    return name, Path(file)


def _load_check() -> Callable[[Json], str | None]:
    try:
        from parity_tests.kit.protocol import malformed  # noqa: PLC0415 - needs jsonschema
    except ModuleNotFoundError as missing:
        cure = "install gradient-parity[validate]"
        raise SetupError(f"--validate needs {missing.name}; {cure}") from None
    return malformed


def _chosen_engines(files: list[Path] | None, names: list[str] | None) -> list[Engine]:
    engines: dict[str, Engine] = {}
    for file in [ENGINES, *(files or [])]:
        for name, engine in load_engines(file).items():
            if name in engines:
                raise SetupError(f"{file}: the name {name} is taken by {engines[name].file}")
            engines[name] = engine
    if unknown := sorted(set(names or []) - engines.keys()):
        raise SetupError(f"no engine is called {unknown[0]}; there are {', '.join(engines)}")
    if names:
        return [engine for name, engine in engines.items() if name in names]
    return [engine for engine in engines.values() if not files or engine.file != ENGINES]


def _chosen_cases(cases: list[Case], part: str | None, *, with_lines: bool) -> list[Case]:
    """Give the cases of a topic or name; all, but for bad lines that nobody asked for."""
    cases = [case for case in cases if with_lines or case.line is None or case.name == part]
    for exact in (
        [case for case in cases if part in (None, case.topic)],
        [case for case in cases if part == case.name],
    ):
        if exact:
            return exact
    chosen = [case for case in cases if part is not None and part in case.name]
    if not chosen:
        raise SetupError(f"no fixture is of the topic, or has a name with, {part!r}")
    return chosen


if __name__ == "__main__":
    sys.exit(main())
