"""The grader on right and faulty classes of the lessons' forms, and on files that misbehave."""

import csv
import fcntl
import json
import os
import re
import select
import socket
import sys
import termios
import tomllib
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest

from engine_py.command.main import main
from engine_py.grade import Grade, grade
from engine_py.grade.forms import as_junit
from engine_py.grade.programs import PROGRAMS

Json = dict[str, Any]
Capture = pytest.CaptureFixture[str]

CLASSES: Json = tomllib.loads(Path(__file__).with_name("test_grade.toml").read_text())
FORMS: dict[str, str] = CLASSES["forms"]
CASES: dict[str, dict[str, list[Any]]] = CLASSES["cases"]
for name in ("micrograd", "microgpt"):
    FORMS[name] += CLASSES["operators"]
LEARNERS = Path(__file__).with_name("learners")
VERDICT = re.compile(r"# (right|wrong): (.*?)(?:\\n|\n)")
"""The first line of a learner's file: its verdict, and the causes if it is wrong."""
HANG = 60.0
"""Seconds of CPU time for a class that never ends."""


def edited(form: str, edits: list[list[str]]) -> str:
    text = FORMS[form]
    for old, new in edits:
        assert old in text, f"no {old!r}"
        text = text.replace(old, new)
    return text


def graded(folder: Path, text: str, seconds: float = HANG) -> Grade:
    file = folder / "student.py"
    file.write_text(text)
    return grade(file, seconds=seconds)


@cache
def of_learner(file: Path) -> Grade:
    return grade(file, seconds=HANG)


def named(made: Grade) -> set[str]:
    """Write the faults as the cases do."""
    return {
        " ".join([each["kind"], *each["operations"]])
        + ("" if each["slot"] is None else f":{each['slot']}")
        for each in made["faults"]
    }


def matches(made: Grade, expected: str) -> bool:
    """Compare a grade with the expected causes; unfinished operations alone are not wrong."""
    causes = set() if expected == "right" else set(expected.split("; "))
    verdict = "wrong" if causes else "right"
    if causes and all(each.startswith(("not_done", "reflected", "time")) for each in causes):
        verdict = "not done"
    return named(made) == causes and (made["verdict"], made["right"]) == (verdict, not causes)


@pytest.mark.parametrize(
    ("form", "expected", "edits"),
    [
        *[
            pytest.param(form, expected, edits, id=why)
            for form, rows in CASES.items()
            for why, (expected, *edits) in rows.items()
        ],
        *[
            (form, "right", [])
            for form in FORMS
            if not any(len(case) == 1 for case in CASES.get(form, {}).values())
        ],
    ],
)
def test_each_class_has_its_verdict_and_its_causes(
    tmp_path: Path, form: str, expected: str, edits: list[list[str]]
) -> None:
    made = graded(tmp_path, edited(form, edits))
    assert matches(made, expected), named(made)
    assert expected != "right" or "wrong" not in [each["outcome"] for each in made["programs"]]


# Python may have compiled them.
_SOURCES = [each for each in LEARNERS.rglob("*.*") if each.suffix != ".pyc"]


@pytest.mark.parametrize(
    "file", [each for each in _SOURCES if VERDICT.search(each.read_text())], ids=str
)
def test_each_learners_file_has_the_verdict_that_it_begins_with(file: Path) -> None:
    found = VERDICT.search(file.read_text())
    assert found
    made = of_learner(file)
    expected = found[1] if found[1] == "right" else found[2]
    assert matches(made, expected), named(made)
    assert made["reading"]


def test_the_class_that_the_lesson_prints_has_one_fault_and_one_note(tmp_path: Path) -> None:
    made = graded(tmp_path, FORMS["printed"])
    [fault] = made["faults"]
    # a + a sends 1 to a twice; with `=` only the second one is left
    assert fault == {
        "kind": "overwrites",
        "operations": ["+", "*", "tanh"],
        "slot": None,
        "program": "a + a",
        "values": {"a": 3},
        "number": "a.grad",
        "expected": 2.0,
        "got": 1.0,
        "line": None,
        "message": "`=` where `+=` is needed, in `+`, `*` and `tanh`: the last gradient to arrive "
        "replaces the others",
        "evidence": "in `a + a` at a=3: a.grad is 1, expected 2",
    }
    assert [note for note in made["notes"] if "cannot take a number" in note]
    assert (made["verdict"], made["right"]) == ("wrong", False)
    assert made["required"] == ["+", "*", "tanh"]


