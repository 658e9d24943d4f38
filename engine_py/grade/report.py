"""A learner's file -> its grade: a verdict, and the faults of its class, each with its program.

The sentences use the words of the lessons.
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
    """One mistake, and the smallest program that shows it."""

    kind: FindingKind
    operations: list[str]
    slot: int | None
    """The operand by which a local gradient is taken, from 0."""
    program: str | None
    values: dict[str, float]
    number: str | None
    """The name of the wrong number, such as `a.grad`."""
    expected: float | None
    got: float | str | None
    line: int | None
    """The line of the file that raised an exception."""
    message: str
    evidence: str
    """The program and its wrong number, in words; empty without a program."""


class ProgramOutcome(TypedDict):
    """A program and its outcome.

    It is left out if the class lacks an operation or a form, and not tried if the run ended before.
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
        "required": list[str],
        "faults": list[Fault],
        "notes": list[str],
        "programs": list[ProgramOutcome],
        "open": list[str],
    },
)
"""The grade of a file; `right` says whether the verdict is "right".

`open` lists what the system does not restrict: "files", "network", "signals".
"""


def grade(
    file: str | Path,
    *,
    seconds: float = SECONDS,
    names: Mapping[str, str] | None = None,
) -> Grade:
    """Return the mistakes in the class of a learner's file, each with a program that shows it.

    A copy of the file runs in a child process, limited to `seconds` of CPU time and 4 GB of
    memory. On Linux it cannot write other files, and has no network; `open` lists the restrictions
    that the system lacks. This is not a sandbox against malice.

    Args:
        file: a script, a notebook or a file of a package, with a class like the lessons': with
            data, a gradient, operators and a backward pass, whatever their names are.
        seconds: the most CPU time for all programs.
        names: the name of the `class`, and of its attributes for `data` and `grad`; those that are
            not given are found by trying.

    Raises:
        OSError: the file cannot be read.
        RecursionError: the file that is being graded called the grader.
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
    """Return the grade of a file that has run, without the `hidden` operations and forms."""
    try:
        answers = without(answers, hidden)
        judged = judge(answers, required)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):  # the file forged replies
        answers = Answers({}, [], "it forged the grader's replies")
        judged = judge(answers, required)
    head = answers.head
    is_read = judged.verdict != "not read" and "begin" in head
    return {
        "file": file,
        "class": head.get("class"),
        "reading": _reading(head) if is_read else None,
        "verdict": judged.verdict,
        "right": judged.verdict == "right",
        "required": _in_order(
            {"+", "*", *head.get("operations", ())} if required is None else required
        ),
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
            for each in judged.attempts
        ],
        "open": head.get("open", []),
    }


def _in_order(names: Collection[str]) -> list[str]:
    return [*[each for each in OPERATIONS if each in names], *sorted({*names} - {*OPERATIONS})]


def counted(made: Grade) -> tuple[int, int]:
    """Return the numbers of right programs, and of those that were or should have been tried."""
    outcomes = [each["outcome"] for each in made["programs"]]
    return outcomes.count("right"), len(outcomes) - outcomes.count("left_out")


def _reading(head: Mapping[str, Any]) -> str:
    functions = [name for name in head["operations"].values() if not name.startswith("__")]
    functions += head["written"]
    named = f", {listed([f'`{each}`' for each in functions])}" if functions else ""
    data, grad, begin = head["data"], head["grad"], head["begin"]
    return f"class `{head['class']}` with `{data}`, `{grad}`, `{begin}`{named}"


def _notes_on_file(head: Mapping[str, Any]) -> list[str]:
    """Describe the problems of running the file."""
    notes = []
    if stopped := head.get("stopped") if "class" in head else None:
        long = stopped[0]["type"] in ("TooSlow", "Waits")
        problem = "takes too long" if long else f"raises {_described(stopped[0])}"
        notes.append(f"code outside the class {problem}; it is left out")
    if stand_ins := head.get("stand_ins"):
        notes.append(f"not installed here, and left out: {listed([f'`{x}`' for x in stand_ins])}")
    notes += [
        f"`{each}.py` hides Python's own module of that name; rename the file"
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
    "load": "no class with `+`, `*` and `backward` was found",
    "load raised": "the file cannot be imported: {raised}{newer}",
    "load number": "the data of a new Value is a {got}; it should be a number",
    "load gradient": "the gradient of a new Value is a {got}; it should be a number",
    "load stand-in": "the class computes with a module that is not installed here: {got}",
    "load ended": "the process ended before a class was found: {got}",
    "not_done": "{names}: not written yet{how}",
    "time": "takes longer than the limit; the walk must visit each node once, not every path",
    "time import": 'takes too long to import; put the training under `if __name__ == "__main__":`',
    "hangs": "{names} does not end{where}",
    "hangs import": "the file waits during its import{where}, for something that never comes",
    "raises": "{names} {raise_s} {raised}",
    "no_node": "{names}: the result is a {got}; it must be an object of the class",
    "died": "the process ended{within}: {got}; the rest was not tried",
    "recursion": "{names} calls itself too often; a recursive walk fails in a deep graph, so keep "
    "a stack of your own{because}",
    "initial_grad": "the gradient of a new Value is not 0",
    "hides": "`out.backward = _backward` replaces the class's `backward` on the result; write "
    "`out._backward = _backward`",
    "not_a_number": "{names} leaves a {got} where a number should be; use its `.data` or `.grad`",
    "changes_data": "{names} must not change data; a backward function sets only `.grad`",
    "data": "{names} computes wrong data",
    "data turned": "{names} is the wrong way round: it computes `{turned}`",
    "detached": "{names}: nothing is passed back, because the backward function is never attached "
    "to the result; write `out._backward = _backward`, without parentheses",
    "forgotten": "{names}: {operand} is forgotten, and nothing reaches it from the result; is it "
    "among the operands of the result, and does the step add to its gradient?",
    "exponent": "`a ** b` gives its exponent a wrong gradient; send it `out * log(a)`, or refuse a "
    "Value there",
    "seed": "the root's gradient must be 1 when a pass begins; set it before the walk",
    "local_grad": "wrong local derivative of {names}{by}",
    "incoming": "{names}: the local derivative is passed on alone{to}; multiply it by the gradient "
    "of the result, `out.grad`",
    "sign_lost": "{names}: the incoming gradient's sign is lost{to}, as with `abs(out.grad)`",
    "negative_dropped": "{names}: a negative incoming gradient is dropped{to}, as with "
    "`max(out.grad, 0)`; whether `relu` passes a gradient depends only on its data",
    "overwrites": "`=` where `+=` is needed, in {names}: the last gradient to arrive replaces the "
    "others",
    "in_place": "{names} changes the node itself, or loses its operands; leave the method out, and "
    "Python makes a new node",
    "repeated": "an operand on both sides, as in `a + a`, gets a wrong gradient{within}; each side "
    "must send its part, but a set or a dict of the operands keeps only one",
    "order": "the walk is in the wrong order: a node passes its gradient on before all nodes that "
    "use it have sent theirs; visit in reverse topological order",
    "revisited": "the walk visits a node again and passes its gradient on twice; keep a set of the "
    "visited nodes",
    "shares": "nodes share one list of operands, such as a default `[]`, so the walk goes in "
    "circles; give each node a list of its own",
    "zero": "the walk skips a node whose data or gradient is 0, or stops there",
    "swapped": "each operand gets the gradient of the other; are operands and local derivatives "
    "in the same order?",
    "unvisited": "the walk skips a node, which passes nothing on",
    "equality": "nodes with equal data count as the same node{within}, or nodes have no hash; "
    "compare them by identity, without `__eq__`{because}",
    "gradient": "a gradient is wrong{among}",
    "numbers": "{names} cannot take a number as the second operand; make a Value of it first",
    "reflected": "missing: {reflected}, which Python calls if a number comes first",
    "resets": "a pass begins by setting the gradients to 0, so two passes do not add up; "
    "in micrograd they do",
    "floats": "whole numbers as data raise {raised}; write `Value(2.0)`",
    "once": "a graph goes backward once; build a new one for the next pass",
    "silent": "`backward` passes nothing back from any operation; does it call each node's step?",
    "inexact": "{names}: off by more than rounding, such as by an epsilon or a rounded constant",
    "second_pass": "a second pass gives wrong numbers{within}: something is kept from the pass or "
    "the graph before it, such as a list of the class, a mark on a node or an old result",
    "cleared": "building a result after a pass changes gradients; a new result must not clear "
    "those of its operands",
}
_NOT_READ = {"NoNumber": " number", "NoGradient": " gradient", "StandIn": " stand-in"}
"""The end of a sentence's key, by the type of the exception, if a class cannot be used."""
_NEWER, _NEW_SYNTAX = (3, 12), re.compile(r"f-string|\s*(?:type \w+ *[=[]|(?:def|class) \w+\[)")
"""The Python that accepts nested quotes in an f-string, and type parameters; the messages and
lines of older ones that refuse them."""
_SHOWN = 60
"""The maximum number of characters of a program that are shown."""


