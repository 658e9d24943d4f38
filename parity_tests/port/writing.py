"""Doubles -> text: as ECMAScript writes them, and for the protocol with all their digits."""

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

PLACES = range(-6, 21)
WIDE = Context(prec=1200)


def shortest(x):
    """Write the fewest digits that read back; of those the nearest, of two as near the even one."""
    if x == 0.0:
        return "0"
    if x < 0.0:
        return "-" + shortest(-x)
    true = Decimal(x)
    for digits in range(1, 18):
        unit = Decimal((0, (1,), true.adjusted() - digits + 1))
        near = {true.quantize(unit, to, WIDE) for to in (ROUND_FLOOR, ROUND_CEILING)}
        good = [each for each in near if float(each) == x]
        if good:
            best = min(good, key=lambda each: (abs(WIDE.subtract(each, true)), last(each) % 2))
            return laid_out(best)
    raise AssertionError


def last(number):
    return number.as_tuple().digits[-1]


def laid_out(number):
    """Place the point as ECMAScript does, or write an exponent."""
    digits = "".join(map(str, number.as_tuple().digits)).rstrip("0")
    power = number.adjusted()
    if power not in PLACES:
        point = "." if len(digits) > 1 else ""
        return f"{digits[0]}{point}{digits[1:]}e{power:+d}"
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole, rest = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return f"{whole}.{rest}" if rest else whole


def message_text(value):
    """Write JSON with 17 digits to every double, blanks, and escapes for all but ASCII."""
    if type(value) is float:
        return f"{value:.16e}"
    if type(value) is dict:
        members = (f"{json.dumps(name)}: {message_text(each)}" for name, each in value.items())
        return "{ " + " , ".join(members) + " }"
    if type(value) is list:
        return "[ " + " , ".join(map(message_text, value)) + " ]"
    return json.dumps(value)
