"""What was found -> sentences, in the words of the lessons."""

from collections.abc import Mapping, Sequence

from engine_py.canonical import canonical_text
from engine_py.document import Document
from engine_py.grade.findings import Finding
from engine_py.grade.programs import DEEPER, DEPTH, METHODS, PROGRAMS, REFLECTED, Program, expected

_FAULTS: Mapping[str, str] = {
    "died": "the process ended: {got}",
    "recursion": "{what} calls itself without end",
    "initial_grad": "the gradient of a new Value is not 0",
    "not_a_number": "{what} leaves a {got} where a number should be; take its `.data`, its `.grad`",
    "changes_data": "{what} changes the data that it gets",
    "data": "{what} computes wrong data",
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
    "numbers": "{what} takes no number as its second operand; make a Value of what is none",
    "reflected": "`{reflected}` is missing: Python asks for it where a number stands first",
    "second_pass": "a second pass must add to the gradients, as long as nothing sets them to 0",
}
_ENDLESS = "the walk is a recursion, and dies {depth:,} operations deep; keep a stack of your own"
_SLOW = "takes longer than the limit; a walk visits each node once, and not every path"
_SLOW_IMPORT = 'takes too long to import; put what trains below `if __name__ == "__main__":`'
_SHOWN = 60
"""Characters of a program that are shown."""


def sentence(found: Finding, operations: Sequence[str], *, is_note: bool = False) -> str:
    """Say what is wrong, and for operations in which."""
    what = listed([f"`{each}`" for each in operations])
    what = what or ("`Value(2.5)`" if found.place is None else "`backward`")
    raised = found.raised
    if found.kind == "load":
        return _not_loaded(found)
    if found.kind == "time":
        return _SLOW_IMPORT if found.place is None else _SLOW
    if found.kind == "raises":
        return f"{what} raises {described(raised)}"
    if found.kind == "recursion" and not operations:
        return _ENDLESS.format(depth=DEEPER if is_note else DEPTH)
    words = _FAULTS[found.kind].format(
        what=what,
        got=found.got,
        operand="" if found.slot is None else _operand(found),
        reflected=REFLECTED.get(found.operation, ""),
    )
    return f"{words}: {described(raised)}" if raised else words


def _not_loaded(found: Finding) -> str:
    if found.raised:
        return f"the file cannot be imported: {described(found.raised)}"
    if found.got:
        return f"the process ended as it imported the file: {found.got}"
    return "no class with `+`, `*` and `backward` is there"


def _operand(found: Finding) -> str:
    if found.operation in ("+", "-", "*", "/"):
        return f" by its {('first', 'second')[found.slot or 0]} operand"
    return ""


def described(raised: Mapping[str, object] | None) -> str:
    """Name an exception and its line in the file."""
    if not raised:
        return "an exception"
    line = f" (line {raised['line']})" if raised["line"] else ""
    return f"{raised['type']}: {raised['message']}{line}"


def missing(methods: Sequence[str], operations: Sequence[str]) -> str:
    """Say which operations a class has not."""
    absent = [each for each in operations if METHODS.get(each, each) not in methods]
    return listed([f"`{each}`" for each in absent])


def shown(program: Program) -> str:
    """Write a program with its values, a long one cut."""
    text = program.text if len(program.text) <= _SHOWN else program.text[:_SHOWN] + "…"
    values = ", ".join(f"{name}={canonical_text(at)}" for name, at in program.values.items())
    return f"`{text}` at {values}"


def evidence(found: Finding) -> str:
    """Say which number of the program is what, and what it should be; nothing if none is told."""
    if found.place is None:
        return ""
    where = f"in {shown(PROGRAMS[found.place])}"
    if found.number is None or found.expected is None:
        return where
    document = expected(found.place).document
    name = number_name(document, *found.number)
    words = f"{where}: {name} is {_written(found.got)}, expected {_written(found.expected)}"
    if found.edge is not None and found.kind != "local_grad":
        edge = document["edges"][found.edge]
        user, operand = (node_name(document, edge[end]) for end in ("to", "from"))
        words += f"; see what `{user}` sends to `{operand}`"
    return words


def number_name(document: Document, node: int, part: str) -> str:
    """Write a number as a learner would: `a.grad`, `(a + b).data`."""
    name = node_name(document, node)
    return f"{name if name.isidentifier() else f'({name})'}.{part}"


def node_name(document: Document, node: int) -> str:
    """Name a node by its label, or by what was written for it."""
    row = document["nodes"][node]
    span = row["span"] or {"start": 0, "end": 0}
    return row["label"] or (document["expression"] or "")[span["start"] : span["end"]]


def listed(names: Sequence[str]) -> str:
    """Write names as a sentence does."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _written(number: float | str | None) -> str:
    return canonical_text(number) if isinstance(number, float) else str(number)
