"""Fixtures, hard cases, lines -> calls.json: what a mutant gets, and the right responses."""

import json
from pathlib import Path
from random import Random
from typing import Any

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import RESULTS, outcome, prose_in
from parity_tests.kit.engines import load_engines
from parity_tests.kit.hard import SIGN_OF_ZERO_COUNTS, load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.worker import Json, Worker

LARGE = 4_000
"""Characters of a request that is sent after all smaller ones."""


def write_calls(file: Path) -> None:
    """Write every line with its response, shuffled so that a mistake shows after a few."""
    entries = [*_fixtures(), *map(_hard_case, load_hard_cases()), *map(_line, load_lines())]
    Random(3).shuffle(entries)
    entries.sort(key=lambda entry: len(entry["hex"]) > 2 * LARGE)
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))


def _fixtures() -> list[Json]:
    """Take the Python engine's answers: a fixture may name only a part of the document."""
    cases = load_cases()
    with Worker(load_engines()["engine_py"]) as worker:
        responses = worker.run_many([case.call for case in cases])
    entries = []
    for case, response in zip(cases, responses, strict=True):
        if wrong := case.verdict(response):
            raise ValueError(f"the engine is wrong before any mutation, {case.id}: {wrong}")
        [(kind, content)] = outcome(response, case.command).items()
        kind = "result" if kind == RESULTS.get(case.command) else kind
        prose = {kind: prose_in(kind, case.command)}
        entries.append(
            {**_entry(case, {"kind": kind, kind: content, "sequence": 0}), "prose": prose}
        )
    return entries


def _hard_case(case: Case) -> Json:
    zero_is_free = case.request["operation"] not in SIGN_OF_ZERO_COUNTS
    right = {"kind": "result", "result": case.expect["results"], "sequence": 0}
    return {**_entry(case, right), "zero_is_free": zero_is_free}


def _line(case: Case) -> Json:
    """A response to a line may have more members than those expected."""
    return {**_entry(case, case.expect["response"]), "partial": True}


def _entry(case: Case, right: Json) -> Json:
    """Keep the bytes that a worker reads: they may be no UTF-8, and 1e400 is no double."""
    line = case.line
    if line is None:
        call: Json = {"command": case.command, "request": case.request}
        limits: Any = {} if case.limits is None else {"limits": case.limits}
        line = json.dumps({"kind": "run", "sequence": 0, **call, **limits}).encode()
    return {"name": case.id, "hex": line.hex(), "right": right}
