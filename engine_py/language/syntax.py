"""Token -> syntax error: what was found, what was expected, what to do."""

import re
from collections.abc import Sequence

from engine_py.errors import (
    ExponentNotLiteral,
    GradientError,
    Span,
    UnexpectedEnd,
    UnexpectedToken,
    UnknownFunction,
    UnusedName,
    WrongArity,
)
from engine_py.language.tokens import Token, Tokens
from engine_py.operations import FUNCTIONS

_OPERATORS = ("+", "-", "*", "/", "**")
_GO_ON = "to go on in a new line, end the line before with the operator or use parentheses"
_MISPLACED = {
    "=": "`=` binds one name at the start of a statement; there is no comparison",
    ",": "a comma only separates the arguments of a function",
}
_SHOWN = 40
"""Characters of a token that a message repeats."""


def operand_expected(token: Token, before: Token | None = None) -> GradientError:
    """A number, a name or a parenthesis is missing."""
    if token.kind in _OPERATORS and before is not None and before.text == "\n":
        return _unexpected(token, _GO_ON)
    if token.kind == "end" and token.start == 0:
        message = "the text is empty; write an expression such as `(a + b) * c`"
        return UnexpectedEnd(message, token.span)
    if token.kind == "=":
        return _unexpected(token, "one `=` binds a name, as in `y = x + 1`; there is no comparison")
    return _unexpected(token, "a number, a name or `(` must come here")


def operator_expected(token: Token, before: Token, after: Token) -> GradientError:
    """Something follows an operand that cannot follow one; `after` comes behind it."""
    if token.kind in _MISPLACED:
        return _unexpected(token, _MISPLACED[token.kind])
    if before.text in FUNCTIONS:
        one = FUNCTIONS[before.text].arity == 1 and token.kind in ("name", "number")
        ends = after.kind in ("end", ";", ")", ",", "+", "-")
        call = f"{before.text}({_shown(token)})" if one and ends else _call(before.text)
        return _unexpected(token, f"write `{call}` to call the function")
    if before.kind == "name" and (meant := _hint_for_function(before.text.lower())):
        return _unexpected(token, meant)
    if before.kind == "number" and token.kind == "number":
        return _unexpected(token, "an operator is missing between the two numbers")
    if before.kind == "number" and token.text.startswith("_") and token.start == before.end:
        return _unexpected(token, "write the digits of a number without `_` between them")
    hint = f"put `*` between `{_shown(before)}` and `{_shown(token)}` to multiply"
    return _unexpected(token, hint)


def exponent_expected(token: Token, texts: Sequence[str] = ()) -> GradientError:
    """The exponent, which has these texts and those behind it, is not a literal, or not there."""
    if token.kind not in ("name", "number", "(", "-", "+", "**"):
        return _unexpected(token, "a number must follow `**`")
    message = (
        f"the exponent of `**` must be one number, not {_found(token)}, because power "
        "differentiates only its base"
    )
    if token.kind in ("name", "("):
        message += f"; {_hint_for_exponent(texts)}"
    return ExponentNotLiteral(message, token.span)


def unknown_function(name: Token) -> GradientError:
    """A call of something that is not a function."""
    message = f"`{_shown(name)}` is not a function; {_hint_for_call(name.text.lower())}"
    return UnknownFunction(message, name.span, name=name.text)


def wrong_arity(name: Token, closing: Token, actual: int) -> GradientError:
    """Too few or too many arguments; the error points at the whole call."""
    expected = FUNCTIONS[name.text].arity
    noun = "argument" if expected == 1 else "arguments"
    instead = _call(name.text)
    if expected == 2 and actual > expected:  # noqa: PLR2004 - min and max, of which one takes another
        instead = f"{name.text}({instead}, ...)"
    if name.text == "log" and actual > 1:
        instead = "log(...) / log(base)"
    return WrongArity(
        f"{name.text} takes {expected} {noun}, not {actual}; write {instead}",
        Span(name.start, closing.end),
        name=name.text,
        expected=expected,
        actual=actual,
    )


def unclosed(token: Token, opened: Token) -> GradientError:
    """A statement ends inside a parenthesis."""
    what = "call" if opened.kind == "name" else "parenthesis"
    return _unexpected(token, f"close the {what} that begins at offset {opened.start} with `)`")


def unopened(token: Token) -> GradientError:
    """A closing parenthesis too many."""
    return _unexpected(token, "no parenthesis is open; take it away or open one before")


def not_the_last(
    token: Token, first: Token | None = None, before: Token | None = None
) -> GradientError:
    """A statement follows an expression, whose first token is this, behind the one before it."""
    if first is not None and first.kind in _OPERATORS and before and before.text == "\n":
        begun = f"`{first.text}` at offset {first.start} began a new statement"
        return _unexpected(token, f"{begun}; {_GO_ON}")
    if token.kind in _OPERATORS:
        return _unexpected(token, _GO_ON)
    return _unexpected(token, "only the last statement may go without a name; write `name = ...`")


