"""A folder of learners' work -> a grade for each, as a table (CSV) and as a page (HTML).

Each file of the folder is one learner's, and each folder in it is one, too, of which the file is
graded that has the class. They are graded side by side, as many as there are processors.
"""

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from html import escape
from pathlib import Path
from typing import NamedTuple

from engine_py.grade.report import SECONDS, Fault, Grade, counted, grade

_KINDS = (".py", ".ipynb")
_CLASS = (re.compile(r"def __add__|__add__ *=|def add\b"), re.compile(r"def _?back", re.IGNORECASE))
_LARGEST = 5_000_000
"""Bytes of a file that is looked at."""


class Work(NamedTuple):
    """What one learner has handed in."""

    name: str
    file: Path | None
    grade: Grade | None
    """None where no file has a class with a backward pass."""
    is_code: bool = True
    """False where no file is Python or a notebook, as its name ends."""

    @property
    def faults(self) -> Sequence[Fault]:
        """What is wrong with it."""
        return self.grade["faults"] if self.grade else []

    @property
    def result(self) -> str:
        """Say it in a word: right, wrong, not read, no class."""
        if self.grade is None:
            return "no class" if self.is_code else "no code"
        return self.grade["verdict"]

    @property
    def counted(self) -> tuple[int, int]:
        """Count the programs that are right, and those that were tried."""
        return counted(self.grade) if self.grade else (0, 0)


def grade_folder(
    folder: str | Path,
    *,
    seconds: float = SECONDS,
    names: Mapping[str, str] | None = None,
    show: Callable[[int, int, str], object] = lambda _done, _all, _name: None,
) -> list[Work]:
    """Grade each file and each folder of a folder, in the order of their names.

    Args:
        folder: where they are.
        seconds: the longest time for one of them, of the processor.
        names: as for `grade`.
        show: is called after each with how many are done, how many there are, and its name.

    Raises:
        OSError: there is no such folder.
    """
    handed_in = sorted(_handed_in(Path(folder)))
    done: dict[str, Work] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {pool.submit(_graded, *row, seconds, names): row[0].name for row in handed_in}
        for task in as_completed(tasks):
            done[tasks[task]] = task.result()
            show(len(done), len(tasks), tasks[task])
    return [done[entry.name] for entry, _ in handed_in]


def _handed_in(folder: Path) -> Iterator[tuple[Path, list[Path]]]:
    for each in folder.iterdir():
        if each.name.startswith((".", "__")):
            continue
        if each.is_dir():
            files = [file for file in each.rglob("*") if file.suffix.lower() in _KINDS]
            yield each, sorted(files, key=lambda file: (len(file.parts), file))
        else:
            yield each, [each] if each.suffix.lower() in _KINDS else []


def _graded(
    entry: Path, files: Sequence[Path], seconds: float, names: Mapping[str, str] | None
) -> Work:
    """Grade the file that has the class, of several the first one that can be read."""
    work = Work(entry.name, None, None, bool(files))
    own = [file for file in files if len(files) == 1 or _has_class(file)]
    for file in own:
        try:
            made = grade(file, seconds=seconds, names=names, root=entry)
        except OSError:  # it cannot be read
            continue
        if work.grade is None or made["reading"]:
            work = Work(entry.name, file, made)
        if made["reading"]:
            break
    return work


def _has_class(file: Path) -> bool:
    """Tell by its text whether a file may have the class; tests and what is hidden have none."""
    if file.name.startswith("test_") or any(each.startswith(".") for each in file.parts[1:]):
        return False
    try:
        content = file.read_bytes() if file.stat().st_size < _LARGEST else b""
    except OSError:
        return False
    return all(pattern.search(content.decode("utf-8", "replace")) for pattern in _CLASS)


_COLUMNS = ("name", "file", "class", "result", "right", "tried", "faults", "first", "shown by")


def is_ours(text: str) -> bool:
    """Tell whether a table or a page is one that is written here."""
    return text.startswith(",".join(_COLUMNS)) or 'content="gradient grade"' in text


def as_csv(works: Sequence[Work]) -> str:
    """Write a row for each learner."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for work in works:
        first = work.faults[0] if work.faults else None
        shown = (first["message"], first["evidence"]) if first else ("", "")
        kinds = "; ".join(_named(fault) for fault in work.faults)
        name = work.grade["class"] if work.grade else None
        row = [work.name, work.file or "", name or "", work.result, *work.counted, kinds, *shown]
        table.writerow([_harmless(str(each)) for each in row])
    return text.getvalue()


def as_rows(rows: Sequence[Sequence[str]]) -> str:
    """Write a table as CSV, with cells that no spreadsheet takes for formulas."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerows([[_harmless(cell) for cell in row] for row in rows])
    return text.getvalue()


