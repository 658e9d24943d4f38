"""What is asked, what it is worth, and who hands in -> points and a reason for each learner.

An assignment is a TOML file:

    title = "Micrograd, week 2"
    class = "Value"                       # optional, as are `data` and `grad`
    files = ["engine.py", "*.py"]         # the first pattern with a file; several files are refused
    learners = "learners.csv"             # id,name; a hand-in's name begins with the id

    [[task]]
    name = "plus and times"
    operations = ["+", "*"]               # or forms, as "number +" for 2 + a
    points = 4
    credit = "each"                       # each operation its share; "all": all or nothing
    hidden = false
"""

import csv
import json
import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from engine_py.grade.programs import PROGRAMS
from engine_py.grade.report import Grade, grade

_MOST_FILES, _MOST_BYTES = 1_000, 50_000_000
"""Of an archive that is opened."""


class Task(NamedTuple):
    """A part of an assignment."""

    name: str
    operations: tuple[str, ...]
    points: float
    credit: str
    hidden: bool


class Assignment(NamedTuple):
    """All of it."""

    title: str
    names: dict[str, str]
    files: tuple[str, ...]
    learners: list[dict[str, str]]
    tasks: list[Task]

    @property
    def required(self) -> frozenset[str]:
        """What must be there."""
        return frozenset(name for task in self.tasks for name in task.operations)


class Scored(NamedTuple):
    """A learner's points, task by task, with a line for each operation."""

    id: str
    name: str
    file: str
    status: str
    """The verdict, or why nothing is graded."""
    points: list[float]
    lines: list[list[str]]
    grade: Grade | None

    @property
    def score(self) -> float:
        """The sum."""
        return round(sum(self.points), 2)


def read_assignment(file: Path) -> Assignment:
    """Read an assignment.

    Raises:
        ValueError: it is no TOML, or an entry is missing or unknown; the message says which.
        OSError: it, or its list of learners, cannot be read.
    """
    book = tomllib.loads(file.read_text(encoding="utf-8"))
    known = frozenset(name for each in PROGRAMS for name in each.operations)
    tasks = []
    for row in book.get("task", ()):
        if unknown := sorted(set(row.get("operations", ())) - known):
            raise ValueError(f"task {row.get('name')}: unknown operations {', '.join(unknown)}")
        if not row.get("operations") or not isinstance(row.get("points"), int | float):
            raise ValueError(f"task {row.get('name')}: `operations` and `points` are needed")
        credit = row.get("credit", "each")
        if credit not in ("each", "all"):
            raise ValueError(f"task {row.get('name')}: credit is {credit}, not each or all")
        operations = tuple(row["operations"])
        name = str(row.get("name", ", ".join(operations)))
        tasks.append(Task(name, operations, float(row["points"]), credit, bool(row.get("hidden"))))
    if not tasks:
        raise ValueError("an assignment needs at least one [[task]]")
    learners: list[dict[str, str]] = []
    if "learners" in book:
        with (file.parent / book["learners"]).open(newline="", encoding="utf-8-sig") as table:
            learners = list(csv.DictReader(table))
    if any(not re.fullmatch(r"[\w@.+-]+", each.get("id") or "") for each in learners):
        raise ValueError("the list of learners needs a column `id`, of letters and digits")
    names: dict[str, str] = {
        role: str(book[role]) for role in ("class", "data", "grad") if role in book
    }
    files = tuple(book.get("files", ("*.py", "*.ipynb")))
    return Assignment(str(book.get("title", file.stem)), names, files, learners, tasks)


def score_folder(folder: Path, asked: Assignment, seconds: float) -> list[Scored]:
    """Give each learner of the list a row, and each file that belongs to none.

    Raises:
        OSError: there is no such folder.
    """
    entries = sorted([each for each in folder.iterdir() if not each.name.startswith(".")])
    people = asked.learners or [{"id": each.stem, "name": ""} for each in entries]
    own = [[each for each in entries if _is_of(each, who["id"])] for who in people]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda who, found: _scored(who, found, asked, seconds), people, own))
    claimed = {each for found in own for each in found}
    nobody = {"id": "", "name": ""}
    others = [each.name for each in entries if each not in claimed]
    rows += [_zero(nobody, each, "belongs to no learner", asked) for each in others]
    return rows


def _is_of(entry: Path, learner: str) -> bool:
    """Tell whether a name begins with the id, and does not go on with it: s1 is not s10."""
    rest = entry.name.removeprefix(learner)
    return entry.name.startswith(learner) and not rest[:1].isalnum()


def _scored(
    who: Mapping[str, str], own: Sequence[Path], asked: Assignment, seconds: float
) -> Scored:
    if len(own) != 1:
        names = ", ".join([each.name for each in own])
        why = f"several hand-ins: {names}" if own else "nothing handed in"
        return _zero(who, "", why, asked)
    with TemporaryDirectory() as opened:
        entry = own[0]
        if entry.suffix.lower() == ".zip":
            why = _opened(entry, Path(opened))
            if why:
                return _zero(who, entry.name, why, asked)
            entry = Path(opened)
        file, why = _chosen(entry, asked.files)
        if file is None:
            return _zero(who, own[0].name, why, asked)
        try:
            made = grade(
                file, seconds=seconds, names=asked.names, required=asked.required, root=entry
            )
        except OSError as error:
            return _zero(who, own[0].name, f"cannot be read: {error.strerror}", asked)
    parts = [_points(task, made) for task in asked.tasks]
    points, lines = [each for each, _ in parts], [each for _, each in parts]
    name = who.get("name") or ""
    return Scored(who["id"], name, own[0].name, made["verdict"], points, lines, made)


