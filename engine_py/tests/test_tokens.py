from engine_py.tests.helpers import refusal
from engine_py.tokens import Token, tokenize


def kinds(text: str) -> list[str]:
    """All but the end."""
    return tokenize(text).kinds[:-1]


def tokens_of(text: str) -> list[Token]:
    tokens = tokenize(text)
    return [tokens.at(index) for index in range(len(tokens.kinds))]


def test_a_token_knows_its_kind_its_text_and_its_place() -> None:
    assert tokens_of("x1 = -(a_b+2.5e-3)**2, _;") == [
        ("name", "x1", 0, 2),
        ("=", "=", 3, 4),
        ("-", "-", 5, 6),
        ("(", "(", 6, 7),
        ("name", "a_b", 7, 10),
        ("+", "+", 10, 11),
        ("number", "2.5e-3", 11, 17),
        (")", ")", 17, 18),
        ("**", "**", 18, 20),
        ("number", "2", 20, 21),
        (",", ",", 21, 22),
        ("name", "_", 23, 24),
        (";", ";", 24, 25),
        ("end", "", 25, 25),
    ]
    assert tokens_of("a/b*c")[1:4] == [("/", "/", 1, 2), ("name", "b", 2, 3), ("*", "*", 3, 4)]


def test_the_span_of_a_token_is_its_start_and_end() -> None:
    assert tokens_of("a + bcd")[2].span == (4, 7)


def test_the_end_stands_behind_the_last_character() -> None:
    assert tokens_of("") == [("end", "", 0, 0)]
    assert tokens_of("a  ")[-1] == ("end", "", 3, 3)
    assert tokens_of("a\n")[-1] == ("end", "", 2, 2)


def test_a_number_has_digits_and_may_have_a_fraction_and_an_exponent() -> None:
    for number in ("2", "007", "2.5", ".5", "2.", "1e3", "1E+3", "2.5e-3", "2.e3", ".5e0"):
        assert tokens_of(number)[:-1] == [("number", number, 0, len(number))]


def test_a_number_ends_where_no_number_goes_on() -> None:
    cases = {"1e": "1 e", "1e+": "1 e +", "2x": "2 x", "1..2": "1. .2", "1.2.3": "1.2 .3"}
    for text, pieces in {**cases, "1_000": "1 _000", "0x1F": "0 x1F", "1e5e2": "1e5 e2"}.items():
        assert tokenize(text).texts[:-1] == pieces.split()


def test_two_stars_are_one_token() -> None:
    assert kinds("a***b") == ["name", "**", "*", "name"]
    assert kinds("a* *b") == ["name", "*", "*", "name"]


def test_space_tab_and_carriage_return_separate() -> None:
    assert kinds("a b\tc\rd") == ["name"] * 4
    assert kinds(" \t\r ") == []


def test_a_newline_behind_an_operand_separates_statements() -> None:
    assert tokens_of("a\nb")[1] == (";", "\n", 1, 2)
    for operand in ("a", "2", "(a)", "a \t", "a\r"):
        assert kinds(operand + "\n b") == [*kinds(operand), ";", "name"]
    assert kinds("a\n\n\nb\n") == ["name", ";", "name", ";"]


def test_a_newline_where_an_operand_is_missing_is_a_blank() -> None:
    assert kinds("\n\na") == ["name"]
    for before in ("a +", "a -", "a *", "a /", "a **", "a =", "a;", "a,"):
        assert kinds(before + "\n2") == [*kinds(before), "number"]


def test_a_newline_inside_parentheses_is_a_blank() -> None:
    assert kinds("(a\n)") == ["(", "name", ")"]
    assert kinds("((a)\n+ b\n)\nc") == [*kinds("((a) + b)"), ";", "name"]
    assert kinds("a)\nb") == ["name", ")", ";", "name"]


def test_another_character_is_refused_where_it_stands() -> None:
    for character in "^é×÷−·[]{}!?&|<>%#@$~`'\"\\:.😀\0\f\v\u00a0\u2028\ufeff٣ａ":
        error = refusal(tokenize, f"a + {character} b")
        assert error == {"code": "unexpected_character", "span": {"start": 4, "end": 5}}
    assert refusal(tokenize, "é")["span"] == {"start": 0, "end": 1}
    assert refusal(tokenize, "a é 😀")["span"] == {"start": 2, "end": 3}


def test_a_carriage_return_is_no_newline() -> None:
    assert kinds("a\r\nb") == ["name", ";", "name"]
    assert kinds("a\rb") == ["name", "name"]
