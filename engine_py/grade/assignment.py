"""An assignment: its tasks, their points and its learners; the points that a grade earns.

An assignment is a TOML file:

    title = "Micrograd, week 2"
    class = "Value"                       # optional, as are `data` and `grad`
    files = ["engine.py", "*.py"]         # the first pattern that matches; only one file may;
                                          # by default the file that has the class
    learners = "learners.csv"             # id,name; a hand-in's name begins with the id

    [[task]]
    name = "plus and times"
    operations = ["+", "*"]               # or forms, as "number +" for 2 + a
    points = 4
    credit = "each"                       # each operation earns its share; "all": all or nothing
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
    """Without tasks there are no points; without learners each hand-in has a row."""

    title: str
    names: Mapping[str, str]
    files: Sequence[str] = ()
    learners: Sequence[Mapping[str, str]] = ()
    tasks: Sequence[Task] = ()

    @property
    def max_points(self) -> float:
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
        ValueError: the file is not TOML, or an entry is missing or unknown; the message names it.
        OSError: the file, or its list of learners, cannot be read.
    """
    config = tomllib.loads(file.read_text(encoding="utf-8"))
    known = frozenset(name for each in PROGRAMS for name in each.operations)
    tasks = []
    for row in config.get("task", ()):
        if unknown := sorted(set(row.get("operations", ())) - known):
            raise ValueError(f"task {row.get('name')}: unknown operations {', '.join(unknown)}")
        if not row.get("operations") or not isinstance(row.get("points"), int | float):
            raise ValueError(f"task {row.get('name')}: needs `operations` and `points`")
        credit = row.get("credit", "each")
        if credit not in ("each", "all"):
            raise ValueError(f"task {row.get('name')}: credit must be each or all, not {credit}")
        operations = tuple(row["operations"])
        name = str(row.get("name", ", ".join(operations)))
        tasks.append(Task(name, operations, float(row["points"]), credit, bool(row.get("hidden"))))
    if not tasks:
        raise ValueError("an assignment needs at least one [[task]]")
    learners: list[dict[str, str]] = []
    if "learners" in config:
        with (file.parent / config["learners"]).open(newline="", encoding="utf-8-sig") as table:
            learners = list(csv.DictReader(table))
    if any(not re.fullmatch(r"[\w@.+-]+", each.get("id") or "") for each in learners):
        raise ValueError("the list of learners needs a column `id`, of letters and digits")
    roles: Sequence[str] = ("class", "data", "grad")
    names = {role: str(config[role]) for role in roles if role in config}
    files = tuple(map(str, config.get("files", ())))
    return Assignment(str(config.get("title", file.stem)), names, files, learners, tasks)


def points(task: Task, made: Grade) -> tuple[float, list[str]]:
    """Return the points of a task, and a line for each operation.

    An operation, or a form of one, earns its share if each program that tries it is right. A
    program that also uses another operation, which is wrong on its own, does not count.
    """
    right, lines = 0, []
    absent = "the file was not read" if made["verdict"] == "not read" else "missing"
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
        result = f"{good} of {len(done)} programs are right" if done else absent
        if untried := done.count("not_tried"):
            result += f", and {untried} were not tried because the run had ended"
        lines.append(f"`{written(name)}`: {result}")
    share = right / len(task.operations)
    if task.credit == "all":
        share = float(right == len(task.operations))
    return round(task.points * share, 2), lines
