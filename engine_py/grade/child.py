"""The process that runs a learner's file: programs on stdin -> their numbers, a line of JSON each.

It is started as a script and imports nothing of this package. What the file prints is dropped.
"""

import importlib.util
import json
import operator
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Json = dict[str, Any]

OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
    "neg": operator.neg,
}
LONGEST = 200
"""Characters of an exception's message that are kept."""
SLOW = 1.0
"""Seconds of the processor's time that a program may take; those here take milliseconds."""


class TooSlow(BaseException):
    """A program takes too long; no `except Exception` of the file catches this."""


def main() -> None:
    """Answer a request, and end without waiting for what the file has left behind."""
    request, *programs = [json.loads(line) for line in sys.stdin]
    with os.fdopen(os.dup(1), "w", encoding="ascii") as replies:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nowhere, descriptor)
        _limit(request["memory"], request["seconds"])
        for reply in _replies(request["file"], programs):
            replies.write(json.dumps(reply) + "\n")
            replies.flush()
    os._exit(0)


def _limit(memory: int, seconds: int) -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - Windows has none

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _replies(file: str, programs: Sequence[Json]) -> Iterator[Json]:
    try:
        found = _load(file)
    except BaseException as fault:  # noqa: BLE001 - a file may raise anything, SystemExit too
        yield {"raised": _described(fault, file)}
        return
    if found is None:
        yield {"raised": None}
        return
    learner = Learner(found, file)
    head = learner.described()
    yield head
    for program in programs if "raised" not in head else ():
        yield learner.run(program)


def _load(file: str) -> type | None:
    """Import the file; return the class with + and * and `backward`, `Value` before others."""
    sys.path.insert(0, str(Path(file).parent))
    spec = importlib.util.spec_from_file_location(Path(file).stem, file)
    if spec is None or spec.loader is None:
        message = "no Python file"
        raise ImportError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    classes = [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and all(hasattr(each, name) for name in ("__add__", "__mul__", "backward"))
    ]
    own = [each for each in classes if each.__module__ == module.__name__]
    return max(own or classes, key=lambda each: each.__name__ == "Value", default=None)


