"""A learner's file -> its grade: the faults of its class, each with a program that shows it.

The sentences are in the words of the lessons. A grade can be written as JUnit XML, too.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict
from xml.etree import ElementTree as ET

from engine_py.canonical import canonical_text
from engine_py.document import GradientDocument
from engine_py.grade.findings import Finding, FindingKind, Outcome
from engine_py.grade.judge import judge
from engine_py.grade.programs import (
    DEEPER,
    DEPTH,
    LESSONS,
    OPERATIONS,
    PROGRAMS,
    REFLECTED,
    Trial,
    expected,
)
from engine_py.grade.run import run

SECONDS = 10.0

FirstWrong = TypedDict("FirstWrong", {"from": int, "to": int, "slot": int})
"""An edge of the program's document."""


class Fault(TypedDict):
    """One thing that is wrong, and the smallest program that shows it."""

    kind: FindingKind
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
        "reading": str | None,
        "right": bool,
        "faults": list[Fault],
        "notes": list[str],
        "programs": list[Tried],
    },
)
"""What is said of a file."""


def grade(
    file: str | Path,
    *,
    seconds: float = SECONDS,
    names: Mapping[str, str] | None = None,
) -> Grade:
    """Say what is wrong with the class of a learner's file, and which program shows it.

    The file is run in a child process, for so many seconds and in 4 GB of memory at most.
    That is no sandbox against malice.

    Args:
        file: a script, a notebook or a file of a package, with a class like the lessons': with
            data, a gradient, operators and a backward pass, whatever their names are.
        seconds: the longest time for all programs, of the processor.
        names: the name of the `class`, and of its attributes for `data` and `grad`, where they
            are not to be found out.

    Raises:
        OSError: there is no such file.
        RecursionError: a file that is graded grades.
    """
    path = Path(file)
    with path.open("rb"):
        answers = run(path, seconds, names)
    judged = judge(answers)
    head = answers.head
    name = head.get("class")
    return {
        "file": str(file),
        "class": name,
        "reading": _reading(head) if "begin" in head else None,
        "right": not judged.faults,
        "faults": _faults(judged.faults),
        "notes": [*_notes_on_file(head), *_notes(judged.notes)],
        "programs": [
            {"program": program.text, "values": dict(program.values), "outcome": outcome}
            for program, outcome in zip(PROGRAMS, judged.outcomes, strict=True)
        ],
    }


def _reading(head: Mapping[str, Any]) -> str:
    """Say how the class is read."""
    functions = [name for name in head["operations"].values() if not name.startswith("__")]
    functions += [each["name"] for each in head["others"]]
    named = f", {_listed([f'`{each}`' for each in functions])}" if functions else ""
    data, grad, begin = head["data"], head["grad"], head["begin"]
    return f"class `{head['class']}` with `{data}`, `{grad}`, `{begin}`{named}"


def _notes_on_file(head: Mapping[str, Any]) -> list[str]:
    """Say what came in the way of the file."""
    notes = []
    absent = [f"`{each}`" for each in LESSONS if each not in head.get("operations", LESSONS)]
    if absent:
        notes.append(f"{_listed(absent)} not there, and not tried")
    if stopped := head.get("stopped") if "class" in head else None:
        long = stopped[0]["type"] in ("TooSlow", "Waits")
        what = "takes long" if long else f"raises {_described(stopped[0])}"
        notes.append(f"what the file runs by itself {what}, and is left out")
    if stand_ins := head.get("stand_ins"):
        notes.append(f"not installed here, and left out: {_listed([f'`{x}`' for x in stand_ins])}")
    notes += [
        f"`{each}.py` has the name of a module of Python, which it hides; call it something else"
        for each in head.get("hidden", ())
    ]
    return notes


def _faults(found: Sequence[Finding]) -> list[Fault]:
    """Make one fault of what several operations have for one reason."""
    return [_fault(each, operations) for each, operations in _joined(found, _JOINED)]


def _notes(found: Sequence[Finding]) -> list[str]:
    rows = _joined(found, ("numbers", "reflected", "inexact"))
    return [_sentence(each, operations, is_note=True) for each, operations in rows]


_JOINED: tuple[FindingKind, ...] = (
    *("overwrites", "incoming", "detached", "grad_for_data", "no_node", "changes_data"),
)


def _joined(
    found: Sequence[Finding], kinds: Sequence[FindingKind]
) -> Iterator[tuple[Finding, list[str]]]:
    """Yield what is found, with its operations: all of those kinds together."""
    joined: set[FindingKind] = set()
    for each in found:
        operations = [each.operation] if each.operation else []
        if each.kind in kinds:
            if each.kind in joined:
                continue
            joined.add(each.kind)
            whose = dict.fromkeys(other.operation for other in found if other.kind == each.kind)
            known = [operation for operation in OPERATIONS if operation in whose]
            operations = [*known, *(name for name in whose if name and name not in known)]
        yield each, operations


