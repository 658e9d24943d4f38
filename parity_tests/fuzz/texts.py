"""random.Random -> texts as people write them, each with its meaning as SymPy writes it.

Text and meaning are written from the same tree, so the text need not be parsed to know its meaning.
"""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from parity_tests.fuzz.damage import damage_text

SUM, PRODUCT, POWER, ATOM = range(4)
"""How tightly the last operation of a text binds."""

NAMES = {"x": "x", "y": "y", "t": "t", "α": "alpha", "θ": "theta", "x₁": "x1", "w_2": "w_2"}
"""A variable as people write it -> its name in the program."""
NUMBERS = ("2", "3", "5", "0.5", "1.5", "2.25", "10", "1e-1")
EXPONENTS = ("^2", "²", "**2", "^3", "³", "^{2}", "^-1", "⁻¹", "^(-2)", "^(1/2)", "^0.5", "^(3/2)")
MEANT = ("2", "2", "2", "3", "3", "2", "-1", "-1", "-2", "S(1)/2", "S(1)/2", "S(3)/2")
SIGNS = {
    "+": ("+", " + "),
    "-": ("-", " - ", " − ", "–"),
    "*": ("*", " * ", "·", " × ", "⋅"),
    "/": ("/", " / ", " ÷ "),
}
PREFIXES = ("", "", "", "", "np.", "torch.", "math.", "Math.", "F.", "\\")
BARE = ("sin", "cos", "tan", "ln", "log", "exp", "tanh", "sec")
HEADS = ("y = ", "f(x) = ", "=", "def f(x): return ", "lambda x: ", "z := ", "let y = ", "return ")
LONGEST = 60
"""Characters of an expression, as people write it."""
CALLS = ("tan(x)", "exp(x)", "acos(x)", "gelu(x)", "max(x, y, z)", "log(x, y)", "leaky_relu(x)")
ODD = (
    *("xy", "|", "{", "\\frac{", "}{", "$", "\\left(", "x_{1}", "ｘ", "𝑥", "\u200b", "if"),
    *("f(x) = ", "#", "0,5"),
)
DOUBTFUL = (
    ("{a}/{n}{x}", "({a}) / {n} * {x}", "({a}) / ({n} * {x})"),
    ("sin {x}^2", "sin({x} ** 2)", "sin({x}) ** 2"),
    ("{x}^1/2", "{x} / 2", "{x} ** (S(1) / 2)"),
    ("{x}^{n}^{y}", "{x} ** (S({n}) ** {y})", "({x} ** {n}) ** {y}"),
    ("cos {x} * {y}", "cos({x}) * {y}", "cos({x} * {y})"),
    ("{x}^2{y}", "{x} ** 2 * {y}", "{x} ** (2 * {y})"),
    ("lg({x})", "log({x}, 10)", "log({x}, 2)"),
)
"""A text, and both of its meanings."""


class Text(NamedTuple):
    """A text, its meanings, and the names that have values, if those are known."""

    text: str
    meanings: tuple[str, ...]
    names: list[str] | None


class Made(NamedTuple):
    """A part of a text, its meaning, and how tightly it binds."""

    text: str
    meaning: str
    level: int


def random_text(random: Random, calls: Sequence[str]) -> Text:
    """Write a text with one or two meanings; it may use `calls`, such as `tan(x)`."""
    writer = _Writer(random, calls)
    if random.random() < 0.05:
        text, *meanings = random.choice(DOUBTFUL)
        x, y = random.sample(sorted(NAMES), 2)
        a, n = random.choice(sorted(NAMES)), random.choice("23")
        written = text.format(a=a, n=n, x=x, y=y)
        words = {"a": NAMES[a], "n": n, "x": NAMES[x], "y": NAMES[y]}
        return Text(written, tuple(meaning.format(**words) for meaning in meanings), None)
    made = writer.sum(random.choice([0, 0, 1, 1, 1, 2]))
    while len(made.text) > LONGEST:
        made = writer.sum(1)
    names = sorted(NAMES.values()) if random.random() < 0.3 else None
    return Text(writer.framed(made.text), (made.meaning,), names)


def random_damaged_text(random: Random) -> str:
    """Write a text and damage it, perhaps."""
    text = random_text(random, CALLS).text
    for _ in range(random.choice([0, 0, 1, 2])):
        text = damage_text(random, text)
    place = random.randint(0, len(text))
    return text[:place] + random.choice(["", *ODD]) + text[place + random.randint(0, 2) :]


