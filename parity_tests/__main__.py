"""`make parity`, and `gradient-parity` of the wheel: fixtures and hard cases x engines.

The exit code is 0 if every engine conforms to what it claims, `core` among it, and 1 if not; it is
2 if the run could not begin.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.engines import ENGINES, Engine, SetupError, load_engines
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.options import parser
from parity_tests.kit.profiles import load_profiles
from parity_tests.kit.progress import progress
from parity_tests.kit.report import FORMATS
from parity_tests.kit.runner import Result, refuse_stale_lists, run_cases
from parity_tests.kit.verdict import Run
from parity_tests.kit.worker import EngineFault, Json


def main(argv: list[str] | None = None) -> int:
    """Run, report, and give the exit code."""
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
        running = run_cases(engines, cases, model, seconds=options.seconds, check=check)
        bar = progress(running, len(cases) * len(engines), "cases")
        results = list(_until(bar, options.max_failures))
    except (SetupError, EngineFault, OSError) as fault:
        print(f"parity: {fault}", file=sys.stderr)
        return 2
    total = sum(options.lines or case.line is None for case in everything)
    failures = sum(not result.good for result in results)
    choice = _choice(options, len(cases), total, failures)
    run = Run(results, choice, options.contract)
    print(FORMATS[options.format](run), end="")
    for name, file in options.report:
        file.write_text(FORMATS[name](run), encoding="utf-8")
    return 0 if run.is_green else 1


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
                raise SetupError(f"{file}: the name {name} is taken by {engines[name].file}")
            engines[name] = engine
    if unknown := sorted(set(names or []) - engines.keys()):
        raise SetupError(f"no engine is called {unknown[0]}; there are {', '.join(engines)}")
    if names:
        return [engine for name, engine in engines.items() if name in names]
    return [engine for engine in engines.values() if not files or engine.file != ENGINES]


def _chosen_cases(cases: list[Case], options: Namespace) -> list[Case]:
    """Give the cases of topics or names; all, but for lines that nobody asked for."""
    parts = options.filter
    wanted = [
        case for case in cases if options.lines or case.line is None or case.id in (parts or [])
    ]
    chosen = {case.id for part in parts or [] for case in _named(wanted, part)}
    skipped = {case.id for part in options.skip for case in _named(wanted, part)}
    left = [case for case in wanted if parts is None or case.id in chosen]
    left = [case for case in left if case.id not in skipped]
    if not left:
        raise SetupError("no case is left")
    return left


def _named(cases: list[Case], part: str) -> list[Case]:
    """Give the cases of a topic, or the one with this name, or those with it in their names."""
    for matches in (
        [case for case in cases if part == case.topic],
        [case for case in cases if part == case.id],
        [case for case in cases if part in case.id],
    ):
        if matches:
            return matches
    raise SetupError(f"no fixture is of the topic, or has a name with, {part!r}")


def _until(results: Iterable[Result], failures: int | None) -> Iterator[Result]:
    """Give results up to so many failures."""
    for result in results:
        yield result
        if failures is not None and not result.good:
            failures -= 1
            if failures == 0:
                return


def _choice(options: Namespace, cases: int, total: int, failures: int) -> str:
    """Say which of the cases were run, where it was not all."""
    chosen = [*(f"--filter {part}" for part in options.filter or [])]
    chosen += [f"--skip {part}" for part in options.skip]
    parts = [f"{cases} of {total} cases are chosen by {' '.join(chosen)}"] if chosen else []
    if failures == options.max_failures:
        parts.append(f"stopped by --max-failures {failures}")
    return "; ".join(parts)


def _listed(cases: Sequence[Case]) -> list[str]:
    """Count the cases; one is of each profile that it needs."""
    profiles = Counter(name for case in cases for name in case.profiles)
    topics = Counter(case.topic for case in cases)
    rows = [("profile", profiles[name], name) for name in load_profiles()]
    rows += [("topic", count, topic) for topic, count in topics.items()]
    return [f"{kind} {name:16} {count:5}" for kind, count, name in rows if count]


if __name__ == "__main__":
    sys.exit(main())
