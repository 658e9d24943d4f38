"""The referee: a program's whole document, by other means than the engines'.

It shares no code and no way of working with them: recursive descent for their stacks, objects for
their columns, MPFR for their integers. `gmpy2.ieee(64)` rounds every operation once to a double,
subnormals included, which is the contract's R1.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import gmpy2

from parity_tests.kit.contracts import contract_version
from parity_tests.kit.worker import Json
from parity_tests.oracle.operations import ROWS, Formula, Number
from parity_tests.oracle.text import Span, Tree, read
from parity_tests.oracle.value import Value


def reference_document(
    expression: str,
    values: Mapping[str, float],
    parameters: Sequence[str] = (),
    view: str = "folded",
) -> Json:
    """Give the document of a correct request. Raises NoAnswerError where an error is due."""
    with gmpy2.context(gmpy2.ieee(64)), _deep_recursion():
        builder = _Builder(values, parameters, primitive=view == "primitive")
        order = builder.run(expression).backward()
        ids = list(range(len(order)))
        variables = [value for value in order if value.kind in ("input", "parameter")]
        return {
            "contract": contract_version(),
            "expression": expression,
            "values": {str(value.label): _double(value.data) for value in variables},
            "unused_values": sorted(set(values) - {value.label for value in variables}),
            "view": view,
            "root": ids[-1],
            "result": _double(order[-1].data),
            "gradients": {str(value.label): _double(value.grad) for value in variables},
            "nodes": _nodes(order),
            "edges": _edges(order),
            "topological_order": ids,
            "backward_order": ids[::-1],
        }


class _Builder:
    """Trees -> values. Primitive means: what is derived is built from primitives."""

    def __init__(
        self, values: Mapping[str, float], parameters: Sequence[str], *, primitive: bool
    ) -> None:
        self.values, self.parameters, self.primitive = values, parameters, primitive
        self.names: dict[str, Value] = {}

    def run(self, expression: str) -> Value:
        return [self.bind(name, tree) for name, tree in read(expression)][-1]

    def bind(self, name: str | None, tree: Tree) -> Value:
        value = self.build(tree)
        if name is not None:
            self.names[name] = value
            value.label = value.label or name
        return value

    def build(self, tree: Tree) -> Value:
        if tree.kind == "number":
            return Value("constant", tree.span, gmpy2.mpfr(tree.text))
        if tree.kind == "name":
            if tree.text not in self.names:
                kind = "parameter" if tree.text in self.parameters else "input"
                data = gmpy2.mpfr(self.values[tree.text])
                self.names[tree.text] = Value(kind, tree.span, data, tree.text)
            return self.names[tree.text]
        children = [self.build(part) for part in tree.parts]
        expansion = ROWS[tree.kind].expansion
        if self.primitive and expansion:
            return _expanded(expansion, tree.span, *children)
        return Value.of(tree.kind, tree.span, *children)


def _expanded(expansion: Formula, span: Span, *operands: Value) -> Value:
    """Apply the primitives of R26, each with the span of what was written."""

    def apply(op: str, *parts: Value | float) -> Value:
        children = [
            part if isinstance(part, Value) else Value("constant", span, gmpy2.mpfr(part))
            for part in parts
        ]
        return Value.of(op, span, *children)

    result: Value = expansion(apply, *operands)
    return result


def _nodes(order: list[Value]) -> list[Json]:
    exponents = {id(value.children[1]) for value in order if value.op == "**"}
    return [
        {
            "id": id_,
            "kind": value.kind,
            "operation": value.op,
            "label": value.label,
            "data": _double(value.data),
            "grad": None if id(value) in exponents else _double(value.grad),
            "derived": bool(value.op and ROWS[value.op].expansion),
            "span": {"start": value.span.start, "end": value.span.end},
        }
        for id_, value in enumerate(order)
    ]


def _edges(order: list[Value]) -> list[Json]:
    ids = {id(value): id_ for id_, value in enumerate(order)}
    steps = ("incoming_grad", "local_grad", "contribution", "running_grad")
    edges: list[Json] = [
        {
            "from": ids[id(child)],
            "to": ids[id(value)],
            "slot": slot,
            "differentiable": row[1] is not None,
            **{step: _double(number) for step, number in zip(steps, row, strict=True)},
        }
        for value in order
        for slot, (child, row) in enumerate(zip(value.children, value.ledger, strict=True))
    ]
    return [{"id": id_, **edge} for id_, edge in enumerate(edges)]


def _double(number: Number | None) -> float | None:
    """Write -0 as 0, and None for what is no double."""
    return float(number) + 0.0 if number is not None and gmpy2.is_finite(number) else None


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Recursion is what makes the oracle another thing than the engines; give it room."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