class _Writer:
    """Writes one text."""

    def __init__(self, random: Random, calls: Sequence[str]) -> None:
        self.random, self.calls = random, calls

    def sum(self, depth: int) -> Made:
        made = self.product(depth)
        while self.random.random() < 0.25:
            sign, other = self.random.choice("+-"), self.product(depth)
            text = made.text + self.random.choice(SIGNS[sign]) + other.text
            made = Made(text, f"({made.meaning} {sign} {other.meaning})", SUM)
        if self.random.random() < 0.1:
            first = self.product(depth)
            minus = self.random.choice("-−")
            made = Made(
                f"{minus}{first.text} + {made.text}", f"(-({first.meaning}) + {made.meaning})", SUM
            )
        return made

    def product(self, depth: int) -> Made:
        """Write factors with signs, or a number, factors and calls without signs."""
        if self.random.random() < 0.4:
            made = self.power(depth)
            while self.random.random() < 0.3:
                sign, other = self.random.choice("**/"), self.power(depth)
                text = made.text + self.random.choice(SIGNS[sign]) + other.text
                made = Made(text, f"({made.meaning} {sign} {other.meaning})", PRODUCT)
            return made
        number = self.random.choice(["", "2", "3", "0.5", "½", "2π"])
        meaning = {"½": "S(1)/2", "2π": "2*pi", "": "1"}.get(number, number)
        factors = [self.power(depth) for _ in range(self.random.choice([0, 1, 1, 2]))]
        text = number
        for factor in factors:
            digits = factor.text[0] in "0123456789½." or factor.text[0] == "\\"
            sign = "*" if digits and text else self.random.choice([" ", " ", "·"]) if text else ""
            close = factor.text[0] in "xyαθ(" and text in ("2", "3", "0.5")
            text += ("" if close and self.random.random() < 0.7 else sign) + factor.text
            meaning += f"*{factor.meaning}"
        for _ in range(self.random.choice([0, 0, 0, 1, 2]) if text else 1):
            name, (word, variable) = self.random.choice(BARE), self.random.choice([*NAMES.items()])
            inner = self.random.choice(["", "", "2"])
            text += f"{' ' if text else ''}{name} {inner}{word}"
            meaning += f"*{name}({inner or 1}*{variable})"
        return Made(text, f"({meaning})", PRODUCT)

    def power(self, depth: int) -> Made:
        roll = self.random.random()
        if roll < 0.6:
            return self.atom(depth)
        if roll < 0.65:
            exponent = self.atom(0)
            return Made(f"e^{exponent.text}", f"exp({exponent.meaning})", POWER)
        if roll < 0.7 and depth > 0:
            exponent = self.sum(depth - 1)
            opening, closing = self.random.choice([("(", ")"), ("{", "}")])
            return Made(f"e^{opening}{exponent.text}{closing}", f"exp({exponent.meaning})", POWER)
        base = self.atom(depth)
        if roll < 0.8:
            exponent = self.atom(0)
            sign = self.random.choice(["^", "**", " ** "])
            return Made(
                base.text + sign + exponent.text, f"({base.meaning})**({exponent.meaning})", POWER
            )
        which = self.random.randrange(len(EXPONENTS))
        return Made(base.text + EXPONENTS[which], f"({base.meaning})**({MEANT[which]})", POWER)

    def atom(self, depth: int) -> Made:
        roll = self.random.random()
        if depth == 0 or roll < 0.45:
            word, meaning = self.random.choice([*NAMES.items(), ("π", "pi"), ("pi", "pi")])
            if self.random.random() < 0.3:
                word = self.random.choice(NUMBERS)
                meaning = f"S({word})"
            return Made(word, meaning, ATOM)
        if roll < 0.6:
            inner = self.sum(depth - 1)
            return Made(f"({inner.text})", inner.meaning, ATOM)
        if roll < 0.65:
            inner = self.product(depth - 1)
            bars = "||" if "|" not in inner.text else "()"
            meaning = f"abs({inner.meaning})" if bars == "||" else inner.meaning
            return Made(bars[0] + inner.text + bars[1], meaning, ATOM)
        if roll < 0.7:
            above, below = self.sum(depth - 1), self.sum(depth - 1)
            text = f"\\frac{{{above.text}}}{{{below.text}}}"
            return Made(text, f"(({above.meaning}) / ({below.meaning}))", ATOM)
        return self.call(depth)

    def call(self, depth: int) -> Made:
        name, _, letters = self.random.choice(self.calls).partition("(")
        arguments = [self.sum(depth - 1) for _ in letters.split(", ")]
        meaning = f"{name}({', '.join(each.meaning for each in arguments)})"
        inner, roll = ", ".join(each.text for each in arguments), self.random.random()
        prefix = self.random.choice(PREFIXES)
        if roll < 0.1 and len(arguments) == 1:
            power, figure = self.random.choice([("²", "2"), ("^2", "2"), ("^{3}", "3"), ("³", "3")])
            return Made(f"{name}{power}({inner})", f"({meaning})**{figure}", ATOM)
        if roll < 0.2:
            receiver = self.random.choice(
                ["({})", "{}"] if len(arguments[0].text) == 1 else ["({})"]
            )
            rest = ", ".join(each.text for each in arguments[1:])
            return Made(f"{receiver.format(arguments[0].text)}.{name}({rest})", meaning, ATOM)
        if roll < 0.25 and name == "sqrt":
            return Made(f"√({inner})", meaning, ATOM)
        word = name.upper() if roll > 0.97 and name != "log" else name
        prefix = prefix if prefix != "\\" or name.isalpha() else ""
        if name in ("max", "min") and prefix not in ("math.", "Math."):
            prefix = ""
        return Made(f"{prefix}{word}({inner})", meaning, ATOM)

    def framed(self, text: str) -> str:
        """Add text that people write around an expression, and unusual blanks."""
        roll = self.random.random()
        if roll < 0.1:
            heads = HEADS[:-1] if text.startswith("-") else HEADS  # `return -x` is a difference
            text = self.random.choice(heads) + text
        elif roll < 0.15:
            text = f"${text}$"
        elif roll < 0.18:
            text += "  # as in the book"
        if roll > 0.9:
            text = text.replace(" ", self.random.choice(["\u00a0", "  ", " \u200b"]))
        return text
