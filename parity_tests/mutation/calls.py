"""Fixtures and hard cases -> calls.json: the calls that a mutant gets, and the right answers."""

import json
from pathlib import Path
from random import Random
from typing import Any

from parity_tests.kit.cases import load_cases
from parity_tests.kit.compare import outcome
from parity_tests.kit.engines import load_engines
from parity_tests.kit.hard import HARD_CASES, is_other_zero
from parity_tests.kit.worker import Json, Worker

LONGEST = 4_000
"""Characters of a request. The largest graphs take seconds in a mutant that is being traced."""
ROWS = 50
"""Rows of operands in one call."""


def write_calls(file: Path) -> None:
    """Write every call with its right answer, shuffled so that a mistake shows after a few."""
    calls = [*_fixtures(), *_hard_cases()]
    Random(3).shuffle(calls)
    file.write_text("".join(json.dumps(call) + "\n" for call in calls))


def _fixtures() -> list[Json]:
    """Take the Python engine's answers: a fixture may name only a part of the document."""
    cases = [case for case in load_cases() if len(json.dumps(case.request)) <= LONGEST]
    with Worker(load_engines()["engine_py"]) as worker:
        responses = worker.run_many([case.call for case in cases])
    calls = []
    for case, response in zip(cases, responses, strict=True):
        if wrong := case.verdict(response):
            raise ValueError(f"the engine is wrong before any mutation, {case.name}: {wrong}")
        message = {"kind": "run", "sequence": 0, "command": case.command, "request": case.request}
        limits = {} if case.limits is None else {"limits": case.limits}
        calls.append(_entry(case.name, {**message, **limits}, outcome(response)))
    return calls


def _hard_cases() -> list[Json]:
    calls = []
    for file in sorted(HARD_CASES.glob("*.json")):
        hard = json.loads(file.read_text())
        for number, rows in enumerate(_batches(hard["cases"])):
            request = {
                "operation": hard["operation"],
                "operands": [row["operands"] for row in rows],
            }
            call = {"kind": "run", "sequence": 0, "command": "evaluate", "request": request}
            right = {"document": [_free_zero(hard["operation"], row["expected"]) for row in rows]}
            calls.append(_entry(f"hard {file.stem} {number}", call, right))
    return calls


def _entry(name: str, call: Json, right: Json) -> Json:
    """Keep the call as the text that a worker reads: 1e400 would not survive a second parser."""
    return {"name": name, "call": json.dumps(call), "right": right}


def _free_zero(operation: str, bits: str | None) -> str | None:
    """Write -0 as 0 where its sign is free; the kill checks do the same."""
    return "0" * 16 if is_other_zero(operation, bits, "0" * 16) else bits


def _batches(rows: list[Any]) -> list[list[Any]]:
    return [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
