"""Every row of schemas/operations.json is in all its places; a missing one is reported."""

import json
import operator
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import inf
from random import Random
from typing import Any

import pytest

from engine_py import OPERATIONS, Value, canonical_text, introspect, introspect_value
from engine_py.accuracy.enclosures import ENCLOSURES
from engine_py.lab.formulas import FORMULAS
from parity_tests.exactness.cases import case_file, to_bits
from parity_tests.exactness.classes import HARD
from parity_tests.exactness.compare import evaluate
from parity_tests.exactness.draws import any_bits
from parity_tests.fuzz.programs import random_program
from parity_tests.kit.cases import Row, load_cases
from parity_tests.kit.contract import Operation, load_operations
from parity_tests.kit.engines import ROOT, find_program
from parity_tests.kit.worker import Json, Worker
from parity_tests.oracle.document import Tree, read
from parity_tests.oracle.operations import ROWS, nowhere

TABLE = load_operations()
CONTRACT = (ROOT / "schemas" / "CONTRACT.md").read_text(encoding="utf-8")
X, Y = 0.75, 0.5
"""Inside every domain."""

TYPESCRIPT = """
import { canonicalText, introspectValue, OPERATIONS, Value } from "./engine_ts/src/index.ts";
const rows = {};
for (const [symbol, { name, form, arity, derived }] of OPERATIONS) {
  const x = new Value(0.75, "x");
  const others = arity === 1 ? [] : [symbol === "**" ? 0.5 : new Value(0.5, "y")];
  const method = typeof x[name] === "function";
  const document = method ? canonicalText(introspectValue(x[name](...others))) : null;
  rows[symbol] = { name, form, arity, derived, document };
}
console.log(JSON.stringify(rows));
"""
"""Prints the rows of the TypeScript engine, and a document of each as a method of Value."""


