"""Try a notebook's class on the programs of an assignment, in the notebook itself.

`gradient grade` writes this file as `gradient_check.py`, and the programs of an assignment with
their right numbers as `gradient_check.json` next to it. It needs nothing else.
"""

import json
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from operator import methodcaller
from pathlib import Path
from typing import Any

_NEAR = 1e-6
"""Relative tolerance of a number."""


def points(kind: Any, task: str, book: Any = None) -> float:
    """Return the points of a class for a task; print its mistakes, unless the task is hidden.

    A test cell of nbgrader that ends with this call gives them as partial credit. The cell of a
    hidden task passes its own programs as `book`, because learners have the file. The output of the
    class is dropped: on stderr it would cost all points, and it could reveal hidden programs.
    """
    row = (book or _book())["tasks"][task]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        found = [mistake(kind, task, each, book) for each in row["operations"]]
    wrong = [each for each in found if each]
    if not row["hidden"]:
        print(*wrong, sep="\n")  # noqa: T201 - for the learner's feedback
    share = 1 - len(wrong) / len(row["operations"])
    full: float = row["points"]
    return round(full * (share if row["credit"] == "each" else share == 1), 2)


def mistake(kind: Any, task: str, operation: str, book: Any = None) -> str:
    """Return the first mistake of an operation of a task; empty if all its programs are right.

    A program that also uses another operation, which is wrong on its own, does not count. If none
    is left, the operation is not known to be right.
    """
    book = book or _book()
    names = book["data"], book["grad"]
    broken = {
        each["operation"]
        for each in book["programs"]
        if len(each["operations"]) == 1 and _wrong(kind, each, *names)
    }
    own = [book["programs"][each] for each in book["tasks"][task]["operations"][operation]]
    rows = [x for x in own if broken.isdisjoint({*x["operations"]} - {x["operation"]})]
    wrong = [found for each in rows if (found := _wrong(kind, each, *names))]
    if not wrong:
        return "" if rows else f"`{operation}`: no program tries it"
    return f"`{operation}`: {len(wrong)} of {len(rows)} programs are wrong: {wrong[0]}"


def _book() -> Any:
    file = Path(__file__).with_name("gradient_check.json")
    return json.loads(file.read_text(encoding="utf-8"))


def _wrong(kind: Any, program: Mapping[str, Any], data: str, grad: str) -> str:
    """Describe the first wrong number of a program, or its exception; empty if it is right."""
    leaves = [kind(x) for x in program["passes"][0]["values"].values()]
    for each in program["passes"]:
        values = each["values"]
        at = ", ".join([f"{name}={x:g}" for name, x in values.items()])
        where = f"`{program['text']}` at {at}"
        try:
            for leaf, x in zip(leaves, values.values(), strict=True):
                setattr(leaf, data, x)
                setattr(leaf, grad, 0.0)
            root = _computed(program, dict(zip(values, leaves, strict=True)))
            root.backward()
            got = [getattr(root, data), *[getattr(leaf, grad) for leaf in leaves]]
            names = ["the result", *[f"{name}.{grad}" for name in values]]
            for name, number, right in zip(names, got, each["right"], strict=True):
                if not abs(number - right) <= _NEAR * max(1.0, abs(right)):
                    return f"in {where}, {name} is {number}, expected {right:.6g}"
        except (AttributeError, TypeError) as raised:  # as of an operator that takes no number
            refuses = program["optional"]
            return "" if refuses else f"{where} raises {type(raised).__name__}: {raised}"
        except (Exception, SystemExit) as raised:  # noqa: BLE001 - it may raise anything
            return f"{where} raises {type(raised).__name__}: {raised}"
    return ""


def _computed(program: Mapping[str, Any], leaves: Mapping[str, Any]) -> Any:
    """Run a program, in which `tanh(a)` calls the method of `a`."""
    methods = {name: methodcaller(name) for name in program["operations"] if name != "abs"}
    *before, last = program["text"].split("; ")
    names: dict[str, Any] = {**methods, **leaves}
    exec("\n".join(before), names)  # noqa: S102 - the file's own programs
    return eval(last, names)  # noqa: S307
