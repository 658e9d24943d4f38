"""The tests for notebooks by themselves, and run by the real nbgrader and Otter."""

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from engine_py.grade.assignment import points as points_of
from engine_py.grade.assignment import read_assignment
from engine_py.grade.notebooks import as_notebook_files
from engine_py.grade.report import graded
from engine_py.grade.run import run as run_child
from engine_py.tests.test_grade import ASSIGNMENT, FORMS, HANG, edited

Json = dict[str, Any]

TIMES, TANH = "other.data * out.grad", "        t = (math.exp("
FOLDED = edited("micrograd", [[TIMES, "other.data * abs(out.grad)"]])
SWAPPED = edited("micrograd", [["return other + (-self)", "return self + (-other)"]])
UNFINISHED = edited("micrograd", [[TANH, f"        raise NotImplementedError\n{TANH}"]])
EXITS = edited("micrograd", [[TANH, f"        raise SystemExit\n{TANH}"]])
PRINTS = edited(
    "micrograd", [[TIMES, "other.data * (print('0', file=sys.stderr) or print(0) or out.grad)"]]
)
HAND_INS = {
    # with the points of each task
    "right": (FORMS["micrograd"], [4, 3, 3]),
    "folded": (FOLDED, [2, 3, 3]),
    "swapped": (SWAPPED, [4, 3, 2]),
    "unfinished": (UNFINISHED, [4, 0, 3]),
    "exits": (EXITS, [4, 0, 3]),
    "prints": (f"import sys\n{PRINTS}", [4, 3, 3]),
    "nothing": ("# nothing yet\n", [0, 0, 0]),
}
TASK = """
[[task]]
name = "with numbers"
operations = ["number -", "- number", "+="]
points = 3
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the check, its programs, the notebook and the tests."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "assignment.toml").write_text(ASSIGNMENT + TASK)
    (folder / "learners.csv").write_text("id\n")
    for name, text in as_notebook_files(read_assignment(folder / "assignment.toml")):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.mark.parametrize("name", [each for each in HAND_INS if each != "nothing"])
def test_the_cells_of_a_notebook_give_the_points_without_the_engine(files: Path, name: str) -> None:
    text, expected = HAND_INS[name]
    cells = json.loads((files / "nbgrader.ipynb").read_text())["cells"][1:]
    shown = [re.sub(r"(?m)^(points\(.*\))$", r"print('POINTS', \1)", x["source"]) for x in cells]
    script = "\n".join([text, *shown])
    use = [sys.executable, "-I", "-c", f"import sys\nsys.path.insert(0, {str(files)!r})\n{script}"]
    done = subprocess.run(use, capture_output=True, text=True, check=True, cwd="/")
    assert done.stderr == ""  # nbgrader gives no points for a cell that writes to it
    lines = done.stdout.splitlines()
    assert [float(x.split()[1]) for x in lines if x.startswith("POINTS")] == expected
    wrong = [x for x in lines if x.startswith("`")]
    found = {"folded": ["*"], "swapped": ["number -"]}
    assert [x.split("`")[1] for x in wrong] == found.get(name, [])


@pytest.mark.parametrize("name", [each for each in HAND_INS if each != "nothing"])
def test_the_table_gives_the_same_points(files: Path, tmp_path: Path, name: str) -> None:
    text, expected = HAND_INS[name]
    file = tmp_path / "student.py"
    file.write_text(text)
    asked = read_assignment(files / "assignment.toml")
    made = graded(str(file), run_child(file, HANG), asked.required)
    assert [points_of(task, made)[0] for task in asked.tasks] == expected


def test_the_files_for_learners_have_no_program_of_a_hidden_task(files: Path) -> None:
    book = (files / "gradient_check.json").read_text()
    cells = [x["source"] for x in json.loads((files / "nbgrader.ipynb").read_text())["cells"]]
    released = [re.sub("(?s)### BEGIN HIDDEN.*?### END HIDDEN TESTS", "", x) for x in cells]
    for name in ("functions", "tanh", "exp("):
        assert name not in "".join([book, *released])
        assert name in "".join(cells)
    assert "plus and times" in book


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment with both packages."""
    folder = tmp_path_factory.mktemp("tools")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    packages = ["nbgrader==0.9.6", "otter-grader==7.0.0"]
    subprocess.run([folder / "bin/python", "-m", "pip", "install", "-q", *packages], check=True)
    return folder / "bin"


def run(tools: Path, folder: Path, *command: str | Path) -> str:
    own = {f"JUPYTER_{each}_DIR": str(folder / each) for each in ("DATA", "RUNTIME", "CONFIG")}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, **own, "IPYTHONDIR": str(folder / "ipython"), "PATH": path}
    program, *rest = command
    done = subprocess.run(
        [tools / program, *rest], cwd=folder, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
def test_nbgrader_gives_the_points(files: Path, tools: Path, tmp_path: Path) -> None:
    book = json.loads((files / "nbgrader.ipynb").read_text())
    source = tmp_path / "source" / "week2"
    source.mkdir(parents=True)
    for name in ("gradient_check.py", "gradient_check.json", "nbgrader.ipynb"):
        (source / name).write_text((files / name).read_text())
    for name, (text, _) in HAND_INS.items():
        own = tmp_path / "submitted" / name / "week2"
        own.mkdir(parents=True)
        book["cells"][0]["source"] = text
        (own / "nbgrader.ipynb").write_text(json.dumps(book))
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    run(tools, tmp_path, "nbgrader", "generate_assignment", "week2", "--create")
    run(tools, tmp_path, "nbgrader", "autograde", "week2", "--create")
    run(tools, tmp_path, "nbgrader", "export")
    with (tmp_path / "grades.csv").open(newline="") as table:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}
    assert scores == {name: sum(points) for name, (_, points) in HAND_INS.items()}


_OTTER = """
import json, os, sys
from otter.api import grade_submission

made = grade_submission(sys.argv[1], "autograder.zip", quiet=True)
print("SCORE", made.total, made.possible)
"""


@pytest.mark.thorough
def test_otter_gives_the_points(files: Path, tools: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "autograder.zip", "w") as archive:
        for test in (files / "tests").iterdir():
            archive.write(test, f"tests/{test.name}")
        for name in ("gradient_check.py", "gradient_check.json"):
            archive.write(files / name, f"files/{name}")
        archive.writestr("otter_config.json", json.dumps({"lang": "python"}))
        archive.writestr("requirements.txt", "")
    book = json.loads((files / "nbgrader.ipynb").read_text())
    (tmp_path / "grade.py").write_text(_OTTER)
    for name, (text, points) in HAND_INS.items():
        book["cells"] = [{**book["cells"][0], "source": text}]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps(book))
        said = run(tools, tmp_path, "python", "grade.py", f"{name}.ipynb")
        [score] = [line.split()[1:] for line in said.splitlines() if line.startswith("SCORE")]
        assert [float(each) for each in score] == [sum(points), 10]
