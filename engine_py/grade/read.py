"""A learner's class -> how it is used: its data, its gradient, and how a pass begins.

Names are tried from the most to the least common, and the behavior of the class decides: its data
is the attribute with the number that a node was made from, and its backward pass is the one that
gives a product's operands their gradients. The grader uses the class only through a `Reading`.
"""

import dis
import inspect
import math
import operator
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from engine_py.grade.clock import TooSlow, Waits, limited
from engine_py.grade.load import Loaded
from engine_py.grade.programs import METHODS, REFLECTED
from engine_py.grade.stand_in import StandIn

Json = dict[str, Any]
Way = Callable[..., object]
"""Begins a backward pass from a root."""

_DATA = (
    *("data", "value", "val", "v", "item", "_data", "_value", "_val", "x", "num", "number"),
    *("scalar", "numpy", "get", "get_value", "get_data"),
)
_GRAD = (
    *("grad", "gradient", "derivative", "deriv", "der", "_grad", "_gradient", "g", "d", "dv"),
    *("adjoint", "adj", "grads", "gradients", "partial", "delta", "diff", "bar"),
)
_PASSES = (
    *("backward", "backprop", "backpropagate", "backpropagation", "backwardpass", "backpass"),
    *("backwards", "runbackward", "dobackward", "computegradients", "computegrads", "computegrad"),
    *("calculategradients", "calcgradients", "computegradient", "autograd", "autodiff"),
    *("bprop", "propagate", "reverse", "gradient", "gradients", "grad"),
)
"""Without underscores, in lower case."""
_NAMED = {
    **dict.fromkeys(("label", "name", "_label", "_name", "id", "op", "_op", "operation"), "a"),
    **dict.fromkeys(("grad", "gradient", "_grad"), 0.0),
}
"""Arguments for parameters without a default; all others get (), no operands."""
_PREFERRED = ("value", "scalar", "val", "var", "variable", "node", "number", "tensor")

_HIDES = "its step has the name of the pass"
"""The name of an attribute that marks such a result."""
_TRIED = (2.5, -1.5)
"""The numbers by which the data is found."""

_SPELLED = {
    "+": ("add", "plus", "sum2"),
    "*": ("mul", "multiply", "times", "prod"),
    "neg": ("neg", "negate", "negative"),
    "-": ("sub", "subtract", "minus"),
    "/": ("div", "truediv", "divide"),
    "**": ("pow", "power"),
    "relu": ("relu", "rectify"),
    "exp": ("exp", "exponential"),
    "log": ("log", "ln"),
    "tanh": ("tanh",),
    "sqrt": ("sqrt",),
    "sin": ("sin", "sine"),
    "cos": ("cos", "cosine"),
    "sigmoid": ("sigmoid", "logistic", "sigm"),
    "softplus": ("softplus",),
    "abs": ("abs", "absolute"),
}
"""Without underscores, in lower case."""
OTHER_FUNCTIONS = (
    *("leakyrelu", "elu", "selu", "gelu", "silu", "swish", "mish", "softsign", "square", "squared"),
    *("cube", "cbrt", "reciprocal", "inv", "inverse", "log10", "log2", "log1p", "expm1", "exp2"),
    *("tan", "sinh", "cosh", "asin", "acos", "atan", "arcsin", "arccos", "arctan", "asinh"),
    *("hardtanh", "hardsigmoid", "relu6", "logsigmoid", "gaussian", "sinc"),
)
"""Functions that the engine lacks; the slopes of their own results are the expected gradients."""

_PYTHON = os.path.dirname(os.__file__)  # noqa: PTH120 - as `startswith` takes it


class NoNode(TypeError):
    """The result of an operation is not a node; the message is its type."""


class NoNumber(TypeError):
    """The data of a node is not a number; the message is its type."""


class NotRead(Exception):
    """No class of the file can be used; `fault` is the exception of the likeliest one.

    A class without a `fault` has no backward pass.
    """

    def __init__(self, kind: type | None = None, fault: BaseException | None = None) -> None:
        super().__init__()
        self.kind, self.fault = kind, fault


def plain(name: str) -> str:
    """Return a name in lower case, without underscores."""
    return name.lower().replace("_", "")


