"""random.Random -> numbers: plain ones, ones of every size, and those where arithmetic breaks."""

from math import inf, nextafter
from random import Random
from struct import unpack

EDGES = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, 49.0, 0.1, 1 / 3,
    5e-324, -5e-324, 1.5e-323, 2.2250738585072014e-308, 2.225073858507201e-308, 1e-308, 1e-200,
    1.7976931348623157e308, -1.7976931348623157e308, 8.98846567431158e307, 1e200, 1e154, 1.3e154,
    9007199254740992.0, 9007199254740993.0, 4503599627370497.5, 100000001.0, 208067.0, 1e16, 1e22,
    709.782712893384, 709.7827128933841, 710.0, -745.1332191019411, -745.1332191019412, -708.4,
    19.061547465398494, 19.061547465398498, 33.27106466687737, 22.0, 355.0, 1e-8,
    3.725290298461914e-09, 1e-16,
    1.0000000000000002, 0.9999999999999999, 1.0000000074505806, 2.718281828459045,
    5.66, -9.84, 2.3, -1.84, 0.71, 3.39, 7.67, 1e21, 2.5e21, 999999999999999900000.0, 1e-6, 1e-7,
)  # fmt: skip
"""Ends of the range, ties, overflow edges of exp and tanh, the last bit of softplus, and where
platforms are an ulp off."""

WAYS_TO_WRITE = ("{!r}", "{:.17g}", "{:.3g}", "{:.25e}", "{:E}", "00{!r}")


def random_number(random: Random, mood: str) -> float:
    """Give a finite number: small and short if tame, of any size if wide, special if edgy."""
    roll = random.random()
    if mood == "edgy":
        return random.choice(EDGES) if roll < 0.7 else _near(random, random.choice(EDGES))
    if mood == "wide":
        if roll < 0.5:
            return _any_bits(random) if roll < 0.2 else _any_size(random, -307, 307)
        return random.uniform(-800.0, 800.0) if roll < 0.7 else _any_size(random, -10, 2)
    if roll < 0.3:
        return float(random.randint(-9, 9))
    if roll < 0.6:
        return random.randint(-4000, 4000) / 1000
    return _near(random, 1.0) if roll < 0.7 else random.uniform(-4.0, 4.0)


def random_literal(random: Random, mood: str) -> str:
    """Write a number without a sign, in one of the ways that the language reads."""
    number = abs(random_number(random, mood))
    if number.is_integer() and number < 1e16 and random.random() < 0.7:
        return random.choice(["{:.0f}", "{:.0f}", "{:.0f}.", "{:.0f}e0"]).format(number)
    text = random.choice(WAYS_TO_WRITE).format(number)
    return text[1:] if text.startswith("0.") and random.random() > 0.8 else text


def _any_size(random: Random, least: int, most: int) -> float:
    sign = random.choice([1, -1])
    return sign * random.uniform(1.0, 10.0) * 10.0 ** random.randint(least, most)


def _any_bits(random: Random) -> float:
    """Every double is as likely as any other, but for infinities and NaN."""
    bits = random.getrandbits(64)
    if bits >> 52 & 0x7FF == 0x7FF:
        bits ^= 1 << 62
    return float(unpack(">d", bits.to_bytes(8, "big"))[0])


def _near(random: Random, number: float) -> float:
    for _ in range(random.randint(1, 3)):
        number = nextafter(number, random.choice([inf, -inf]))
    return number if abs(number) < inf else 1.0
