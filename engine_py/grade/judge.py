"""The numbers of a learner's class -> what is wrong with it, and the programs that show it."""

from typing import NamedTuple

from engine_py.grade.alone import judge_operations
from engine_py.grade.beside import judge_numbers
from engine_py.grade.composed import judge_composed
from engine_py.grade.findings import Bench, Finding, Outcome
from engine_py.grade.passes import judge_deep, judge_second_passes
from engine_py.grade.run import Answers

_NEW = 2.5
"""The data of the first Value that is made."""


class Judgement(NamedTuple):
    """All that is found, and an outcome for each program."""

    faults: list[Finding]
    notes: list[Finding]
    outcomes: list[Outcome]


def judge(answers: Answers) -> Judgement:
    """Judge what the child told."""
    bench = Bench(answers)
    if _begins(bench):
        judge_operations(bench)
        judge_composed(bench)
        judge_numbers(bench)
        judge_second_passes(bench)
        judge_deep(bench)
    faults = [each for each in bench.faults if not _is_consequence(bench, each)]
    return Judgement(faults, bench.notes, bench.outcomes)


def _begins(bench: Bench) -> bool:
    """Tell whether there is a class, and a new Value of it."""
    head, raised = bench.head, bench.head.get("raised")
    if "class" not in head:
        is_late = bench.end == "time" and not head
        bench.faults.append(Finding("time" if is_late else "load", got=bench.end, raised=raised))
        return False
    if raised is not None:
        is_slow = raised["type"] == "TooSlow"
        found = Finding("time", place=0) if is_slow else Finding("raises", raised=raised)
        bench.faults.append(found)
        return False
    data = head["initial"]["data"]
    if data != _NEW:
        bench.faults.append(Finding("changes_data", expected=_NEW, got=data))
        return False
    grad = head["initial"]["grad"]
    if grad not in (0.0, "NoneType"):
        bench.faults.append(Finding("initial_grad", expected=0.0, got=grad))
        bench.walk_is_wrong = True  # within an operation that is built from others
    return True


def _is_consequence(bench: Bench, found: Finding) -> bool:
    """Tell whether an operation has this only by another that it is built from."""
    parts = bench.parts(found)
    if any(each.kind == found.kind and each.operation in parts for each in bench.faults):
        return True
    between = {each for each, _ in bench.known.overwrites | bench.known.incoming}
    passes_wrongly = bench.walk_is_wrong or not between.isdisjoint(parts)
    return found.kind == "local_grad" and bool(parts) and passes_wrongly
