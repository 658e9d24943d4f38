"""The contract's operations and a few words -> the section about the language."""

import re
from typing import Any, NamedTuple

from engine_py import outline
from engine_py.errors import UnknownFunction
from service.openapi import operations

Json = dict[str, Any]


class Substitute(NamedTuple):
    """Something that the language does not have, what to write for it, and where that holds."""

    wanted: str
    written: str
    where: str = ""


def _as_the_engine_says(call: str) -> str:
    """Give what an error tells to write for a call of a function that there is not."""
    try:
        outline(call)
    except UnknownFunction as error:
        [instead] = re.findall(r"write `(.+)` for `", error.message)
        return str(instead)
    raise ValueError(f"{call} has become a function; leave it out")


SUBSTITUTES = (
    Substitute("2x, 2(x), (a)(b)", "2*x, 2*(x), (a)*(b)"),
    Substitute("a ^ 2", "a ** 2"),
    Substitute("ln(x)", _as_the_engine_says("ln(x)"), "x > 0"),
    Substitute("log10(x)", _as_the_engine_says("log10(x)"), "x > 0"),
    Substitute("x ** y", "exp(y * log(x))", "x > 0"),
    Substitute("pi, e", "3.141592653589793, exp(1)", "or a value under that name"),
)


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
