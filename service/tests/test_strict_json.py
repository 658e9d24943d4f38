import json
from math import copysign, inf

import pytest

from service.errors import InvalidJson
from service.request.body import parse_json


def test_every_number_is_a_double() -> None:
    assert repr(parse_json(b"[1, -0, 2.5, 9007199254740993, 1E2]")) == (
        "[1.0, -0.0, 2.5, 9007199254740992.0, 100.0]"
    )


@pytest.mark.parametrize(
    ("text", "sign"), [(b"1e400", 1), (b"-1e400", -1), (b"9" * 5000, 1), (b"-" + b"9" * 5000, -1)]
)
def test_a_number_beyond_the_doubles_is_left_to_the_check_of_values(text: bytes, sign: int) -> None:
    assert parse_json(text) == copysign(inf, sign)


def test_texts_are_read_as_they_are_written() -> None:
    assert parse_json('["é", "\\u00e9", "\\ud83d\\ude00", "\U0001f600", "\\\\ud800"]'.encode()) == [
        "é",
        "é",
        "\U0001f600",
        "\U0001f600",
        "\\ud800",
    ]


def test_a_byte_order_mark_is_ignored() -> None:
    assert parse_json(b"\xef\xbb\xbf[]") == []


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "the body is empty"),
        (b"  ", "(line 1, column 3)"),
        (b"{", "(line 1, column 2)"),
        (b'{"a":1', "(line 1, column 7)"),
        (b'{\n "a": 1,\n}', "(line "),
        (b"{'a': 1}", "double quotes (line 1, column 2)"),
        (b"[1] 2", "(line 1, column 5)"),
        (b'["a\nb"]', "(line 1, column 4)"),
        (b'["\\x"]', "(line 1, column 3)"),
        (b"[01]", "(line 1, column 3)"),
        (b"[.5]", "(line 1, column 2)"),
        (b"[+1]", "(line 1, column 2)"),
        (b"[0x1]", "(line 1, column 3)"),
        (b"[True]", "(line 1, column 2)"),
        (b"[1_000]", "(line 1, column 3)"),
        (b"[\xd9\xa1]", "(line 1, column 2)"),  # an Arabic digit
        (b"// no\n[]", "(line 1, column 1)"),
        (b"\x00", "(line 1, column 1)"),
        (b'["\xe9"]', "(byte 2)"),  # Latin-1
        (b'["\xed\xa0\x80"]', "(byte 2)"),  # a surrogate in UTF-8
        ("[]".encode("utf-16"), "(byte 0)"),
    ],
)
def test_what_is_not_json_is_refused_where_it_stops_being_json(body: bytes, detail: str) -> None:
    with pytest.raises(InvalidJson) as refused:
        parse_json(body)
    assert detail in refused.value.message


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_for_numbers_that_json_does_not_have_are_named_with_their_place(word: str) -> None:
    body = f'{{"NaN \\" Infinity": "{word}",\n "a": {word}}}'
    with pytest.raises(InvalidJson, match=rf"{word} is not a number.*\(line 2, column 7\)"):
        parse_json(body.encode())


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"a":1,"a":2}', '"a"'),
        ('{"a":1,"a":1}', '"a"'),
        ('{"a":1,"\\u0061":2}', '"a"'),
        ('{"x":1,"values":{"b":1,"c":2,"b":3}}', '"b"'),
        ('[{"":1,"":2}]', '""'),
        ('{"\\ud800":1,"\\ud800":2}', r'"\\ud800"'),
    ],
)
def test_a_member_that_is_given_twice_is_named(body: str, name: str) -> None:
    with pytest.raises(InvalidJson, match=f"the member {name} is given twice"):
        parse_json(body.encode())


@pytest.mark.parametrize("body", ['["\\ud800"]', '{"\\udc00":1}', '["\\ude00\\ud83d"]'])
def test_half_of_a_surrogate_pair_is_refused_because_no_reply_could_repeat_it(body: str) -> None:
    with pytest.raises(InvalidJson, match="half of a surrogate pair"):
        parse_json(body.encode())


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (b"[" * 65 + b"]" * 65, 65),
        (b"[" * 9000 + b"]" * 9000, 9000),
        (b"[" * 100_000, 100_000),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, 50_000),
        (b'[{"a":' * 33 + b"1" + b"}]" * 33, 66),
        (b"[[]," * 65, 66),
        (b'["\\"",' * 65, 65),
        (b'["\\\\",' * 65, 65),
    ],
)
def test_nesting_beyond_64_levels_is_refused_on_every_python(body: bytes, depth: int) -> None:
    with pytest.raises(InvalidJson, match=f"nested {depth} levels deep; at most 64 are accepted"):
        parse_json(body)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 64 + b"]" * 64,
        b'{"a":' * 64 + b"1" + b"}" * 64,
        b"[" + b"[]," * 5_000 + b"{}]",
        b'["' + b"[{" * 5_000 + b'"]',
        b'["\\"' + b"[{" * 5_000 + b'"]',
        b'["\\\\\\"' + b"[{" * 5_000 + b'"]',
    ],
)
def test_64_levels_and_any_number_of_brackets_side_by_side_or_in_texts_are_read(
    body: bytes,
) -> None:
    assert parse_json(body) == json.loads(body)


def test_the_worst_of_bodies_are_refused() -> None:
    for body in (b'"\\' * 87_000, b'"\\"' * 87_000, b"[" * 262_000, b"[]" * 131_000):
        with pytest.raises(InvalidJson):
            parse_json(body + b"[" * 65)


def test_a_number_as_long_as_a_body_is_read() -> None:
    assert parse_json(b"0." + b"1" * 262_000) == 1 / 9