def number(value: Any) -> float | str:
    """Return a number as a double; for anything else, the name of its type."""
    if type(value) is float:
        return value
    if isinstance(value, str | bytes | StandIn):
        return type(value).__name__
    with suppress(ArithmeticError, TypeError, ValueError, AttributeError):
        if getattr(value, "shape", ()) and value.size == 1:
            value = value.item()
        if hasattr(value, "__float__"):
            return float(value)
    return type(value).__name__


def _required(function: Any) -> int:
    """Count the required arguments of a callable; 99 if that is unknown."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 99
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return sum(each.default is each.empty and each.kind not in variadic for each in parameters)


def _is_gradient(name: str) -> bool:
    """Return whether an attribute may be the gradient, by its name."""
    lower = name.lower()
    return any(part in lower for part in ("grad", "deriv", "adjoint")) and not any(
        part in lower for part in ("req", "need", "fn", "func", "local", "no_")
    )


def _is_flag(parameter: inspect.Parameter) -> bool:
    """Return whether a parameter turns gradients on, such as `requires_grad` or `grad=False`."""
    lower = parameter.name.lower()
    asks = lower.startswith(("req", "need"))
    refuses = lower.startswith(("no", "stop", "detach", "disable"))
    return "grad" in lower and (asks or (parameter.default is False and not refuses))


def read(loaded: Loaded, wanted: Json) -> "Reading":
    """Find the class, and how it is used.

    Raises:
        NotRead: no class can be used.
    """
    best = NotRead()
    candidates = _candidates(loaded, wanted.get("class"))
    for must_work in (True, False):
        for kind in candidates:
            try:
                reading = Reading(kind, loaded, wanted, must_work=must_work)
            except NotRead as fault:
                best = best if best.kind else fault
                continue
            loaded.namespace[kind.__name__] = kind
            return reading
    raise best


def _candidates(loaded: Loaded, name: str | None) -> list[type]:
    """List the classes that may be the learner's, the likeliest first."""
    classes = [each for each in loaded.namespace.values() if isinstance(each, type)]
    classes = list(dict.fromkeys([*classes, *reversed(loaded.classes)]))
    if name:
        return [each for each in classes if each.__name__ == name]
    functions = {plain(key) for key, each in loaded.namespace.items() if callable(each)}
    has_functions = functions.issuperset({"add", "mul"}) and not functions.isdisjoint(_PASSES)

    def rank(kind: type) -> tuple[object, ...]:
        lower = plain(kind.__name__)
        return (
            not (hasattr(kind, "__add__") and hasattr(kind, "__mul__")) and not has_functions,
            not any(plain(each) in _PASSES[:8] for each in dir(kind)),
            kind.__module__ != loaded.namespace["__name__"],
            _PREFERRED.index(lower) if lower in _PREFERRED else len(_PREFERRED),
            loaded.namespace.get(kind.__name__) is not kind,
        )

    possible = [
        each
        for each in classes
        if (hasattr(each, "__add__") or hasattr(each, "__mul__"))
        or (has_functions and each in loaded.classes)
    ]
    files = {each: getattr(sys.modules.get(each.__module__), "__file__", "") for each in possible}
    return sorted([x for x in possible if is_learners(files[x] or "", loaded.folder)], key=rank)


