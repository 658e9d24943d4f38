"""random.Random -> calls: programs of every operation, with numbers of every size, some damaged.

The first of several choices is the simplest, so that a shrinking search, which makes all draws
small, ends in something short.
"""

from collections.abc import Callable, Sequence
from math import inf, nextafter
from random import Random
from struct import unpack

from parity_tests.fuzz.damage import damage, damage_text
from parity_tests.kit.contract import Operation, load_operations
from parity_tests.kit.worker import Call

# Numbers

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


class Far(Random):
    """A generator for which `random_number` draws far from 1 or near 0, so functions saturate."""


WAYS_TO_WRITE = ("{!r}", "{:.17g}", "{:.3g}", "{:.25e}", "{:E}", "00{!r}")


def random_number(random: Random, mood: str) -> float:
    """Draw a finite number: small if `mood` is tame, of any size if wide, special if edgy."""
    return _far(random) if isinstance(random, Far) else _of_mood(random, mood)


def _far(random: Random) -> float:
    """Draw 0, a subnormal, or a number from 1e8 to 1e300."""
    roll = random.random()
    if roll < 0.2:
        return random.choice([0.0, -0.0, 5e-324, -5e-324, _any_size(random, -323, -309)])
    return _any_size(random, 8, 14 if roll < 0.7 else 299)


def _of_mood(random: Random, mood: str) -> float:
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
    """Draw a finite double, with all equally likely."""
    bits = random.getrandbits(64)
    if bits >> 52 & 0x7FF == 0x7FF:
        bits ^= 1 << 62
    return float(unpack(">d", bits.to_bytes(8, "big"))[0])


def _near(random: Random, number: float) -> float:
    for _ in range(random.randint(1, 3)):
        number = nextafter(number, random.choice([inf, -inf]))
    return number if abs(number) < inf else 1.0


# Programs

VARIABLES = ("a", "b", "c", "x1", "w_2", "exp", "__proto__")
FUNCTIONS = tuple(row for row in load_operations().values() if row.form == "call")
EXPONENTS = ("2", "3", "0.5", "-1", "0", "1", "-2", "2.5", "- 3", "+4", "-0.5", "1e-3", "7.", "1e2")
STEEP = (" + a * 1e308 + a * 1.5e308", " / 1e-200 * 1e-200 + a")
"""A sum that overflows although its slopes do not; a constant whose slope overflows."""
HARD = (" + abs(log(exp(a)) - a)", " + (0.1 + 0.2)", " - a / 3 * 3", " + relu(exp(a) - exp(a - 1))")
"""Terms whose exact value takes many bits, or is treated as 0 or as the midpoint of two doubles."""
OPERANDS = (
    *("a", "b", "c", "2", "-3", ".5", "a**2", "b**-1", "a**1.5", "0**0", "(a+b)", "-c"),
    *("relu(a)", "log(b)", "min(a, b)", "sqrt(c)", "1e-320", "1e999"),
)
NESTS = (("(", ")"), ("-", ""), ("+", ""), ("-(", ")"), ("relu(", ")"), ("a+(", ")"), ("(", "+a)"))
LINES = ("\n", "# a = (;\n")
BLANKS = ("", " ", " ", " ", "  ", "\t", "\r")


def random_call(random: Random, short: float = 0.1, calm: float = 0.0) -> Call:
    """Return a call, damaged in one of six cases.

    The share `short` of calls has few tokens; the share `calm` is small and valid.
    """
    roll = random.random()
    if roll < short:
        return short_call(random)
    if roll < short + calm:
        return random_program(random, is_small=True)
    call = random_program(random)
    return damage(random, call) if random.random() > 5 / 6 else call


def short_call(random: Random) -> Call:
    """Return a call of few tokens, in which two errors and a limit often meet."""
    statements = [
        random.choice(["", f"{name}=", f"{name} = "]) + random.choice("+-*/").join(
            random.choice(OPERANDS) for _ in range(random.choice([1, 2, 2, 3]))
        )
        for name in random.sample("abcd", random.choice([1, 1, 2, 3]))
    ]  # fmt: skip
    if random.random() > 0.8:  # the number of paths has many digits
        statements = [
            f"n{i + 1} = n{i} {random.choice('+*-')} n{i}"
            for i in range(random.randint(1, random.choice([150] * 20 + [2_000])))
        ]
        statements.insert(0, "n0 = a")
    expression = random.choice([";", "; ", "\n"]).join(statements)
    for _ in range(random.choice([0, 0, 1, 1, 2])):
        expression = damage_text(random, expression)
    mood = random.choice(["tame", "edgy"])
    values = {name: random_number(random, mood) for name in "abc"}
    limits = {"nodes": random.randint(0, 6)} if random.random() > 0.6 else None
    return "introspect", {"expression": expression, "values": values}, limits