@pytest.mark.parametrize(
    ("file", "reading", "notes"),
    [
        ("dataclass_with_slots.py", "class `Num` with `val`, `der`, `backprop()`, `exp`", []),
        (
            "functions_alone.py",
            "class `Scalar` with `number`, `derivative`, `backward(x)`, `add`, `mul` and `exp(x)`",
            ["a pass begins by setting the gradients to 0"],
        ),
        (
            "resets_and_shows.py",
            "class `Value` with `data`, `grad`, `backward()`",
            [
                "code outside the class raises ValueError",
                "left out: `matplotlib`, `graphviz` and `not_installed_anywhere`",
                "missing: `__radd__` and `__rmul__`",
            ],
        ),
        ("single_precision.py", "`data`, `grad`, `backward()`, `tanh`", ["goes backward once"]),
        ("other_spellings.py", "`v`, `d`, `back_prop()`", ["`log`: off by more than rounding"]),
        (
            "package/loss.py",
            "class `Value`",
            ["takes too long", "`random.py` hides Python's own module"],
        ),
        ("notebook.ipynb", "class `Value`", ["(cell 5)"]),
    ],
)
def test_a_grade_reports_how_a_class_was_read_and_what_was_left_out(
    file: str, reading: str, notes: list[str]
) -> None:
    made = of_learner(LEARNERS / file)
    assert reading in (made["reading"] or "")
    for note in notes:
        assert [each for each in made["notes"] if note in each], note


def test_the_same_file_has_the_same_grade_each_time() -> None:
    file = LEARNERS / "walks_a_set.py"
    assert grade(file, seconds=HANG) == of_learner(file)


def test_a_reading_can_be_overruled(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "two.py"
    first = FORMS["microgpt"].replace("data", "v").replace("grad", "d").replace("Value", "Mine")
    file.write_text(first + FORMS["microgpt"])
    assert "class `Value`" in (grade(file, seconds=HANG)["reading"] or "")
    use = ["grade", str(file), "--class", "Mine", "--data", "v", "--grad", "d"]
    assert main([*use, "--seconds", str(HANG)]) == 0
    assert "class `Mine` with `v`, `d`, `backward()`" in capsys.readouterr().out


def test_a_file_that_is_graded_does_not_grade(tmp_path: Path) -> None:
    text = "from engine_py.grade import grade\ngrade(__file__)\n" + FORMS["microgpt"]
    file = tmp_path / "student.py"
    file.write_text(f"import sys\nsys.path.append({str(LEARNERS.parents[2])!r})\n{text}")
    made = grade(file, seconds=HANG)
    assert made["right"]
    assert [each for each in made["notes"] if "RecursionError" in each]


def test_a_folder_is_graded_into_a_table_and_a_page(tmp_path: Path, capsys: Capture) -> None:
    handed_in = tmp_path / "class <7>"
    (handed_in / "ann" / "src").mkdir(parents=True)
    (handed_in / "ann" / "src" / "engine.py").write_text(FORMS["printed"])
    (handed_in / "ann" / "train.py").write_text("print('no class')\n")
    (handed_in / "bob.py").write_text(FORMS["microgpt"])
    (handed_in / "=cid.py").write_text(FORMS["printed"])
    (handed_in / "eve.PY").write_text(FORMS["microgpt"])
    (handed_in / "fay.py.txt").write_text(FORMS["microgpt"])
    (handed_in / "dot.py").write_text("raise ValueError('<script>')\n")
    (handed_in / "gil.py").write_text("x = 1\n")
    use = ["grade", str(handed_in), "--to", str(tmp_path / "grades"), "--seconds", str(HANG)]
    assert main(use) == 1
    assert capsys.readouterr().out.startswith(
        "7 in all: 1 not graded, 2 not read, 2 right, 2 wrong; see "
    )
    with (tmp_path / "grades" / "grades.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(row["id"], row["result"], row["faults"]) for row in rows] == [
        ("'=cid.py", "wrong", "overwrites + * tanh"),
        ("ann", "wrong", "overwrites + * tanh"),
        ("bob.py", "right", ""),
        ("dot.py", "not read", "load"),
        ("eve.PY", "right", ""),
        ("fay.py.txt", "not graded", ""),
        ("gil.py", "not read", "load"),
    ]
    page = (tmp_path / "grades" / "grades.html").read_text()
    assert main(use) == 1  # its own files are written again
    (tmp_path / "grades" / "grades.csv").write_text("name,mark\nann,5\n")
    assert main(use) == 2
    assert "grades.csv is not from the grader" in capsys.readouterr().err
    assert (tmp_path / "grades" / "grades.csv").read_text() == "name,mark\nann,5\n"
    assert "<title>class &lt;7&gt;</title>" in page
    assert "<script>" not in page
    cells = re.sub('<td data-head="[a-z ]+">', "<td>", page)
    assert cells.index("<td>2<td><code>=</code> where") < cells.index("<td>1<td>the file cannot")
    assert "<td>1<td>no class with" in cells  # a different cause
    assert '<td data-head="count">2<td data-head="cause"><code>=</code> where' in page
    assert "<code>a + a</code> at a=3: a.grad is 1, expected 2" in page


def test_the_grades_of_a_folder_are_printed_as_json_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "handed-in" / "bob.py").write_text(FORMS["microgpt"])
    monkeypatch.chdir(tmp_path)
    assert main(["grade", "handed-in", "--json", "--seconds", str(HANG)]) == 0
    [row] = json.loads(capsys.readouterr().out)
    assert (row["id"], row["result"]) == ("bob.py", "right")
    assert [each.name for each in tmp_path.iterdir()] == ["handed-in"]


