"""An assignment -> tests that run in a learner's notebook: cells for nbgrader, tests for Otter.

They take the class from the notebook's session, and need no engine there: `check.py`, and the
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

_USES = ("once", "whole", "anew", "steps")
"""Uses that all classes with `data`, `grad` and `backward()` allow."""
_MARK = "written by gradient grade"


def as_notebook_files(asked: Assignment) -> Iterator[tuple[str, str]]:
    """Yield names and texts: the check, its programs, a notebook for nbgrader, tests for Otter.

    Otter takes the check's two files among those of its autograder. Learners get them, too, so
    the programs of a hidden task are only in its cell and in its test.
    """
    yield "gradient_check.py", Path(__file__).with_name("check.py").read_text(encoding="utf-8")
    yield "gradient_check.json", json.dumps(_book(asked.visible, asked.visible.tasks)) + "\n"
    yield "nbgrader.ipynb", json.dumps(_notebook(asked), indent=1) + "\n"
    for number, task in enumerate(asked.tasks, 1):
        yield f"tests/q{number}.py", _otter_test(task, asked)


def _book(asked: Assignment, tasks: Sequence[Task]) -> Json:
    """List the programs that take nothing but what is asked, and those of each of the tasks."""
    names = [name for task in tasks for name in task.operations]
    programs: list[TrialProgram] = [
        each
        for each in PROGRAMS
        if each.use in _USES
        and _takes_only(each, asked)
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
        "data": asked.names.get("data", "data"),
        "grad": asked.names.get("grad", "grad"),
        "tasks": rows,
        "programs": [_row(each, asked) for each in programs],
    }


def _takes_only(program: TrialProgram, asked: Assignment) -> bool:
    """Tell whether a program takes nothing but what is asked; forms with a number are optional."""
    refused = {"** node", "number **"} & program.operations
    # A form asks for its operation, too: `number -` for `-`.
    known = {part.removesuffix("=") for name in asked.required for part in name.split()}
    return refused <= asked.required and program.plain <= known


def _row(program: TrialProgram, asked: Assignment) -> Json:
    """Write a program with the right numbers of each pass."""
    return {
        "text": program.text,
        "operation": program.operation,
        "operations": sorted(program.plain),
        "optional": any("number" in each for each in program.operations - asked.required),
        "passes": [
            {"values": dict(zip(program.values, point, strict=True)), "right": [data, *grads]}
            for point, (data, grads) in zip(program.points, right(program), strict=True)
        ],
    }


def _notebook(asked: Assignment) -> Json:
    """Write a notebook with a cell for the class, and a test cell for each task."""
    kind, cells = asked.names.get("class", "Value"), []
    solution = f"class {kind}:\n    ### BEGIN SOLUTION\n    pass\n    ### END SOLUTION\n"
    cells.append(_cell("class", solution, {"grade": False, "solution": True, "locked": False}))
    for number, task in enumerate(asked.tasks, 1):
        # The last line is the score, 0.0 too; what goes to stderr would be 0 points.
        given = f"{kind}, {task.name!r}{_hidden_book(task, asked)}"
        text = f"from gradient_check import points\n\npoints({given})"
        if task.hidden:  # nbgrader removes these cells from the learners' copies
            text = f"### BEGIN HIDDEN TESTS\n{text}\n### END HIDDEN TESTS"
        tested = {"grade": True, "solution": False, "locked": True, "points": task.points}
        cells.append(_cell(f"task{number}", text, tested))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "gradient": _MARK}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _hidden_book(task: Task, asked: Assignment) -> str:
    """Write a hidden task's programs as an argument; nothing for a task that is not hidden."""
    return f", {_book(asked, [task])!r}" if task.hidden else ""


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


def _otter_test(task: Task, asked: Assignment) -> str:
    """Write a file of Otter's tests: a case for each operation, or one for all or nothing."""
    kind = asked.names.get("class", "Value")
    all_or_nothing = task.credit == "all"
    groups = [task.operations] if all_or_nothing else [(each,) for each in task.operations]
    text, book = _OTTER.format(mark=_MARK, name=task.name), _hidden_book(task, asked)
    for number, group in enumerate(groups, 1):
        credit = task.points / len(groups)
        text += (
            f"\n\n@test_case(name={', '.join(group)!r}, points={credit}, hidden={task.hidden})\n"
            f"def test_{number}({kind}):\n"
            f"    wrong = [mistake({kind}, {task.name!r}, each{book}) for each in {[*group]!r}]\n"
            f'    assert not any(wrong), "\\n".join(filter(None, wrong))\n'
        )
    return text
