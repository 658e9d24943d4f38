"""An assignment -> tests that run in a learner's notebook: cells for nbgrader, tests for Otter.

They take the class from the notebook's session. They need no engine there, only `check.py` and the
programs with their right numbers.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine_py.grade.assignment import Assignment, Task
from engine_py.grade.programs import PROGRAMS, TrialProgram
from engine_py.grade.right import right

Json = dict[str, Any]

_USES = ("once", "whole", "rebuilt", "steps")
"""Uses that every class with `data`, `grad` and `backward()` allows."""
_MARK = "written by gradient grade"


def as_notebook_files(assignment: Assignment) -> Iterator[tuple[str, str]]:
    """Yield names and texts: the check, its programs, a notebook for nbgrader, tests for Otter.

    Otter's autograder needs the first two files. Learners get them, too, so the programs of a
    hidden task are only in its cell and in its test.
    """
    yield "gradient_check.py", Path(__file__).with_name("check.py").read_text(encoding="utf-8")
    yield (
        "gradient_check.json",
        json.dumps(_book(assignment.visible, assignment.visible.tasks)) + "\n",
    )
    yield "nbgrader.ipynb", json.dumps(_notebook(assignment), indent=1) + "\n"
    for number, task in enumerate(assignment.tasks, 1):
        yield f"tests/q{number}.py", _otter_test(task, assignment)


def _book(assignment: Assignment, tasks: Sequence[Task]) -> Json:
    """List the programs that use only the assignment's operations, and those of each task."""
    names = [name for task in tasks for name in task.operations]
    programs: list[TrialProgram] = [
        each
        for each in PROGRAMS
        if each.use in _USES
        and _takes_only(each, assignment)
        and (len(each.plain) == 1 or any(map(each.tries, names)))
    ]
    rows = {
        task.name: {
            "points": task.points,
            "credit": task.credit,
            "hidden": task.hidden,
            "operations": {
                name: [place for place, each in enumerate(programs) if each.tries(name)]
                for name in task.operations
            },
        }
        for task in tasks
    }
    return {
        "written": _MARK,
        "data": assignment.names.get("data", "data"),
        "grad": assignment.names.get("grad", "grad"),
        "tasks": rows,
        "programs": [_row(each, assignment) for each in programs],
    }


def _takes_only(program: TrialProgram, assignment: Assignment) -> bool:
    """Return whether a program uses only the assignment's operations, with or without numbers."""
    refused = {"** node", "number **"} & program.operations
    # A form requires its operation, too: `number -` requires `-`.
    known = {part.removesuffix("=") for name in assignment.required for part in name.split()}
    return refused <= assignment.required and program.plain <= known


def _row(program: TrialProgram, assignment: Assignment) -> Json:
    """Describe a program, with the right numbers of each pass."""
    return {
        "text": program.text,
        "operation": program.operation,
        "operations": sorted(program.plain),
        "optional": any("number" in each for each in program.operations - assignment.required),
        "passes": [
            {"values": dict(zip(program.values, point, strict=True)), "right": [data, *grads]}
            for point, (data, grads) in zip(program.points, right(program), strict=True)
        ],
    }


def _notebook(assignment: Assignment) -> Json:
    """Make a notebook with a cell for the class, and a test cell for each task."""
    kind, cells = assignment.names.get("class", "Value"), []
    solution = f"class {kind}:\n    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION\n"
    cells.append(_cell("class", solution, {"grade": False, "solution": True, "locked": False}))
    for number, task in enumerate(assignment.tasks, 1):
        # The last line's value is the score, also if it is 0.0; output on stderr would make it 0.
        given = f"{kind}, {task.name!r}{_hidden_book(task, assignment)}"
        text = f"from gradient_check import points\n\npoints({given})"
        if task.hidden:  # nbgrader removes these cells from the learners' copies
            text = f"### BEGIN HIDDEN TESTS\n{text}\n### END HIDDEN TESTS"
        tested = {"grade": True, "solution": False, "locked": True, "points": task.points}
        cells.append(_cell(f"task{number}", text, tested))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "gradient": _MARK}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _hidden_book(task: Task, assignment: Assignment) -> str:
    """Write a hidden task's programs as an argument; empty for a task that is not hidden."""
    return f", {_book(assignment, [task])!r}" if task.hidden else ""


def _cell(name: str, text: str, nbgrader: Json) -> Json:
    known = {"grade_id": name, "schema_version": 3, "task": False, "cell_type": "code"}
    return {
        "id": name,
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"nbgrader": nbgrader | known},
        "outputs": [],
        "source": text,
    }


_OTTER = """# {mark}
from gradient_check import mistake
from otter.test_files import test_case

OK_FORMAT = False
name = {name!r}
points = None
"""


def _otter_test(task: Task, assignment: Assignment) -> str:
    """Write a test file for Otter: a case for each operation, or one if all must be right."""
    kind = assignment.names.get("class", "Value")
    all_or_nothing = task.credit == "all"
    groups = [task.operations] if all_or_nothing else [(each,) for each in task.operations]
    text, book = _OTTER.format(mark=_MARK, name=task.name), _hidden_book(task, assignment)
    for number, group in enumerate(groups, 1):
        credit = task.points / len(groups)
        text += (
            f"\n\n@test_case(name={', '.join(group)!r}, points={credit}, hidden={task.hidden})\n"
            f"def test_{number}({kind}):\n"
            f"    wrong = [mistake({kind}, {task.name!r}, each{book}) for each in {[*group]!r}]\n"
            f'    assert not any(wrong), "\\n".join(filter(None, wrong))\n'
        )
    return text
