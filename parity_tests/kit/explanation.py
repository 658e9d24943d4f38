"""Result -> what a reader needs: why the case matters, its rules, the program, the difference."""

import json

from parity_tests.kit.cases import Case
from parity_tests.kit.runner import Result
from parity_tests.kit.sentences import load_sentences

SHOWN = 300
"""Characters of a request that is shown."""


def explain(result: Result) -> str:
    """Say what a case is, where the response first went wrong, and how to repeat the run."""
    return "\n".join(
        [
            f"{result.status.upper()} {result.engine}: {result.case.id}",
            *(f"  {line}" for line in describe(result.case)),
            *(f"  {line}" for line in result.explanation.splitlines()),
            f"  reproduce: {result.command}",
        ]
    )


def describe(case: Case) -> list[str]:
    """Give the lines that say why a case matters, what it holds engines to, and its program."""
    program, *more = _program(case)
    return [
        f"why: {case.why}",
        *(f"{number}: {text}" for number, text in cited_sentences(case).items()),
        f"program: {_shortened(program)}",
        *(f"with {_shortened(line)}" for line in more),
        f"fixture: {case.path}",
    ]


def cited_sentences(case: Case) -> dict[str, str]:
    """Give the contract's sentences that the case is about, by their numbers."""
    return {number: load_sentences()[number] for number in case.holds}


def _program(case: Case) -> list[str]:
    """Write the expression, then what else is sent; an expression may be of a wrong type."""
    if case.line is not None:
        return [f"none, but the line {case.line[:SHOWN]!r}"]
    request = dict(case.request)
    if case.command == "evaluate":
        rows = len(request["operands"])
        return [f"none, but `{request['operation']}` of {rows} rows of operands"]
    if "nodes" in request:
        return ["a graph of Values", json.dumps(request)]
    expression = request.pop("expression", None)
    others = {**request, **({} if case.limits is None else {"limits": case.limits})}
    return [json.dumps(expression), *([json.dumps(others)] if others else [])]


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} … {len(text):,} characters"
