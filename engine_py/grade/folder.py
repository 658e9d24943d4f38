"""A folder of hand-ins and an assignment -> a grade, and points, for each learner.

Each file, folder and archive in the folder is one hand-in. They are graded in parallel, one on each
processor.
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
from engine_py.grade.run import LARGEST, MAX_BYTES, MAX_FILES, run

_KINDS = (".py", ".ipynb")
_CLASS = (re.compile(r"def __add__|__add__ *=|def add\b"), re.compile(r"def _?back", re.IGNORECASE))


class Row(NamedTuple):
    """A learner's hand-in with its grade and points."""

    id: str
    """The learner's; the hand-in's name if no learners are listed; empty if it belongs to none."""
    name: str
    file: str
    """The path of the graded file, which begins with the hand-in's name."""
    grade: Grade | None
    why: str
    """The reason if nothing is graded."""
    points: list[float]
    lines: list[list[str]]
    """For each task, a line for each operation."""
    shown: Grade | None = None
    """The grade without the operations of hidden tasks, if there are hidden tasks."""

    def scored(self, assignment: Assignment) -> Iterable[tuple[Task, float, list[str]]]:
        """Return each task with its points and lines."""
        return zip(assignment.tasks, self.points, self.lines, strict=True)

    def for_learner(self, assignment: Assignment) -> "Row":
        """Return the row as the learner may see it: no cause, number or line of a hidden task."""
        lines = [[] if task.hidden else own for task, _, own in self.scored(assignment)]
        return self._replace(grade=self.shown or self.grade, lines=lines)

    @property
    def result(self) -> str:
        """Return the verdict, or "not graded"."""
        return self.grade["verdict"] if self.grade else "not graded"

    @property
    def part(self) -> str:
        """Say that the result leaves out hidden tasks, if there are any."""
        return ", of the tasks that are shown" if self.shown else ""

    @property
    def faults(self) -> Sequence[Fault]:
        return self.grade["faults"] if self.grade else []

    @property
    def counted(self) -> tuple[int, int]:
        """Return the numbers of right and of tried programs."""
        return counted(self.grade) if self.grade else (0, 0)

    @property
    def score(self) -> float:
        return round(sum(self.points), 2)


def grade_folder(
    folder: Path,
    assignment: Assignment,
    *,
    seconds: float = SECONDS,
    show: Callable[[int, int, str], object] = lambda _done, _all, _name: None,
) -> list[Row]:
    """Return a row for each learner of the list, and for each hand-in that belongs to none.

    Without a list each hand-in has a row, in the order of their names.

    Args:
        folder: the folder of hand-ins.
        assignment: what they must do.
        seconds: the most CPU time for one hand-in.
        show: called after each with the number of those done, the number of all, and its name.

    Raises:
        OSError: there is no such folder.
    """
    entries = sorted([each for each in folder.iterdir() if not each.name.startswith((".", "__"))])
    learners = assignment.learners or [{"id": each.name} for each in entries]
    ids = [each["id"] for each in learners]
    owners = {
        each: max([x for x in ids if _is_of(each, x)], key=len, default="") for each in entries
    }
    own = {name: [each for each in entries if owners[each] == name] for name in ids}
    rows: dict[str, Row] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {
            pool.submit(_row, each, own[each["id"]], assignment, seconds): each["id"]
            for each in learners
        }
        for task in as_completed(tasks):
            rows[tasks[task]] = task.result()
            show(len(rows), len(tasks), tasks[task])
    others = [each.name for each in entries if not owners[each]]
    return [rows[name] for name in ids] + [
        _not_graded({"id": ""}, each, "belongs to no learner", assignment) for each in others
    ]


def _is_of(entry: Path, learner: str) -> bool:
    """Return whether a name begins with the whole id: `s10.py` does not belong to s1."""
    rest = entry.name.removeprefix(learner)
    return entry.name.startswith(learner) and not rest[:1].isalnum()