def _fault(found: Finding, operations: list[str]) -> Fault:
    program = found.program
    document = None if found.place is None else expected(found.place).document
    edge = document["edges"][found.edge] if document and found.edge is not None else None
    return {
        "kind": found.kind,
        "operations": operations,
        "slot": found.slot,
        "program": program and program.text,
        "values": dict(program.values) if program else {},
        "number": _number_name(document, *found.number) if found.number else None,
        "expected": found.expected,
        "got": found.got,
        "edge": edge and {"from": edge["from"], "to": edge["to"], "slot": edge["slot"]},
        "line": found.raised["line"] if found.raised else None,
        "message": _sentence(found, operations),
        "evidence": _evidence(found),
    }


_FAULTS: Mapping[str, str] = {
    "died": "the process ended: {got}",
    "recursion": "{what} calls itself without end",
    "initial_grad": "the gradient of a new Value is not 0",
    "not_a_number": "{what} leaves a {got} where a number should be; take its `.data`, its `.grad`",
    "changes_data": "{what} changes the data that it gets; a backward function sets `.grad` alone",
    "data": "{what} computes wrong data",
    "detached": "{what}: nothing is passed back, because the backward function is never attached "
    "to the result; write `out._backward = _backward`, without brackets",
    "grad_for_data": "a `.grad` is taken where the `.data` belongs, in {what}",
    "exponent": "`a ** b` gives its exponent a wrong gradient; send it `out * log(a)`, or refuse a "
    "Value there",
    "seed": "the root's gradient must be 1 when a pass begins; set it before the walk",
    "local_grad": "wrong local derivative of {what}{operand}",
    "incoming": "{what}: the local derivative is passed on alone; multiply it by the gradient of "
    "the result, `out.grad`",
    "overwrites": "`=` where `+=` is needed, in {what}: what arrives last replaces what was there",
    "order": "the walk is in the wrong order: a node passes its gradient on before all that use it "
    "have sent theirs; visit in reverse topological order",
    "revisited": "the walk comes to a node again and passes its gradient on twice; keep a set of "
    "what was visited",
    "unvisited": "the walk leaves out a node, which passes nothing on",
    "equality": "nodes are taken for the same because their data is equal, or have no hash; tell "
    "them apart by identity, without `__eq__`",
    "gradient": "a gradient is wrong",
    "numbers": "no number can be the second operand of {what}; make a Value of what is none",
    "reflected": "{reflected} not there, which Python asks for where a number stands first",
    "resets": "a pass begins by setting the gradients to 0, so two passes do not add up; "
    "micrograd's do",
    "shared": "two gradients are one array, so what is added to one is added to the other; "
    "add to a copy",
    "once": "a graph goes backward once; the next pass takes a new one",
    "silent": "`backward` passes nothing back from any operation; does it call each node's step?",
    "inexact": "{what}: off by more than rounding, as by an epsilon or a rounded constant",
    "second_pass": "a second pass must add to the gradients, as long as nothing sets them to 0",
}
_ENDLESS = "the walk is a recursion, and dies {depth:,} operations deep; keep a stack of your own"
_SLOW = "takes longer than the limit; a walk visits each node once, and not every path"
_SLOW_IMPORT = 'takes too long to import; put what trains below `if __name__ == "__main__":`'
_SHOWN = 60
"""Characters of a program that are shown."""


def _sentence(  # noqa: PLR0911 - each kind of finding has its words
    found: Finding, operations: Sequence[str], *, is_note: bool = False
) -> str:
    """Say what is wrong, and for operations in which."""
    what = _listed([f"`{each}`" for each in operations])
    what = what or ("`Value(2.5)`" if found.place is None else "`backward`")
    raised, words = found.raised, _FAULTS.get(found.kind, "")
    match found.kind:
        case "load":
            return _not_loaded(found)
        case "time":
            return _SLOW_IMPORT if found.place is None else _SLOW
        case "hangs" if found.place is None and not operations:
            return f"the file waits as it is imported{_where(raised)}, for what does not come"
        case "hangs":
            return f"{what} does not end{_where(raised)}"
        case "raises":
            return f"{what} raises {_described(raised)}"
        case "recursion" if not operations:
            return _ENDLESS.format(depth=DEEPER if is_note else DEPTH)
        case "no_node":
            name = raised["message"] if raised else ""
            told = "nothing; end it with `return out`" if name == "NoneType" else f"a {name}"
            return f"{what}: the result must be an object of the class, and is {told}"
        case "data" if found.program and found.program.family == "reflected":
            words = f"`{REFLECTED[found.operation]}` {_backwards(found)}"
    words = words.format(
        what=what,
        got=found.got,
        operand="" if found.slot is None else _operand(found),
        reflected=_listed([f"`{REFLECTED[each]}`" for each in operations if each in REFLECTED]),
    )
    return f"{words}: {_described(raised)}" if raised else words


