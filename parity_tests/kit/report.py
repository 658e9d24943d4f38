"""Results -> a report for a terminal, a program, a test viewer, a pull request or a README."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from xml.etree import ElementTree as ET

from parity_tests.kit.explanation import cited_rules, explain
from parity_tests.kit.runner import STATUSES, Result
from parity_tests.kit.worker import contract_version

EXPLAINED = 20
"""Failures that a report for a pull request explains; a comment there has room for no more."""


def as_text(results: Sequence[Result]) -> str:
    """Explain each failure, then count."""
    failures = [explain(result) for result in results if not result.good]
    return "\n\n".join([*failures, summary(results)]) + "\n"


def as_json(results: Sequence[Result]) -> str:
    """Give each result as an object."""
    rows = [
        {
            "engine": result.engine,
            "case": result.case.name,
            "status": result.status,
            "why": result.case.why,
            "rules": cited_rules(result.case),
            "fixture": result.case.path,
            "program": result.case.request.get("expression"),
            "explanation": result.explanation,
        }
        for result in results
    ]
    return json.dumps({"green": _green(results), "results": rows}, indent=2) + "\n"


def as_junit(results: Sequence[Result]) -> str:
    """Give JUnit XML, a suite per engine."""
    suites = ET.Element("testsuites")
    for engine in _engines(results):
        own = [result for result in results if result.engine == engine]
        counted = {
            "tests": len(own),
            "failures": sum(not result.good and result.status != "crashed" for result in own),
            "errors": sum(result.status == "crashed" for result in own),
            "skipped": sum(_is_skipped(result) for result in own),
        }
        attributes = {"name": engine} | {name: str(count) for name, count in counted.items()}
        suite = ET.SubElement(suites, "testsuite", attributes)
        for result in own:
            _junit_case(suite, result)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def as_markdown(results: Sequence[Result]) -> str:
    """Give a table of topics x engines, and explain each failure below it."""
    engines = _engines(results)
    topics = dict.fromkeys(result.case.topic for result in results)
    head = ["| topic | " + " | ".join(engines) + " |", "|---|" + "---:|" * len(engines)]
    rows = [
        f"| {topic.replace('_', ' ')} | "
        + " | ".join(_cell(results, engine, topic) for engine in engines)
        + " |"
        for topic in topics
    ]
    total = "| **all** | " + " | ".join(_cell(results, engine) for engine in engines) + " |"
    wrong = [result for result in results if not result.good]
    explained = [f"```\n{explain(result)}\n```\n" for result in wrong[:EXPLAINED]]
    if len(wrong) > EXPLAINED:
        explained.append(f"… and {len(wrong) - EXPLAINED} more.\n")
    title = f"## Parity: {'green' if _green(results) else 'red'}"
    return "\n".join([title, "", *head, *rows, total, "", *explained]) + "\n"


def as_badge(results: Sequence[Result]) -> str:
    """Give JSON for shields.io, which draws it as a badge where a README links to the file."""
    passed = all(result.status == "passed" for result in results)
    color = "brightgreen" if passed else "green" if _green(results) else "red"
    badge = {
        "schemaVersion": 1,
        "label": f"gradient contract {contract_version()}",
        "message": _counts(results),
        "color": color,
    }
    return json.dumps(badge) + "\n"


FORMATS: dict[str, Callable[[Sequence[Result]], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "markdown": as_markdown,
    "badge": as_badge,
}


def _junit_case(suite: ET.Element, result: Result) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=f"{result.engine}.{result.case.topic}",
        name=result.case.behaviour, file=result.case.path,
    )  # fmt: skip
    if _is_skipped(result):
        first, *_ = result.explanation.splitlines() or [""]
        ET.SubElement(case, "skipped", message=f"{result.status}: {first}")
    elif not result.good:
        tag = "error" if result.status == "crashed" else "failure"
        ET.SubElement(case, tag, message=result.status).text = _printable(explain(result))


def _cell(results: Sequence[Result], engine: str, topic: str | None = None) -> str:
    """Count one engine's results; a bare number is what passed."""
    own = [
        result
        for result in results
        if result.engine == engine and topic in (None, result.case.topic)
    ]
    mark = "" if _green(own) else "❌ "
    return mark + _counts(own).replace(" passed", "", 1)


def _counts(results: Sequence[Result]) -> str:
    """Count by status, what passed first."""
    counted = Counter(result.status for result in results)
    return ", ".join(f"{counted[status]} {status}" for status in STATUSES if counted[status])


def summary(results: Sequence[Result]) -> str:
    """Count each engine's results, and state whether the run is green."""
    lines = []
    for engine in _engines(results):
        own = [result for result in results if result.engine == engine]
        lines.append(f"{engine}: {_counts(own)}, of {len(own)}")
    lines.append("green: no engine differs" if _green(results) else "RED: see above")
    return "\n".join(lines)


def _engines(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.engine for result in results))


def _green(results: Sequence[Result]) -> bool:
    return all(result.good for result in results)


def _is_skipped(result: Result) -> bool:
    return result.status in ("skipped", "known failure")


def _printable(text: str) -> str:
    """Leave out what XML cannot carry."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
