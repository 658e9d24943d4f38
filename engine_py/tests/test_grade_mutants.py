"""The grader on mutants: one that an independent oracle calls wrong must not be graded right."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine_py.tests.mutants import bases, graded, mutants

Json = dict[str, Any]
SEED = 23
CAUSES = {
    "accumulation_lost": {"overwrites"},
    "operand_forgotten": {"forgotten", "local_grad"},  # the loop pairs the others by place
    "order_wrong": {"order"},
    "reflected_missing": {"reflected"},
    "visited_twice": {"revisited"},
}
"""The kinds that the first cause of a mutant may have, by the kind of its change."""
ENVIRONMENT = {**os.environ, "PYTHONHASHSEED": "0"}


def judged(count: int) -> list[Json]:
    """Grade a sample of mutants, half of it in each of two processes."""
    tool = [sys.executable, "-m", "engine_py.tests.mutants", str(SEED)]

    def part(first: int) -> list[Json]:
        command = [*tool, str(first), str(count)]
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    with ThreadPoolExecutor(2) as pool:
        return [row for rows in pool.map(part, (0, 1)) for row in rows]


def is_cause(row: Json, fault: list[Any]) -> bool:
    """Return whether a fault names the changed place: its operation, or the walk."""
    if row["operation"] in ("walk", "node"):
        return not fault[1] or fault[1] == ["backward"] or len(fault[1]) >= 4
    return row["operation"] in fault[1]


# A sample of fifty has each kind of change at least three times. CI grades all mutants.
@pytest.mark.parametrize("most", [50, pytest.param(None, marks=pytest.mark.thorough)])
def test_mutants_are_not_right_and_their_cause_comes_first(most: int | None) -> None:
    count = most or len(mutants())
    rows = judged(count)
    assert {row["kind"] for row in rows} == {each.kind for each in mutants()}
    wrong = [row for row in rows if row["wrong"]]
    assert len(wrong) > count * 0.8
    passed = [(row["kind"], row["line"]) for row in wrong if row["verdict"] == "right"]
    assert len(passed) <= 0.01 * len(wrong), passed
    said = Counter(
        "first"
        if row["faults"] and is_cause(row, row["faults"][0])
        else "among"
        if any(is_cause(row, each) for each in row["faults"])
        else "not"
        for row in wrong
    )
    assert said["first"] >= 0.85 * len(wrong), said
    for row in wrong:
        assert row["faults"][0][0] in CAUSES.get(row["kind"], {row["faults"][0][0]}), row
    assert said["not"] <= 0.05 * len(wrong), said


def test_no_base_is_blamed(tmp_path: Path) -> None:
    for text in bases().values():
        assert graded(text, tmp_path) == {"wrong": False, "verdict": "right", "faults": []}
