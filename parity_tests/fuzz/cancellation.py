"""random.Random -> programs whose numbers cancel, absorb each other, tie, overflow and vanish."""

from random import Random

CALLS = ("relu", "exp", "log", "tanh", "abs", "sin", "cos", "sqrt", "sigmoid", "softplus")
SIGNS = ("+", "-", "*", "/", "+", "-", "*")
CHOICES = ("min", "max")
EXPONENTS = (
    *("2", "3", "-1", "0.5", "-2", "1.5", "0", "1", "-0.5", "0.3", "7", "1e3", "-12.75", "1e-3"),
    *("40", "1e-300", "-1e17"),
)
LOSSES = (
    *("({0}) - ({0})", "log(exp({0}))", "({0}) / ({0})", "exp(log({0}))", "({0}) / 3 * 3"),
    *("(({0}) + 1e16) - 1e16", "sqrt({0}) ** 2", "sin({0})**2 + cos({0})**2", "-({0})"),
)
"""Of any term."""
EDGES = (1 + 2**-52, 1 - 2**-53, 2**-53, 1e16, 1e-16, 20.0, 40.0, -745.0, 709.9, 2**-27 + 1)


def number(random: Random) -> float:
    """Give a number: small, plain, of any size, at an edge."""
    kind = random.random()
    sign = random.choice([-1.0, 1.0])
    if kind < 0.35:
        return float(random.randint(-5, 6))
    if kind < 0.7:
        return round(random.uniform(-4, 4), random.choice([1, 2, 16]))
    if kind < 0.9:
        return float(sign * 10.0 ** random.uniform(-20, 20))
    return random.choice(EDGES) if kind < 0.97 else float(sign * 10.0 ** random.uniform(-320, 308))


def cancelling_program(random: Random) -> tuple[str, dict[str, float]]:
    """Write a program, and give a value for each of its variables."""
    values = {name: number(random) for name in "xyzw"[: random.randint(1, 4)]}
    names, lines = list(values), []
    for index in range(random.randint(0, 3)):
        lines.append(f"t{index} = {_term(random, names, random.randint(1, 2))}")
        names.append(f"t{index}")
    text = _term(random, names, random.randint(1, 4))
    used = "\n".join(lines) + text
    for name in names:
        text += f" + {name}" if used.count(name) < 2 else ""
    return "\n".join([*lines, text]), values


def _term(random: Random, names: list[str], depth: int) -> str:
    kind = random.random()
    if depth <= 0 or kind < 0.12:
        return random.choice(names) if random.random() < 0.85 else repr(abs(number(random)))
    below = _term(random, names, depth - 1)
    if kind < 0.45:
        return f"{random.choice(CALLS)}({below})"
    if kind < 0.53:
        return f"(({below}) ** {random.choice(EXPONENTS)})"
    if kind < 0.6:
        return f"({random.choice(LOSSES).format(below)})"
    other = _term(random, names, depth - 1)
    if random.random() < 0.2:
        return f"{random.choice(CHOICES)}({below}, {other})"
    return f"(({below}) {random.choice(SIGNS)} ({other}))"
