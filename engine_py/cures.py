"""What beginners write -> what to write in its place."""

from collections.abc import Sequence

from engine_py.operations import FUNCTIONS

_CALLS = {
    "cosh": "write `(exp(x) + exp(-x)) / 2` for `cosh(x)`",
    "ln": "write `log(x)` for `ln(x)`",
    "log10": "write `log(x) / log(10)` for `log10(x)`",
    "log2": "write `log(x) / log(2)` for `log2(x)`",
    "pow": "write `x ** 2` for `pow(x, 2)`",
    "sinh": "write `(exp(x) - exp(-x)) / 2` for `sinh(x)`",
    "square": "write `x ** 2` for `square(x)`",
    "tan": "write `sin(x) / cos(x)` for `tan(x)`",
}
"""Looked up for names that are not functions, so a cure ends when its word becomes one."""

_CONSTANTS = {
    "e": "write `exp(1)`, and `exp(x)` for `e ** x`",
    "pi": "write 3.141592653589793",
}

_CHARACTERS = {
    "^": "write `**` for a power",
    "\N{SUPERSCRIPT TWO}": "write `** 2` for a square",
    "\N{SUPERSCRIPT THREE}": "write `** 3` for a cube",
    "\N{SQUARE ROOT}": "write `** 0.5` for a square root",
    "\N{MULTIPLICATION SIGN}": "write `*` to multiply",
    "\N{MIDDLE DOT}": "write `*` to multiply",
    "\N{DOT OPERATOR}": "write `*` to multiply",
    "\N{DIVISION SIGN}": "write `/` to divide",
    "\N{MINUS SIGN}": "write the hyphen `-` for minus",
    "\N{EN DASH}": "write the hyphen `-` for minus",
    "\N{GREEK SMALL LETTER PI}": "write 3.141592653589793, or a name such as `pi` with a value",
    ".": "write a function by its name alone, as in `exp(x)`",
    "%": "there is no remainder",
    "<": "there is no comparison, but `relu`, `min` and `max`",
    ">": "there is no comparison, but `relu`, `min` and `max`",
    "#": "there are no comments",
    "[": "group with ( and )",
    "]": "group with ( and )",
    "{": "group with ( and )",
    "}": "group with ( and )",
}
_CHARACTER = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;"


def cure_of_call(name: str) -> str:
    """Say what to write for a call of something that is not a function."""
    if name.lower() in _CALLS:
        return _CALLS[name.lower()]
    for function in FUNCTIONS:
        if _one_slip(name.lower(), function):
            return f"did you mean `{function}`?"
    return f"the functions are {', '.join(FUNCTIONS)}; put `*` before the parenthesis to multiply"


def cure_of_missing_values(names: Sequence[str]) -> str:
    """Say what to do about variables without values."""
    cures = [(name, _CONSTANTS[name.lower()]) for name in names if name.lower() in _CONSTANTS]
    if len(names) == 1:
        return ", or ".join(["add it to values", *(cure for _, cure in cures)])
    return "; ".join(["add them to values", *(f"for `{name}` {cure}" for name, cure in cures)])


def cure_of_character(character: str) -> str:
    """Say what to write for a character that is not part of the language."""
    return _CHARACTERS.get(character, _CHARACTER)


def _one_slip(word: str, function: str) -> bool:
    """True where one letter is wrong, missing or too many, or two neighbours changed places."""
    while word and function and word[0] == function[0]:
        word, function = word[1:], function[1:]
    while word and function and word[-1] == function[-1]:
        word, function = word[:-1], function[:-1]
    swapped = len(word) == 2 and word == function[::-1]  # noqa: PLR2004 - a pair
    return swapped or (len(word) <= 1 and len(function) <= 1)
