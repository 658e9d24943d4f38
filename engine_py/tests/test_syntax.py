from collections.abc import Callable

from engine_py import GradientError, syntax
from engine_py.tokens import Token

Teller = Callable[[Token], GradientError]

BEFORE = Token("name", "a", 0, 1)
TELLERS: list[Teller] = [
    syntax.operand_expected,
    lambda token: syntax.operator_expected(token, BEFORE),
    lambda token: syntax.unclosed(token, BEFORE),
    syntax.unopened,
    syntax.not_the_last,
]


def test_an_error_points_at_the_token() -> None:
    for tell in [*TELLERS, syntax.exponent_expected]:
        assert tell(Token("name", "abc", 4, 7)).span == (4, 7)


def test_a_token_is_unexpected_and_so_is_the_end() -> None:
    for tell in TELLERS:
        assert tell(Token("*", "*", 4, 5)).code == "unexpected_token"
        assert tell(Token("end", "", 4, 4)).code == "unexpected_end"


def test_what_could_begin_an_operand_is_an_exponent_that_is_no_literal() -> None:
    for kind in ("name", "number", "(", "-", "+", "**"):
        error = syntax.exponent_expected(Token(kind, "x", 4, 5))
        assert error.code == "exponent_not_literal"
    for kind in (")", "*", "/", "=", ",", ";"):
        assert syntax.exponent_expected(Token(kind, kind, 4, 5)).code == "unexpected_token"
    assert syntax.exponent_expected(Token("end", "", 4, 4)).code == "unexpected_end"


def test_a_message_names_the_token_and_the_place() -> None:
    for tell in TELLERS:
        message = str(tell(Token("name", "xyz", 42, 45)))
        assert "`xyz`" in message
        assert "offset 42" in message
        assert "the end of the text" in str(tell(Token("end", "", 42, 42)))


def test_a_message_says_what_to_do() -> None:
    two = Token("number", "2", 4, 5)
    multiply = syntax.operator_expected(two, Token("number", "3", 2, 3))
    assert "put `*` between `3` and `2`" in str(multiply)
    call = syntax.operator_expected(two, Token("name", "exp", 0, 3))
    assert "write `exp(2)`" in str(call)
    assert "`=` binds" in str(syntax.operator_expected(Token("=", "=", 2, 3), BEFORE))
    assert "comma" in str(syntax.operator_expected(Token(",", ",", 2, 3), BEFORE))
    assert "offset 7" in str(syntax.unclosed(Token("end", "", 9, 9), Token("(", "(", 7, 8)))
    assert "write `name = ...`" in str(syntax.not_the_last(two))
    assert "differentiates only its base" in str(syntax.exponent_expected(BEFORE))