def unused_name(name: str, span: Span, tokens: Tokens) -> GradientError:
    """A statement that the result does not depend on, perhaps because a new line ended it."""
    message = f"the result does not depend on `{name}`"
    end = next(
        place
        for place, (kind, start) in enumerate(zip(tokens.kinds, tokens.starts, strict=True))
        if kind in (";", "end") and start >= span.end
    )
    if tokens.texts[end] == "\n" and tokens.kinds[end + 1] in _OPERATORS:
        sign = tokens.at(end + 1)
        message += f": `{sign.text}` at offset {sign.start} begins a new statement; {_GO_ON}"
    else:
        message += "; use it or take it away"
    return UnusedName(message, span, name=name)


def _call(name: str) -> str:
    """How a call is written; the arguments are left open, so that none is taken for the answer."""
    return f"{name}({', '.join(['...'] * FUNCTIONS[name].arity)})"


def _unexpected(token: Token, hint: str) -> GradientError:
    error = UnexpectedEnd if token.kind == "end" else UnexpectedToken
    return error(f"{_found(token)} at offset {token.start} is unexpected; {hint}", token.span)


def _found(token: Token) -> str:
    return "the end of the text" if token.kind == "end" else f"`{_shown(token)}`"


def _shown(token: Token) -> str:
    """Repeat a token in a message, the beginning of a long one."""
    return token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}..."


# What beginners write, and what to write in its place

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

_ELSEWHERE = {
    *("acos", "amax", "amin", "asin", "atanh", "cabs", "ccos", "celu", "cexp", "clog", "cosd"),
    *("cot", "csin", "csqrt", "ctanh", "elu", "exp2", "expi", "fabs", "fmax", "fmin", "gelu"),
    *("isqrt", "labs", "lg", "logb", "logn", "mae", "mid", "prelu", "relu6", "rrelu", "rsqrt"),
    *("selu", "sinc", "sind", "sqr", "tand"),
}
"""Functions of other languages that one slip would make of one of this language."""

_CONSTANTS = {
    "e": "write `exp(1)`, and `exp(x)` for `e ** x`",
    "pi": "write 3.141592653589793",
}

_NAMED = 20
"""So many functions are named where none is like the word: all that there are."""

_NUMBER = r"(?:[-+] )?[0-9]{0,4}\.?[0-9]{0,4}"
_SHORT = re.compile(rf"([-+] )?\( ({_NUMBER})(?: ([-+*/]) ({_NUMBER}))? \)")
"""A number, or two with an operator between them: `( 1 / 2 )`."""
_NUMBERS = re.compile(r"([-+] )?\(( ([-+*/]|[0-9.]\S*))+ \)")
_LONGEST = 6
"""Characters of a double's shortest text that is the exact result: another decimal of so few, or
a fraction of such numbers that is none, would be farther from the double than its roundings."""


def _hint_for_function(word: str) -> str | None:
    """Return what to write for a function of other languages; None for any other word."""
    for call, instead in _CALLS.items():
        if call.startswith(f"{word}("):
            return f"write `{instead}` for `{call}`"
    return f"the language has no function `{word}`" if word in _ELSEWHERE else None


def _hint_for_call(word: str) -> str:
    """Return what to write for a call of something that is not a function."""
    if word in FUNCTIONS:
        return f"did you mean `{word}`?"
    if hint := _hint_for_function(word):
        return hint
    for function in FUNCTIONS:
        if _one_slip(word, function):
            return f"did you mean `{function}`?"
    more = f" and {len(FUNCTIONS) - _NAMED} more" if len(FUNCTIONS) > _NAMED else ""
    known = f"{', '.join([*FUNCTIONS][:_NAMED])}{more}"
    return f"the functions are {known}; put `*` before the parenthesis to multiply"


def _one_slip(word: str, function: str) -> bool:
    """True where one letter is wrong, missing or too many, or two neighbours changed places."""
    while word and function and word[0] == function[0]:
        word, function = word[1:], function[1:]
    while word and function and word[-1] == function[-1]:
        word, function = word[:-1], function[:-1]
    swapped = len(word) == 2 and word == function[::-1]  # noqa: PLR2004 - a pair
    return swapped or (len(word) <= 1 and len(function) <= 1)


def _hint_for_exponent(texts: Sequence[str]) -> str:
    """Return what to write for `x ** (...)` or `x ** y`.

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
    """Write the result; None where its text is long."""
    a, b = (float(number.replace(" ", "")) for number in (left, right or "1"))
    if operator == "/" and b == 0:
        return None
    result = {"": a, "+": a + b, "-": a - b, "*": a * b, "/": b and a / b}[operator]
    text = repr((-result if sign == "- " else result) + 0.0).removesuffix(".0")
    return text if len(text) <= _LONGEST and "e" not in text else None


def hint_for_missing_values(names: Sequence[str]) -> str:
    """Return what to do about variables without values."""
    hints = [(name, hint) for name in names if (hint := _hint_for_name(name))]
    if len(names) == 1:
        return ", or ".join(["add it to values", *(hint for _, hint in hints)])
    return "; ".join(["add them to values", *(f"for `{name}` {hint}" for name, hint in hints)])


def _hint_for_name(name: str) -> str | None:
    if name in FUNCTIONS:
        return "put ( and ) around what follows it to call it"
    return _CONSTANTS.get(name.lower())