@cache
def typescript_rows() -> dict[str, Json]:
    done = subprocess.run(
        [find_program("node"), "--input-type=module-typescript", "-e", TYPESCRIPT],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    rows: dict[str, Json] = json.loads(done.stdout)
    return rows


def parts_of(tree: Tree) -> Any:
    """Write a tree as an expansion's builder does: `x * -1` is ["*", "x", -1]."""
    if tree.kind == "number":
        return float(tree.text)
    return [tree.kind, *map(parts_of, tree.parts)] if tree.parts else tree.text


def expansion_of(row: Operation) -> Any:
    """Read the contract's text of an expansion."""
    return parts_of(read(row.expansion)[0][1]) if row.expansion else None


def built(expansion: Callable[..., Any] | None, arity: int) -> Any:
    """Return the tree of an expansion as nested lists."""
    return expansion and expansion(lambda *parts: list(parts), *"xy"[:arity])


def symbols_of(text: str) -> set[str]:
    """Collect the operations in a text, with the kinds of its leaves."""
    waiting = [tree for _, tree in read(text)]
    for tree in waiting:  # which grows while it is read
        waiting += tree.parts
    return {tree.kind for tree in waiting}


def rule(number: str) -> str:
    found = re.search(
        rf"^- \*\*{number} .*?(?=^- \*\*R|^## |\Z)", CONTRACT, re.MULTILINE | re.DOTALL
    )
    assert found
    return found[0]


# Checks of a row, with a sentence for each mistake


def in_engine_py(row: Operation) -> Iterator[str]:
    ours = OPERATIONS.get(row.operation)
    if ours is None:
        yield "has no row in engine_py: write its rule and its row into engine_py/operations.py"
        return
    theirs = (row.name, row.form, row.arity, row.derived)
    if (ours.name, ours.form, ours.arity, ours.derived) != theirs:
        yield f"is not {theirs} in engine_py/operations.py, as schemas/operations.json says"


def in_no_formula(row: Operation) -> Iterator[str]:
    table = (ROOT / "schemas" / "rewrites.json").read_text(encoding="utf-8")
    if row.form == "call" and f'"{row.name}(x)":' in table:
        yield f"is a function now: remove `{row.name}(x)` from schemas/rewrites.json"


def in_engine_ts(row: Operation) -> Iterator[str]:
    ours = typescript_rows().get(row.operation)
    if ours is None:
        yield "has no row in engine_ts: write its rule and its row into engine_ts/src/operations.ts"
        return
    theirs = (row.name, row.form, row.arity, row.derived)
    if (ours["name"], ours["form"], ours["arity"], ours["derived"]) != theirs:
        yield f"is not {theirs} in engine_ts/src/operations.ts, as schemas/operations.json says"


def as_value(row: Operation) -> Value:
    x, y = Value(X, "x"), Value(Y, "y")
    others: list[Any] = [] if row.arity == 1 else [Y if row.operation == "**" else y]
    if row.form == "call":
        return getattr(x, row.name)(*others)  # type: ignore[no-any-return]
    written = getattr(operator, {"div": "truediv"}.get(row.name, row.name))
    return written(x, *others)  # type: ignore[no-any-return]


def in_value(row: Operation) -> Iterator[str]:
    """The document of a Value is that of the text, in both languages, once both have the row."""
    if [*in_engine_py(row), *in_engine_ts(row)]:
        return
    document: Any = introspect(re.sub(r"\bc\b", str(Y), row.syntax), {"x": X, "y": Y})
    if "y" not in row.syntax:
        document["unused_values"] = []
    for node in document["nodes"]:
        node["span"] = None
    document["expression"] = None
    text = canonical_text(document)
    if canonical_text(introspect_value(as_value(row))) != text:
        yield "gives another document as a method of engine_py's Value than as a text"
    if typescript_rows()[row.operation]["document"] != text:
        yield f"needs the method `{row.name}` of engine_ts's Value to give the text's document"


def in_oracle(row: Operation) -> Iterator[str]:
    ours = ROWS.get(row.operation)
    if ours is None:
        yield "has no row in the oracle: write it into parity_tests/oracle/operations.py"
        return
    if built(ours.expansion, row.arity) != expansion_of(row):
        yield "has another expansion in parity_tests/oracle/operations.py than in operations.json"
    if (ours.outside is nowhere) != row.is_everywhere:
        yield "needs `outside` in parity_tests/oracle/operations.py just where its domain ends"


def in_accuracy(row: Operation) -> Iterator[str]:
    if row.operation not in ENCLOSURES:
        yield "has no true value: write its enclosures into accuracy/enclosures of both engines"


def in_lab(row: Operation) -> Iterator[str]:
    if row.operation not in FORMULAS:
        yield "has no formulas of local gradients: write them into lab/formulas of both engines"


def in_hard_cases(row: Operation) -> Iterator[str]:
    rounds = row.operation in ROWS and ROWS[row.operation].rounds
    if rounds and not case_file(row.operation).exists():
        command = f"python -m parity_tests.exactness --write '{row.operation}'"
        yield f"has no committed hard cases: run {command}"


@cache
def drawn() -> Counter[str]:
    random = Random(1)
    texts = [str(dict(random_program(random)[1])["expression"]) for _ in range(1000)]
    return Counter(symbol for text in texts for symbol in symbols_of(text))


def in_random_programs(row: Operation) -> Iterator[str]:
    if drawn()[row.operation] < 20:
        yield "is hardly in the fuzzer's programs: draw it in parity_tests/fuzz/programs.py"


@cache
def in_documents() -> Counter[str]:
    cases = [case for case in load_cases() if case.command == "introspect"]
    texts = [case.request["expression"] for case in cases if "document" in case.expect]
    short = [text for text in texts if len(text) < 1000]  # the reader goes as deep as the text
    return Counter(symbol for text in short for symbol in symbols_of(text))


def in_fixtures(row: Operation) -> Iterator[str]:
    if not in_documents()[row.operation]:
        yield "is in no fixture with a document: write one into fixtures/functions.json"
    errors = [case.expect["error"] for case in load_cases() if "error" in case.expect]
    refused = {error["operation"] for error in errors if error["code"] == "domain_error"}
    if not row.is_everywhere and row.operation not in refused:
        yield "has a domain and no domain_error: write one into fixtures/domain.json"


def in_contract(row: Operation) -> Iterator[str]:
    if f"| `{row.syntax}` |" not in rule("R3"):
        yield "has no local gradients in CONTRACT.md R3: run python -m parity_tests.contract X.Y.Z"
    if row.form == "call" and f"`{row.syntax}`" not in rule("R14"):
        yield f"is a call: write `{row.syntax}` into CONTRACT.md R14"
    if row.form == "call" and not row.is_everywhere and f"{row.name} of" not in rule("R30"):
        yield f"has a domain: write `{row.name} of x ...` at domain_error in CONTRACT.md R30"


def in_schemas(row: Operation) -> Iterator[str]:
    if len(row.local_gradients) != row.arity or (row.expansion is not None) != row.derived:
        yield "contradicts itself in schemas/operations.json: arity, derived and the rest"
    document = json.loads((ROOT / "schemas" / "document.schema.json").read_text())
    if row.operation not in document["$defs"]["node"]["properties"]["operation"]["enum"]:
        yield "is missing in document.schema.json: run python -m parity_tests.contract X.Y.Z"


REQUIREMENTS: dict[Callable[[Operation], Iterator[str]], str] = {
    in_engine_py: "engine_py/operations.py",
    in_engine_ts: "engine_ts/src/operations.ts",
    in_value: "",
    in_no_formula: "",
    in_accuracy: "accuracy/enclosures",
    in_lab: "lab/formulas",
    in_oracle: "parity_tests/oracle/operations.py",
    in_hard_cases: "",
    in_random_programs: "parity_tests/fuzz/programs.py",
    in_fixtures: "fixtures/functions.json",
    in_contract: "CONTRACT.md R3",
    in_schemas: "parity_tests.contract",
}
"""Each check, with the first place that it reports for an operation missing everywhere."""


def test_every_row_is_in_every_place() -> None:
    faults = [
        f"`{row.operation}` {fault}"
        for row in TABLE.values()
        for requirement in REQUIREMENTS
        for fault in requirement(row)
    ]
    assert not faults, "\n".join([*faults, "schemas/OPERATIONS.md has the steps."])


def test_a_missing_row_is_reported_with_its_place() -> None:
    invented = TABLE["log"]._replace(operation="lb", name="lb", syntax="lb(x)")
    for requirement, place in REQUIREMENTS.items():
        assert place in next(requirement(invented), "")
    hinted = TABLE["log"]._replace(operation="ln", name="ln", syntax="ln(x)")
    assert "schemas/rewrites.json" in next(in_no_formula(hinted), "")


def holds(condition: str, operands: dict[str, float]) -> bool:
    """Judge `x = 0 and 0 < c < 1`."""
    signs = {"<": operator.lt, ">": operator.gt, "=": operator.eq}
    for chain in condition.split(" and "):
        words = chain.split()
        numbers = [operands[word] if word in operands else float(word) for word in words[::2]]
        triples = zip(numbers, words[1::2], numbers[1:], strict=False)
        if not all(signs[sign](left, right) for left, sign, right in triples):
            return False
    return True


def local_gradient(text: str, operands: dict[str, float]) -> float:
    """Compute a formula of the table: `1 / x`, `1 if x > 0 else 0`, `c * x, 0 when c = 0`."""
    clauses = re.split(r",? else |, ", text)
    for clause in clauses if " if " in text else reversed(clauses):
        formula, _, condition = (
            re.sub(" when ", " if ", clause).removeprefix("else ").partition(" if ")
        )
        if condition and not holds(condition, operands):
            continue
        if "c" in operands:  # an exponent is a literal in the language
            formula = formula.replace("(c - 1)", str(operands["c"] - 1))
            formula = re.sub(r"\bc\b", str(operands["c"]), formula)
        return inf if formula == "infinity" else introspect(formula, operands)["result"]
    raise AssertionError(text)


@pytest.mark.parametrize("row", TABLE.values(), ids=lambda row: row.name)
def test_the_local_gradients_of_the_table_are_the_engines(row: Operation) -> None:
    """The page and the contract show the table's."""
    computed = 0
    for pair in product((-3.0, -0.7, 0.0, 0.5, 1.0, 2.0), repeat=2):
        names = re.findall(r"\b[xyc]\b", row.syntax)
        try:
            out, *local_grads = OPERATIONS[row.operation].rule(*pair[: row.arity])
        except ArithmeticError:  # outside the domain
            continue
        operands = dict(zip(names, pair, strict=False)) | {"out": out}
        for text, ours in zip(row.local_gradients, local_grads, strict=True):
            if text is not None:
                assert local_gradient(text, operands) == ours, (operands, text)
                computed += 1
    assert computed >= 12


def test_an_expansion_consists_of_primitives() -> None:
    for row in TABLE.values():
        symbols = symbols_of(row.expansion) - {"name", "number"} if row.expansion else set()
        assert not [symbol for symbol in symbols if TABLE[symbol].derived], row


def test_no_place_has_a_row_that_the_contract_lacks() -> None:
    assert set(OPERATIONS) == set(TABLE)
    assert set(typescript_rows()) == set(TABLE)
    assert set(ROWS) == set(TABLE)
    assert {file.name for file in case_file("+").parent.glob("*.txt")} == {
        case_file(operation).name for operation in HARD
    }


def test_operations_without_rounding_round_nothing(workers: dict[str, Worker]) -> None:
    for symbol in (each for each in ROWS if not ROWS[each].rounds):
        random = Random(symbol)
        drawn = [tuple(any_bits(random) for _ in range(TABLE[symbol].arity)) for _ in range(500)]
        cases = [Row("any", tuple(map(to_bits, operands)), None) for operands in drawn]
        for worker in workers.values():
            for operands, result in zip(drawn, evaluate(worker, symbol, cases), strict=True):
                exact = {to_bits(x) for operand in operands for x in (operand, -operand)}
                assert result in {*exact, to_bits(0.0), to_bits(-0.0)}
