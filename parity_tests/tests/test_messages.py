"""Messages are not part of the contract, but these two engines have the same."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from parity_tests.fuzz.__main__ import random_batches
from parity_tests.fuzz.damage import LINE
from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Call, Worker

TEXTS: list[Any] = [
    *("it's", 'a "quoted" text', "\\", "\n\t\x00\x7f\u2028", "é", "ÿ\u0100", "", "__proto__"),
    *("\ud800", "\udc00\ud800", "x" * 20, "x" * 21, "😀" * 10, "😀" * 20, "😀" * 21),
    *("x" + "😀" * 30, "x" * 19 + "😀😀"),
]
OTHERS: list[Any] = [None, True, False, 0, 2.5, 1e308, [], [1], {}, {"a": 1}]
NUMBERS = ["1", "-2", "3.", ".25", "0.000000001", "999999999", "0", "1e2", "1234567890", "(2)"]
WITH_WORDS = ("accuracy", "descend", "experiment", "sweep")
"""Commands whose results may have words: at a point, about a number or a lost contribution."""
OPERATORS = ["+", "-", "*", "/", "**"]
EXPONENTS = [
    *[f"{sign}({number})" for sign in ("", "-", "+") for number in NUMBERS],
    *[f"({a}{operator}{b})" for a in NUMBERS for operator in OPERATORS for b in NUMBERS],
    *["-(1/8)", "-(1/-8)", "(1/2", "(1 2)", "(1,2)", "(1/2)**2", "((-1))", "(+1)", "((1)", "()"],
]
PROGRAMS = [
    *(text for text in TEXTS if text),
    *(f"a {text}" for text in TEXTS),
    *("a " + "b" * 40, "a " + "b" * 41, "b" * 41 + " 2", "c" * 50 + "(a)", "a ** " + "b" * 41),
    *("b" * 99 + " = 1; a", "a = b = 2", "2e999", "1" * 400, "a ** 2e999", "1_000", "|a|"),
    *("relu 2", "relu relu", "sqrt - 1", "sqrt * pi * missing", "some * missing + pi"),
    *("Sin(a)", "Sign(a)", "+".join("bcdefghijklmn"), "tanh(a, b, c)", "(" * 30 + "a"),
    "+".join([*"bcdfghijkl", "e", "pi"]),
    *("log(a - a)", "sqrt(a - a)", "(a - a) ** 0.5", "1 / (a * 1e-310)", "log(a * 1e-310)"),
    *("exp(exp(exp(a + 9)))", "a * 1e300 * 1e300 * 0"),
    *(f"a ** {exponent}" for exponent in EXPONENTS),
    *(f"b = a\n{operator} a{rest}" for operator in OPERATORS for rest in ("", "; b", "\n2")),
]


DIAMOND = {"expression": "b = a + 1; c = a * 3; d = b * c", "values": {"a": 2}}


def wrong_calls() -> list[Call]:
    """Return requests with one invalid member each, invalid programs, and small limits."""
    good = {"expression": "a", "values": {"a": 1}}
    wrong: list[dict[str, Any]] = [
        *({**good, "expression": program} for program in PROGRAMS),
        *({**good, member: value} for value in TEXTS + OTHERS for member in ("values", "view")),
        *({**good, "parameters": value} for value in TEXTS + OTHERS),
        *({**good, "parameters": ["a", value]} for value in TEXTS + OTHERS),
        *({**good, "values": {"a": value}} for value in TEXTS + OTHERS),
        *({**good, "values": {text: 1, "a": 1}} for text in TEXTS),
    ]
    grid = {"from": 0, "to": 1, "count": 2}
    axes: list[Any] = [
        *([1, value] for value in TEXTS + OTHERS),
        *({**grid, member: value} for member in grid for value in TEXTS + OTHERS),
        *({**grid, text: 1} for text in TEXTS),
    ]
    return [
        *(("introspect", request, None) for request in wrong),
        *(("sweep", {"expression": "a", "values": {"a": axis}}, None) for axis in axes),
    ]


def units(module: str, table: str) -> list[Any]:
    """Return the cases of a table, whose words the tests of engine_py expect of it."""
    file = ROOT / "parity_tests" / "units" / f"{module}.json"
    cases: list[Any] = json.loads(file.read_text(encoding="utf-8"))[table]
    return cases


def calls_of_units() -> Iterator[Call]:
    """Yield the calls of the tables of messages."""
    few, few_values = {"characters": 20, "variables": 4, "nodes": 4}, {"x": 2, "y": 3}
    for case in units("hints", "hints"):
        for text in case["messages"]:
            yield "introspect", {"expression": text, "values": few_values}, None
    for case in units("hints", "messages"):
        for text, values, _ in case["messages"]:
            yield "introspect", {"expression": text, "values": values}, few
    for case in units("hints", "grids"):
        for grid, _ in case["messages"]:
            yield "sweep", {"expression": "x", "values": {"x": grid}}, None
    lost = [case["conditions"] for case in units("lab", "lost")]
    refused = [row[0] for case in units("lab", "refused") for row in case["conditions"]]
    for conditions in lost + refused:
        yield "experiment", {**DIAMOND, **conditions}, None


def messages(part: Any) -> list[str]:
    """Return the messages in a response, of an error or of points, and the sentences of a walk."""
    if isinstance(part, list):
        return [message for each in part for message in messages(each)]
    if not isinstance(part, dict):
        return []
    own = [part[name] for name in ("message", "sentence") if isinstance(part.get(name), str)]
    return own + [message for each in part.values() for message in messages(each)]


def test_the_engines_have_the_same_messages_for_errors_and_points(
    workers: dict[str, Worker],
) -> None:
    cases = [each for each in load_cases() if "error" in each.expect or each.command in WITH_WORDS]
    calls = [case.call for case in cases] + wrong_calls() + [*calls_of_units()]
    calls += [call for batch in random_batches(1, 1500, 250) for call in batch if call[0] != LINE]
    ours, theirs = (worker.run_many(calls) for worker in workers.values())
    met: Counter[str] = Counter()
    for call, one, other in zip(calls, ours, theirs, strict=True):
        assert one["kind"] in {"result", "error", "refused", "skipped"}
        assert messages(one) == messages(other), call
        met[one["kind"]] += len(messages(one))
    assert met["error"] > 1000
    assert met["result"] > 100
