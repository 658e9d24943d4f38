"""A run -> JUnit XML, for viewers of tests."""

from xml.etree import ElementTree as ET

from parity_tests.kit.explanation import explain
from parity_tests.kit.runner import Result
from parity_tests.kit.verdict import Run


def as_junit(run: Run) -> str:
    """Give JUnit XML, a suite per engine, whose last case is the verdict."""
    suites = ET.Element("testsuites")
    for verdict in run.verdicts:
        own = [result for result in run.results if result.engine == verdict.engine]
        failures = sum(not result.good and result.status != "crashed" for result in own)
        counted = {
            "tests": len(own) + 1,
            "failures": failures + (not verdict.green),
            "errors": sum(result.status == "crashed" for result in own),
            "skipped": sum(_is_left_out(result) for result in own),
        }
        attributes = {"name": verdict.engine} | {name: str(n) for name, n in counted.items()}
        suite = ET.SubElement(suites, "testsuite", attributes)
        for result in own:
            _junit_case(suite, result)
        case = ET.SubElement(suite, "testcase", classname=verdict.engine, name="verdict")
        if not verdict.green:
            ET.SubElement(case, "failure", message=verdict.words)
        ET.SubElement(case, "system-out").text = "\n".join([verdict.words, *run.notes])
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _junit_case(suite: ET.Element, result: Result) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=f"{result.engine}.{result.case.topic}",
        name=result.case.name, file=result.case.path,
    )  # fmt: skip
    if _is_left_out(result):
        first, *_ = result.explanation.splitlines() or [""]
        ET.SubElement(case, "skipped", message=f"{result.status}: {first}")
    elif not result.good:
        tag = "error" if result.status == "crashed" else "failure"
        ET.SubElement(case, tag, message=result.status).text = _printable(explain(result))


def _is_left_out(result: Result) -> bool:
    return result.status in ("known failure", "not claimed")


def _printable(text: str) -> str:
    """Leave out what XML cannot carry."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
