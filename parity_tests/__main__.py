"""`make parity`, and `gradient-parity` of the wheel: fixtures and hard cases x engines.

The exit code is 0 if every engine conforms to what it claims, including `core`, and otherwise 1. It
is 2 if the run could not begin.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import contract_version, judged_number, load_profiles
from parity_tests.kit.engines import ENGINES, IS_INSTALLED, Engine, SetupError, load_engines
from parity_tests.kit.report import FORMATS, WITHOUT_RUN
from parity_tests.kit.runner import Fuzz, Result, Run, asked_again, refuse_stale_lists, run_cases
from parity_tests.kit.terminal import again, progress
from parity_tests.kit.worker import Budget, EngineFault, Json

GRACE = Budget().grace
KIT = version("gradient-parity") if IS_INSTALLED else "of a checkout"


def main(argv: list[str] | None = None) -> int:
    """Run, report, and return the exit code."""
    options = parser().parse_args(argv)
    try:
        everything = [*load_cases(), *load_hard_cases(), *load_lines()]
        cases = _chosen_cases(everything, options)
        if options.list:
            print("\n".join(_listed(cases)))
            return 0
        model, *_ = load_engines().values()
        engines = [
            engine._replace(contract=options.contract)
            for engine in _chosen_engines(options.engines, options.engine)
        ]
        refuse_stale_lists(engines, everything)
        check = _load_check() if options.validate else None
        for _, file in options.report:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.open("a").close()
        budget = Budget(options.seconds, options.pace, GRACE, options.memory)
        running = run_cases(engines, cases, model, budget=budget, check=check)
        bar = progress(running, len(cases) * len(engines), "cases")
        results = list(_until(bar, options.max_failures))
        is_fit = all(each.good for each in results if each.engine == model.name)
        fuzz = _fuzz(model, engines, options, budget) if options.fuzz and is_fit else None
    except (SetupError, EngineFault, OSError) as fault:
        return _could_not_run(str(fault), options)
    total = sum(options.lines or case.line is None for case in everything)
    failures = sum(not result.good for result in results)
    choice = _choice(options, len(cases), total, failures)
    run = Run(results, choice, options.contract, fuzz, model.name, tells_all=options.all)
    run = _asked_again(run, {engine.name: engine for engine in [model, *engines]}, model, budget)
    print(FORMATS[options.format](run), end="")
    for name, file in options.report:
        file.write_text(FORMATS[name](run), encoding="utf-8")
    return 0 if run.is_green else 1


def _asked_again(run: Run, engines: dict[str, Engine], model: Engine, budget: Budget) -> Run:
    """Ask the failures that a report begins with again, in fresh processes."""
    again = {
        (first.engine, first.case.id): asked_again(
            first, run.results, engines[first.engine], model, budget
        )
        for first in run.causes.values()
        if not first.is_over_budget
    }
    results = [again.get((each.engine, each.case.id), each) for each in run.results]
    return replace(run, results=results)


def _could_not_run(why: str, options: Namespace) -> int:
    """Report it on stderr, and in those formats that can say so."""
    print(f"parity: {why}", file=sys.stderr)
    if options.format in WITHOUT_RUN:
        print(WITHOUT_RUN[options.format](why), end="")
    for name, file in options.report:
        if name in WITHOUT_RUN:
            with suppress(OSError):
                file.write_text(WITHOUT_RUN[name](why), encoding="utf-8")
    return 2


def _fuzz(model: Engine, engines: list[Engine], options: Namespace, budget: Budget) -> Fuzz:
    """Compare the engines with the model on random programs."""
    from parity_tests.fuzz.__main__ import compare, drawn_seed  # noqa: PLC0415 - no options

    others = [engine for engine in engines if engine.argv != model.argv]
    if not others:
        raise SetupError("--fuzz compares the first engine with others; name another one")
    seed = drawn_seed() if options.seed is None else options.seed
    return compare([model, *others], options.fuzz, seed, budget=budget)


def _load_check() -> Callable[[Json], str | None]:
    try:
        from parity_tests.kit.protocol import malformed  # noqa: PLC0415 - needs jsonschema
    except ModuleNotFoundError as missing:
        advice = "install gradient-parity[validate]"
        raise SetupError(f"--validate needs {missing.name}; {advice}") from None
    return malformed


def _chosen_engines(files: list[Path] | None, names: list[str] | None) -> list[Engine]:
    engines: dict[str, Engine] = {}
    for file in [ENGINES, *(files or [])]:
        for name, engine in load_engines(file).items():
            if name in engines:
                raise SetupError(
                    f"{file}: {engines[name].file} already has an engine called {name}"
                )
            engines[name] = engine
    if unknown := sorted(set(names or []) - engines.keys()):
        raise SetupError(f"no engine is called {unknown[0]}; known: {', '.join(engines)}")
    if names:
        return [engine for name, engine in engines.items() if name in names]
    return [engine for engine in engines.values() if not files or engine.file != ENGINES]


def _chosen_cases(cases: list[Case], options: Namespace) -> list[Case]:
    """Return the cases that --filter and --skip choose; without either, all but the lines."""
    parts = options.filter
    wanted = [
        case for case in cases if options.lines or case.line is None or case.id in (parts or [])
    ]
    chosen = {case.id for part in parts or [] for case in _named(wanted, part)}
    skipped = {case.id for part in options.skip for case in _named(wanted, part)}
    left = [case for case in wanted if parts is None or case.id in chosen]
    left = [case for case in left if case.id not in skipped]
    if not left:
        raise SetupError("--skip leaves out every case")
    return left


def _named(cases: list[Case], part: str) -> list[Case]:
    """Return the cases of a topic; else the case with this id; else those whose id contains it."""
    for matches in (
        [case for case in cases if part == case.topic],
        [case for case in cases if part == case.id],
        [case for case in cases if part in case.id],
    ):
        if matches:
            return matches
    raise SetupError(f"no topic is called {part!r}, and no case has it in its name")


def _until(results: Iterable[Result], failures: int | None) -> Iterator[Result]:
    """Yield results up to the given number of failures; all if it is None."""
    for result in results:
        yield result
        if failures is not None and not result.good:
            failures -= 1
            if failures == 0:
                return


def _choice(options: Namespace, cases: int, total: int, failures: int) -> str:
    """Say which of the cases were run; nothing if all were."""
    chosen = [*(f"--filter {part}" for part in options.filter or [])]
    chosen += [f"--skip {part}" for part in options.skip]
    parts = [f"{cases} of {total} cases are chosen by {' '.join(chosen)}"] if chosen else []
    if failures == options.max_failures:
        parts.append(f"stopped by --max-failures {failures}")
    return "; ".join(parts)


def _listed(cases: Sequence[Case]) -> list[str]:
    """Count the cases by profile and topic; a case counts for each profile that it needs."""
    profiles = Counter(name for case in cases for name in case.profiles)
    topics = Counter(case.topic for case in cases)
    rows = [("profile", profiles[name], name) for name in load_profiles()]
    rows += [("topic", count, topic) for topic, count in topics.items()]
    return [f"{kind} {name:16} {count:5}" for kind, count, name in rows if count]


# --- options --------------------------------------------------------------------------------------


def parser() -> ArgumentParser:
    """Return the parser of the command's options."""
    options = ArgumentParser(
        prog=again("parity_tests"),
        description="Run the fixtures and the hard cases against engines.",
    )
    options.add_argument(
        "--version", action="version",
        version=f"gradient-parity {KIT}, contract {contract_version()}",
    )  # fmt: skip
    options.add_argument(
        "--list", action="store_true", help="count the cases by profile and topic; run none"
    )
    options.add_argument(
        "--engine",
        action="append",
        metavar="NAME",
        help="run only this engine, of FILE or of those that come with the kit",
    )
    options.add_argument(
        "--engines", action="append", type=Path, metavar="FILE", default=None,
        help="run the engines of this file",
    )  # fmt: skip
    options.add_argument(
        "--contract", type=_contract, metavar="VERSION",
        help="judge engines by this contract version, such as 2.0; by default, the one they state",
    )  # fmt: skip
    options.add_argument(
        "--filter", action="append", metavar="TOPIC",
        help="run the cases of a topic, or with this in their names; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "--skip", action="append", metavar="TOPIC", default=[],
        help="leave out the cases that --filter would choose; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "--fuzz", type=_count, metavar="N", nargs="?", const=10_000,
        help="also compare with the first engine on N random programs, 10,000 by default",
    )  # fmt: skip
    options.add_argument(
        "--seed", type=int, metavar="N",
        help="which random programs: those that an earlier run, which printed N, has had",
    )  # fmt: skip
    options.add_argument(
        "--lines", action="store_true", help="also send valid and invalid lines of the protocol"
    )
    options.add_argument("--max-failures", type=_count, metavar="N", help="stop at the Nth failure")
    options.add_argument(
        "--fail-fast", action="store_const", const=1, dest="max_failures",
        help="stop at the first failure",
    )  # fmt: skip
    options.add_argument(
        "--all", action="store_true", help="explain each failure, not only the one of the cause"
    )
    options.add_argument("--format", choices=FORMATS, default="text", help="the form of the output")
    options.add_argument(
        "--report", action="append", type=_report, default=[], metavar="FORMAT=FILE",
        help="also write this report, such as badge=badge.json; may be repeated",
    )  # fmt: skip
    options.add_argument(
        "--seconds", type=float, default=Budget().seconds, help="time limit of one case"
    )
    options.add_argument(
        "--pace", type=float, default=Budget().pace, metavar="SECONDS",
        help=f"time limit of a case on average, after a minute; {Budget().pace:g} by default",
    )  # fmt: skip
    options.add_argument(
        "--memory", type=_count, default=Budget().memory, metavar="MIB",
        help=f"memory of an engine, {Budget().memory} MiB by default (Linux)",
    )  # fmt: skip
    options.add_argument(
        "--validate", action="store_true", help="check every message against the protocol's schema"
    )
    return options


def _report(text: str) -> tuple[str, Path]:
    name, _, file = text.partition("=")
    if name not in FORMATS or not file:
        raise ArgumentTypeError(f"{text!r} is not FORMAT=FILE; formats: {', '.join(FORMATS)}")
    return name, Path(file)


def _contract(text: str) -> str:
    try:
        judged_number(text)
    except SetupError as fault:
        raise ArgumentTypeError(str(fault)) from None
    return text


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