def test_a_file_that_its_package_imports_is_one_module(tmp_path: Path) -> None:
    (tmp_path / "mini").mkdir()
    (tmp_path / "mini" / "__init__.py").write_text("from mini.engine import set_up\nset_up()\n")
    file = tmp_path / "mini" / "engine.py"
    text = edited("microgpt", [["__add__", "plus"], ["__mul__", "times"]])
    end = "\ndef set_up():\n    Value.__add__, Value.__mul__ = Value.plus, Value.times\n"
    file.write_text(f"import mini\n{text}{end}")
    assert grade(file, seconds=HANG)["right"]


def test_a_folder_that_the_file_imports_from_by_name_is_its_package(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "product.py").write_text("def product(x, y):\n    return x * y\n")
    file = tmp_path / "src" / "engine.py"
    text = edited("micrograd", [["(self.data * other.data", "(product(self.data, other.data)"]])
    file.write_text(f"from src.product import product\n{text}")
    assert grade(file, seconds=HANG)["right"]


COPIES = edited(
    "micrograd", [["other = other if isinstance(", "other = Value(other.data) if isinstance("]]
)


@pytest.mark.parametrize("text", [FORMS["held_by_a_step"], COPIES])
def test_a_class_that_goes_backward_twice_has_no_note_about_that(tmp_path: Path, text: str) -> None:
    notes = graded(tmp_path, text)["notes"]
    assert not [each for each in notes if "backward" in each]


ABSENT = f"import absent\n{FORMS['microgpt']}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class Value(:\n", "SyntaxError"),
        ("x = 1\nraise ValueError('no')\n", "ValueError: no (line 2)"),
        ("import sys\nsys.exit(0)\n", "SystemExit: 0 (line 2)"),
        ("input()\n", "EOFError"),
        ("import os\nos._exit(3)\n", "exit code 3"),
        ("data = bytearray(1 << 34)\n", "MemoryError"),
        ("class Value:\n    pass\n", "no class with `+`, `*` and `backward` was found"),
        (edited("microgpt", [["= data", "= [data]"]]), "the data of a new Value is a list"),
        (edited("microgpt", [["grad = 0", "grad = {}"]]), "the gradient of a new Value is a dict"),
        (ABSENT.replace("other.data,", "absent.x,"), "is not installed here: absent"),
        (ABSENT.replace("other.data,", "int(absent.x),"), "is not installed here: absent"),
    ],
)
def test_a_file_without_a_usable_class_is_reported(tmp_path: Path, text: str, message: str) -> None:
    made = graded(tmp_path, text)
    assert named(made) == {"load"}
    assert message in made["faults"][0]["message"]
    assert {each["outcome"] for each in made["programs"]} == {"left_out"}


