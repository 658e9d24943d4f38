"""Token -> syntax error: what was found, what was expected, what to do."""

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
_GO_ON = "to continue on a new line, end the line before with the operator or use parentheses"
_MISPLACED = {
    "=": "`=` binds one name at the start of a statement; there is no comparison",
    ",": "a comma only separates the arguments of a function",
}
_SHOWN = 40
"""The maximum number of characters of a token that a message quotes."""
_LONG = 6
"""Length of the shortest function name that is recognized with one letter missing."""


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


def operator_expected(token: Token, before: Token) -> GradientError:
    """Something follows an operand that cannot follow one."""
    if token.kind in _MISPLACED:
        return _unexpected(token, _MISPLACED[token.kind])
    if before.text in FUNCTIONS:
        return _unexpected(token, f"write `{_call(before.text)}` to call the function")
    hint = f"an operator is missing between `{_shown(before)}` and `{_shown(token)}`"
    return _unexpected(token, hint)


def exponent_expected(token: Token) -> GradientError:
    """The exponent is missing or not a literal."""
    if token.kind not in ("name", "number", "(", "-", "+", "**"):
        return _unexpected(token, "a number must follow `**`")
    message = (
        f"the exponent of `**` must be one number, not {_found(token)}, because power "
        "differentiates only its base"
    )
    return ExponentNotLiteral(message, token.span)


def unknown_function(name: Token) -> GradientError:
    meant = next((function for function in FUNCTIONS if _is_slip(name.text, function)), None)
    known = f"the functions are {', '.join(FUNCTIONS)}"
    cure = known if meant is None else f"did you mean `{meant}`?"
    message = f"`{_shown(name)}` is not a function; {cure}"
    return UnknownFunction(message, name.span, name=name.text)


def _is_slip(written: str, function: str) -> bool:
    """Return whether two letters are swapped, one is doubled, or one of a long name is missing.

    Any other name may be a function of another library, such as `acos` or `gelu`.
    """
    places = range(len(function))
    swapped = [function[:at] + function[at : at + 2][::-1] + function[at + 2 :] for at in places]
    doubled = [function[: at + 1] + function[at:] for at in places]
    shorter = [function[:at] + function[at + 1 :] for at in places if len(function) >= _LONG]
    return written in {*swapped, *doubled, *shorter}


def wrong_arity(name: Token, closing: Token, actual: int) -> GradientError:
    """Too few or too many arguments; the error points at the whole call."""
    expected = FUNCTIONS[name.text].arity
    noun = "argument" if expected == 1 else "arguments"
    return WrongArity(
        f"`{name.text}` takes {expected} {noun}, not {actual}",
        Span(name.start, closing.end),
        name=name.text,
        expected=expected,
        actual=actual,
    )


def unclosed(token: Token, opened: Token) -> GradientError:
    construct = "call" if opened.kind == "name" else "parenthesis"
    return _unexpected(
        token, f"close the {construct} that begins at offset {opened.start} with `)`"
    )


def unopened(token: Token) -> GradientError:
    return _unexpected(token, "no parenthesis is open; remove it or open one before it")


def not_the_last(token: Token, first: Token, before: Token | None) -> GradientError:
    """`token` begins a statement after an expression, which only the last statement may be."""
    if first.kind in _OPERATORS and before and before.text == "\n":
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
        message += "; use it or remove it"
    return UnusedName(message, span, name=name)


def _call(name: str) -> str:
    """Show how to call a function, with placeholders that are not mistaken for the answer."""
    return f"{name}({', '.join(['...'] * FUNCTIONS[name].arity)})"


def _unexpected(token: Token, hint: str) -> GradientError:
    error = UnexpectedEnd if token.kind == "end" else UnexpectedToken
    return error(f"{_found(token)} at offset {token.start} is unexpected; {hint}", token.span)


def _found(token: Token) -> str:
    return "the end of the text" if token.kind == "end" else f"`{_shown(token)}`"


def _shown(token: Token) -> str:
    """Quote a token in a message, a long one truncated."""
    return token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}..."
