"""Grades as other programs read them: JUnit XML, Gradescope's results.json, GitHub Classroom."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from engine_py.grade.programs import PROGRAMS
from engine_py.grade.report import Fault, Grade, shown


def is_ours(text: str) -> bool:
    """Tell whether a file is JUnit XML that is written here."""
    return "<testsuite" in text and 'classname="gradient' in text


def as_junit(made: Grade) -> str:
    """Write JUnit XML: a case for the class, and one for each program.

    Each outcome that is not right is a failure, and the class fails unless its verdict is "right".
    """
    outcomes = [each["outcome"] for each in made["programs"]]
    failed = outcomes.count("wrong") + outcomes.count("not_done") + (not made["right"])
    suite = ET.Element(
        "testsuite",
        name=made["file"],
        tests=str(len(outcomes) + 1),
        failures=str(failed),
        errors="0",
        skipped=str(outcomes.count("left_out")),
    )
    case = ET.SubElement(suite, "testcase", classname="gradient", name="the class")
    if not made["right"]:
        _fail(case, made["verdict"], made["faults"])
    for program, each in zip(PROGRAMS, made["programs"], strict=False):
        name = shown(program).replace("`", "")
        family = f"gradient.{each['family']}"
        case = ET.SubElement(suite, "testcase", classname=family, name=name)
        if each["outcome"] == "left_out":
            ET.SubElement(case, "skipped")
        elif each["outcome"] != "right":
            at = (each["program"], each["values"])
            own = [fault for fault in made["faults"] if (fault["program"], fault["values"]) == at]
            _fail(case, each["outcome"].replace("_", " "), own)
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _fail(case: ET.Element, outcome: str, faults: Sequence[Fault]) -> None:
    """Add a failure, without what XML cannot carry."""
    text = "\n".join([f"{fault['message']}\n{fault['evidence']}".rstrip() for fault in faults])
    printable = "".join([each if each.isprintable() or each == "\n" else "?" for each in text])
    first, *_ = printable.splitlines() or [outcome]
    ET.SubElement(case, "failure", message=first).text = printable