def _sentence(found: Finding) -> str:
    """Describe a mistake or a note, with its operations."""
    operations, raised, program = found.operations, found.raised, found.program
    family = program.family if program is not None else ""
    is_left = family == "left"
    forms = [REFLECTED[each] if is_left else written(each) for each in operations]
    forms = [f"{each}=" for each in forms] if family == "place" else forms
    names = listed([f"`{each}`" for each in forms])
    names = names or ("`Value(2.5)`" if program is None else "`backward`")
    if found.kind == "data" and not operations:
        is_number = family == "number"
        names = f"the code that makes {'a Value of a number' if is_number else 'each result'}"
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
        among=f" in programs with {names}" if operations else "",
        because=f": {_described(raised)}" if raised else "",
        to=f" on the way to {side}" if side else "",
        names=names,
        by=f" by {side}" if side else "",
        got=found.wrong.got if found.wrong else found.got,
        how=f" ({'returns None' if gives_none else raised['type']})" if raised else "",
        newer=_newer(raised),
        operand=side or "its operand",
        raised=_described(raised),
        raise_s="raise" if len(forms) > 1 else "raises",
        reflected=listed([f"`{REFLECTED[each]}`" for each in operations if each in REFLECTED]),
        turned=turned,
        where=_where(raised),
        within=f" in {names}" if operations else "",
    )


