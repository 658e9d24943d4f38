"""Fixtures and hard cases -> asks.json: what a mutant is asked, and the right answers."""

import json
from pathlib import Path
from random import Random
from typing import Any

from parity_tests.exactness.__main__ import HARD_CASES, is_other_zero
from parity_tests.kit.cases import load_cases
from parity_tests.kit.compare import outcome
from parity_tests.kit.harness import Json, Worker, load_engines

ROWS = 50
"""Rows of operands in one ask."""


def write_asks(file: Path) -> None:
    """Write every ask with its answer, mixed: a mistake shows after a few of them."""
    asks = [*_fixtures(), *_hard_cases()]
    Random(3).shuffle(asks)
    file.write_text("".join(json.dumps(ask) + "\n" for ask in asks))


def _fixtures() -> list[Json]:
    """Ask the sound Python engine, because a fixture may name only a part of the document."""
    cases = load_cases()
    with Worker(load_engines()["engine_py"]) as worker:
        answers = worker.run_many([case.ask for case in cases])
    asks = []
    for case, answer in zip(cases, answers, strict=True):
        if wrong := case.verdict(answer):
            raise ValueError(f"the engine is wrong before any mutation, {case.name}: {wrong}")
        message = {"kind": "run", "sequence": 0, "command": case.command, "request": case.request}
        limits = {} if case.limits is None else {"limits": case.limits}
        asks.append(_entry(case.name, {**message, **limits}, outcome(answer)))
    return asks


def _hard_cases() -> list[Json]:
    asks = []
    for file in sorted(HARD_CASES.glob("*.json")):
        hard = json.loads(file.read_text())
        for number, rows in enumerate(_batches(hard["cases"])):
            request = {
                "operation": hard["operation"],
                "operands": [row["operands"] for row in rows],
            }
            ask = {"kind": "run", "sequence": 0, "command": "evaluate", "request": request}
            right = {"document": [_free_zero(hard["operation"], row["expected"]) for row in rows]}
            asks.append(_entry(f"hard {file.stem} {number}", ask, right))
    return asks


def _entry(name: str, ask: Json, right: Json) -> Json:
    """Keep the ask as a worker would read it; 1e400 would not survive a second parser."""
    return {"name": name, "ask": json.dumps(ask), "right": right}


def _free_zero(operation: str, bits: str | None) -> str | None:
    """Write -0 as 0 where its sign is free; the kill checks do the same."""
    return "0" * 16 if is_other_zero(operation, bits, "0" * 16) else bits


def _batches(rows: list[Any]) -> list[list[Any]]:
    return [rows[start : start + ROWS] for start in range(0, len(rows), ROWS)]
