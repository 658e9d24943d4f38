"""A class that has been read is tried on programs, in the child process: steps -> its numbers."""

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import combinations, count
from types import CodeType, FunctionType, ModuleType
from typing import Any

from engine_py.grade.clock import limited
from engine_py.grade.load import Loaded, described
from engine_py.grade.read import NoNode, Reading, attribute, is_learners, is_single, number

Json = dict[str, Any]

_LONG, _EVENTS = 100, 1000
"""The trace of a program with more nodes is not looked at, nor more events."""
_POINTS = (0.6, -1.2)
"""Where a function that has no row in the judge's table is tried."""


class Trial:
    """A class on its way through the programs."""

    def __init__(self, reading: Reading, loaded: Loaded, file: str) -> None:
        self.reading, self.folder, self.file = reading, loaded.folder, file
        self._serials = _hashed_by_age(reading.kind, reading.family)

    def described(self) -> Json:
        """Tell how the class is read, which operations it has, and how a gradient begins."""
        reading, kind = self.reading, self.reading.kind
        new = reading.make(2.5)
        return {
            "class": kind.__name__,
            "data": reading.data,
            "grad": reading.grad,
            "begin": reading.begin,
            "operations": reading.operations,
            "methods": [name for name in dir(kind) if callable(getattr(kind, name, None))],
            "hashable": kind.__hash__ is not None,
            "compares": any("__eq__" in vars(each) for each in kind.__mro__[:-1]),
            "initial": {
                "data": number(reading.data_of(new)),
                "grad": number(reading.grad_of(new)),
            },
            "seed": reading.seed,
            "unit": is_single(number(reading.data_of(reading.make(0.1)))),
            "others": [each for each in self._others() if each],
        }

    # A program.

    def run(self, program: Json) -> Json:
        """Build a program, go backward from each root in turn, and read the numbers."""
        reply: Json = {"called": []}
        self._serials.clear()
        try:
            with limited():
                self._run(program, reply)
        except BaseException as fault:  # noqa: BLE001 - the class may raise anything
            reply["raised"] = described(fault, self.file)
        return reply

    def _run(self, program: Json, reply: Json) -> None:
        reading = self.reading
        nodes: list[Any] = []
        with self._traced(nodes, len(program["steps"])) as built:
            for each in program["steps"]:
                with self._calls(reply["called"]):
                    nodes.append(self._step(each, nodes))
        reply["reads"] = [event[0] for event in built if len(event) == 1]
        held = {place: node for place, node in enumerate(nodes) if reading.is_node(node)}
        reply["data"] = [self._data(node) for node in nodes]
        with self._traced(nodes, len(nodes)) as events:
            self._passes(program, nodes, list(held.values()), reply)
        raw = [
            self.reading.grad_of(node) if place in held else None
            for place, node in enumerate(nodes)
        ]
        reply["shared"] = any(_is_one(a, b) for a, b in combinations(raw, 2))
        reply["grads"] = [
            self._grad(raw, place, program["steps"][place]) if place in held else None
            for place in range(len(nodes))
        ]
        reply["after"] = [self._data(node) for node in nodes]
        reply["events"] = events
        if program["probe"]:
            reply["local_grads"] = [self._probe(each, nodes) for each in program["steps"]]
        if program["alone"]:
            operation = program["steps"][-1]["operation"]
            reply["detached"] = self._is_detached(operation, nodes[-1])

    def _data(self, node: Any) -> float | str:
        return number(self.reading.data_of(node) if self.reading.is_node(node) else node)

    def _grad(self, raw: Sequence[Any], place: int, step: Json) -> float | str | None:
        """Read a gradient; None of a result is not kept, and of a leaf it has not come.

        That of a result is not kept, too, where an operand's array is the same one.
        """
        found = raw[place]
        if found is None:
            return None if step["operation"] else 0.0
        is_shared = any(_is_one(found, each) for n, each in enumerate(raw) if n != place)
        return None if step["operation"] and is_shared else number(found)

    def _step(self, step: Json, nodes: Sequence[Any]) -> Any:
        operation, operands = step["operation"], [nodes[each] for each in step["operands"]]
        if operation is None:
            return step["data"] if step["plain"] else self.reading.make(step["data"])
        return self.reading.apply(operation, operands)

    def _passes(
        self, program: Json, nodes: Sequence[Any], held: Sequence[Any], reply: Json
    ) -> None:
        for place, root in enumerate(program["roots"]):
            reply["spent"] = not _refers(nodes[root], held)
            for node in held if place and program["zeroed"] else ():
                self.reading.clear_grad(node)
            self._pass(held if not place else (), nodes[root])

    def _pass(self, nodes: Sequence[Any], root: Any) -> None:
        self.reading.data_of(root)  # which one that computes later does now
        for node in nodes if self.reading.zero else ():
            self.reading.set_grad(node, 0.0)
        if self.reading.seed:
            self.reading.set_grad(root, 1.0)
        self.reading.begin_pass(root)

    def _probe(self, step: Json, nodes: Sequence[Any]) -> list[float | None]:
        """Do one operation alone at the data that its operands have; read its local gradients."""
        operands: list[Any] = [nodes[each] for each in step["operands"]]
        with suppress(Exception):
            own = [self.reading.is_node(each) for each in operands]
            fresh = [
                self.reading.make(float(self._data(x))) if is_own else x
                for x, is_own in zip(operands, own, strict=True)
            ]
            root = self._step(step | {"operands": range(len(fresh))}, fresh)
            self._pass([*(x for x in fresh if self.reading.is_node(x)), root], root)
            seed = _double(number(self.reading.grad_of(root))) or 1.0
            return [
                _double(number(self.reading.grad_of(x))) / seed if is_own else None
                for x, is_own in zip(fresh, own, strict=True)
            ]
        return [None] * len(operands)

    def _is_detached(self, operation: str, root: Any) -> bool:
        """Tell whether the operation defines a function that its result does not hold."""
        name = self.reading.operations[operation]
        method = getattr(type(root), name, None) or self.reading.namespace.get(name[:-3])
        code = getattr(method, "__code__", None)
        inner = [each for each in getattr(code, "co_consts", ()) if isinstance(each, CodeType)]
        held = [attribute(root, each) for each in dir(root) if not each.startswith("__")]
        codes = [each.__code__ for each in held if isinstance(each, FunctionType)]
        return bool(inner) and not any(each in codes for each in inner)

    def _others(self) -> Iterator[Json | None]:
        """Try the functions that the judge has no truth for against their own slopes."""
        for name, apply in self.reading.others():
            rows: list[list[float]] = []
            raised: Json | None = None
            for x in _POINTS:
                try:
                    with limited():
                        rows.append([x, *self._compared(apply, x)])
                except (ArithmeticError, ValueError):
                    continue
                except BaseException as fault:  # noqa: BLE001 - the class may raise anything
                    raised = described(fault, self.file)
                    break
            yield {"name": name, "rows": rows, "raised": raised}

    def _compared(self, apply: Any, x: float) -> list[float]:
        """Return the slope of a function, and its gradient alone, used twice, and times 10."""
        reading = self.reading
        unit = is_single(number(reading.data_of(reading.make(0.1))))
        step = unit ** (1 / 3) * 4

        def at(near: float) -> float:
            made = apply(reading.make(near))
            if not reading.is_node(made):
                raise NoNode(type(made).__name__)
            return float(number(reading.data_of(made)))

        found = [at(x), (at(x + step) - at(x - step)) / (2 * step)]
        for use in ("", "+", "*"):
            leaf = reading.make(x)
            root = apply(leaf)
            if use:
                root = reading.apply(use, [root, leaf if use == "+" else reading.make(10.0)])
            self._pass([leaf, root], root)
            found.append(_double(number(reading.grad_of(leaf))))
        return found

    # What the functions of the file do.

    @contextmanager
    def _calls(self, called: list[str]) -> Iterator[None]:
        """Note which functions of the file are called, each once."""

        def note(frame: Any, event: str, _argument: object) -> None:
            name, file = frame.f_code.co_name, frame.f_code.co_filename
            if event == "call" and name not in called and is_learners(file, self.folder):
                called.append(name)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)

    @contextmanager
    def _traced(self, nodes: list[Any], many: int) -> Iterator[list[list[Any]]]:
        """Note where the gradients of the nodes are read, [n], and written, [n, before, after]."""
        events: list[list[Any]] = []
        kinds = _outermost([self.reading.kind, *map(type, nodes)], self.reading)
        if many > _LONG:
            yield events
            return
        name, places = self.reading.stored, _Places(nodes)
        before = [
            (kind, vars(kind).get("__getattribute__"), vars(kind).get("__setattr__"))
            for kind in kinds
        ]
        for kind in kinds:
            _watch(kind, name, places, events)
        try:
            yield events
        finally:
            for kind, get, put in before:
                for method, old in (("__getattribute__", get), ("__setattr__", put)):
                    if old is None:
                        delattr(kind, method)
                    else:
                        setattr(kind, method, old)


