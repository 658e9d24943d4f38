"""The contract's operations and a few words -> the section about the language."""

from typing import Any, NamedTuple

from service.openapi import operations

Json = dict[str, Any]


class Substitute(NamedTuple):
    """Something that the language does not have, what to write for it, and where that holds."""

    wanted: str
    written: str
    where: str = ""


_SUBSTITUTES = (
    Substitute("2x, 2(x), (a)(b)", "2*x, 2*(x), (a)*(b)"),
    Substitute("a ^ 2", "a ** 2"),
    Substitute("sqrt(x)", "x ** 0.5", "x > 0; at 0 the slope is infinite"),
    Substitute("ln(x)", "log(x)", "x > 0"),
    Substitute("log10(x)", "log(x) / log(10)", "x > 0"),
    Substitute("sigmoid(x)", "1 / (1 + exp(-x))"),
    Substitute("max(x, 0)", "relu(x)"),
    Substitute("max(x, y)", "relu(x - y) + y"),
    Substitute("abs(x)", "relu(x) + relu(-x)"),
    Substitute("x ** y", "exp(y * log(x))", "x > 0"),
    Substitute("pi, e", "3.141592653589793, exp(1)", "or a value under that name"),
)

SUBSTITUTES = tuple(
    row
    for row in _SUBSTITUTES
    if row.wanted.partition("(")[0] not in {known["name"] for known in operations()}
)
"""Without those that the contract has by now."""


def language() -> Json:
    """Give the variables of language.html: operators, functions, and what to write instead."""
    rows = operations()
    return {
        "operators": [row for row in rows if not _is_call(row)],
        "functions": [row for row in rows if _is_call(row)],
        "substitutes": SUBSTITUTES,
    }


def _is_call(row: Json) -> bool:
    name, *_ = row["syntax"].partition("(")
    return bool(name.isidentifier())
