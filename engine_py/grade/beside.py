"""Numbers beside Values: `a + 2`, and `2 + a`, which Python asks the reflected operator for."""

from engine_py.grade.composed import is_explained
from engine_py.grade.findings import Bench, Finding, Kind, Number, Tried
from engine_py.grade.programs import REFLECTED
from engine_py.template import Edge

_PAIRS = (("+", "*"), ("-", "/"))
"""A class that takes numbers in one of a pair should take them in the other."""


def judge_numbers(bench: Bench) -> None:
    """Try an operator with a number on its right, then on its left."""
    beside = {tried.program.operation: tried for tried in bench.tried("numbers")}
    takes = {operation: _takes(bench, tried) for operation, tried in beside.items()}
    has = {operation: REFLECTED[operation] in bench.methods for operation in REFLECTED}
    for pair in _PAIRS:
        for operation in pair:
            if not takes.get(operation, True):
                _lack(bench, "numbers", beside[operation], any(takes.get(each) for each in pair))
        if not all(takes.get(each, True) for each in pair):
            break  # - and / are built from + and *
    for tried in bench.tried("reflected"):
        operation = tried.program.operation
        [pair] = [each for each in _PAIRS if operation in each]
        if not takes.get(operation):
            continue
        if not has[operation]:
            _lack(bench, "reflected", tried, any(has[each] for each in pair))
        elif tried.raised and pair == _PAIRS[1] and not all(has[each] for each in _PAIRS[0]):
            continue
        elif not _takes(bench, tried):
            bench.find_raised(tried, operation)


def _lack(bench: Bench, kind: Kind, tried: Tried, is_fault: object) -> None:
    """Take down what a class has not: a fault where its own form has it, else a note."""
    found = Finding(kind, tried.program.operation, place=tried.place)
    (bench.faults if is_fault else bench.notes).append(found)
    bench.outcomes[tried.place] = "wrong" if is_fault else "left_out"


def _takes(bench: Bench, tried: Tried) -> bool:
    """Tell whether a number is taken, and judge what is computed."""
    operation, root, reply = tried.program.operation, tried.root, tried.reply
    bench.outcomes[tried.place] = "right" if tried.is_right else "wrong"
    if tried.raised:
        is_recursion: bool = reply["raised"]["type"] == "RecursionError"
        if is_recursion:
            bench.find_raised(tried, operation)
        return is_recursion
    data: Number = (root, "data")
    if not tried.is_near(data, reply["data"][root]):
        bench.find("data", tried, data, reply["data"][root], operation=operation)
    elif not (tried.is_right or is_explained(bench, tried) or bench.has("data", operation)):
        [edge] = [each for each in tried.right.document["edges"] if not _is_plain(tried, each)]
        bench.find_local_grad(tried, edge, reply["grads"][edge["from"]])
    return True


def _is_plain(tried: Tried, edge: Edge) -> bool:
    return tried.right.document["nodes"][edge["from"]]["kind"] == "constant"
