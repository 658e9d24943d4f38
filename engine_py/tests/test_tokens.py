from engine_py.language.tokens import Token, tokenize
from engine_py.tests.helpers import Json, refusal, units


def tokens_of(text: str) -> list[Token]:
    tokens = tokenize(text)
    return [tokens.at(index) for index in range(len(tokens.kinds))]


@units("tokens", "tokens")
def test_a_token_knows_its_kind_its_text_and_its_place(case: Json) -> None:
    assert [list(token) for token in tokens_of(case["text"])] == case["tokens"]


@units("tokens", "numbers")
def test_a_number_is_one_token(case: Json) -> None:
    for number in case["numbers"]:
        assert tokens_of(number)[:-1] == [("number", number, 0, len(number))]


@units("tokens", "texts")
def test_a_text_has_the_pieces(case: Json) -> None:
    found = {text: " ".join(tokenize(text).texts[:-1]) for text in case["texts"]}
    assert found == case["texts"]


@units("tokens", "kinds")
def test_a_text_has_tokens_of_these_kinds(case: Json) -> None:
    found = {text: " ".join(tokenize(text).kinds[:-1]) for text in case["kinds"]}
    assert found == case["kinds"]


@units("tokens", "refused")
def test_a_character_of_no_token_is_refused(case: Json) -> None:
    for character in case["characters"]:
        error = refusal(tokenize, f"a + {character} b")
        assert error == {"code": "unexpected_character", "span": {"start": 4, "end": 5}}
    assert refusal(tokenize, "é")["span"] == {"start": 0, "end": 1}
    assert refusal(tokenize, "a é 😀")["span"] == {"start": 2, "end": 3}


def test_the_span_of_a_token_is_its_start_and_end() -> None:
    assert tokens_of("a + bcd")[2].span == (4, 7)