def test_a_file_that_never_ends_is_killed_with_the_processes_that_it_started(
    tmp_path: Path,
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    both = os.open(pipe, os.O_RDWR)
    writer = os.open(pipe, os.O_WRONLY)
    os.write(writer, b"x")
    os.close(both)
    started = "if os.fork() == 0:\n    os.setsid()\n"
    started += f"    kept = open({str(pipe)!r}, 'rb', 0)\n    kept.read(1)\n"
    started += (
        "    os.set_inheritable(kept.fileno(), True)\n    os.execlp('sleep', 'sleep', '300')\n"
    )
    started += "threading.Event().wait()\n"
    made = graded(tmp_path, f"import os, threading\n{started}", seconds=1.0)
    assert named(made) == {"hangs"}
    assert "the file waits during its import" in made["faults"][0]["message"]
    left = fcntl.ioctl(writer, termios.FIONREAD, bytes(4))
    assert left == bytes(4)  # the process that was started has read the byte
    # The pipe is in error once its last reader is gone.
    polled = select.poll()
    polled.register(writer, 0)
    assert polled.poll(HANG * 1000) == [(writer, select.POLLERR)]
    os.close(writer)


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        ("other.data * out.grad", "other.dat * out.grad", "raises *", "`*` raises AttributeError"),
        ("self.grad += other.data", "self.grad = other #", "not_a_number *", "a Value where"),
        ("self.data + other.data, (self", "self + other, (self", "recursion +", "calls itself"),
        ("for node in reversed(topo)", "for node in reversed(top)", "raises", "`backward` raises"),
        ("self.data = data", "self.data = dat", "raises", "`Value(2.5)` raises NameError"),
        ("self.grad = 1.0", "while True: pass", "hangs", "`backward` does not end"),
        (
            "self.data = data",
            "self.data = int(data)",
            "changes_data",
            "`Value(2.5)` must not change",
        ),
    ],
)
def test_a_non_number_or_an_exception_is_reported_with_its_line(
    tmp_path: Path, old: str, new: str, kind: str, words: str
) -> None:
    text = edited("micrograd", [[old, new]])
    made = graded(tmp_path, text)
    assert named(made) == {kind}
    [fault] = made["faults"]
    assert words in fault["message"]
    if kind in ("raises *", "recursion +") or kind == "hangs":
        assert fault["line"] is not None
        assert kind in ("recursion +", "hangs") or new in text.splitlines()[fault["line"] - 1]


def test_the_command_prints_a_grade_and_exits_with_1_if_there_is_a_fault(
    tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "student.py"
    file.write_text(FORMS["printed"])
    junit = tmp_path / "results.xml"
    use = ["grade", str(file), "--seconds", str(HANG)]
    assert main([*use, "--json", "--junit", str(junit)]) == 1
    made = json.loads(capsys.readouterr().out)
    suite = ET.parse(junit).getroot()
    assert (suite.tag, len(suite)) == ("testsuite", len(PROGRAMS) + 1)
    assert suite.get("tests") == str(len(suite))
    outcomes = [each["outcome"] for each in made["programs"]]
    for name, tag, expected in [
        ("failures", "failure", outcomes.count("wrong") + 1),  # and the class
        ("skipped", "skipped", outcomes.count("left_out")),
    ]:
        assert suite.get(name) == str(len(suite.findall(f".//{tag}"))) == str(expected)
    [case] = [each for each in suite if each.get("name") == "a + a at a=3"]
    assert [each.get("message") for each in case] == [made["faults"][0]["message"]]

    assert main(use) == 1
    readme = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
    assert f"```sh\ngradient grade student.py\n```\n\n```\n{capsys.readouterr().out}```\n" in readme

    file.write_text(FORMS["microgpt"])
    assert main(use) == 0
    read_as, _, *notes, blank, counted, verdict = capsys.readouterr().out.splitlines()
    assert read_as.endswith(
        ": class `Value` with `data`, `grad`, `backward()`, `relu`, `exp` and `log`"
    )
    assert [note[:6] for note in notes] == ["note: "] * len(notes)
    assert (blank, verdict) == ("", "right (required: +, *, neg, -, /, **, relu, exp, log)")
    assert re.fullmatch(r"(\d+) of \1 programs are right", counted)


@pytest.mark.parametrize("made", ["inf", "nan"])
def test_a_number_that_is_not_finite_is_written_as_text(
    tmp_path: Path, capsys: Capture, made: str
) -> None:
    file = tmp_path / "student.py"
    square = f"    def square(self):\n        return Value(math.{made}, (self,), 'square')\n\n"
    edits = [
        ["Value(math.exp(self", f"Value(math.{made} + (self"],
        ["    def exp(", f"{square}    def exp("],
    ]
    file.write_text(edited("micrograd", edits))
    assert main(["grade", str(file), "--json", "--seconds", str(HANG)]) == 1
    # JSON has no such numbers
    [fault] = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)["faults"]
    assert (fault["kind"], fault["operations"], fault["got"]) == ("data", ["exp"], made)
    assert f"at a=0.5: (exp(a)).data is {made}, expected" in fault["evidence"]


