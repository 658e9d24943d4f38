"""A learner's file -> its grade: a verdict, and the faults of its class, each with its program.

The sentences are in the words of the lessons. A grade can be written as JUnit XML, too.
"""

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, TypedDict

from engine_py.canonical import canonical_text
from engine_py.grade.judge import Verdict, judge, without
from engine_py.grade.outcomes import Finding, FindingKind, Outcome
from engine_py.grade.programs import OPERATIONS, REFLECTED, Family, TrialProgram, Use
from engine_py.grade.run import Answers, run

SECONDS = 10.0


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
    line: int | None
    """Of the file, where it raised an exception."""
    message: str
    evidence: str
    """The program and its wrong number, in words; empty where there is no program."""


class Tried(TypedDict):
    """A program, and what came of it.

    It is left out where the class has not all that it takes, not tried where the run has ended.
    """

    program: str
    values: dict[str, float]
    family: Family
    operation: str
    use: Use
    operations: list[str]
    outcome: Outcome


Grade = TypedDict(
    "Grade",
    {
        "file": str,
        "class": str | None,
        "reading": str | None,
        "verdict": Verdict,
        "right": bool,
        "asked": list[str],
        "faults": list[Fault],
        "notes": list[str],
        "programs": list[Tried],
        "open": list[str],
    },
)
"""What is said of a file; `right` is the verdict "right", and all else follows from the verdict.

`open` lists what the system leaves open to a hand-in: others' "files", the "network", "signals".
"""


