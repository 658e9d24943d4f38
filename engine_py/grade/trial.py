"""A class and how to use it -> its numbers for every program, in the child process."""

import builtins
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import islice, pairwise
from math import isfinite
from types import CodeType, FunctionType, ModuleType
from typing import Any

from engine_py.grade.clock import limited
from engine_py.grade.load import Loaded, described
from engine_py.grade.programs import TrialProgram, applied, evaluated, function
from engine_py.grade.read import Reading, attribute, is_learners, number

Json = dict[str, Any]

_MAX_OBJECTS = 1000
"""The maximum number of objects below a result that are searched for its operands."""
_MOVED = 1e-2
"""Tolerance of a leaf's data after it was set, also in single and half precision."""
_OLDEST = 1 << 20
"""The age of a program's first node if later nodes get smaller ages."""
_ADDRESS, _NO_ADDRESS = id, 1 << 60
"""Python's own `id`, and a number above all that it returns."""
_MANY = ("twice", "zeroed", "losses", "rebuilt", "steps")
"""Uses that go backward more than once."""


class NotTried(Exception):
    """The class does not allow this use."""


class Trial:
    """Runs programs with a class."""

    def __init__(self, reading: Reading, loaded: Loaded, file: str) -> None:
        self.reading, self.folder, self.file = reading, loaded.folder, file
        self._ages: dict[int, tuple[int, Any]] = {}
        self._oldest = self._started = 0
        kind: Any = reading.kind
        family: Any = reading.family
        if kind.__hash__ is object.__hash__:  # a set of nodes has one order in every run
            family.__hash__ = lambda node: self._age(node)  # noqa: PLW0108 - takes the node
        builtins.id = self._id  # so have nodes that are sorted by it
        self._made: list[Any] = []
        self._without: set[int] = set()
        """Ids of results that begin without a gradient; a root may keep one that it already has."""
        self._noted: set[str] = set()

    def _age(self, node: Any) -> int:
        """Return a number that only this node of the program has, and keep the node alive."""
        age = abs(self._oldest - len(self._ages))
        return self._ages.setdefault(_ADDRESS(node), (age, node))[0]

    def _id(self, thing: object) -> int:
        """Return an `id` that no node of another program has; for other objects, Python's own."""
        if not self.reading.is_kin(thing):
            return _ADDRESS(thing)
        return _NO_ADDRESS + self._started * 2 * _OLDEST + self._age(thing)

    def described(self) -> Json:
        """Describe how the class is used, its operations, and a new node's numbers."""
        reading, kind = self.reading, self.reading.kind
        new, _ = reading.make(2.5), reading.make(-1.5)  # the data may be the class's, for all nodes
        return {
            "class": kind.__name__,
            "data": reading.data,
            "grad": reading.grad,
            "begin": reading.begin,
            "operations": reading.operations,
            "methods": [name for name in dir(kind) if callable(getattr(kind, name, None))],
            "initial": {
                "data": number(reading.data_of(new)),
                "grad": number(reading.grad_of(new)),
            },
            "seed": reading.seed and not reading.asks_leaves,
            "unit": reading.unit,
            "written": [name for name, _ in reading.others()],
        }

    def run(self, program: TrialProgram) -> Json:
        """Build a program, go backward, and read the numbers after each pass.

        If nodes are in a set, or are sorted by `id`, a program of the walk is run in two orders.
        """
        reply = self._run(program, 0)
        if program.family == "walk" and self._ages and "stages" in reply:
            reply["reverse"] = self._run(program, _OLDEST)
        return reply

    def _run(self, program: TrialProgram, oldest: int) -> Json:
        reply: Json = {"called": [], "stage": "build"}
        for each in (self._made, self._without, self._ages):
            each.clear()
        self._oldest = oldest
        self._started += 1
        try:
            with limited():
                reply["stages"] = list(self._stages(program, reply))
        except NotTried:
            return {"left_out": True}
        except BaseException as fault:  # noqa: BLE001 - the class may raise anything
            reply["raised"] = described(fault, self.file)
            reply.pop("stages", None)
        return reply

    def _stages(self, program: TrialProgram, reply: Json) -> Iterator[list[Any]]:
        """Yield the numbers of each pass, as `Stage` of `outcomes` lists them."""
        reading, use = self.reading, program.use
        if reading.asks_leaves and use in _MANY:
            raise NotTried
        if use == "whole" and reading.form is not float:
            raise NotTried
        leaves = [reading.make(int(x) if use == "whole" else x) for x in program.point]
        root = other = leaves[0]
        for place, point in enumerate(program.points):
            if place:
                self._clear([*leaves, *self._made])
                if use == "steps":
                    self._move(leaves, point)
            reply["stage"] = "build"
            root = self._built(program, leaves, reply)
            other = self._second_root(program, leaves, root, reply)
            reply["stage"] = "pass"
            made = self._pass([*leaves, *self._made], root)
            if use == "after":
                self._built(program, leaves, reply)
            yield self._read(made, root, leaves)
        if program.family == "alone":
            reply["detached"] = self._is_detached(program.operation, root)
            reply["hides"] = reading.hides(root)
            reply["shares"] = self._shares(root, leaves)
        if use in ("twice", "zeroed", "losses"):
            if use == "zeroed":
                reply["spent"] = not _refers(root, leaves)
                self._clear([*leaves, *self._made])
            made = self._pass((), other)
            yield self._read(made, other, leaves)

    def _second_root(
        self, program: TrialProgram, leaves: Sequence[Any], root: Any, reply: Json
    ) -> Any:
        """Build the other graph of a use, and return the root of its second pass."""
        if program.use == "inner":
            self.reading.apply("*", [root, root])
        if program.use in ("before", "losses"):
            again = self._built(program, leaves, reply)
            return self.reading.apply("*", [again, self.reading.make(2.0)])
        return root

    def _built(self, program: TrialProgram, leaves: Sequence[Any], reply: Json) -> Any:
        """Compute the text; if an operation is tried alone, note the functions that it calls."""
        noted = program.family == "alone" and program.operation not in self._noted
        self._noted |= {program.operation} if noted else set()
        with self._calls(reply["called"]) if noted else nullcontext():
            root = evaluated(program.text, leaves, self._applied)
        self.reading.data_of(root)  # a class that computes later does so now
        return root

    def _applied(self, operation: str, operands: Sequence[Any]) -> Any:
        name = operation.removesuffix("=")
        if name != operation and self.reading.operations[name].startswith("__"):
            made = applied(operation, operands)
        else:
            made = self.reading.apply(name, operands)
        self._made.append(made)
        if attribute(made, self.reading.stored) is None:
            self._without.add(id(made))
        return made

    def _pass(self, nodes: Sequence[Any], root: Any) -> float | str:
        """Go backward from a root, and return the data that it had before."""
        made = number(self.reading.data_of(root))
        for node in nodes if self.reading.zero else ():
            self.reading.set_grad(node, 0.0)
        if self.reading.seed:
            self.reading.set_grad(root, 1.0)
        self.reading.begin_pass(root)
        return made

    def _read(self, made: float | str, root: Any, leaves: Sequence[Any]) -> list[Any]:
        reading = self.reading
        raw = [reading.grad_of(leaf) for leaf in leaves]
        grads = [0.0 if each is None else number(each) for each in raw]
        of_root = reading.grad_of(root)
        return [
            made,
            grads,
            None if of_root is None else number(of_root),
            [number(reading.data_of(node)) for node in (*leaves, root)],
        ]

    def _clear(self, nodes: Sequence[Any]) -> None:
        try:
            for node in nodes:
                if id(node) in self._without:
                    setattr(node, self.reading.stored, None)
                else:
                    self.reading.clear_grad(node)
        except (AttributeError, TypeError):
            raise NotTried from None

    def _move(self, leaves: Sequence[Any], point: Sequence[float]) -> None:
        try:
            for leaf, x in zip(leaves, point, strict=True):
                self.reading.set_data(leaf, x)
            now = [float(number(self.reading.data_of(leaf))) for leaf in leaves]
        except Exception:  # noqa: BLE001 - the class may raise anything
            raise NotTried from None
        if not all(abs(a - x) < _MOVED for a, x in zip(now, point, strict=True)):
            raise NotTried

    def _shares(self, root: Any, leaves: Sequence[Any]) -> bool:
        """Return whether a leaf has operands in the attribute where the result has one or two."""

        def count(node: Any, name: str) -> int:
            found = attribute(node, name)
            rows = islice(found, _MAX_OBJECTS) if isinstance(found, list | set | tuple) else ()
            inner = [x for row in rows for x in (row, *(row if isinstance(row, tuple) else ()))]
            return sum(map(self.reading.is_kin, inner))

        names = [each for each in dir(root) if not each.startswith("__")]
        own = [name for name in names if count(root, name) in (1, 2)]
        return any(count(leaf, name) for leaf in leaves for name in own)

    def _is_detached(self, operation: str, root: Any) -> bool:
        """Return whether the operation defines a function that its result does not hold."""
        name = self.reading.operations.get(operation, operation)
        method = getattr(type(root), name, None) or self.reading.namespace.get(name[:-3])
        code = getattr(method, "__code__", None)
        inner = [each for each in getattr(code, "co_consts", ()) if isinstance(each, CodeType)]
        held = [attribute(root, each) for each in dir(root) if not each.startswith("__")]
        codes = [each.__code__ for each in held if isinstance(each, FunctionType)]
        return bool(inner) and not any(each in codes for each in inner)

    def others(self) -> Iterator[Json]:
        """Try functions that the engine lacks; the right gradients are slopes of their results."""
        for written, apply in self.reading.others():
            name = written.removesuffix("(x)")
            self.reading.add(name, written, apply)
            for program in function(name):
                try:
                    right = self._slopes(program)
                except Exception:  # noqa: BLE001 - the class may raise anything
                    right = None
                reply = self.run(program) if right else {"left_out": True}
                yield {"program": program, "right": right, **reply}

    def _slopes(self, program: TrialProgram) -> list[list[Any]]:
        """Return the right numbers of a program by central differences.

        Raises:
            NotTried: the point is outside the domain, or close to a kink.
        """
        step = self.reading.unit ** (1 / 3) * 4
        stages = []
        for point in program.points:
            grads = []
            for slot, x in enumerate(point):
                moved = [x + n * step / 2 for n in range(-2, 3)]
                rows = [[*point[:slot], each, *point[slot + 1 :]] for each in moved]
                found = [self._data_at(program, row) for row in rows]
                slopes = [(after - before) / (step / 2) for before, after in pairwise(found)]
                spread = max(slopes) - min(slopes)
                if not isfinite(sum(slopes)) or spread > 0.02 * max(1.0, *map(abs, slopes)):
                    raise NotTried
                grads.append((found[4] - found[0]) / (2 * step))
            stages.append([self._data_at(program, point), grads])
        return stages

    def _data_at(self, program: TrialProgram, point: Sequence[float]) -> float:
        leaves = [self.reading.make(x) for x in point]
        with limited():
            return float(self.reading.data_of(evaluated(program.text, leaves, self._applied)))

    @contextmanager
    def _calls(self, called: list[str]) -> Iterator[None]:
        """Add the functions of the file that are called to `called`, each once."""

        def note(frame: Any, event: str, _argument: object) -> None:
            name, file = frame.f_code.co_name, frame.f_code.co_filename
            if event == "call" and name not in called and is_learners(file, self.folder):
                called.append(name)

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)


def _refers(root: Any, leaves: Sequence[Any]) -> bool:
    """Return whether a result still refers to all leaves; a pass may release a graph's operands."""
    seen, todo = {id(root)}, [root]
    missing = {id(each) for each in leaves} - seen
    while missing and todo and len(seen) < _MAX_OBJECTS:
        for each in gc.get_referents(todo.pop()):
            missing.discard(id(each))
            is_module = isinstance(each, dict) and "__name__" in each
            if not (is_module or id(each) in seen or isinstance(each, type | ModuleType)):
                seen.add(id(each))
                todo.append(each)
    return not missing or len(seen) >= _MAX_OBJECTS