def test_a_missing_class_is_the_failure_of_its_own_case(tmp_path: Path) -> None:
    suite = ET.fromstring(as_junit(graded(tmp_path, "raise ValueError('\\0')\n")))
    assert suite.get("failures") == "1"
    assert suite[0].get("name") == "the class"
    assert [each.get("message") for each in suite[0]] == [
        "the file cannot be imported: ValueError: ? (line 1)"
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.py"], "cannot read nowhere.py: No such file or directory"),
        (["nowhere.py", "--seconds", "nan"], "--seconds must be above 0"),
    ],
)
def test_a_missing_file_and_an_invalid_time_are_refused(
    arguments: list[str], words: str, capsys: Capture
) -> None:
    assert main(["grade", *arguments]) == 2
    assert words in capsys.readouterr().err


ASSIGNMENT = """
title = "Week 2"
files = ["*engine.py", "*.py"]
learners = "learners.csv"

[[task]]
name = "plus and times"
operations = ["+", "*"]
points = 4

[[task]]
name = "functions"
operations = ["tanh", "exp"]
points = 3
credit = "all"
hidden = true
"""


def assigned(folder: Path, learners: str, hand_ins: dict[str, str]) -> list[str]:
    """Write an assignment and hand-ins, and return the command that grades them."""
    (folder / "handed-in").mkdir()
    (folder / "assignment.toml").write_text(ASSIGNMENT)
    (folder / "learners.csv").write_text(f"id,name\n{learners}")
    for name, text in hand_ins.items():
        (folder / "handed-in" / name).write_text(text)
    use = ["grade", str(folder / "handed-in"), "--to", str(folder / "to")]
    return [*use, "--assignment", str(folder / "assignment.toml"), "--seconds", str(HANG)]


_TEXT, _NUMBER = (str,), (int, float)
_FORMATS = {"text", "html", "simple_format", "md", "ansi"}
_VISIBLE = {"hidden", "after_due_date", "after_published", "visible"}
RESULTS: Json = {
    "score": _NUMBER, "execution_time": _NUMBER, "output": _TEXT, "output_format": _FORMATS,
    "test_output_format": _FORMATS, "test_name_format": _FORMATS, "visibility": _VISIBLE,
    "stdout_visibility": _VISIBLE, "extra_data": (dict,), "tests": (list,), "leaderboard": (list,),
}  # fmt: skip
RESULTS_TEST: Json = {
    "score": _NUMBER, "max_score": _NUMBER, "status": {"passed", "failed"}, "name": _TEXT,
    "name_format": _FORMATS, "number": _TEXT, "output": _TEXT, "output_format": _FORMATS,
    "tags": (list,), "visibility": _VISIBLE, "extra_data": (dict,),
}  # fmt: skip
"""The keys of a results.json in Gradescope's specification, with their types or values."""


def check_results(made: Json) -> None:
    for rows, rules in [([made], RESULTS), (made["tests"], RESULTS_TEST)]:
        for key, value in [item for row in rows for item in row.items()]:
            rule = rules[key]
            assert value in rule if isinstance(rule, set) else isinstance(value, rule), key
    for each in made["tests"]:
        assert "score" in each or "status" in each
        # a hidden test with points would hide the total
        assert each.get("visibility") != "hidden" or not each.get("max_score")


