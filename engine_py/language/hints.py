"""What beginners write -> what to write in its place."""

from collections.abc import Sequence

from engine_py.operations import FUNCTIONS

_CALLS = {
    "cosh(x)": "(exp(x) + exp(-x)) / 2",
    "ln(x)": "log(x)",
    "log10(x)": "log(x) / log(10)",
    "log2(x)": "log(x) / log(2)",
    "logistic(x)": "sigmoid(x)",
    "maximum(x, y)": "max(x, y)",
    "minimum(x, y)": "min(x, y)",
    "pow(x, 2)": "x ** 2",
    "sgn(x)": "x / abs(x)",
    "sign(x)": "x / abs(x)",
    "sinh(x)": "(exp(x) - exp(-x)) / 2",
    "square(x)": "x ** 2",
    "tan(x)": "sin(x) / cos(x)",
}
"""What is called, and what to write for it; a hint ends when its word becomes a function."""

_CONSTANTS = {
    "e": "write `exp(1)`, and `exp(x)` for `e ** x`",
    "pi": "write 3.141592653589793",
}

_CHARACTERS = {
    "^": "write `**` for a power",
    "\N{SUPERSCRIPT TWO}": "write `** 2` for a square",
    "\N{SUPERSCRIPT THREE}": "write `** 3` for a cube",
    "\N{SQUARE ROOT}": "write `sqrt(x)` for a square root",
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
    "|": "write `abs(x)` for `|x|`",
    "#": "there are no comments",
    "[": "group with ( and )",
    "]": "group with ( and )",
    "{": "group with ( and )",
    "}": "group with ( and )",
}
_CHARACTER = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;"

_SHOWN = 20
"""So many functions are named where none is like the word: all that there are."""


def hint_for_call(name: str) -> str:
    """Say what to write for a call of something that is not a function."""
    word = name.lower()
    if word in FUNCTIONS:
        return f"did you mean `{word}`?"
    for call, instead in _CALLS.items():
        if call.startswith(f"{word}("):
            return f"write `{instead}` for `{call}`"
    for function in FUNCTIONS:
        if _one_slip(word, function):
            return f"did you mean `{function}`?"
    more = f" and {len(FUNCTIONS) - _SHOWN} more" if len(FUNCTIONS) > _SHOWN else ""
    known = f"{', '.join([*FUNCTIONS][:_SHOWN])}{more}"
    return f"the functions are {known}; put `*` before the parenthesis to multiply"


def hint_for_missing_values(names: Sequence[str]) -> str:
    """Say what to do about variables without values."""
    hints = [(name, hint) for name in names if (hint := _hint_for_name(name))]
    if len(names) == 1:
        return ", or ".join(["add it to values", *(hint for _, hint in hints)])
    return "; ".join(["add them to values", *(f"for `{name}` {hint}" for name, hint in hints)])


def _hint_for_name(name: str) -> str | None:
    if name in FUNCTIONS:
        return "put ( and ) around what follows it to call it"
    return _CONSTANTS.get(name.lower())


def hint_for_character(character: str) -> str:
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