def _row(
    learner: Mapping[str, str], own: Sequence[Path], assignment: Assignment, seconds: float
) -> Row:
    """Grade a learner's hand-in; of several files, the first one whose class can be read."""
    if len(own) != 1:
        names = ", ".join([each.name for each in own])
        why = f"several hand-ins: {names}" if own else "nothing handed in"
        return _not_graded(learner, "", why, assignment)
    [entry] = own
    with TemporaryDirectory() as opened:
        root, why = entry, ""
        if entry.suffix.lower() == ".zip":
            root, why = Path(opened), _opened(entry, Path(opened))
        files, why = ([], why) if why else _chosen(root, assignment.files)
        made = shown = None
        read, visible = "", assignment.visible.required
        hidden = assignment.required - visible
        for file in files:
            try:
                answers = run(file, seconds, assignment.names, root)
            except OSError as error:
                why = why or f"cannot be read: {error.strerror}"
                continue
            found = graded(str(file), answers, assignment.required or None)
            if made is None or found["reading"]:
                made, read = found, str(Path(entry.name, file.relative_to(root)))
                shown = graded(str(file), answers, visible, hidden) if hidden else None
            if found["reading"]:
                break
    if made is None:
        return _not_graded(learner, entry.name, why, assignment)
    scored = [points(task, made) for task in assignment.tasks]
    credit, lines = [each for each, _ in scored], [each for _, each in scored]
    return Row(learner["id"], learner.get("name") or "", read, made, "", credit, lines, shown)


def _not_graded(learner: Mapping[str, str], file: str, why: str, assignment: Assignment) -> Row:
    lines = [[f"not graded: {why}"] for _ in assignment.tasks]
    return Row(
        learner["id"],
        learner.get("name") or "",
        file,
        None,
        why,
        [0.0 for _ in assignment.tasks],
        lines,
    )


def _opened(archive: Path, folder: Path) -> str:
    """Extract an archive; return the reason if that cannot be done."""
    try:
        with ZipFile(archive) as found:
            rows = found.infolist()
            if len(rows) > MAX_FILES or sum(each.file_size for each in rows) > MAX_BYTES:
                return "the archive is too large"
            found.extractall(folder)  # drops `..` and a leading `/` from names
    except (BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError):
        return "the archive cannot be opened"
    return ""


def _chosen(root: Path, patterns: Sequence[str]) -> tuple[list[Path], str]:
    """Return the files that may have the class, the likeliest first, or the reason for none."""
    if root.is_file():
        is_code = root.suffix.lower() in _KINDS
        return ([root], "") if is_code else ([], f"{root.name} is neither .py nor .ipynb")
    for pattern in patterns:
        found = _found(root, pattern)
        if len(found) > 1:
            files = ", ".join([each.name for each in found])
            return [], f"several files match {pattern}: {files}"
        if found:
            return found, ""
    if patterns:
        return [], f"no file matches {', '.join(patterns)}"
    code = [each for each in _found(root, "*") if each.suffix.lower() in _KINDS]
    own = [each for each in code if len(code) == 1 or _has_class(each)]
    own.sort(key=lambda file: (len(file.parts), file))
    return own, "no file has a class with `+` and a backward pass"


def _found(root: Path, pattern: str) -> list[Path]:
    """List the files that match, without hidden ones and macOS's resource forks."""
    files = [each for each in sorted(root.rglob(pattern)) if each.is_file()]
    kept = re.compile(r"/(\.|__MACOSX/)")
    return [each for each in files if not kept.search(f"/{each.relative_to(root).as_posix()}")]


def _has_class(file: Path) -> bool:
    """Return whether a file's text may have the class; a test's file has none."""
    if file.name.startswith("test_"):
        return False
    try:
        content = file.read_bytes() if file.stat().st_size <= LARGEST else b""
    except OSError:
        return False
    return all(pattern.search(content.decode("utf-8", "replace")) for pattern in _CLASS)