class Reading:
    """The way to use a class."""

    data = grad = begin = ""
    stored = ""
    """The attribute that holds the gradient; `grad` may be a property or a method that reads it."""
    asks_leaves = False
    """Whether a pass only marks the root, and a leaf computes its gradient when it is read."""

    def __init__(self, kind: type, loaded: Loaded, wanted: Json, *, must_work: bool) -> None:
        self.kind, self.namespace, self.folder = kind, loaded.namespace, loaded.folder
        self.family = [
            each
            for each in kind.__mro__
            if each.__module__ not in ("abc", "builtins", "typing", "enum")
        ][-1]
        self.form: Callable[[float], Any] = float
        self.seed = self.zero = self.holds_nodes = False
        self.operations: dict[str, str] = {}
        self._apply: dict[str, Callable[..., Any]] = {}
        self.begin_pass: Way = lambda root: root.backward()
        ways = self._ways()
        if not ways:
            raise NotRead(kind if hasattr(kind, "__add__") else None)
        first: BaseException | None = None
        best, found = -1, dict[str, Any]()
        for form in _forms() if must_work else (float,):
            try:
                with limited():
                    score = self._read(form, wanted, ways, must_work=must_work)
            except BaseException as reason:  # noqa: BLE001 - the class may raise anything
                fault = reason.fault if isinstance(reason, NotRead) else reason
                first = first or fault
                if isinstance(fault, TooSlow | Waits):
                    break
                continue
            if score > best:
                best, found = score, dict(vars(self))
            if score > len(self._apply) or not must_work:
                return
        if not found:
            raise NotRead(kind, first)
        vars(self).update(found)

    def _read(
        self, form: Callable[[float], Any], wanted: Json, ways: Sequence[Any], *, must_work: bool
    ) -> int:
        """Read the class, with numbers in this form; return the number of operations that work."""
        self.form = form
        first, second = map(self.make, _TRIED)
        self.data = wanted.get("data") or self._find_data(first, second)
        self.operations = {}
        self._apply = dict(self._found_operations())
        if must_work and not {"+", "*"} <= self._apply.keys():
            raise NotRead
        self._name_steps(first)
        grad = wanted.get("grad") or self._find_grad(first)
        score = self._find_pass(grad, ways, must_work=must_work)
        self.stored = self._stored(self.make(2.5))
        self.zero = number(self.grad_of(self.make(2.5))) not in (0.0, "NoneType")
        return score

    @cached_property
    def unit(self) -> float:
        """The unit roundoff of the class's numbers, found by storing 0.1: 2**-53 for doubles."""
        held = number(self.data_of(self.make(0.1)))
        off = abs(held - 0.1) if isinstance(held, float) else math.inf
        return 2.0**-53 if off < 2.0**-50 else 2.0**-24 if off < 2.0**-24 else 2.0**-11

    # Making a node.

    def make(self, value: float) -> Any:
        """Make a leaf that gets a gradient."""
        return self._call_class(value if self.form is float else self.form(value))

    @cached_property
    def _call_class(self) -> Callable[[Any], Any]:
        """Return a function that calls the class with a number."""
        parameters = inspect.signature(self.kind).parameters
        named = {
            name: True if _is_flag(each) else _NAMED.get(name, ())
            for name, each in parameters.items()
            if (each.default is each.empty or _is_flag(each))
            and each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
        }
        first = [name for name, each in parameters.items() if each.kind != each.KEYWORD_ONLY][:1]
        ours = next((name for name in (*_DATA, *first) if name in parameters), "")
        if ours and [ours] != first:
            return lambda value: self.kind(**(named | {ours: value}))
        named.pop(ours, None)
        return lambda value: self.kind(value, **named)

    # Where data and gradient are.

    def _find_data(self, first: Any, second: Any) -> str:
        own = [each for each in dir(first) if not each.startswith("__") and each not in _DATA]
        for name in (*_DATA, *own):
            calls = name in _DATA
            if [_at(each, name, calls=calls) for each in (first, second)] == [*_TRIED]:
                return name
        known = [each for each in _DATA if isinstance(_at(first, each), float)]
        if not known:
            held = [attribute(first, each) for each in _DATA]
            raise NoNumber(next((type(x).__name__ for x in held if x is not None), "NoneType"))
        return known[0]

    def _find_grad(self, node: Any) -> str | None:
        held = [each for each in dir(node) if not each.startswith("__")]
        for name in (*_GRAD, *filter(_is_gradient, held)):
            if name in held and name != self.data:
                found = attribute(node, name, calls=True)
                if found is None or isinstance(number(found), float) or self.is_kin(found):
                    return name
        return None

    def _stored(self, node: Any) -> str:
        found = inspect.getattr_static(self.kind, self.grad, None)
        code = getattr(found.fget if isinstance(found, property) else found, "__code__", None)
        inner = [each for each in getattr(code, "co_names", ()) if hasattr(node, each)]
        return inner[0] if inner else self.grad

    def is_kin(self, found: Any) -> bool:
        """Return whether an object is of the class, or of another class of its family."""
        return isinstance(found, self.family)

    def is_node(self, found: Any) -> bool:
        """Return whether an operation's result has data and a gradient."""
        if isinstance(found, int | float | str) or type(found).__module__ == "numpy":
            return False
        return self.is_kin(found) or (
            hasattr(found, self.data) and hasattr(found, self.grad or "grad")
        )

    def data_of(self, node: Any) -> Any:
        """Return the data of a node, after computing it if the class computes lazily."""
        found = attribute(node, self.data, calls=True)
        for name in ("forward", "eval", "evaluate", "compute") if found is None else ():
            with suppress(Exception):
                made = getattr(node, name)()
                found = attribute(node, self.data, calls=True)
                return made if found is None else found
        return self.data_of(found) if self.is_kin(found) and found is not node else found

    def grad_of(self, node: Any) -> Any:
        """Return the gradient of a node."""
        found = attribute(node, self.grad, calls=True)
        return self.data_of(found) if self.holds_nodes and self.is_kin(found) else found

    def set_grad(self, node: Any, value: float) -> None:
        """Set the gradient of a node; its type stays, or is that of the data if there is none."""
        like = attribute(node, self.grad, calls=True)
        setattr(node, self.stored, self._alike(self.data_of(node) if like is None else like, value))

    def set_data(self, node: Any, value: float) -> None:
        """Set the data of a node; its type stays."""
        setattr(node, self.data, self._alike(attribute(node, self.data), value))

    def clear_grad(self, node: Any) -> None:
        """Set the gradient of a node to that of a new node, None or 0.

        Raises:
            TypeError: an object of another class holds it, and the node has no `zero_grad`.
        """
        held = attribute(node, self.stored)
        if callable(own := getattr(node, "zero_grad", None)) and _required(own) == 0:
            own()
        elif not (held is None or isinstance(number(held), float) or self.is_kin(held)):
            raise TypeError(self.stored)
        elif attribute(self.make(2.5), self.grad, calls=True) is None:
            setattr(node, self.stored, None)
        else:
            self.set_grad(node, 0.0)

    def _alike(self, like: Any, value: float) -> Any:
        if self.is_kin(like):
            return self.make(value)
        if type(like).__module__ == "numpy":
            numpy = sys.modules["numpy"]
            is_array = isinstance(like, numpy.ndarray)
            return numpy.full_like(like, value) if is_array else type(like)(value)
        return [value] if isinstance(like, list) else value

    # How a pass begins.

    def _ways(self) -> list[tuple[str, Way, Any]]:
        """List the functions that may begin a pass: label, a way to call it, the function."""
        methods = [each for each in dir(self.kind) if not each.startswith("__")]
        if not any(plain(each) in _PASSES for each in methods):  # a function on each node
            with suppress(Exception):
                own = getattr(self.make(2.5), "__dict__", ())
                methods = [each for each in own if plain(each) in _PASSES[:8]]
        rows = [
            (each, f"{each}()", _method(each), getattr(self.kind, each, _method))
            for each in methods  # a node's own function is called like a method without arguments
        ]
        rows += [
            (name, f"{name}(x)", each, each)
            for name, each in self.namespace.items()
            if inspect.isfunction(each) and is_learners(each.__code__.co_filename, self.folder)
        ]
        known = [row for row in rows if plain(row[0]) in _PASSES and callable(row[-1])]
        known.sort(key=lambda row: _PASSES.index(plain(row[0])) + 50 * row[0].startswith("_"))
        return [row[1:] for row in known]

    def _find_pass(self, grad: str | None, ways: Sequence[Any], *, must_work: bool) -> int:
        """Find the way that gives a product's operands their gradients, or else the likeliest."""
        best, found, fault = 0, dict[str, Any](), None
        likeliest: dict[str, Any] = {}
        for begin, call, asks in self._begun(ways):
            for seed in (False,) if asks else (False, True):
                self.begin, self.begin_pass, self.seed, self.asks_leaves = begin, call, seed, asks
                likeliest = likeliest or {**vars(self), "grad": grad or "grad"}
                try:
                    score = 1 + self._working() if self._works(grad) else 0
                except Exception as reason:  # noqa: BLE001 - the wrong way may raise anything
                    fault = fault or reason
                    continue
                if score > best:
                    best, found = score, dict(vars(self))
                if score > len(self._apply):
                    return score
        if not best and (must_work or not likeliest):
            raise NotRead(self.kind, fault)
        vars(self).update(found or likeliest)
        return best

    def _begun(self, ways: Sequence[tuple[str, Way, Any]]) -> Iterator[tuple[str, Way, bool]]:
        """Yield each way without and with a first gradient, then attributes to set at the root."""
        for label, call, found in ways:
            bare = _required(found) <= (1 if inspect.isfunction(found) else 0)
            for begin in [call, self._with_one(call)][:: 1 if bare else -1]:
                yield label, begin, False
        node = self.make(2.5)
        for name in getattr(node, "__dict__", ()) if ways else ():
            if _is_gradient(name) and attribute(node, name) in (None, 0):
                yield f"{name} = 1", lambda root, name=name: setattr(root, name, 1.0), True

    def _with_one(self, call: Way) -> Way:
        return lambda root: call(root, self._alike(self.data_of(root), 1.0))

    def _working(self) -> int:
        """Count the operations that work alone and in a pass without an exception."""
        count = 0
        self.stored = self.grad
        plain_data = type(self.data_of(self.make(2.5))).__module__ == "builtins"
        tried = ["+"] if plain_data else list(self._apply)
        for operation in tried:
            with suppress(Exception):
                others = [2 if operation == "**" else self.make(2.0)]
                others = others if operation in REFLECTED else []
                root = self._apply[operation](self.make(0.5), *others)
                self.data_of(root)
                if self.seed:
                    self.set_grad(root, 1.0)
                self.begin_pass(root)
                count += 1
        return count + len(self._apply) - len(tried)

    def _works(self, grad: str | None) -> bool:
        """Try a product; the attribute of the gradient may only exist after the pass."""
        operands = [self.make(2.0), self.make(3.0)]
        root = self._apply["*"](*operands)
        self.data_of(root)
        if self.seed:
            self.grad = self.stored = grad or "grad"
            self.set_grad(root, 1.0)
        self.begin_pass(root)
        later = grad or self._find_grad(operands[0])
        for name in [later] if later else dir(operands[0]):
            if not later and [_at(x, name, calls=False) for x in operands] != [3.0, 2.0]:
                continue
            found = [attribute(each, name, calls=True) for each in operands]
            self.holds_nodes = all(map(self.is_kin, found))
            values = [self.data_of(x) if self.is_kin(x) else x for x in found]
            if all(isinstance(x, float) and x != 0.0 for x in map(number, values)):
                self.grad = name
                return True
        return False

    def _name_steps(self, leaf: Any) -> None:
        """Store a step that would replace the pass under the name of a leaf's step instead."""
        held = getattr(leaf, "__dict__", {})
        steps = [name for name, each in held.items() if callable(each) or "backward" in name]
        passes = {each for each in dir(self.kind) if plain(each) in _PASSES} - {*steps}
        methods = filter(inspect.isfunction, vars(self.kind).values())
        lines = [line for each in methods for line in dis.get_instructions(each)]
        stored = {line.argval for line in lines if line.opname == "STORE_ATTR"}
        family: Any = self.family
        if len(steps) != 1 or passes.isdisjoint(stored) or "__setattr__" in vars(family):
            return

        def put(node: Any, name: str, value: object) -> None:
            if name in passes and inspect.isfunction(value):
                vars(node)[_HIDES] = name
                name = steps[0]
            object.__setattr__(node, name, value)

        family.__setattr__ = put

    def hides(self, made: Any) -> bool:
        """Return whether the step of a result would have replaced the pass."""
        return _HIDES in getattr(made, "__dict__", ())

    # The operations.

    def apply(self, operation: str, operands: Sequence[Any]) -> Any:
        """Apply an operation.

        Raises:
            NoNode: the result is not a node.
        """
        made = self._apply[operation](*operands)
        if not self.is_node(made):
            raise NoNode(type(made).__name__)
        self.data_of(made)
        return made

    def add(self, operation: str, name: str, apply: Callable[..., Any]) -> None:
        """Add a function to the operations."""
        self.operations[operation], self._apply[operation] = name, apply

    def _found_operations(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        for operation, names in _SPELLED.items():
            method = f"__{METHODS.get(operation, operation)}__"
            has_operator = hasattr(operator, method) and hasattr(self.kind, method)
            found = (method, getattr(operator, method)) if has_operator else None
            if not (found and operation in METHODS):  # for `abs` the method comes first
                found = self._named(names, 2 if operation in REFLECTED else 1) or found
            if found:
                self.operations[operation] = found[0]
                yield operation, found[1]

    def _does_or_will(self, apply: Callable[..., Any], nodes: Sequence[Any], found: Any) -> bool:
        """Return whether a function returns a node, or is the learner's and should return one.

        It should if its code uses the class, even if it raises, or if it is not written yet.
        """
        code = getattr(found, "__code__", None)
        is_own = code is not None and is_learners(code.co_filename, self.folder)
        names = code.co_names if code is not None else ()
        try:
            made = apply(*nodes)
        except Exception as fault:  # noqa: BLE001 - the function may raise anything
            is_unfinished = isinstance(fault, NotImplementedError)
            return is_own and (is_unfinished or self.kind.__name__ in names)
        return (self.is_node(made) and made is not nodes[0]) or (made is None and is_own)

    def others(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        """Yield the functions that the engine lacks."""
        for each in OTHER_FUNCTIONS:
            if found := self._named((each,), 1):
                yield found

    def _named(self, names: Sequence[str], count: int) -> tuple[str, Callable[..., Any]] | None:
        """Find the method, function or class of an operation by one of its names."""
        for name in sorted(dir(self.kind), key=lambda each: each not in names):
            if plain(name) in names and name.strip("_") == name.rstrip("_"):
                static = inspect.getattr_static(self.kind, name)
                is_bound = isinstance(static, staticmethod | classmethod)
                method = getattr(self.kind, name)
                if callable(method) and _required(method) == count:
                    return name, method if is_bound else _method(name)
        for name, found in self.namespace.items():
            if plain(name) in names and callable(found) and not isinstance(found, StandIn):
                for apply in _applied(found, count):
                    with suppress(Exception):
                        nodes = [self.make(0.5) for _ in range(count)]
                        if self._does_or_will(apply, nodes, found):
                            return f"{name}(x)" if count == 1 else name, apply
        return None


def _method(name: str) -> Callable[..., Any]:
    return lambda node, *others: getattr(node, name)(*others)


def _applied(found: Any, count: int) -> Iterator[Callable[..., Any]]:
    """Yield ways to apply a function, or a class that is an operation."""
    if not isinstance(found, type):
        if _required(found) == count:
            yield found
        return
    if hasattr(found, "apply"):
        yield found.apply
    yield found
    yield lambda *nodes: found()(*nodes)  # noqa: PLW0108 - a new object each time


def is_learners(file: str, folder: str) -> bool:
    """Return whether a file is neither Python's own nor installed."""
    if file.startswith(folder):
        return "-packages" not in file[len(folder) :]
    return bool(file) and "-packages" not in file and not file.startswith((_PYTHON, "<"))


def attribute(node: Any, name: str, *, calls: bool = False) -> Any:
    """Return an attribute, or the result of the method of that name; None if that raises."""
    try:
        found = getattr(node, name, None)
        return found() if calls and inspect.ismethod(found) and _required(found) == 0 else found
    except Exception:  # noqa: BLE001 - a property may not have its value yet
        return None


def _at(node: Any, name: str, *, calls: bool = True) -> Any:
    """Return an attribute's number; None if it has none."""
    with suppress(Exception):
        found = number(attribute(node, name, calls=calls))
        return found if isinstance(found, float) else None
    return None


def _forms() -> Iterator[Callable[[float], Any]]:
    """Yield conversions of a number into what a class may take: a float, arrays of one number."""
    yield float
    numpy = sys.modules.get("numpy")
    if numpy is None or isinstance(numpy, StandIn) or not hasattr(numpy, "array"):
        return
    yield numpy.array
    yield lambda value: numpy.array([value])
    yield lambda value: numpy.array([[value]])
