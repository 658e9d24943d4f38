"""A folder of learners' work and an assignment -> a grade, and points, for each.

Each file of the folder is one hand-in, and each folder and archive in it is one, too. They are
graded side by side, as many as there are processors.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from engine_py.grade.assignment import Assignment, Task, points
from engine_py.grade.report import SECONDS, Fault, Grade, counted, graded
from engine_py.grade.run import LARGEST, MOST_BYTES, MOST_FILES, run

_KINDS = (".py", ".ipynb")
_CLASS = (re.compile(r"def __add__|__add__ *=|def add\b"), re.compile(r"def _?back", re.IGNORECASE))


class Row(NamedTuple):
    """What a learner has handed in, and what came of it."""

    id: str
    """Of the learner, or the hand-in's name where no learners are listed; empty for what belongs to
    none of them."""
    name: str
    file: str
    """The graded file, from the hand-in's name on."""
    grade: Grade | None
    why: str
    """Why nothing is graded."""
    points: list[float]
    lines: list[list[str]]
    """For each task, a line for each operation."""
    shown: Grade | None = None
    """The grade without what hidden tasks ask, if there are such tasks."""

    def scored(self, asked: Assignment) -> Iterable[tuple[Task, float, list[str]]]:
        """Return each task with its points and lines."""
        return zip(asked.tasks, self.points, self.lines, strict=True)

    def for_learner(self, asked: Assignment) -> "Row":
        """Return what the learner may see: no cause, number or line of a hidden task."""
        lines = [[] if task.hidden else own for task, _, own in self.scored(asked)]
        return self._replace(grade=self.shown or self.grade, lines=lines)

    @property
    def result(self) -> str:
        """The verdict, or "not graded"."""
        return self.grade["verdict"] if self.grade else "not graded"

    @property
    def part(self) -> str:
        """Say that the result is of a part, if tasks are hidden."""
        return ", of the tasks that are shown" if self.shown else ""

    @property
    def faults(self) -> Sequence[Fault]:
        return self.grade["faults"] if self.grade else []

    @property
    def counted(self) -> tuple[int, int]:
        """Count the programs that are right, and those that were tried."""
        return counted(self.grade) if self.grade else (0, 0)

    @property
    def score(self) -> float:
        return round(sum(self.points), 2)


def grade_folder(
    folder: Path,
    asked: Assignment,
    *,
    seconds: float = SECONDS,
    show: Callable[[int, int, str], object] = lambda _done, _all, _name: None,
) -> list[Row]:
    """Give each learner of the list a row, and each hand-in that belongs to none.

    Without a list each hand-in has a row, in the order of their names.

    Args:
        folder: where they are.
        asked: what is asked.
        seconds: the longest time for one of them, of the processor.
        show: is called after each with how many are done, how many there are, and its name.

    Raises:
        OSError: there is no such folder.
    """
    entries = sorted([each for each in folder.iterdir() if not each.name.startswith((".", "__"))])
    everyone = asked.learners or [{"id": each.name} for each in entries]
    ids = [who["id"] for who in everyone]
    owners = {
        each: max([x for x in ids if _is_of(each, x)], key=len, default="") for each in entries
    }
    own = {who: [each for each in entries if owners[each] == who] for who in ids}
    rows: dict[str, Row] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {pool.submit(_row, who, own[who["id"]], asked, seconds): who for who in everyone}
        for task in as_completed(tasks):
            name = tasks[task]["id"]
            rows[name] = task.result()
            show(len(rows), len(tasks), name)
    others = [each.name for each in entries if not owners[each]]
    return [rows[who["id"]] for who in everyone] + [
        _not_graded({"id": ""}, each, "belongs to no learner", asked) for each in others
    ]


def _is_of(entry: Path, learner: str) -> bool:
    """Tell whether a name begins with the id, and does not go on with it: s1 is not s10."""
    rest = entry.name.removeprefix(learner)
    return entry.name.startswith(learner) and not rest[:1].isalnum()


def _row(who: Mapping[str, str], own: Sequence[Path], asked: Assignment, seconds: float) -> Row:
    """Grade what a learner has handed in, of several files the first one that can be read."""
    if len(own) != 1:
        names = ", ".join([each.name for each in own])
        why = f"several hand-ins: {names}" if own else "nothing handed in"
        return _not_graded(who, "", why, asked)
    [entry] = own
    with TemporaryDirectory() as opened:
        root, why = entry, ""
        if entry.suffix.lower() == ".zip":
            root, why = Path(opened), _opened(entry, Path(opened))
        files, why = ([], why) if why else _chosen(root, asked.files)
        made = shown = None
        read, visible = "", asked.visible.required
        hidden = asked.required - visible
        for file in files:
            try:
                answers = run(file, seconds, asked.names, root)
            except OSError as error:
                why = why or f"cannot be read: {error.strerror}"
                continue
            found = graded(str(file), answers, asked.required or None)
            if made is None or found["reading"]:
                made, read = found, str(Path(entry.name, file.relative_to(root)))
                shown = graded(str(file), answers, visible, hidden) if hidden else None
            if found["reading"]:
                break
    if made is None:
        return _not_graded(who, entry.name, why, asked)
    scored = [points(task, made) for task in asked.tasks]
    credit, lines = [each for each, _ in scored], [each for _, each in scored]
    return Row(who["id"], who.get("name") or "", read, made, "", credit, lines, shown)


def _not_graded(who: Mapping[str, str], file: str, why: str, asked: Assignment) -> Row:
    lines = [[f"not graded: {why}"] for _ in asked.tasks]
    return Row(who["id"], who.get("name") or "", file, None, why, [0.0 for _ in asked.tasks], lines)


def _opened(archive: Path, folder: Path) -> str:
    """Extract an archive; return why that cannot be done."""
    try:
        with ZipFile(archive) as found:
            rows = found.infolist()
            if len(rows) > MOST_FILES or sum(each.file_size for each in rows) > MOST_BYTES:
                return "the archive is too large"
            found.extractall(folder)  # which drops `..` and a leading `/` from names
    except (BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError):
        return "the archive cannot be opened"
    return ""


def _chosen(root: Path, patterns: Sequence[str]) -> tuple[list[Path], str]:
    """Return the files that may have the class, the likeliest first, or why there are none."""
    if root.is_file():
        is_code = root.suffix.lower() in _KINDS
        return ([root], "") if is_code else ([], f"{root.name} is neither .py nor .ipynb")
    for pattern in patterns:
        found = _found(root, pattern)
        if len(found) > 1:
            files = ", ".join([each.name for each in found])
            return [], f"several files are {pattern}: {files}"
        if found:
            return found, ""
    if patterns:
        return [], f"no file is {', '.join(patterns)}"
    code = [each for each in _found(root, "*") if each.suffix.lower() in _KINDS]
    own = [each for each in code if len(code) == 1 or _has_class(each)]
    own.sort(key=lambda file: (len(file.parts), file))
    return own, "no file has a class with `+` and a backward pass"


def _found(root: Path, pattern: str) -> list[Path]:
    """List files without those that a system keeps for itself: hidden ones, macOS's forks."""
    files = [each for each in sorted(root.rglob(pattern)) if each.is_file()]
    kept = re.compile(r"/(\.|__MACOSX/)")
    return [each for each in files if not kept.search(f"/{each.relative_to(root).as_posix()}")]


def _has_class(file: Path) -> bool:
    """Tell by its text whether a file may have the class; tests have none."""
    if file.name.startswith("test_"):
        return False
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST else b""
    except OSError:
        return False
    return all(pattern.search(content.decode("utf-8", "replace")) for pattern in _CLASS)
