"""Token -> syntax error: what was found, what was expected, what to do."""

from engine_py.errors import ExponentNotLiteral, GradientError, UnexpectedEnd, UnexpectedToken
from engine_py.operations import FUNCTIONS
from engine_py.tokens import Token

_SHOWN = 40
"""Characters of a token that a message repeats."""


def operand_expected(token: Token) -> GradientError:
    """A number, a name or a parenthesis is missing."""
    if token.kind == "end" and token.start == 0:
        message = "the text is empty; write an expression such as `(a + b) * c`"
        return UnexpectedEnd(message, token.span)
    return _unexpected(token, "a number, a name or `(` must come here")


def operator_expected(token: Token, before: Token) -> GradientError:
    """Something follows an operand that cannot follow one."""
    if token.kind == "=":
        return _unexpected(token, "`=` binds one name at the start of a statement")
    if token.kind == ",":
        return _unexpected(token, "a comma only separates the arguments of a function")
    if before.text in FUNCTIONS:
        return _unexpected(token, f"write `{before.text}({_shown(token)})` to call the function")
    cure = f"put `*` between `{_shown(before)}` and `{_shown(token)}` to multiply"
    return _unexpected(token, cure)


def exponent_expected(token: Token) -> GradientError:
    """The exponent is not a literal, or not there at all."""
    if token.kind not in ("name", "number", "(", "-", "+", "**"):
        return _unexpected(token, "a number must follow `**`")
    message = (
        f"the exponent of `**` must be one number, but {_found(token)} stands here: power "
        "differentiates only its base, so a variable exponent would silently get the gradient 0"
    )
    return ExponentNotLiteral(message, token.span)


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


def _unexpected(token: Token, cure: str) -> GradientError:
    error = UnexpectedEnd if token.kind == "end" else UnexpectedToken
    return error(f"{_found(token)} at offset {token.start} is unexpected; {cure}", token.span)


def _found(token: Token) -> str:
    return "the end of the text" if token.kind == "end" else f"`{_shown(token)}`"


def _shown(token: Token) -> str:
    """Repeat a token in a message, the beginning of a long one."""
    return token.text if len(token.text) <= _SHOWN else f"{token.text[:_SHOWN]}..."