class _Places:
    """The places of nodes, some of which are still to be made."""

    def __init__(self, nodes: list[Any]) -> None:
        self._nodes, self._known = nodes, {}  # type: ignore[var-annotated]

    def of(self, node: Any) -> int | None:
        for place in range(len(self._known), len(self._nodes)):
            self._known[place] = id(self._nodes[place])
        ids = list(self._known.values())
        return ids.index(id(node)) if id(node) in ids else None


def _watch(kind: Any, name: str, places: _Places, events: list[list[Any]]) -> None:
    get, put = kind.__getattribute__, kind.__setattr__

    def read(node: Any, member: str) -> Any:
        if member == name and len(events) < _EVENTS and (place := places.of(node)) is not None:
            events.append([place])
        return get(node, member)

    def write(node: Any, member: str, value: Any) -> None:
        if member == name and len(events) < _EVENTS and (place := places.of(node)) is not None:
            before: float | str = 0.0
            with suppress(AttributeError):
                before = number(get(node, member))
            events.append([place, before, number(value)])
        put(node, member, value)

    kind.__getattribute__, kind.__setattr__ = read, write


def _outermost(kinds: Sequence[type], reading: Reading) -> list[type]:
    """List the classes of nodes, without those below another one."""
    own = [each for each in dict.fromkeys(kinds) if each.__module__ != "builtins"]
    own = [each for each in own if issubclass(each, reading.family) or hasattr(each, "__dict__")]
    return [each for each in own if not any(issubclass(each, o) and o is not each for o in own)]


def _hashed_by_age(kind: Any, family: Any) -> dict[int, int]:
    """Make a set of nodes have one order in every run: that in which they were first put in one."""
    serials: dict[int, int] = {}
    numbers = count()
    if kind.__hash__ is object.__hash__:
        family.__hash__ = lambda node: serials.setdefault(id(node), next(numbers))
    return serials


def _is_one(found: Any, other: Any) -> bool:
    """Tell whether two gradients are one array."""
    return found is other and type(found).__name__ == "ndarray"


def _refers(root: Any, nodes: Sequence[Any]) -> bool:
    """Tell whether a result still knows another node."""
    seen, todo = {id(root)}, [root]
    others = {id(each) for each in nodes} - seen
    while todo and len(seen) < _EVENTS:
        for each in gc.get_referents(todo.pop()):
            if id(each) in others:
                return True
            is_module = isinstance(each, dict) and "__name__" in each
            if not (is_module or id(each) in seen or isinstance(each, type | ModuleType)):
                seen.add(id(each))
                todo.append(each)
    return False


def _double(value: float | str) -> float:
    return value if isinstance(value, float) else 0.0