def _backwards(found: Finding) -> str:
    """Say what is computed where `2 - a` should be, if it is `a - 2`."""
    [a] = found.program.values.values() if found.program else [0.0]
    if found.got == {"-": a - 2.0, "/": a / 2.0}.get(found.operation):
        return f"is the wrong way round: it computes `a {found.operation} 2`"
    return "computes wrong data"


def _not_loaded(found: Finding) -> str:
    if found.raised:
        return f"the file cannot be imported: {_described(found.raised)}"
    if found.got:
        return f"the process ended as it imported the file: {found.got}"
    return "no class with `+`, `*` and `backward` is there"


def _operand(found: Finding) -> str:
    if found.operation in ("+", "-", "*", "/"):
        return f" by its {('first', 'second')[found.slot or 0]} operand"
    return ""


def _described(raised: Mapping[str, object] | None) -> str:
    """Name an exception and its line in the file."""
    if not raised:
        return "an exception"
    return f"{raised['type']}: {raised['message']}{_where(raised)}"


def _where(raised: Mapping[str, Any] | None) -> str:
    """Say in which line of the file, and of a notebook in which cell."""
    parts = [f"{part} {raised[part]}" for part in ("cell", "line") if raised and raised[part]]
    return f" ({', '.join(parts)})" if parts else ""


def _evidence(found: Finding) -> str:
    """Say which number of the program is what, and what it should be; nothing if none is told."""
    if found.program is None:
        return ""
    where = f"in {_shown(found.program)}"
    if found.number is None or found.expected is None:
        return where
    document = None if found.place is None else expected(found.place).document
    name = _number_name(document, *found.number)
    got = canonical_text(found.got) if isinstance(found.got, float) else str(found.got)
    words = f"{where}: {name} is {got}, expected {canonical_text(found.expected)}"
    if document and found.edge is not None and found.kind != "local_grad":
        edge = document["edges"][found.edge]
        user, operand = (_node_name(document, edge[end]) for end in ("to", "from"))
        words += f"; see what `{user}` sends to `{operand}`"
    return words


def _shown(program: Trial) -> str:
    """Write a program with its values, a long one cut."""
    text = program.text if len(program.text) <= _SHOWN else program.text[:_SHOWN] + "…"
    values = ", ".join(f"{name}={canonical_text(at)}" for name, at in program.values.items())
    return f"`{text}` at {values}" if values else f"`{text}`"


def _number_name(document: GradientDocument | None, node: int, part: str) -> str:
    """Write a number as a learner would: `a.grad`, `(a + b).data`."""
    name = _node_name(document, node) if document else "a"
    return f"{name if name.isidentifier() else f'({name})'}.{part}"


def _node_name(document: GradientDocument, node: int) -> str:
    """Name a node by its label, or by what was written for it."""
    row = document["nodes"][node]
    span = row["span"] or {"start": 0, "end": 0}
    return row["label"] or (document["expression"] or "")[span["start"] : span["end"]]


def _listed(names: Sequence[str]) -> str:
    """Write names as a sentence does."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def is_ours(text: str) -> bool:
    """Tell whether a file is JUnit XML that is written here."""
    return "<testsuite " in text and 'classname="gradient"' in text


def as_junit(made: Grade) -> str:
    """Write JUnit XML: a case for the class, and one for each program."""
    counted = [each["outcome"] for each in made["programs"]]
    programs = [each["program"] for each in made["programs"]]
    elsewhere = [fault for fault in made["faults"] if fault["program"] not in programs]
    suite = ET.Element(
        "testsuite",
        name=made["file"],
        tests=str(len(counted) + 1),
        failures=str(counted.count("wrong") + bool(elsewhere)),
        errors="0",
        skipped=str(counted.count("left_out")),
    )
    case = ET.SubElement(suite, "testcase", classname="gradient", name="the class")
    if elsewhere:
        _fail(case, elsewhere)
    for place, each in enumerate(made["programs"]):
        name = _shown(PROGRAMS[place]).replace("`", "")
        family = f"gradient.{PROGRAMS[place].family}"
        case = ET.SubElement(suite, "testcase", classname=family, name=name)
        if each["outcome"] == "left_out":
            ET.SubElement(case, "skipped")
        elif each["outcome"] == "wrong":
            shown_by = (each["program"], each["values"])
            own = [
                fault for fault in made["faults"] if (fault["program"], fault["values"]) == shown_by
            ]
            _fail(case, own or made["faults"])
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _fail(case: ET.Element, faults: Sequence[Fault]) -> None:
    """Add a failure, without what XML cannot carry."""
    text = "\n".join([f"{fault['message']}\n{fault['evidence']}".rstrip() for fault in faults])
    printable = "".join(each if each.isprintable() or each == "\n" else "?" for each in text)
    first, *_ = printable.splitlines() or ["wrong"]
    ET.SubElement(case, "failure", message=first).text = printable
