"""`gradient grade`: a learner's file, or a folder of them -> the mistakes of each class."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine_py.command.terminal import print_bytes, print_error, print_lines, print_result
from engine_py.command.values import UsageError
from engine_py.show.explanation import Paint

_SECONDS, _LONGEST = 10.0, 3_600
_BAR = 20
"""Columns of the progress bar."""


def grade(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """find the mistakes in a learner's class

    Runs a script, a notebook or a file of a package, finds the class that has data, a gradient,
    operators and a backward pass, tries it on small programs, and reports each mistake with
    the smallest program that shows it. Exits with 0 only if all required operations are right.
    A copy of the file runs in a child process with limits of time and memory. On Linux it cannot
    write your files and has no network, but it can read what you can read: this is not a sandbox.
    In a folder, every file, folder and archive is graded; --to writes grades.csv and pages.

    Examples:
      {gradient} grade student.py
      {gradient} grade student.py --class Value --data data --grad grad
      {gradient} grade student.py --junit results.xml
      {gradient} grade handed-in --to grades
    """
    parser.add_argument("file", help="a Python file, a notebook, or a folder of them")
    parser.add_argument(
        "--class", dest="kind", metavar="name", help="the class, if the wrong one is found"
    )
    parser.add_argument("--data", metavar="name", help="its attribute that holds the number")
    parser.add_argument("--grad", metavar="name", help="its attribute that holds the gradient")
    parser.add_argument(
        "--seconds",
        type=float,
        default=_SECONDS,
        metavar="count",
        help="maximum CPU time in seconds for all programs (10)",
    )
    parser.add_argument("--json", action="store_true", help="print the grade as JSON")
    parser.add_argument("--junit", metavar="file", help="write the grade as JUnit XML, too")
    parser.add_argument("--to", metavar="folder", help="write a folder's grades there")
    parser.add_argument(
        "--assignment", metavar="file", help="a TOML file with the tasks and their points"
    )
    return _grade


def _grade(options: Namespace) -> int:
    from engine_py.grade import forms, report  # noqa: PLC0415 - only this command needs it

    if not 0 < options.seconds <= _LONGEST:
        raise UsageError(f"--seconds must be above 0, and at most {_LONGEST:,}")
    given = {"class": options.kind, "data": options.data, "grad": options.grad}
    names = {role: name for role, name in given.items() if name}
    if options.assignment is not None or Path(options.file).is_dir():
        return _grade_folder(options, names)
    try:
        made = report.grade(options.file, seconds=options.seconds, names=names)
    except OSError as error:
        raise UsageError(f"cannot read {options.file}: {error.strerror}") from None
    if options.junit is not None:
        _write({Path(options.junit): forms.as_junit(made)}, forms.is_ours)
    print_result(made, _shown, as_json=options.json)
    return int(not made["right"])


def _grade_folder(options: Namespace, names: dict[str, str]) -> int:
    from engine_py.grade import folder, forms  # noqa: PLC0415 - only this command
    from engine_py.grade.assignment import Assignment, read_assignment  # noqa: PLC0415 - as above

    if options.junit is not None:
        raise UsageError("--junit is for one file")
    if options.json and options.to is not None:
        raise UsageError("--json prints, and --to writes: take one of them")
    assignment = Assignment(Path(options.file).resolve().name, names)
    try:
        if options.assignment is not None:
            assignment = read_assignment(Path(options.assignment))
            assignment = assignment._replace(names={**assignment.names, **names})
        rows = folder.grade_folder(
            Path(options.file), assignment, seconds=options.seconds, show=_progress
        )
    except ValueError as error:
        raise UsageError(f"{options.assignment}: {error}") from None
    except OSError as error:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from None
    if not rows:
        raise UsageError(f"{options.file} has no Python file, notebook or folder")
    if options.json:
        print_bytes(forms.as_json(rows))
    elif options.to is None and assignment.tasks:
        print_bytes(forms.as_csv(rows, assignment))
    else:
        _print_summary(rows, options.to and _write_folder(Path(options.to), rows, assignment))
    return int(any(row.result != "right" for row in rows))


def _print_summary(rows: Sequence[Any], page: Path | None) -> None:
    results = [row.result for row in rows]
    counted = [f"{results.count(each)} {each}" for each in sorted({*results})]
    reported = f"{len(rows)} in all: {', '.join(counted)}" + (f"; see {page}" if page else "")
    still_open: list[str] = next((row.grade["open"] for row in rows if row.grade), [])
    print_lines([reported, *_left_open(still_open)])


def _write_folder(to: Path, rows: Sequence[Any], assignment: Any) -> Path:
    """Write the table, the pages and an assignment's forms; return the path of the class's page."""
    from engine_py.grade import forms, notebooks, pages  # noqa: PLC0415 - only this command

    page = to / "grades.html"
    files = {
        page: pages.as_page(rows, assignment),
        to / "grades.csv": forms.as_csv(rows, assignment),
    }
    learners = [row for row in rows if row.id]
    for row in learners:
        files[to / "learners" / f"{row.id}.html"] = pages.as_learner_page(row, assignment)
    if assignment.tasks:
        files[to / "junit.xml"] = forms.as_junit_of_class(rows, assignment)
        for row in learners:
            files[to / "gradescope" / f"{row.id}.json"] = forms.as_gradescope(row, assignment)
            files[to / "classroom" / f"{row.id}.json"] = forms.as_classroom(row, assignment)
        for name, text in notebooks.as_notebook_files(assignment):
            files[to / "notebook" / name] = text
    _write(files, forms.is_ours)
    return page


def _write(files: Mapping[Path, str], is_ours: Callable[[str], bool]) -> None:
    """Write the files, unless one exists that the grader has not written."""
    try:
        for file in files:
            if file.exists() and not is_ours(file.read_text(encoding="utf-8", errors="replace")):
                raise UsageError(f"{file} is not from the grader, and is not overwritten")
        for file, text in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from None


def _left_open(names: Sequence[str]) -> list[str]:
    """List a warning of the harm that a hand-in can do on this system; empty if none."""
    can = {"files": "write your files", "network": "use the network", "signals": "end processes"}
    harm = " and ".join([can[each] for each in names])
    return [f"on this system a hand-in can {harm}: grade it in a container"] if harm else []


def _progress(done: int, count: int, name: str) -> None:
    """Show a bar on a terminal, and nothing elsewhere."""
    if sys.stderr and sys.stderr.isatty():
        bar = "#" * (done * _BAR // count)
        text = f"\r[{bar:{_BAR}}] {done} of {count}  {name:.40}\x1b[K"
        print_error(text, end="\n" if done == count else "")


def _shown(made: Any, paint: Paint) -> list[str]:
    from engine_py.grade import report  # noqa: PLC0415 - only this command needs it

    lines = [f"read as: {made['reading']}", ""] if made["reading"] else []
    for number, fault in enumerate(made["faults"], 1):
        lines.append(f"{paint(f'{number}.', 'strong')} {fault['message']}")
        lines += [f"   {fault['evidence']}"] if fault["evidence"] else []
    lines += [f"note: {note}" for note in [*made["notes"], *_left_open(made["open"])]]
    right, tried = report.counted(made)
    required = ", ".join(made["required"])
    lines += [""] if lines else []
    lines += [f"{right} of {tried} programs are right"] if tried else []
    return [
        *lines,
        paint(made["verdict"], "strong") + (f" (required: {required})" if tried else ""),
    ]
