"""The number that is named for an exponent, compared with fractions and Python's shortest texts."""

import operator
from fractions import Fraction
from itertools import product

from engine_py.language.exponent import hint_for_exponent

NUMBERS = ["0", "1", "2", "3", "4.", ".5", "10", "0.1", "1.25", "1024", "9999.9999", "9998.9999"]
SIGNS = ["", "-"]
COMPUTE = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def test_a_number_is_named_where_its_shortest_text_is_exact() -> None:
    named = 0
    for sign, minus, a, symbol, b in product(SIGNS, SIGNS, NUMBERS, COMPUTE, NUMBERS):
        texts = [*sign, "(", *minus, a, symbol, b, ")", "*", "x", ""]
        hint = hint_for_exponent(texts)
        left = Fraction(a.rstrip(".")) * (-1 if minus else 1)
        if symbol == "/" and not Fraction(b.rstrip(".")):
            assert hint == "write a number, as in `x ** 0.5`"
            continue
        exact = COMPUTE[symbol](left, Fraction(b.rstrip("."))) * (-1 if sign else 1)
        if hint != "write a number, as in `x ** 0.5`":
            text = hint.removeprefix("write `x ** ").removesuffix("`")
            assert Fraction(text) == exact == Fraction(repr(float(text))), texts
            assert text != "-0"
            assert "." not in text or text[-1] not in "0."
            named += 1
    assert named > 800


def test_what_holds_a_name_or_is_not_closed_is_a_power_with_two_variables() -> None:
    for texts in (["(", "1", "/", "n", ")"], ["(", "2", ""], ["n", ""], []):
        assert hint_for_exponent(texts) == "where x > 0, write `exp(y * log(x))` for `x ** y`"