def test_an_assignment_gives_each_learner_points_and_a_reason(
    tmp_path: Path, capsys: Capture
) -> None:
    hand_ins = {
        "s1.py": "micrograd",
        "s2.py": "printed",
        "s3.py.txt": "microgpt",
        "zoe.py": "microgpt",
    }
    hand_ins["s1_b.py"] = "microgpt"  # its id begins with another one
    texts = {name: FORMS[form] for name, form in hand_ins.items()}
    use = assigned(tmp_path, "s1,Ada\ns1_b,Abe\ns2,Ben\ns3,Cleo\ns4,Dan\ns10,Eve\n", texts)
    with ZipFile(tmp_path / "handed-in" / "s10.zip", "w") as archive:
        archive.writestr("homework/engine.py", FORMS["microgpt"])
        archive.writestr("__MACOSX/homework/._engine.py", "macOS's resource fork")
    assert main(use) == 1
    assert capsys.readouterr().out.startswith("7 in all: 2 not done, 3 not graded, 1 right, 1 wro")
    with (tmp_path / "to" / "grades.csv").open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert [(row["id"], row["result"], row["score"], row["functions"]) for row in rows] == [
        ("s1", "right", "7", "3"),
        ("s1_b", "not done", "4", "0"),
        ("s2", "wrong", "0", "0"),
        ("s3", "not graded", "0", "0"),
        ("s4", "not graded", "0", "0"),
        ("s10", "not done", "4", "0"),  # tanh is missing
        ("", "not graded", "0", "0"),
    ]
    assert [row["first"] for row in rows if row["result"] == "not graded"] == [
        "s3.py.txt is neither .py nor .ipynb",
        "nothing handed in",
        "belongs to no learner",
    ]
    suites = ET.parse(tmp_path / "to" / "junit.xml").getroot()
    failures = {each.get("name"): (each.get("tests"), each.get("failures")) for each in suites}
    none = dict.fromkeys(["s2", "s3", "s4", "zoe.py"], ("3", "3"))
    assert failures == {"s1": ("3", "0"), "s1_b": ("3", "2"), "s10": ("3", "2"), **none}
    page = (tmp_path / "to" / "learners" / "s10.html").read_text()
    assert '>plus and times<td data-head="points">4 of 4<td' in page
    assert ">functions<td" not in page  # a hidden task
    for file in (tmp_path / "to" / "gradescope").iterdir():
        check_results(json.loads(file.read_text()))
    made = json.loads((tmp_path / "to" / "gradescope" / "s10.json").read_text())
    assert [(each["score"], each["max_score"], each["visibility"]) for each in made["tests"]] == [
        (4.0, 4.0, "visible"),
        (0.0, 3.0, "after_published"),
    ]
    points = json.loads((tmp_path / "to" / "classroom" / "s1.json").read_text())
    assert (points["status"], points["max_score"]) == ("pass", 7.0)


def test_programs_that_a_run_did_not_reach_are_not_called_unwritten(tmp_path: Path) -> None:
    product = "        out = Value(self.data * other"
    ends = edited(
        "micrograd", [[product, f"        self.data < 0 and __import__('os')._exit(0)\n{product}"]]
    )
    assert main(assigned(tmp_path, "s1,Ada\n", {"s1.py": ends})) == 1
    text = (tmp_path / "to" / "junit.xml").read_text()
    assert "the process ended in `*`: exit code 0" in text
    assert "`*`: 0 of 52 programs are right, and 52 were not tried" in text
    assert "not written yet" not in text
    assert "missing" not in text


def test_a_file_that_was_not_read_is_not_reported_to_lack_operations(tmp_path: Path) -> None:
    assert main(assigned(tmp_path, "s1,Ada\n", {"s1.py": "class Value(:\n"})) == 1
    made = json.loads((tmp_path / "to" / "gradescope" / "s1.json").read_text())
    assert made["tests"][0]["output"].splitlines() == [
        "`+`: the file was not read",
        "`*`: the file was not read",
    ]


def test_a_learner_sees_no_cause_of_a_hidden_task(tmp_path: Path) -> None:
    only_tanh = edited("micrograd", [["1 - t**2", "1 - t"]])
    hand_ins = {"s1.py": FORMS["printed"], "s2.py": only_tanh}
    assert main(assigned(tmp_path, "s1,Ada\ns2,Ben\n", hand_ins)) == 1
    to = tmp_path / "to"
    assert "`tanh`" in (to / "junit.xml").read_text()  # for the teacher
    for learner, causes in [("s1", 1), ("s2", 0)]:
        made = json.loads((to / "gradescope" / f"{learner}.json").read_text())
        hidden = made["tests"].pop()
        assert (hidden["score"], hidden["output"]) == (0.0, "")
        points = json.loads((to / "classroom" / f"{learner}.json").read_text())
        assert points["tests"].pop()["message"] == ""
        page = (to / "learners" / f"{learner}.html").read_text()
        for text in (json.dumps(made), json.dumps(points), page):
            assert "tanh" not in text
        assert page.count("<li>") == causes
        assert ("`+` and `*`" in made["output"]) == bool(causes)
        result = "wrong" if causes else "right"
        assert f"{learner}.py: {result}, of the tasks that are shown" in made["output"]