def _zero(who: Mapping[str, str], file: str, why: str, asked: Assignment) -> Scored:
    none = [0.0 for _ in asked.tasks]
    lines = [[f"not graded: {why}"] for _ in asked.tasks]
    return Scored(who["id"], who.get("name") or "", file, why, none, lines, None)


def _opened(archive: Path, folder: Path) -> str:
    """Extract an archive; return why that cannot be done."""
    try:
        with ZipFile(archive) as found:
            rows = found.infolist()
            if len(rows) > _MOST_FILES or sum(each.file_size for each in rows) > _MOST_BYTES:
                return "the archive is too large"
            found.extractall(folder)  # which drops `..` and a leading `/` from names
    except (BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError):
        return "the archive cannot be opened"
    return ""


def _chosen(entry: Path, patterns: Sequence[str]) -> tuple[Path | None, str]:
    """Return the file that is asked for, or why there is none."""
    named = ", ".join(patterns)
    if entry.is_file():
        is_code = entry.suffix in (".py", ".ipynb")
        return (entry, "") if is_code else (None, f"{entry.name} is neither .py nor .ipynb")
    for pattern in patterns:
        found = sorted([each for each in entry.rglob(pattern) if each.is_file()])
        if len(found) == 1:
            return found[0], ""
        if found:
            files = ", ".join([each.name for each in found])
            return None, f"several files are {pattern}: {files}"
    return None, f"no file is {named}"


def tries(asked: str, operation: str, operations: Collection[str]) -> bool:
    """Tell whether a program that tries an operation, and takes others, counts for what is asked.

    What is asked is an operation, or a form as `number +`, which any program may take.
    """
    return asked in operations and (operation == asked or " " in asked)


def _points(task: Task, made: Grade) -> tuple[float, list[str]]:
    """Return the points of a task, and a line for each operation.

    An operation has its share if each program that tries it, or takes the form, is right. One that
    takes another operation, which is to blame, says nothing of this one.
    """
    right, lines = 0, []
    blamed = {name for fault in made["faults"] for name in fault["operations"]}
    for name in task.operations:
        own = [
            each["outcome"]
            for each in made["programs"]
            if tries(name, each["operation"], each["operations"])
            and blamed.isdisjoint({*each["operations"]} - {name, each["operation"]})
        ]
        done = [each for each in own if each != "left_out"]
        good = done.count("right")
        is_right = bool(done) and good == len(done) and name not in blamed
        right += is_right
        of = f"{good} of {len(done)} programs are right" if done else "not there"
        of += ", and it is to blame for others" if name in blamed and good == len(done) > 0 else ""
        lines.append(f"`{name}`: {of}")
    share = right / len(task.operations)
    if task.credit == "all":
        share = float(right == len(task.operations))
    return round(task.points * share, 2), lines


def as_table(rows: Sequence[Scored], asked: Assignment) -> list[list[str]]:
    """Return a table: a head, and a row for each learner."""
    most = sum(task.points for task in asked.tasks)
    head = ["id", "name", "file", "status", "score", "max_score"]
    table = [[*head, *[task.name for task in asked.tasks]]]
    for row in rows:
        numbers = [row.score, most, *row.points]
        table.append([row.id, row.name, row.file, row.status, *[f"{x:g}" for x in numbers]])
    return table


def as_gradescope(row: Scored, asked: Assignment) -> str:
    """Write a learner's results.json, as Gradescope's specification has it."""
    tests = [
        {
            "name": task.name,
            "number": str(number),
            "score": points,
            "max_score": task.points,
            "status": "passed" if points == task.points else "failed",
            "output": "\n".join(lines),
            "output_format": "md",
            "visibility": "after_published" if task.hidden else "visible",
            "tags": list(task.operations),
        }
        for number, (task, points, lines) in enumerate(
            zip(asked.tasks, row.points, row.lines, strict=True), 1
        )
    ]
    faults = row.grade["faults"] if row.grade else []
    told = [f"{row.file or 'no file'}: {row.status}"]
    told += [f"{fault['message']}\n{fault['evidence']}" for fault in faults]
    book = {"output": "\n\n".join(told), "stdout_visibility": "hidden", "tests": tests,
            "extra_data": {"written_by": "gradient grade"}}  # fmt: skip
    return json.dumps(book, indent=1) + "\n"


def as_classroom(row: Scored, asked: Assignment) -> str:
    """Write a learner's points, as the reporter of GitHub Classroom reads a runner's results."""
    tests: list[dict[str, Any]] = [
        {
            "name": task.name,
            "status": "pass" if points == task.points else "fail",
            "score": points,
            "message": "\n".join(lines),
        }
        for task, points, lines in zip(asked.tasks, row.points, row.lines, strict=True)
    ]
    most = sum(task.points for task in asked.tasks)
    done = all(each["status"] == "pass" for each in tests)
    status = "pass" if done else "fail"
    book = {"version": 1, "status": status, "max_score": most, "tests": tests}
    return json.dumps(book, indent=1) + "\n"


def is_ours(text: str) -> bool:
    """Tell whether a file is one of those that are written here."""
    heads = ("id,name,file,status,score,max_score", '{\n "version": 1,\n "status"')
    return text.startswith(heads) or '"written_by": "gradient grade"' in text
