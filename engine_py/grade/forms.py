"""Grades in the formats of other programs: CSV, JSON, JUnit XML, Gradescope, GitHub Classroom."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from engine_py.grade.assignment import Assignment
from engine_py.grade.folder import Row
from engine_py.grade.programs import PROGRAMS
from engine_py.grade.report import Fault, Grade, shown

_HEAD = ("id", "name", "file", "result", "score", "max_score")
_TAIL = ("class", "right", "tried", "faults", "first", "shown by")
_MARKS = (
    *(",".join(_HEAD), 'content="gradient grade"', 'classname="gradient'),
    *("written by gradient grade", '{\n "version": 1,\n "status"'),
)
"""Texts that only the grader's own files have: a table, a page, JUnit XML, JSON."""


def is_ours(text: str) -> bool:
    return any(mark in text for mark in _MARKS)


def as_csv(rows: Sequence[Row], assignment: Assignment) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*_HEAD, *[_harmless(task.name) for task in assignment.tasks], *_TAIL])
    for row in rows:
        faults = " ".join([" ".join([each["kind"], *each["operations"]]) for each in row.faults])
        shown_by = [row.faults[0][each] for each in ("message", "evidence")] if row.faults else []
        cells = [row.id, row.name, row.file, row.result]
        cells += [f"{each:g}" for each in (row.score, assignment.max_points, *row.points)]
        cells += [(row.grade and row.grade["class"]) or "", *map(str, row.counted), faults]
        table.writerow([_harmless(each) for each in [*cells, *(shown_by or [row.why])]])
    return text.getvalue()


def _harmless(cell: str) -> str:
    """Quote a cell that a spreadsheet would run as a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@")) and not cell.isnumeric() else cell


def as_json(rows: Sequence[Row]) -> str:
    return json.dumps([row._asdict() | {"result": row.result} for row in rows], indent=2) + "\n"


def as_junit(made: Grade) -> str:
    """Write JUnit XML: a case for the class, and one for each program.

    Each outcome that is not right is a failure, and the class fails unless its verdict is "right".
    """
    suite = ET.Element("testsuite", name=made["file"])
    verdict = "" if made["right"] else made["verdict"]
    _add_case(suite, "gradient", "the class", verdict, _explained(made["faults"]))
    for program, each in zip(PROGRAMS, made["programs"], strict=False):
        at, outcome = (each["program"], each["values"]), each["outcome"].replace("_", " ")
        own = [fault for fault in made["faults"] if (fault["program"], fault["values"]) == at]
        failure = "" if outcome in ("right", "left out") else outcome
        name = shown(program).replace("`", "")
        case = _add_case(suite, f"gradient.{each['family']}", name, failure, _explained(own))
        if outcome == "left out":
            ET.SubElement(case, "skipped")
    return _as_xml(suite)


def as_junit_of_class(rows: Sequence[Row], assignment: Assignment) -> str:
    """Write JUnit XML: a suite for each learner, a case for the class and for each task."""
    suites = ET.Element("testsuites", name=assignment.title)
    for row in rows:
        name = row.id or row.file
        suite = ET.SubElement(suites, "testsuite", name=name)
        result = "" if row.result == "right" else row.why or row.result
        _add_case(suite, f"gradient.{name}", "the class", result, _explained(row.faults))
        for task, credit, lines in row.scored(assignment):
            points = f"{credit:g} of {task.points:g} points"
            failure = "" if credit == task.points else points
            text = "\n".join([points, *lines])
            _add_case(suite, f"gradient.{name}", task.name, failure, text)
    return _as_xml(suites)


def _explained(faults: Sequence[Fault]) -> str:
    return "\n".join([f"{fault['message']}\n{fault['evidence']}".rstrip() for fault in faults])


def _add_case(suite: ET.Element, owner: str, name: str, failure: str, text: str) -> ET.Element:
    """Add a case; a failed one has the text, with ? for characters that XML cannot carry."""
    case = ET.SubElement(suite, "testcase", classname=owner, name=name)
    if failure:
        printable = "".join([each if each.isprintable() or each == "\n" else "?" for each in text])
        first, *_ = printable.splitlines() or [failure]
        ET.SubElement(case, "failure", message=first).text = printable
    return case


def _as_xml(root: ET.Element) -> str:
    for suite in root.iter("testsuite"):
        for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
            suite.set(name, str(len(suite.findall(f".//{tag}"))))
        suite.set("errors", "0")
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def as_gradescope(graded: Row, assignment: Assignment) -> str:
    """Write a learner's results.json for Gradescope."""
    row = graded.for_learner(assignment)
    tests = [
        {
            "name": task.name,
            "number": str(number),
            "score": credit,
            "max_score": task.points,
            "status": "passed" if credit == task.points else "failed",
            "output": "\n".join(lines),
            "output_format": "md",
            "visibility": "after_published" if task.hidden else "visible",
            "tags": list(task.operations),
        }
        for number, (task, credit, lines) in enumerate(row.scored(assignment), 1)
    ]
    reported = [f"{row.file or 'no file'}: {row.why or row.result}{row.part}"]
    reported += [f"{fault['message']}\n{fault['evidence']}" for fault in row.faults]
    book = {"output": "\n\n".join(reported), "stdout_visibility": "hidden", "tests": tests,
            "extra_data": {"made": "written by gradient grade"}}  # fmt: skip
    return json.dumps(book, indent=1) + "\n"


def as_classroom(graded: Row, assignment: Assignment) -> str:
    """Write a learner's points as a runner's result for the reporter of GitHub Classroom."""
    row = graded.for_learner(assignment)
    tests: list[dict[str, Any]] = [
        {
            "name": task.name,
            "status": "pass" if credit == task.points else "fail",
            "score": credit,
            "message": "\n".join(lines),
        }
        for task, credit, lines in row.scored(assignment)
    ]
    status = "pass" if all(each["status"] == "pass" for each in tests) else "fail"
    book = {"version": 1, "status": status, "max_score": assignment.max_points, "tests": tests}
    return json.dumps(book, indent=1) + "\n"
