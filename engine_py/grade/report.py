"""A learner's file -> its grade: the faults of its class, each with a program that shows it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

from engine_py.grade.findings import Finding, Kind, Outcome
from engine_py.grade.judge import judge
from engine_py.grade.programs import LESSONS, OPERATIONS, PROGRAMS, expected
from engine_py.grade.run import run
from engine_py.grade.words import evidence, missing, number_name, sentence

SECONDS = 10.0

FirstWrong = TypedDict("FirstWrong", {"from": int, "to": int, "slot": int})
"""An edge of the program's document."""


class Fault(TypedDict):
    """One thing that is wrong, and the smallest program that shows it."""

    kind: Kind
    operations: list[str]
    slot: int | None
    """Of a local gradient: the operand that it is by, from 0."""
    program: str | None
    values: dict[str, float]
    number: str | None
    """What is not as expected there, such as `a.grad`."""
    expected: float | None
    got: float | str | None
    edge: FirstWrong | None
    line: int | None
    """Of the file, where it raised an exception."""
    message: str
    evidence: str
    """The program and its wrong number, in words; empty where there is no program."""


class Tried(TypedDict):
    """A program, and what came of it; it is left out where the class has not all that it takes."""

    program: str
    values: dict[str, float]
    outcome: Outcome


Grade = TypedDict(
    "Grade",
    {
        "file": str,
        "class": str | None,
        "right": bool,
        "faults": list[Fault],
        "notes": list[str],
        "programs": list[Tried],
    },
)
"""What is said of a file."""


def grade(file: str | Path, *, seconds: float = SECONDS) -> Grade:
    """Say what is wrong with the class of a learner's file, and which program shows it.

    The file is run in a child process, for so many seconds and in 4 GB of memory at most.
    That is no sandbox against malice.

    Args:
        file: a Python file with a class of one of the lessons' forms: with `data`, `grad`,
            operators and `backward`.
        seconds: the longest time for all programs.

    Raises:
        OSError: there is no such file.
    """
    path = Path(file)
    with path.open("rb"):
        answers = run(path, seconds)
    judged = judge(answers)
    notes = [_noted(note) for note in judged.notes]
    name, methods = answers.head.get("class"), answers.head.get("methods", [])
    if name and (absent := missing(methods, LESSONS)):
        notes.insert(0, f"{absent} not there, and not tried")
    return {
        "file": str(file),
        "class": name,
        "right": not judged.faults,
        "faults": _faults(judged.faults),
        "notes": notes,
        "programs": [
            {"program": program.text, "values": dict(program.values), "outcome": outcome}
            for program, outcome in zip(PROGRAMS, judged.outcomes, strict=True)
        ],
    }


def _noted(note: Finding) -> str:
    return sentence(note, [note.operation] if note.operation else [], is_note=True)


def _faults(found: Sequence[Finding]) -> list[Fault]:
    """Make one fault of what several operations have for one reason."""
    faults: list[Fault] = []
    joined: set[Kind] = set()
    for each in found:
        operations = [each.operation] if each.operation else []
        if each.kind in ("overwrites", "incoming"):
            if each.kind in joined:
                continue
            joined.add(each.kind)
            whose = {other.operation for other in found if other.kind == each.kind}
            operations = [operation for operation in OPERATIONS if operation in whose]
        faults.append(_fault(each, operations))
    return faults


def _fault(found: Finding, operations: list[str]) -> Fault:
    program = None if found.place is None else PROGRAMS[found.place]
    document = None if found.place is None else expected(found.place).document
    edge = document["edges"][found.edge] if document and found.edge is not None else None
    return {
        "kind": found.kind,
        "operations": operations,
        "slot": found.slot,
        "program": program and program.text,
        "values": dict(program.values) if program else {},
        "number": number_name(document, *found.number) if document and found.number else None,
        "expected": found.expected,
        "got": found.got,
        "edge": edge and {"from": edge["from"], "to": edge["to"], "slot": edge["slot"]},
        "line": found.raised["line"] if found.raised else None,
        "message": sentence(found, operations),
        "evidence": evidence(found),
    }
