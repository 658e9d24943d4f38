"""`gradient grade`: a learner's file -> what is wrong with its class."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine_py.command.program import UsageError
from engine_py.command.terminal import print_result
from engine_py.show.explanation import Paint

_SECONDS, _LONGEST = 10.0, 3_600


def grade(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """say what is wrong with a learner's class

    Runs the file, finds the class that has `data`, `grad`, operators and `backward`, tries it on
    small programs, and names each fault with the smallest program that shows it. Exits with 1 where
    there is a fault. The file runs in a child process with limits of time and memory, and may do
    all that you may do: this is no sandbox.

    Examples:
      {gradient} grade student.py
      {gradient} grade student.py --json
      {gradient} grade student.py --junit results.xml
    """
    parser.add_argument("file", help="a Python file")
    parser.add_argument(
        "--seconds",
        type=float,
        default=_SECONDS,
        metavar="count",
        help="longest time for all programs (10)",
    )
    parser.add_argument("--json", action="store_true", help="print it all as JSON")
    parser.add_argument("--junit", metavar="file", help="write it as JUnit XML, too")
    return _grade


def _grade(options: Namespace) -> int:
    from engine_py.grade import report  # noqa: PLC0415 - no other command needs all that

    if not 0 < options.seconds <= _LONGEST:
        raise UsageError(f"--seconds must be above 0, and at most {_LONGEST:,}")
    try:
        made = report.grade(options.file, seconds=options.seconds)
    except OSError as fault:
        raise UsageError(f"cannot read {options.file}: {fault.strerror}") from None
    if options.junit is not None:
        try:
            Path(options.junit).write_text(report.as_junit(made), encoding="utf-8")
        except OSError as fault:
            raise UsageError(f"cannot write {options.junit}: {fault.strerror}") from None
    print_result(made, _shown, as_json=options.json)
    return int(not made["right"])


def _shown(made: Any, paint: Paint) -> list[str]:
    lines = []
    for number, fault in enumerate(made["faults"], 1):
        lines.append(f"{paint(f'{number}.', 'strong')} {fault['message']}")
        lines += [f"   {fault['evidence']}"] if fault["evidence"] else []
    lines += [f"note: {note}" for note in made["notes"]]
    outcomes = [each["outcome"] for each in made["programs"]]
    tried = len(outcomes) - outcomes.count("left_out")
    counted = [f"{outcomes.count('right')} of {tried} programs are right"] if tried else []
    return [*lines, *([""] if lines and counted else []), *counted]
