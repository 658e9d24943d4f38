"""random.Random -> calls: programs of every operation, with numbers of every size, some damaged.

The first of several choices is the plainest, so that a shrinking search, which makes all draws
small, ends in something short.
"""

from collections.abc import Callable, Sequence
from random import Random

from parity_tests.fuzz.damage import damage, damage_text
from parity_tests.fuzz.random_numbers import random_literal, random_number
from parity_tests.kit.operations import Operation, load_operations
from parity_tests.kit.worker import Call

VARIABLES = ("a", "b", "c", "x1", "w_2", "exp", "__proto__")
FUNCTIONS = tuple(row for row in load_operations().values() if row.form == "call")
EXPONENTS = ("2", "3", "0.5", "-1", "0", "1", "-2", "2.5", "- 3", "+4", "-0.5", "1e-3", "7.", "1e2")
STEEP = (" + a * 1e308 + a * 1.5e308", " / 1e-200 * 1e-200 + a")
"""Slopes that are doubles, of a sum that is none; and one of a constant that is none."""
OPERANDS = (
    *("a", "b", "c", "2", "-3", ".5", "a**2", "b**-1", "a**1.5", "0**0", "(a+b)", "-c"),
    *("relu(a)", "log(b)", "min(a, b)", "sqrt(c)", "1e-320", "1e999"),
)
NESTS = (("(", ")"), ("-", ""), ("+", ""), ("-(", ")"), ("relu(", ")"), ("a+(", ")"), ("(", "+a)"))
BLANKS = ("", " ", " ", " ", "  ", "\t", "\r")


def random_call(random: Random, short: float = 0.1, calm: float = 0.0) -> Call:
    """Make a call; such shares are short, and small and right; one in six others is damaged."""
    roll = random.random()
    if roll < short:
        return short_call(random)
    if roll < short + calm:
        return random_program(random, is_small=True)
    call = random_program(random)
    return damage(random, call) if random.random() > 5 / 6 else call


def short_call(random: Random) -> Call:
    """Make a call of few tokens, where two faults and a limit often meet at one place."""
    statements = [
        random.choice(["", f"{name}=", f"{name} = "]) + random.choice("+-*/").join(
            random.choice(OPERANDS) for _ in range(random.choice([1, 2, 2, 3]))
        )
        for name in random.sample("abcd", random.choice([1, 1, 2, 3]))
    ]  # fmt: skip
    if random.random() > 0.8:  # so many paths that their number has many digits
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
    """Make a call that nests, up to what a text may be long; often it has too many nodes."""
    opening, closing = random.choice(NESTS)
    depth = random.randint(1, 65_000 // len(opening + closing))
    request = {"expression": f"{opening * depth}a{closing * depth}", "values": {"a": 1.0}}
    return "introspect", request, None


def random_program(
    random: Random, functions: Sequence[Operation] = FUNCTIONS, *, is_small: bool = False
) -> Call:
    """Make a correct request with these functions; what it computes may still be no number."""
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
        """Keep most operands inside their domain, so that most programs have a document."""
        self.inside = 0
        """So many parentheses, in which a newline is a blank."""
        self.used: set[str] = set()
        self.bound: list[str] = []
        self.waiting: list[str] = []
        """Bound names that nothing uses yet."""

    def program(self, depth: int) -> str:
        lines = []
        for index in range(self.random.choice([0, 0, 1, 2, 4][: depth + 1])):
            expression = self.sum(depth - 1)
            lines.append(f"{self.blank()}n{index}{self.blank()}={self.blank()}{expression}")
            self.bound.append(f"n{index}")
            self.waiting.append(f"n{index}")
        last = self.sum(depth)
        for name in self.waiting[:]:
            if self.random.random() < 0.98:  # the rest shows what an unused name does
                last += f"{self.random.choice('+*-/')}{name}"
        if self.random.random() > 0.96:
            last += self.random.choice(STEEP)
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
        """Write so many sums that stand in parentheses."""
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
        return "\n" if is_newline else self.random.choice(BLANKS)

    def gap(self) -> str:
        """Where an operand is missing, a newline is a blank, too."""
        return "\n" if self.random.random() > 0.97 else self.blank()