def grade(
    file: str | Path,
    *,
    seconds: float = SECONDS,
    names: Mapping[str, str] | None = None,
) -> Grade:
    """Say what is wrong with the class of a learner's file, and which program shows it.

    A copy of the file runs in a child process, limited to `seconds` of CPU time and 4 GB of
    memory. On Linux it writes no other files, and has no network; `open` names what the system
    does not close. That is no sandbox against malice.

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
        return graded(str(file), run(path, seconds, names))


def graded(
    file: str,
    answers: Answers,
    required: frozenset[str] | None = None,
    hidden: frozenset[str] = frozenset(),
) -> Grade:
    """Make the grade of a file that has run, without all that is hidden."""
    try:
        answers = without(answers, hidden)
        judged = judge(answers, required)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):  # the file has forged it
        answers = Answers({}, [], "it writes replies in the grader's place")
        judged = judge(answers, required)
    head = answers.head
    is_read = judged.verdict != "not read" and "begin" in head
    return {
        "file": file,
        "class": head.get("class"),
        "reading": _reading(head) if is_read else None,
        "verdict": judged.verdict,
        "right": judged.verdict == "right",
        "asked": _asked({"+", "*", *head.get("operations", ())} if required is None else required),
        "faults": [_fault(each) for each in judged.faults],
        "notes": [*_notes_on_file(head), *[_sentence(each) for each in judged.notes]],
        "programs": [
            {
                "program": each.program.text,
                "values": each.program.values,
                "family": each.program.family,
                "operation": each.program.operation,
                "use": each.program.use,
                "operations": sorted(each.program.operations),
                "outcome": each.outcome,
            }
            for each in judged.tried
        ],
        "open": head.get("open", []),
    }


def _asked(asked: Collection[str]) -> list[str]:
    return [*[each for each in OPERATIONS if each in asked], *sorted({*asked} - {*OPERATIONS})]


def counted(made: Grade) -> tuple[int, int]:
    """Count the programs that are right, and those that were tried or should have been."""
    outcomes = [each["outcome"] for each in made["programs"]]
    return outcomes.count("right"), len(outcomes) - outcomes.count("left_out")


def _reading(head: Mapping[str, Any]) -> str:
    functions = [name for name in head["operations"].values() if not name.startswith("__")]
    functions += head["written"]
    named = f", {listed([f'`{each}`' for each in functions])}" if functions else ""
    data, grad, begin = head["data"], head["grad"], head["begin"]
    return f"class `{head['class']}` with `{data}`, `{grad}`, `{begin}`{named}"


def _notes_on_file(head: Mapping[str, Any]) -> list[str]:
    """Say what came in the way of the file."""
    notes = []
    if stopped := head.get("stopped") if "class" in head else None:
        long = stopped[0]["type"] in ("TooSlow", "Waits")
        what = "takes long" if long else f"raises {_described(stopped[0])}"
        notes.append(f"what the file runs by itself {what}, and is left out")
    if stand_ins := head.get("stand_ins"):
        notes.append(f"not installed here, and left out: {listed([f'`{x}`' for x in stand_ins])}")
    notes += [
        f"`{each}.py` has the name of a module of Python, which it hides; call it something else"
        for each in head.get("hidden", ())
    ]
    return notes


def _fault(found: Finding) -> Fault:
    program, wrong, raised = found.program, found.wrong, found.raised
    got = wrong.got if wrong else None
    return {
        "kind": found.kind,
        "operations": list(found.operations),
        "slot": found.slot,
        "program": program.text if program else None,
        "values": program.values if program else {},
        "number": _number_name(program, wrong.name) if wrong else None,
        "expected": wrong.expected if wrong else None,
        "got": str(got) if isinstance(got, float) and not isfinite(got) else got,
        "line": raised["line"] if raised else None,
        "message": _sentence(found),
        "evidence": _evidence(found),
    }


_WORDS: dict[str, str] = {
    "load": "no class with `+`, `*` and `backward` is there",
    "load raised": "the file cannot be imported: {raised}{newer}",
    "load number": "the data of a new Value is a {got}, and should be a number",
    "load gradient": "the gradient of a new Value is a {got}, and should be a number",
    "load stand-in": "the class computes with what is not installed here: {got}",
    "load ended": "the process ended as it imported the file: {got}",
    "not_done": "{what}: not written yet{how}",
    "time": "takes longer than the limit; a walk visits each node once, and not every path",
    "time import": 'takes too long to import; put what trains below `if __name__ == "__main__":`',
    "hangs": "{what} does not end{where}",
    "hangs import": "the file waits as it is imported{where}, for what does not come",
    "raises": "{what} {raise_s} {raised}",
    "no_node": "{what}: the result must be an object of the class, and is a {got}",
    "died": "the process ended{within}: {got}; what comes after was not tried",
    "recursion": "{what} calls itself without end; a walk that is a recursion dies in a deep "
    "graph, so keep a stack of your own{because}",
    "initial_grad": "the gradient of a new Value is not 0",
    "hides": "`out.backward = _backward` gives the result a `backward` of its own in place of the "
    "class's; the step's name is `out._backward`",
    "not_a_number": "{what} leaves a {got} where a number should be; take its `.data`, its `.grad`",
    "changes_data": "{what} changes the data that it gets; a backward function sets `.grad` alone",
    "data": "{what} computes wrong data",
    "data turned": "{what} is the wrong way round: it computes `{turned}`",
    "detached": "{what}: nothing is passed back, because the backward function is never attached "
    "to the result; write `out._backward = _backward`, without brackets",
    "forgotten": "{what}: {operand} is forgotten, and nothing reaches it from the result; is it "
    "among the operands of the result, and does the step send it something?",
    "exponent": "`a ** b` gives its exponent a wrong gradient; send it `out * log(a)`, or refuse a "
    "Value there",
    "seed": "the root's gradient must be 1 when a pass begins; set it before the walk",
    "local_grad": "wrong local derivative of {what}{by}",
    "incoming": "{what}: the local derivative is passed on alone{to}; multiply it by the gradient "
    "of the result, `out.grad`",
    "sign_lost": "{what}: the incoming gradient's sign is lost{to}, as `abs(out.grad)` loses it",
    "negative_dropped": "{what}: a negative incoming gradient is dropped{to}, as "
    "`max(out.grad, 0)` does; only the data of `relu` decides that",
    "overwrites": "`=` where `+=` is needed, in {what}: what arrives last replaces what was there",
    "in_place": "{what} changes the node itself, or loses what it is made of; leave it out, so "
    "that Python makes a new one",
    "repeated": "an operand on both sides, as in `a + a`, gets a wrong gradient{within}; each side "
    "sends its part, and a set or a dict of the operands keeps one of them",
    "order": "the walk is in the wrong order: a node passes its gradient on before all that use it "
    "have sent theirs; visit in reverse topological order",
    "revisited": "the walk comes to a node again and passes its gradient on twice; keep a set of "
    "what was visited",
    "unvisited": "the walk leaves out a node, which passes nothing on",
    "equality": "nodes are taken for the same because their data is equal, or have no hash; tell "
    "them apart by identity, without `__eq__`{because}",
    "gradient": "a gradient is wrong{among}",
    "numbers": "{what} cannot take a number as the second operand; make a Value of it first",
    "reflected": "{reflected} not there, which Python asks for where a number stands first",
    "resets": "a pass begins by setting the gradients to 0, so two passes do not add up; "
    "micrograd's do",
    "floats": "whole numbers as data raise {raised}; write `Value(2.0)`",
    "once": "a graph goes backward once; the next pass takes a new one",
    "silent": "`backward` passes nothing back from any operation; does it call each node's step?",
    "inexact": "{what}: off by more than rounding, as by an epsilon or a rounded constant",
    "second_pass": "a second pass comes out wrong{within}: something is kept from the pass or the "
    "graph before it, as a list of the class, a mark on a node, an old result",
    "cleared": "what is built after a pass changes its gradients; making a result must not clear "
    "those of its operands",
}
_NOT_READ = {"NoNumber": " number", "NoGradient": " gradient", "StandIn": " stand-in"}
"""Why a class that is there is not read, as a word of its sentence, by what was raised."""
_NEWER, _NEW_SYNTAX = (3, 12), re.compile(r"f-string|\s*(?:type \w+ *[=[]|(?:def|class) \w+\[)")
"""The Python that takes quotes within an f-string, and the names of types; what refuses them."""
_SHOWN = 60
"""Characters of a program that are shown."""


def _sentence(found: Finding) -> str:
    """Say what is wrong, and in which operations."""
    operations, raised, program = found.operations, found.raised, found.program
    family = program.family if program is not None else ""
    is_left = family == "left"
    names = [REFLECTED[each] if is_left else written(each) for each in operations]
    names = [f"{each}=" for each in names] if family == "place" else names
    what = listed([f"`{each}`" for each in names])
    what = what or ("`Value(2.5)`" if program is None else "`backward`")
    if found.kind == "data" and not operations:
        is_number = family == "number"
        what = "what makes a Value of a number" if is_number else "what makes each result"
    turned = _turned(found) if found.kind == "data" and is_left else ""
    key: str = found.kind
    if key == "load":
        ended = " ended" if found.got else ""
        key += _NOT_READ.get(raised["type"], " raised") if raised else ended
    elif key in ("time", "hangs") and program is None and not operations:
        key += " import"
    elif turned:
        key = "data turned"
    side = _side(found)
    gives_none = raised and raised["type"] == "NoNode"
    return _WORDS[key].format(
        among=f" in programs with {what}" if operations else "",
        because=f": {_described(raised)}" if raised else "",
        to=f" on the way to {side}" if side else "",
        what=what,
        by=f" by {side}" if side else "",
        got=found.wrong.got if found.wrong else found.got,
        how=f", it {'gives None' if gives_none else 'raises ' + raised['type']}" if raised else "",
        newer=_newer(raised),
        operand=side or "its operand",
        raised=_described(raised),
        raise_s="raise" if len(names) > 1 else "raises",
        reflected=listed([f"`{REFLECTED[each]}`" for each in operations if each in REFLECTED]),
        turned=turned,
        where=_where(raised),
        within=f" in {what}" if operations else "",
    )


def _turned(found: Finding) -> str:
    """Write what is computed where `2 - a` should be, if it is `a - 2`."""
    if found.program is None or found.wrong is None:
        return ""
    number, operation, _ = found.program.text.split(" ")[:3]
    turned = {"-": -found.wrong.expected, "/": 1 / (found.wrong.expected or 1.0)}
    return f"a {operation} {number}" if found.wrong.got == turned.get(operation) else ""


def _newer(raised: Mapping[str, Any] | None) -> str:
    """Say that a line may be of a newer Python."""
    here = sys.version_info[:2]
    said = [raised["message"], raised["text"]] if raised and raised["type"] == "SyntaxError" else []
    if here >= _NEWER or not any(map(_NEW_SYNTAX.match, said)):
        return ""
    return f"; this may be Python 3.12's syntax, and this is Python {here[0]}.{here[1]}"


def _side(found: Finding) -> str:
    """Say which operand it is of, or nothing if it is all of them."""
    binary = set(found.operations) <= {"+", "-", "*", "/"} and found.slot is not None
    return f"its {('first', 'second')[found.slot or 0]} operand" if binary else ""


def _described(raised: Mapping[str, Any] | None) -> str:
    """Name an exception and its line in the file."""
    if not raised:
        return "an exception"
    said = f": {raised['message']}" if raised["message"] else ""
    return f"{raised['type']}{said}{_where(raised)}"


def _where(raised: Mapping[str, Any] | None) -> str:
    """Say in which line of the file, and of a notebook in which cell."""
    parts = [f"{part} {raised[part]}" for part in ("cell", "line") if raised and raised[part]]
    return f" ({', '.join(parts)})" if parts else ""


def _evidence(found: Finding) -> str:
    """Say which number of the program is what, and what it should be; nothing if none is said."""
    if found.program is None:
        return ""
    where = f"in {shown(found.program)}"
    if found.wrong is None:
        return where
    name, expected, got = found.wrong
    has = canonical_text(got) if isinstance(got, float) and isfinite(got) else str(got)
    of = _number_name(found.program, name)
    return f"{where}: {of} is {has}, expected {canonical_text(expected)}"


_USES: dict[Use, str] = {
    "whole": ", of whole numbers",
    "beside": ", next to another graph",
    "after": ", and another result built before the gradients are read",
    "inner": ", below another result",
    "twice": ", backward twice",
    "zeroed": ", backward, cleared, and backward again",
    "losses": ", and another result of the same leaves",
    "anew": ", built and passed three times",
    "steps": ", in steps of descent",
}


def shown(program: TrialProgram) -> str:
    """Write a program with its values and its use, a long one cut."""
    text = program.text if len(program.text) <= _SHOWN else program.text[:_SHOWN] + "…"
    values = ", ".join(
        [
            f"{name}={canonical_text(x)}"
            for name, x in program.values.items()
            if name in program.text
        ]
    )
    return f"`{text}` at {values}{_USES.get(program.use, '')}"


def _number_name(program: TrialProgram | None, name: str) -> str:
    """Write a number as a learner would: `a.grad`, `(a + b).data`."""
    if "." in name or program is None:
        return name if program else f"its .{name}"
    *_, result = program.text.split("; ")
    return f"{result if result.isidentifier() else f'({result[:_SHOWN]})'}.{name}"


def written(name: str) -> str:
    """Write a form as it stands in a program: `2 - a` for `number -`."""
    left, _, right = name.partition(" ")
    if not right:
        return name
    return f"2 {right} a" if left == "number" else f"a {left} {'b' if right == 'node' else 2}"


def listed(names: Sequence[str]) -> str:
    """Write names as a sentence does."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
