"""A run -> workflow commands of GitHub, which shows each failure at the line of its fixture.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

import json
from functools import cache

from parity_tests.kit.cases import Case
from parity_tests.kit.engines import PACKAGE
from parity_tests.kit.explanation import explain
from parity_tests.kit.verdict import Run

IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTY = {**IN_TEXT, ":": "%3A", ",": "%2C"}
"""What would end a text, or a property before it."""


def annotations(run: Run) -> list[str]:
    """Give a line for each failure, and for each engine that is not green."""
    failures = [
        _error(explain(each), file=each.case.path, line=_line(each.case),
               title=f"{each.status} {each.engine}: {each.case.id}")
        for each in run.results
        if not each.good
    ]  # fmt: skip
    red = [_error(each.words, title=each.engine) for each in run.verdicts if not each.green]
    return [*failures, *red]


def _error(text: str, **properties: str) -> str:
    written = [f"{name}={_escaped(given, IN_PROPERTY)}" for name, given in properties.items()]
    return f"::error {','.join(written)}::{_escaped(text, IN_TEXT)}"


def _line(case: Case) -> str:
    """Give the number of the line with the case's name; 1 where its file does not have it."""
    name = f'"name": {json.dumps(case.name)}'
    lines = enumerate(_lines(case.path), 1)
    return str(next((number for number, line in lines if name in line), 1))


@cache
def _lines(path: str) -> list[str]:
    return (PACKAGE.parent / path).read_text(encoding="utf-8").splitlines()


def _escaped(text: str, marks: dict[str, str]) -> str:
    return "".join(marks.get(each, each) for each in text)