def test_a_hand_in_has_its_own_home_and_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_KEY", "secret")
    text = "import os\nassert 'GRADER_KEY' not in os.environ\n"
    text += "assert os.listdir(os.path.expanduser('~')) == []\n"
    text += "open('made here', 'w').close()\n"
    made = graded(tmp_path, text + FORMS["microgpt"])
    assert made["right"]
    assert not [each for each in made["notes"] if "raises" in each]
    assert [each.name for each in tmp_path.iterdir()] == ["student.py"]


_EACH_DESCRIPTOR = "for fd in range(3, 20):\n    try: {}\n    except OSError: pass\n"
_FORGED = """
import os, sys
frame = sys._getframe()
while "request" not in frame.f_locals:
    frame = frame.f_back
line = "\\n" + frame.f_locals["request"]["token"] + "[]\\n"
""" + _EACH_DESCRIPTOR.format("os.write(fd, line.encode())")
HARMFUL = {
    # code before the class, and the result of the grade
    "deletes": ("import shutil\nshutil.rmtree({folder!r}, ignore_errors=True)\n", "right"),
    "deletes_its_own": ("import shutil\nshutil.rmtree('..', ignore_errors=True)\n", "right"),
    "ends": ("import os\nos._exit(0)\n", "not read"),
    "ends_the_grader": ("import os, signal\nos.kill(os.getppid(), signal.SIGTERM)\n", "right"),
    "forges": (_FORGED, "not read"),
    "leaves_running": (
        "import threading\nthreading.Thread(target=threading.Event().wait).start()\n",
        "right",
    ),
    "lines": ("for n in range(10 ** 6): print(n)\n", "right"),
    "memory": ("kept = bytearray(8 << 30)\n", "right"),
    "runs_on": ("while True: pass\n", "right"),
    "sends": ("import socket\nsocket.create_connection(('127.0.0.1', {port}))\n", "right"),
    "sends_datagrams": (
        "from socket import *\nsocket(type=SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))\n",
        "right",
    ),
    "writes": ("open({folder!r} + '/right.py', 'w').close()\n", "right"),
    "writes_a_reply": (
        "import os\n" + _EACH_DESCRIPTOR.format('os.write(fd, b\'{{"class": "Value"}}\\n[\')'),
        "right",
    ),
    "writes_replies": (
        "import os\n" + _EACH_DESCRIPTOR.format("os.write(fd, b'[\\n' * 10 ** 6)"),
        "not read",
    ),
}


def test_a_harmful_hand_in_has_its_row_and_the_others_are_unharmed(
    tmp_path: Path, capsys: Capture
) -> None:
    if still_open := graded(tmp_path, FORMS["microgpt"])["open"]:
        pytest.skip(f"this system leaves open: {', '.join(still_open)}")
    handed_in = tmp_path / "handed-in"
    handed_in.mkdir()
    hand_ins = {"another": ("", "right"), **HARMFUL, "yet_another": ("", "right")}
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(type=socket.SOCK_DGRAM) as datagrams,
    ):
        port = server.getsockname()[1]
        datagrams.bind(("127.0.0.1", port))
        before = {}
        for name, (text, _) in hand_ins.items():
            begin = text.replace("{folder!r}", repr(str(handed_in))).replace("{port}", str(port))
            before[name] = begin + FORMS["microgpt"]
            (handed_in / f"{name}.py").write_text(before[name])
        use = ["grade", str(handed_in), "--json", "--seconds", "10"]
        assert main(use) == 1
        made = json.loads(capsys.readouterr().out)
        for each in (server, datagrams):
            each.settimeout(0)
        with pytest.raises(BlockingIOError):
            server.accept()
        with pytest.raises(BlockingIOError):
            datagrams.recv(1)
    results = {row["id"].removesuffix(".py"): row["result"] for row in made}
    assert results == {name: result for name, (_, result) in hand_ins.items()}
    assert {each.stem: each.read_text() for each in handed_in.iterdir()} == before


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
@pytest.mark.parametrize("line", ["name = f'{'a'}'", "type Number = float", "def same[T](x): ..."])
def test_the_syntax_of_a_newer_python_is_named(tmp_path: Path, line: str) -> None:
    [fault] = graded(tmp_path, f"{line}\n{FORMS['microgpt']}")["faults"]
    assert "this may be Python 3.12's syntax, but this is Python 3.11" in fault["message"]