def deep_call(random: Random) -> Call:
    """Return a deeply nested call, as long as a text may be; often it has too many nodes."""
    opening, closing = random.choice(NESTS)
    depth = random.randint(1, 65_000 // len(opening + closing))
    request = {"expression": f"{opening * depth}a{closing * depth}", "values": {"a": 1.0}}
    return "introspect", request, None


def random_program(
    random: Random, functions: Sequence[Operation] = FUNCTIONS, *, is_small: bool = False
) -> Call:
    """Return a valid program with these functions; its result may still overflow."""
    writer = _Writer(random, functions)
    expression = writer.program(random.choice([1, 1, 2]) if is_small else 4)
    values = {name: random_number(random, writer.mood) for name in sorted(writer.used)}
    if random.random() > 0.96:  # kinks, and ties of min and max
        values = {name: random.choice([0.0, -0.0, 1.0]) for name in values}
    if writer.cautious:
        values = {name: abs(value) for name, value in values.items()}
    if random.random() > 0.9:
        values["unused"] = random_number(random, writer.mood)
    request = {"expression": expression, "values": values}
    if random.random() > 0.7:
        request["parameters"] = [name for name in values if random.random() > 0.5]
    if random.random() > 0.5:
        request["view"] = random.choice(["folded", "primitive"])
    return "introspect", request, None


class _Writer:
    """Writes one program, in one mood of numbers: tame, wide or edgy."""

    def __init__(self, random: Random, functions: Sequence[Operation]) -> None:
        self.random = random
        self.functions = functions
        self.mood = random.choice(["tame", "tame", "tame", "wide", "edgy"])
        self.cautious = random.random() < 0.7
        """Whether to keep operands inside their domain, so that most programs have a document."""
        self.inside = 0
        """Open parentheses; inside them, a newline is a blank."""
        self.used: set[str] = set()
        self.bound: list[str] = []
        self.waiting: list[str] = []
        """Bound names that are not used yet."""

    def program(self, depth: int) -> str:
        lines = []
        for index in range(self.random.choice([0, 0, 1, 2, 4][: depth + 1])):
            expression = self.sum(depth - 1)
            lines.append(f"{self.blank()}n{index}{self.blank()}={self.blank()}{expression}")
            self.bound.append(f"n{index}")
            self.waiting.append(f"n{index}")
        last = self.sum(depth)
        for name in self.waiting[:]:
            if self.random.random() < 0.98:  # the others are unused names, which are errors
                last += f"{self.random.choice('+*-/')}{name}"
        if self.random.random() > 0.96:
            last += self.random.choice(STEEP)
            self.used.add("a")
        if isinstance(self.random, Far) and self.random.random() > 0.4:
            last += self.random.choice(HARD)
            self.used.add("a")
        if self.random.random() > 0.8:
            last = f"root = {last}"
        return self.random.choice([";", "; ", "\n", "\r\n", ";\n\n"]).join([*lines, last])

    def sum(self, depth: int) -> str:
        return self.joined(self.product, "+-", depth)

    def product(self, depth: int) -> str:
        return self.joined(self.prefixed, "*/", depth)

    def joined(self, part: Callable[[int], str], signs: str, depth: int) -> str:
        text = part(depth)
        while depth > 0 and self.random.random() > 0.7:
            sign = self.random.choice(signs)
            text += f"{self.blank()}{sign}{self.gap()}{part(depth - 1)}"
        return text

    def prefixed(self, depth: int) -> str:
        if self.random.random() > 0.85:
            return self.random.choice("-+-") + self.blank() + self.prefixed(depth)
        return self.power(depth)

    def power(self, depth: int) -> str:
        base = self.atom(depth)
        if self.random.random() < 0.85:
            return base
        exponent = self.random.choice(EXPONENTS)
        if self.random.random() > 0.7:
            exponent = self.random.choice(["", "-"]) + random_literal(self.random, self.mood)
            base = f"exp({base})" if self.cautious else base
        return f"{base}{self.blank()}**{self.blank()}{exponent}"

    def atom(self, depth: int) -> str:
        roll = self.random.random()
        if depth == 0 or roll < 0.45:
            return self.name()
        if roll < 0.6:
            return random_literal(self.random, self.mood)
        if roll < 0.8:
            return f"({self.gap()}{self.enclosed(1, depth - 1)[0]}{self.blank()})"
        function = self.random.choice(self.functions)
        arguments = self.enclosed(function.arity, depth - 1)
        if self.cautious and not function.is_everywhere:
            arguments = [f"1e-3 + ({argument}) ** 2" for argument in arguments]
        return f"{function.name}{self.blank()}({', '.join(arguments)}{self.blank()})"

    def enclosed(self, count: int, depth: int) -> list[str]:
        """Write `count` sums for the inside of parentheses."""
        self.inside += 1
        sums = [self.sum(depth) for _ in range(count)]
        self.inside -= 1
        return sums

    def name(self) -> str:
        if self.bound and self.random.random() > 0.5:
            name = self.random.choice(self.bound)
            if name in self.waiting:
                self.waiting.remove(name)
            return name
        name = self.random.choice(VARIABLES)
        self.used.add(name)
        return name

    def blank(self) -> str:
        is_newline = self.inside and self.random.random() > 0.98
        return self.random.choice(LINES) if is_newline else self.random.choice(BLANKS)

    def gap(self) -> str:
        """Write a blank before an operand, where a newline is a blank, too."""
        return self.random.choice(LINES) if self.random.random() > 0.97 else self.blank()
