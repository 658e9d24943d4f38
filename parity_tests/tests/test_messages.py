"""An error's message is no part of the contract, but the two engines of this repository agree."""

from typing import Any

from parity_tests.kit.cases import load_cases
from parity_tests.kit.worker import Call, Worker

TEXTS: list[Any] = [
    "it's",
    'a "quoted" text',
    "\\",
    "\n\t\x00\x7f\u2028",
    "é",
    "ÿ\u0100",
    "\ud800",
    "\udc00\ud800",
    "x" * 20,
    "x" * 21,
    "😀" * 10,
    "😀" * 20,
    "😀" * 21,
    "x" + "😀" * 30,
    "x" * 19 + "😀😀",
    "",
    "__proto__",
]
OTHERS: list[Any] = [None, True, False, 0, 2.5, 1e308, [], [1], {}, {"a": 1}]
NUMBERS = ["1", "-2", "3.", ".25", "0.000000001", "999999999", "0", "1e2", "1234567890", "(2)"]
OPERATORS = ["+", "-", "*", "/", "**"]
EXPONENTS = [
    *[f"{sign}({number})" for sign in ("", "-", "+") for number in NUMBERS],
    *[f"({a}{operator}{b})" for a in NUMBERS for operator in OPERATORS for b in NUMBERS],
    *["-(1/8)", "-(1/-8)", "(1/2", "(1 2)", "(1,2)", "(1/2)**2", "((-1))", "(+1)", "((1)", "()"],
]
PROGRAMS = [
    *[text for text in TEXTS if text],
    *[f"a {text}" for text in TEXTS],
    "a " + "b" * 40,
    "a " + "b" * 41,
    "b" * 41 + " 2",
    "c" * 50 + "(a)",
    "tanh(a, b, c)",
    "relu 2",
    "relu relu",
    "a ** " + "b" * 41,
    "a = 1; a = 2; a",
    "b" * 99 + " = 1; a",
    "2e999",
    "1" * 400,
    "a ** 2e999",
    "(" * 30 + "a",
    "exp(a",
    "a)",
    "a, b",
    "a = b = 2",
    "a\n+ b",
    "missing + a",
    "some * missing + pi",
    "sqrt - 1",
    "sqrt * pi * missing",
    "Sin(a)",
    "Sign(a)",
    "|a|",
    "+".join("bcdefghijklmn"),
    "log(a - a)",
    "exp(exp(exp(a + 9)))",
    "sqrt(a - a)",
    "(a - a) ** 0.5",
    "1 / (a * 1e-310)",
    "log(a * 1e-310)",
    "a * 1e300 * 1e300 * 0",
    *[f"a ** {exponent}" for exponent in EXPONENTS],
    *[f"b = a\n{operator} a{rest}" for operator in OPERATORS for rest in ("", "; b", "\n2")],
    "1_000",
]


def calls() -> list[Call]:
    """Requests that are wrong in one member each, or whose program is wrong."""
    good = {"expression": "a", "values": {"a": 1}}
    wrong: list[dict[str, Any]] = [
        {},
        {"expression": "a"},
        {"values": {}},
        *[{**good, "expression": value} for value in OTHERS],
        *[{**good, member: value} for value in TEXTS + OTHERS for member in ("values", "view")],
        *[{**good, "parameters": value} for value in TEXTS + OTHERS],
        *[{**good, "parameters": ["a", value]} for value in TEXTS + OTHERS],
        *[{**good, "values": {"a": value}} for value in TEXTS + OTHERS],
        *[{**good, "values": {text: 1, "a": 1}} for text in TEXTS],
        *[{**good, "expression": program} for program in PROGRAMS],
    ]
    limits = {"characters": 3, "variables": 1, "nodes": 2}
    small = [
        {"expression": text, "values": {"a": 1, "b": 2}} for text in ("abcd", "a*b*c", "😀" * 4)
    ]
    return [("introspect", request, None) for request in wrong] + [
        ("introspect", request, {name: limit})
        for request in small
        for name, limit in limits.items()
    ]


def sweeps() -> list[Call]:
    """Sweeps that are wrong in one place each, and two whose points are."""
    grid = {"from": 0, "to": 1, "count": 2}
    axes: list[Any] = [
        *OTHERS,
        *[[1, value] for value in TEXTS + OTHERS],
        *[{**grid, member: value} for member in grid for value in TEXTS + OTHERS],
        *[{**grid, text: 1} for text in TEXTS],
        {**grid, "count": 1e300},
    ]
    wrong: list[Any] = [{"expression": "a", "values": {"a": axis}} for axis in axes]
    large = {**grid, "count": 2**53 - 1}
    several: list[Any] = [{"a": [1], "b": [1, 2]}, {"a": large, "b": large}, {}]
    wrong += [{"expression": "a", "values": values} for values in several]
    outside = {"expression": "log(a) + exp(1000 * a)", "values": {"a": [0, 1]}}
    small = {"sweep_nodes": 0}
    return [
        *(("sweep", request, None) for request in [*wrong, outside]),
        ("sweep", {"expression": "a", "values": {"a": 1}}, small),
    ]


def test_the_engines_word_their_messages_alike(workers: dict[str, Worker]) -> None:
    made = [case.call for case in load_cases() if "error" in case.expect] + calls() + sweeps()
    ours, theirs = (worker.run_many(made) for worker in workers.values())
    errors = [
        (one.get("error"), other.get("error")) for one, other in zip(ours, theirs, strict=True)
    ]
    errors = [pair for pair in errors if pair != (None, None)]
    assert len(errors) > 300
    assert {"crashed", "refused"}.isdisjoint(response["kind"] for response in ours + theirs)
    assert [pair for pair in errors if pair[0] != pair[1]] == []


def test_the_engines_word_the_problems_of_points_alike(workers: dict[str, Worker]) -> None:
    made = [case.call for case in load_cases() if case.command == "sweep"] + sweeps()
    ours, theirs = (
        [
            response["result"]["problems"]
            for response in worker.run_many(made)
            if "result" in response
        ]
        for worker in workers.values()
    )
    assert sum(map(len, ours)) > 5
    assert ours == theirs
