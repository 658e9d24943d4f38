"""Texts from an exponent on -> what to write for it: the number, where its parentheses hold one."""

import re
from collections.abc import Sequence

_NUMBER = r"(?:[-+] )?[0-9]{0,4}\.?[0-9]{0,4}"
_SHORT = re.compile(rf"([-+] )?\( ({_NUMBER})(?: ([-+*/]) ({_NUMBER}))? \)")
"""A number, or two with an operator between them: `( 1 / 2 )`."""
_NUMBERS = re.compile(r"([-+] )?\(( ([-+*/]|[0-9.]\S*))+ \)")
_LONGEST = 6
"""Characters of a double's shortest text that is the exact result: another decimal of so few, or
a fraction of such numbers that is none, would be farther from the double than its roundings."""


def hint_for_exponent(texts: Sequence[str]) -> str:
    """Say what to write for `x ** (...)` or `x ** y`.

    Args:
        texts: of the tokens, from the sign or the first token of the exponent on.
    """
    text = " ".join(texts)
    if not _NUMBERS.match(text):
        return "where x > 0, write `exp(y * log(x))` for `x ** y`"
    found = _SHORT.match(text)
    number = found and _shortest(*found.groups(""))
    return f"write `x ** {number}`" if number else "write a number, as in `x ** 0.5`"


def _shortest(sign: str, left: str, operator: str, right: str) -> str | None:
    """Give the text of the result; None where it is long."""
    a, b = (float(number.replace(" ", "")) for number in (left, right or "1"))
    if operator == "/" and b == 0:
        return None
    result = {"": a, "+": a + b, "-": a - b, "*": a * b, "/": b and a / b}[operator]
    text = repr((-result if sign == "- " else result) + 0.0).removesuffix(".0")
    return text if len(text) <= _LONGEST and "e" not in text else None