class Learner:
    """A class, and what it needs done for it so that its other faults are seen."""

    def __init__(self, kind: type, file: str) -> None:
        self.kind, self.file = kind, file
        self.seed = self.zero = False

    def described(self) -> Json:
        """Tell which methods there are, and how a gradient begins."""
        reply: Json = {
            "class": self.kind.__name__,
            "methods": [name for name in dir(self.kind) if callable(getattr(self.kind, name))],
            "hashable": self.kind.__hash__ is not None,
            "compares": any("__eq__" in vars(each) for each in self.kind.__mro__[:-1]),
        }
        try:
            new: Any = self.kind(2.5)
            reply["initial"] = {"data": _number(new.data), "grad": _number(new.grad)}
            self.zero = isinstance(new.grad, int | float) and new.grad != 0
            with _timed():
                self.seed = all(self._is_silent(each) for each in (operator.add, operator.mul))
        except BaseException as fault:  # noqa: BLE001
            reply["raised"] = _described(fault, self.file)
        return reply | {"seed": self.seed}

    def _is_silent(self, operation: Callable[..., Any]) -> bool:
        """Tell whether a pass reaches no operand until the root's gradient is set for it."""
        with suppress(Exception):
            silent = []
            for seed in (False, True):
                self.seed = seed
                operands: list[Any] = [self.kind(2.0), self.kind(3.0)]
                root = operation(*operands)
                self._pass([*operands, root], root)
                silent.append(not any(operand.grad for operand in operands))
            return silent == [True, False]
        return False

    def _pass(self, nodes: Sequence[Any], root: Any) -> None:
        for node in nodes if self.zero else ():
            node.grad = 0.0
        if self.seed:
            root.grad = 1.0
        root.backward()

    def run(self, program: Json) -> Json:
        """Build a program, go backward from each root in turn, and read the numbers."""
        reply: Json = {"called": []}
        try:
            with _timed():
                self._run(program, reply)
        except BaseException as fault:  # noqa: BLE001
            reply["raised"] = _described(fault, self.file)
        return reply

    def _run(self, program: Json, reply: Json) -> None:
        nodes: list[Any] = []
        for each in program["steps"]:
            with self._calls(reply["called"]):
                nodes.append(self._step(each, nodes))
        held = {place: node for place, node in enumerate(nodes) if isinstance(node, self.kind)}
        reply["data"] = [_number(getattr(node, "data", node)) for node in nodes]
        with self._traced(held) as events:
            self._passes(program, nodes, list(held.values()))
        reply["grads"] = [
            _number(node.grad) if place in held else None for place, node in enumerate(nodes)
        ]
        reply["after"] = [_number(getattr(node, "data", node)) for node in nodes]
        reply["events"] = events
        if program["probe"]:
            reply["local_grads"] = [self._probe(each, nodes) for each in program["steps"]]

    def _step(self, step: Json, nodes: Sequence[Any]) -> Any:
        operation, operands = step["operation"], [nodes[each] for each in step["operands"]]
        if operation is None:
            return step["data"] if step["plain"] else self.kind(step["data"])
        apply = OPERATORS.get(operation)
        made = apply(*operands) if apply else getattr(operands[0], operation)()
        if not isinstance(made, self.kind):
            message = f"`{operation}` gives no {self.kind.__name__} but {type(made).__name__}"
            raise TypeError(message)
        return made

    def _passes(self, program: Json, nodes: Sequence[Any], held: Sequence[Any]) -> None:
        for number, root in enumerate(program["roots"]):
            for node in held if number and program["zeroed"] else ():
                node.grad = 0.0
            self._pass(held if not number else (), nodes[root])

    def _probe(self, step: Json, nodes: Sequence[Any]) -> list[float | None]:
        """Do one operation alone at the data that its operands have; read its local gradients."""
        operands: list[Any] = [nodes[each] for each in step["operands"]]
        with suppress(Exception):
            own = [isinstance(each, self.kind) for each in operands]
            rows = zip(operands, own, strict=True)
            fresh: list[Any] = [self.kind(x.data) if is_own else x for x, is_own in rows]
            root = self._step(step | {"operands": range(len(fresh))}, fresh)
            self._pass([*(x for x in fresh if isinstance(x, self.kind)), root], root)
            seed = root.grad or 1.0
            return [x.grad / seed if is_own else None for x, is_own in zip(fresh, own, strict=True)]
        return [None] * len(operands)

    @contextmanager
    def _calls(self, called: list[str]) -> Iterator[None]:
        """Note which functions of the file are called, each once."""

        def note(frame: Any, event: str, _argument: object) -> None:
            name = frame.f_code.co_name
            if event == "call" and frame.f_code.co_filename == self.file and name not in called:
                called.append(name)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)

    @contextmanager
    def _traced(self, held: dict[int, Any]) -> Iterator[list[list[Any]]]:
        """Note where the gradients of the nodes are read, [n], and written, [n, before, after]."""
        events: list[list[Any]] = []
        places = {id(node): place for place, node in held.items()}
        kind: Any = self.kind
        if len(places) > 100:  # noqa: PLR2004 - a long chain is not looked at
            yield events
            return
        before = {name: vars(kind).get(name) for name in ("__getattribute__", "__setattr__")}
        get, put = kind.__getattribute__, kind.__setattr__

        def read(node: Any, name: str) -> Any:
            if name == "grad" and id(node) in places and len(events) < 1000:  # noqa: PLR2004
                events.append([places[id(node)]])
            return get(node, name)

        def write(node: Any, name: str, value: Any) -> None:
            if name == "grad" and id(node) in places and len(events) < 1000:  # noqa: PLR2004
                events.append([places[id(node)], _number(get(node, name)), _number(value)])
            put(node, name, value)

        kind.__getattribute__, kind.__setattr__ = read, write
        try:
            yield events
        finally:
            for name, method in before.items():
                if method is None:
                    delattr(kind, name)
                else:
                    setattr(kind, name, method)


@contextmanager
def _timed() -> Iterator[None]:
    """Raise TooSlow where the processor takes too long; Windows has no such timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOW)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _give_up(_signal: int, _frame: object) -> None:
    raise TooSlow


def _number(value: Any) -> float | str:
    """Return a double, or the name of the type of what is no number."""
    if isinstance(value, str | bytes) or not hasattr(value, "__float__"):
        return type(value).__name__
    try:
        return float(value)
    except (ArithmeticError, TypeError, ValueError):
        return type(value).__name__


def _described(fault: BaseException, file: str) -> Json:
    """Return type, message, and the last line of the file that the exception came through."""
    lines = [each for each in traceback.extract_tb(fault.__traceback__) if each.filename == file]
    return {
        "type": type(fault).__name__,
        "message": str(fault)[:LONGEST],
        "line": lines[-1].lineno if lines else None,
    }


if __name__ == "__main__":
    main()
