"""What is asked, what it is worth, and who hands in; the points of a task.

An assignment is a TOML file:

    title = "Micrograd, week 2"
    class = "Value"                       # optional, as are `data` and `grad`
    files = ["engine.py", "*.py"]         # the first pattern with a file; several are refused;
                                          # by default the file that has the class
    learners = "learners.csv"             # id,name; a hand-in's name begins with the id

    [[task]]
    name = "plus and times"
    operations = ["+", "*"]               # or forms, as "number +" for 2 + a
    points = 4
    credit = "each"                       # each operation its share; "all": all or nothing
    hidden = false
"""

import csv
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from engine_py.grade.programs import PROGRAMS
from engine_py.grade.report import Grade, written


class Task(NamedTuple):
    """A part of an assignment."""

    name: str
    operations: tuple[str, ...]
    points: float
    credit: str
    hidden: bool


class Assignment(NamedTuple):
    """All of it; without tasks nothing has points, and without learners all hand-ins are theirs."""

    title: str
    names: Mapping[str, str]
    files: Sequence[str] = ()
    learners: Sequence[Mapping[str, str]] = ()
    tasks: Sequence[Task] = ()

    @property
    def most(self) -> float:
        """The points of all tasks."""
        return sum(task.points for task in self.tasks)

    @property
    def required(self) -> frozenset[str]:
        return frozenset(name for task in self.tasks for name in task.operations)

    @property
    def visible(self) -> "Assignment":
        """The assignment without its hidden tasks."""
        return self._replace(tasks=[task for task in self.tasks if not task.hidden])


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
    roles: Sequence[str] = ("class", "data", "grad")
    names = {role: str(book[role]) for role in roles if role in book}
    files = tuple(map(str, book.get("files", ())))
    return Assignment(str(book.get("title", file.stem)), names, files, learners, tasks)


def points(task: Task, made: Grade) -> tuple[float, list[str]]:
    """Return the points of a task, and a line for each operation.

    An operation, or a form of one, has its share if each program that tries it is right. One that
    takes another operation, which is wrong without it, says nothing of this one.
    """
    right, lines = 0, []
    without = "the file was not read" if made["verdict"] == "not read" else "not there"
    rows = [*zip(PROGRAMS, [each["outcome"] for each in made["programs"]], strict=False)]
    broken = {
        program.operation
        for program, outcome in rows
        if len(program.plain) == 1 and outcome in ("wrong", "not_done")
    }
    for name in task.operations:
        own = [
            outcome
            for program, outcome in rows
            if program.tries(name) and broken.isdisjoint(program.plain - {program.operation})
        ]
        done = [each for each in own if each != "left_out"]
        good = done.count("right")
        right += good == len(done) > 0
        of = f"{good} of {len(done)} programs are right" if done else without
        if untried := done.count("not_tried"):
            of += f", and {untried} were not tried, for the run had ended"
        lines.append(f"`{written(name)}`: {of}")
    share = right / len(task.operations)
    if task.credit == "all":
        share = float(right == len(task.operations))
    return round(task.points * share, 2), lines
