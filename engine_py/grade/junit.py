"""A grade -> JUnit XML, for viewers of tests and autograders."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from engine_py.grade.programs import PROGRAMS
from engine_py.grade.report import Fault, Grade, Tried
from engine_py.grade.words import shown


def as_junit(made: Grade) -> str:
    """Write JUnit XML: a case for the class, and one for each program."""
    counted = [each["outcome"] for each in made["programs"]]
    elsewhere = [fault for fault in made["faults"] if fault["program"] is None]
    suite = ET.Element(
        "testsuite",
        name=made["file"],
        tests=str(len(counted) + 1),
        failures=str(counted.count("wrong") + bool(elsewhere)),
        errors="0",
        skipped=str(counted.count("left_out")),
    )
    case = ET.SubElement(suite, "testcase", classname="gradient", name="the class")
    if elsewhere:
        _fail(case, elsewhere)
    for place, each in enumerate(made["programs"]):
        name = shown(PROGRAMS[place]).replace("`", "")
        family = f"gradient.{PROGRAMS[place].family}"
        case = ET.SubElement(suite, "testcase", classname=family, name=name)
        if each["outcome"] == "left_out":
            ET.SubElement(case, "skipped")
        elif each["outcome"] == "wrong":
            own = [fault for fault in made["faults"] if _shows(each, fault)]
            _fail(case, own or made["faults"])
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _shows(tried: Tried, fault: Fault) -> bool:
    return (tried["program"], tried["values"]) == (fault["program"], fault["values"])


def _fail(case: ET.Element, faults: Sequence[Fault]) -> None:
    """Add a failure, without what XML cannot carry."""
    text = "\n".join([f"{fault['message']}\n{fault['evidence']}".rstrip() for fault in faults])
    printable = "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
    first, *_ = printable.splitlines()
    ET.SubElement(case, "failure", message=first).text = printable