def _harmless(cell: str) -> str:
    """Keep a spreadsheet from taking what a learner wrote for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) and not cell.isnumeric() else cell


def _named(fault: Fault) -> str:
    return " ".join([fault["kind"], *fault["operations"]])


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="generator" content="gradient grade">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent) }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem }}
h2 {{ margin-top: 2.5rem }}
table {{ border-collapse: collapse; width: 100% }}
th, td {{ text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0;
  border-top: 1px solid var(--line) }}
thead th {{ border: 0 }}
code {{ font: .92em ui-monospace, monospace; overflow-wrap: anywhere }}
ol, p {{ margin: 0 }} ol {{ padding-left: 1.2rem }} li + li {{ margin-top: .35rem }}
.right {{ color: light-dark(#176b3a, #6fd39b) }} .wrong {{ color: light-dark(#a3251c, #ff9d92) }}
.quiet {{ opacity: .75 }} .scroll {{ overflow-x: auto }}
</style>
<h1>{title}</h1>
<p>{summary}</p>
<h2>The commonest faults</h2>
<div class="scroll"><table><thead><tr><th>learners<th>fault<th>shown by<th>who</thead>
{faults}</table></div>
<h2>Each learner</h2>
<div class="scroll"><table><thead><tr><th>name<th>result<th>programs<th>faults</thead>
{rows}</table></div>
</html>
"""


def as_html(works: Sequence[Work], title: str) -> str:
    """Write a page: the commonest faults of the class first, then what each learner has."""
    counts = {name: sum(work.result == name for work in works) for name in
              ("right", "wrong", "not done", "not read", "no class", "no code")}  # fmt: skip
    summary = ", ".join([f"{count} {name}" for name, count in counts.items() if count])
    return _PAGE.format(
        title=escape(title),
        summary=escape(f"{len(works)} handed in: {summary or 'nothing'}."),
        faults="\n".join([_fault_row(group) for group in _commonest(works)]),
        rows="\n".join([_row(work) for work in works]),
    )


def _commonest(works: Sequence[Work]) -> list[list[tuple[Work, Fault]]]:
    """Group the faults by what they are, the largest group first."""
    groups: dict[str, list[tuple[Work, Fault]]] = {}
    for work in works:
        kinds: dict[str, Fault] = {}
        for fault in work.faults:
            # Files that cannot be read have nothing in common but what each raises.
            cause = fault["message"] if fault["kind"] == "load" else fault["kind"]
            kinds.setdefault(cause, fault)
        for kind, fault in kinds.items():
            groups.setdefault(kind, []).append((work, fault))
    return sorted(groups.values(), key=lambda group: (-len(group), group[0][1]["kind"]))


def _fault_row(group: Sequence[tuple[Work, Fault]]) -> str:
    """Write what a group has in common, with the smallest program of it."""
    fault = min((fault for _, fault in group), key=lambda each: len(each["program"] or ""))
    who = ", ".join([escape(work.name) for work, _ in group])
    cells = (str(len(group)), _coded(fault["message"]), _coded(fault["evidence"]), who)
    return "<tr><td>" + "<td>".join(cells)


def _row(work: Work) -> str:
    faults = "".join(
        [
            f"<li>{_coded(fault['message'])}<p class=quiet>{_coded(fault['evidence'])}</p>"
            for fault in work.faults
        ]
    )
    right, tried = work.counted
    name = f"{escape(work.name)}" + (
        f"<p class=quiet>{escape(work.file.name)}</p>"
        if work.file and work.file.name != work.name
        else ""
    )
    tone = "right" if work.result == "right" else "wrong"
    told = f"<ol>{faults}</ol>" if faults else ""
    return f"<tr><td>{name}<td class={tone}>{work.result}<td>{right} of {tried}<td>{told}"


def _coded(text: str) -> str:
    """Write what stands between backquotes as code."""
    parts = escape(text).split("`")
    return "".join([f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts)])


def as_json(works: Sequence[Work]) -> str:
    """Write all grades."""
    rows = [{"name": work.name, "result": work.result, "grade": work.grade} for work in works]
    return json.dumps(rows, indent=2) + "\n"
