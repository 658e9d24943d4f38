"""Token -> syntax error: what was found, what was expected, what to do."""

from engine_py.cures import cure_of_call
from engine_py.errors import (
    ExponentNotLiteral,
    GradientError,
    Span,
    UnexpectedEnd,
    UnexpectedToken,
    UnknownFunction,
    WrongArity,
)
from engine_py.operations import FUNCTIONS
from engine_py.tokens import Token

_SHOWN = 40
"""Characters of a token that a message repeats."""


def operand_expected(token: Token) -> GradientError:
    """A number, a name or a parenthesis is missing."""
    if token.kind == "end" and token.start == 0:
        message = "the text is empty; write an expression such as `(a + b) * c`"
        return UnexpectedEnd(message, token.span)
    if token.kind == "=":
        return _unexpected(token, "one `=` binds a name, as in `y = x + 1`; there is no comparison")
    return _unexpected(token, "a number, a name or `(` must come here")


def operator_expected(token: Token, before: Token) -> GradientError:
    """Something follows an operand that cannot follow one."""
    if token.kind == "=":
        cure = "`=` binds one name at the start of a statement; there is no comparison"
        return _unexpected(token, cure)
    if token.kind == ",":
        return _unexpected(token, "a comma only separates the arguments of a function")
    if before.text in FUNCTIONS:
        one = FUNCTIONS[before.text].arity == 1
        call = f"{before.text}({_shown(token)})" if one else _call(before.text)
        return _unexpected(token, f"write `{call}` to call the function")
    cure = f"put `*` between `{_shown(before)}` and `{_shown(token)}` to multiply"
    return _unexpected(token, cure)


def exponent_expected(token: Token) -> GradientError:
    """The exponent is not a literal, or not there at all."""
    if token.kind not in ("name", "number", "(", "-", "+", "**"):
        return _unexpected(token, "a number must follow `**`")
    message = (
        f"the exponent of `**` must be one number, not {_found(token)}, because power "
        "differentiates only its base"
    )
    if token.kind in ("name", "("):
        message += "; where x > 0, write `exp(y * log(x))` for `x ** y`"
    return ExponentNotLiteral(message, token.span)


def unknown_function(name: Token) -> GradientError:
    """A call of something that is not a function."""
    message = f"`{_shown(name)}` is not a function; {cure_of_call(name.text)}"
    return UnknownFunction(message, name.span, name=name.text)


def wrong_arity(name: Token, closing: Token, actual: int) -> GradientError:
    """Too few or too many arguments; the error points at the whole call."""
    expected = FUNCTIONS[name.text].arity
    noun = "argument" if expected == 1 else "arguments"
    return WrongArity(
        f"{name.text} takes {expected} {noun}, not {actual}; write {_call(name.text)}",
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


def not_the_last(token: Token) -> GradientError:
    """A statement follows an expression."""
    if token.kind in ("+", "-", "*", "/", "**"):
        cure = "to go on in a new line, end the line before with the operator or use parentheses"
        return _unexpected(token, cure)
    return _unexpected(token, "only the last statement may go without a name; write `name = ...`")


def _call(name: str) -> str:
    return f"{name}({', '.join('xyz'[: FUNCTIONS[name].arity])})"


def _unexpected(token: Token, cure: str) -> GradientError:
    error = UnexpectedEnd if token.kind == "end" else UnexpectedToken
    return error(f"{_found(token)} at offset {token.start} is unexpected; {cure}", token.span)


def _found(token: Token) -> str:
    return "the end of the text" if token.kind == "end" else f"`{_shown(token)}`"


def _shown(token: Token) -> str:
    """Repeat a token in a message, the beginning of a long one."""
    return token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}..."