def _turned(found: Finding) -> str:
    """Return the text that was computed in place of `2 - a`, if it is `a - 2`."""
    if found.program is None or found.wrong is None:
        return ""
    number, operation, _ = found.program.text.split(" ")[:3]
    turned = {"-": -found.wrong.expected, "/": 1 / (found.wrong.expected or 1.0)}
    return f"a {operation} {number}" if found.wrong.got == turned.get(operation) else ""


def _newer(raised: Mapping[str, Any] | None) -> str:
    """Say that a line may have the syntax of a newer Python."""
    here = sys.version_info[:2]
    said = [raised["message"], raised["text"]] if raised and raised["type"] == "SyntaxError" else []
    if here >= _NEWER or not any(map(_NEW_SYNTAX.match, said)):
        return ""
    return f"; this may be Python 3.12's syntax, but this is Python {here[0]}.{here[1]}"


def _side(found: Finding) -> str:
    """Name the operand of a finding; empty if it is all of them."""
    binary = set(found.operations) <= {"+", "-", "*", "/"} and found.slot is not None
    return f"its {('first', 'second')[found.slot or 0]} operand" if binary else ""


def _described(raised: Mapping[str, Any] | None) -> str:
    """Name an exception and its line in the file."""
    if not raised:
        return "an exception"
    said = f": {raised['message']}" if raised["message"] else ""
    return f"{raised['type']}{said}{_where(raised)}"


def _where(raised: Mapping[str, Any] | None) -> str:
    """Name the line of the file, and the cell of a notebook."""
    parts = [f"{part} {raised[part]}" for part in ("cell", "line") if raised and raised[part]]
    return f" ({', '.join(parts)})" if parts else ""


def _evidence(found: Finding) -> str:
    """Name the program, its wrong number and the expected one; empty without a program."""
    if found.program is None:
        return ""
    where = f"in {shown(found.program)}"
    if found.wrong is None:
        return where
    name, expected, got = found.wrong
    actual = canonical_text(got) if isinstance(got, float) and isfinite(got) else str(got)
    number = _number_name(found.program, name)
    return f"{where}: {number} is {actual}, expected {canonical_text(expected)}"


_USES: dict[Use, str] = {
    "whole": ", with whole numbers",
    "before": ", next to another graph",
    "after": ", and another result built before the gradients are read",
    "inner": ", below another result",
    "twice": ", backward twice",
    "zeroed": ", backward, cleared, and backward again",
    "losses": ", and another result of the same leaves",
    "rebuilt": ", built and passed three times",
    "steps": ", in steps of descent",
}


def shown(program: TrialProgram) -> str:
    """Write a program, truncated, with its values and its use."""
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
    """Name a number as a learner would: `a.grad`, `(a + b).data`."""
    if "." in name or program is None:
        return name if program else f"its .{name}"
    *_, result = program.text.split("; ")
    return f"{result if result.isidentifier() else f'({result[:_SHOWN]})'}.{name}"


def written(name: str) -> str:
    """Write a form as it appears in a program: `2 - a` for `number -`."""
    left, _, right = name.partition(" ")
    if not right:
        return name
    return f"2 {right} a" if left == "number" else f"a {left} {'b' if right == 'node' else 2}"


def listed(names: Sequence[str]) -> str:
    """Join names as in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
