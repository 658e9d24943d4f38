"""From the bytes of a body to a checked request, or to all errors in it."""

import json
from typing import Any, NoReturn

import pytest
from jsonschema import Draft202012Validator

from engine_py import DEFAULT_LIMITS, GradientError
from engine_py.request import GradientRequest, check_request
from service.config import Config
from service.errors import InvalidJson
from service.request import InvalidBody, MemberError, Requests, parse_json
from service.tests.validated import Post, schema_of

# The bytes.


LIMIT = Config().body_bytes


def body_of(size: int) -> bytes:
    """Return a valid request of exactly `size` bytes, filled with blanks."""
    start, end = b'{"expression":"2*a",', b'"values":{"a":3}}'
    return start + b" " * (size - len(start) - len(end)) + end


class Endless:
    """A stream that never ends, and returns fewer bytes than `size`."""

    def read(self, size: int) -> bytes:
        assert size > 0
        return b" "


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/json; charset=utf8; profile=x",
        "application/merge-patch+json; charset=utf-8",
    ],
)
def test_every_content_type_for_json_is_accepted(post: Post, content_type: str) -> None:
    assert post(body_of(50), content_type).status == 200


@pytest.mark.parametrize(
    ("content_type", "found"),
    [
        ("", "not given"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("text/plain+json", "text/plain+json"),
        ("application/jsonp", "application/jsonp"),
        ("application/json; charset=latin1", "latin1"),
    ],
)
def test_other_content_types_are_refused(post: Post, content_type: str, found: str) -> None:
    reply = post(body_of(50), content_type)
    assert (reply.status, reply.content["code"]) == (415, "unsupported_media_type")
    assert found in reply.content["detail"]


def test_a_compressed_body_is_refused(post: Post) -> None:
    reply = post(body_of(50), headers={"Content-Encoding": "gzip"})
    assert (reply.status, reply.content["code"]) == (415, "unsupported_media_type")
    assert "uncompressed" in reply.content["detail"]
    assert post(body_of(50), headers={"Content-Encoding": "identity"}).status == 200


def test_a_body_of_exactly_the_limit_is_accepted(post: Post) -> None:
    assert post(body_of(LIMIT)).content["result"] == 6


def test_an_endless_body_is_refused(post: Post) -> None:
    # The server sets `wsgi.input_terminated` for a chunked body.
    stream = {"wsgi.input": Endless(), "wsgi.input_terminated": True}
    reply = post(b"", headers={"Transfer-Encoding": "chunked"}, environ_overrides=stream)
    assert (reply.status, reply.content["actual"]) == (413, None)


# JSON.


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (b"[1, -0, 2.5, 9007199254740993, 1E2]", "[1.0, -0.0, 2.5, 9007199254740992.0, 100.0]"),
        (b"-1e400", "-inf"),  # the check of values refuses it
        (b"9" * 5000, "inf"),
        (b"\xef\xbb\xbf[]", "[]"),  # after a byte order mark
        ('"é \\u00e9 😀 \\ud83d\\ude00 \\\\ud800"'.encode(), repr("é é 😀 😀 \\ud800")),
    ],
)
def test_numbers_are_read_as_doubles_and_texts_unchanged(body: bytes, read: str) -> None:
    assert repr(parse_json(body)) == read


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"", "the body is empty"),
        (b"  ", "(line 1, column 3)"),
        (b'{"a":1', "(line 1, column 7)"),
        (b"{'a': 1}", "double quotes (line 1, column 2)"),
        (b"[1] 2", "(line 1, column 5)"),
        (b'["a\nb"]', "(line 1, column 4)"),
        (b"[01]", "(line 1, column 3)"),
        (b"[\xd9\xa1]", "(line 1, column 2)"),  # an Arabic digit
        (b"\x00", "(line 1, column 1)"),
        (b'["\xe9"]', "(byte 2)"),  # Latin-1
        (b'["\xed\xa0\x80"]', "(byte 2)"),  # a surrogate in UTF-8
        ("[]".encode("utf-16"), "(byte 0)"),
        # Half of a surrogate pair, which no reply could quote.
        (b'["\\ud800"]', "half of a surrogate pair"),
        (b'{"\\udc00":1}', "half of a surrogate pair"),
        (b'["\\ude00\\ud83d"]', "half of a surrogate pair"),
        # A member given twice.
        (b'{"a":1,"a":2}', 'the member "a" is given twice'),
        (b'{"a":1,"\\u0061":2}', 'the member "a" is given twice'),
        (b'{"x":1,"values":{"b":1,"c":2,"b":3}}', 'the member "b" is given twice'),
        (b'[{"":1,"":2}]', 'the member "" is given twice'),
        (b'{"\\ud800":1,"\\ud800":2}', r'the member "\ud800" is given twice'),
        (b'{"%b":1,"%b":2}' % ((b"x" * 99,) * 2), f'the member "{"x" * 60}" is given twice'),
    ],
)
def test_invalid_json_is_refused_with_its_place(body: bytes, detail: str) -> None:
    with pytest.raises(InvalidJson) as refused:
        parse_json(body)
    assert detail in refused.value.message


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_nan_and_infinity_are_refused_with_their_place(word: str) -> None:
    body = f'{{"NaN \\" Infinity": "{word}",\n "a": {word}}}'
    with pytest.raises(InvalidJson, match=rf"{word} is not a number.*\(line 2, column 7\)"):
        parse_json(body.encode())


@pytest.mark.parametrize(
    ("body", "depth"),
    [
        (b"[" * 65 + b"]" * 65, 65),
        (b"[" * 100_000, 100_000),
        (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, 50_000),
        (b'[{"a":' * 33 + b"1" + b"}]" * 33, 66),
        (b"[[]," * 65, 66),
        (b'["\\"",' * 65, 65),
        (b'["\\\\",' * 65, 65),
    ],
)
def test_nesting_beyond_64_levels_is_refused(body: bytes, depth: int) -> None:
    with pytest.raises(InvalidJson, match=f"nested {depth} levels deep; at most 64 are accepted"):
        parse_json(body)


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 64 + b"]" * 64,
        b"[" * 63 + b"[],[]" + b"]" * 63,
        b'{"a":' * 64 + b"1" + b"}" * 64,
        b"[" + b"[]," * 5_000 + b"{}]",
        b'["' + b"[{" * 5_000 + b'"]',
        b'["\\"' + b"[{" * 5_000 + b'"]',
        b'["\\\\\\"' + b"[{" * 5_000 + b'"]',
    ],
)
def test_64_levels_and_any_number_of_brackets_are_read(
    body: bytes,
) -> None:
    assert parse_json(body) == json.loads(body)


# The members.


REQUESTS = Requests(DEFAULT_LIMITS)


def errors_of(body: Any) -> list[MemberError]:
    with pytest.raises(InvalidBody) as refused:
        REQUESTS.load(body)
    return refused.value.errors


def test_missing_members_have_defaults_not_shared_between_requests() -> None:
    body = {"expression": "a", "values": {"a": 2.0}}
    first, second = REQUESTS.load(body), REQUESTS.load(body)
    assert first == second == GradientRequest("a", {"a": 2.0}, [], "folded")
    assert first.parameters is not second.parameters


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ["/expression", "/values"]),
        (
            {"x": 1, "view": 1, "parameters": ["2a"], "values": {"a": "1"}, "expression": 3},
            ["/expression", "/values/a", "/parameters/0", "/view", "/x"],
        ),
        (  # "10" is first in UTF-16 order
            {"expression": "a", "values": {"b": None, "fine": 1, "a": "2", "~/": 1, "10": 1}},
            ["/values/10", "/values/b", "/values/a", "/values/~0~1"],
        ),
        (
            {"expression": "a" * 65_537, "values": {f"a{index}": "1" for index in range(1_001)}},
            ["/expression", "/values"],
        ),
        (
            {"value": 1, "expression": "2", "values": {}, "a/b~": 1, "_schema": 1, "__proto__": 1},
            ["/value", "/a~1b~0", "/_schema", "/__proto__"],
        ),
    ],
)
def test_every_error_is_reported_in_the_order_of_the_contract(
    body: Any, expected: list[str]
) -> None:
    assert [pointer for _, pointer in errors_of(body)] == expected


def test_only_the_first_unknown_members_are_reported() -> None:
    found = errors_of({f"m{index}": 1 for index in range(1000)})
    assert (len(found), found[-1].pointer) == (22, "/m19")


@pytest.mark.parametrize(
    "body",
    [
        {"expression": 1, "values": [], "parameters": 1, "view": 1},
        {"expression": "a", "values": {"b": 1, "a": float("inf")}, "view": None},
        {"expression": "a", "values": {f"a{index}": 1 for index in range(1001)}},
        {"expression": "a", "values": {}, "parameters": ["a", "b", "a"], "view": "x"},
        {"expression": "a", "values": {}, "view": ["folded"]},
    ],
)
def test_the_first_error_is_the_engines(body: dict[str, Any]) -> None:
    parameters, view = body.get("parameters", []), body.get("view", "folded")
    with pytest.raises(GradientError) as engine:
        check_request(body["expression"], body["values"], parameters, view, DEFAULT_LIMITS)
    assert errors_of(body)[0].error.as_dict() == engine.value.as_dict()


# The service accepts exactly what `request.schema.json` accepts. Each side parses the text itself.


VALIDATOR = Draft202012Validator(schema_of("request"))


def refuse(word: str) -> NoReturn:
    raise ValueError(word)


def schema_accepts(text: str) -> bool:
    """Another parser and another validator; integers are doubles by R7."""
    try:
        body = json.loads(text, parse_int=float, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return bool(VALIDATOR.is_valid(body))


def service_accepts(text: str) -> bool:
    try:
        REQUESTS.load(parse_json(text.encode()))
    except (InvalidJson, InvalidBody):
        return False
    return True


NASTY_NUMBERS = [
    *("0", "-0", "-0.0", "1", "1.5", "1E5", "1e308", "5e-324", "1e-400", "9007199254740993"),
    *("1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "-1e309"),
    *("1e400", "-1e400", "1" + "0" * 308, "1" + "0" * 400, "-1" + "0" * 400, "1" + "0" * 5000),
    str(int(1.7976931348623157e308) + 1),
    *("NaN", "Infinity", "-Infinity", "+1", ".5", "5.", "01", "0x10", "1_000", "1e"),
]
NASTY_NAMES = [
    *("a", "_", "A9", "__proto__", "constructor", "exp", "None", "x" * 10_000),
    *("", "1a", "a b", " a", "a ", "a\n", "\na", "a\nb", "a\r", "a\0", "a-b", "a.b", "a/b", "a$"),
    *("é", "aé", "ａ", "ﬁ", "٣", "a٣", "a\u0301", "\u2028", "a\u2028", "\U0001f600", "K"),
]
NASTY_JSON = [
    *NASTY_NUMBERS,
    *(json.dumps(name) for name in NASTY_NAMES),
    *('"2"', '"1.5"', '"1_000"', '"1e3"', '"NaN"', '"folded"', '"Folded"', '"folded "'),
    *("true", "false", "null", "[]", "{}", "[1]", '["a"]', '["a","a"]', '["a","b"]', '["a",1]'),
    *("[null]", '[["a"]]', '{"a":1}', '{"a":"1"}', '{"a":{"b":1}}', '{"a":[]}', "tru", "'a'", ""),
]


def object_of(members: dict[str, str]) -> str:
    """Return an object as JSON whose `members` are JSON texts."""
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members.items()) + "}"


VALID = {"expression": '"a"', "values": '{"a":1}', "parameters": '["a"]', "view": '"folded"'}
LONG = [character * size for character in "aé\U0001f600" for size in (65_536, 65_537)]
MANY = [[f"a{index}" for index in range(size)] for size in (1000, 1001)]

TABLE = [
    object_of(VALID),
    *(object_of({**VALID, member: text}) for member in VALID for text in NASTY_JSON),
    *(object_of({name: VALID[name] for name in VALID if name != member}) for member in VALID),
    *(object_of({**VALID, name: "1"}) for name in NASTY_NAMES),
    *(object_of({**VALID, "values": object_of({"a": text})}) for text in NASTY_JSON),
    *(object_of({**VALID, "values": object_of({name: "1"})}) for name in NASTY_NAMES),
    *(object_of({**VALID, "parameters": f'["b",{text}]'}) for text in NASTY_JSON),
    *(object_of({**VALID, "expression": json.dumps(text)}) for text in LONG),
    *(object_of({**VALID, "values": object_of(dict.fromkeys(some, "1"))}) for some in MANY),
    *(object_of({**VALID, "parameters": json.dumps(some)}) for some in MANY),
    *NASTY_JSON,
    *("[" * depth + "]" * depth for depth in (1, 60, 100_000)),
    *(object_of(VALID) + end for end in (" ", "\n", ",", "}", "\0", object_of(VALID))),
]


def test_service_and_schema_accept_the_same_bodies() -> None:
    accepted = [text for text in TABLE if schema_accepts(text)]
    assert [text for text in TABLE if service_accepts(text)] == accepted
    assert len(accepted) > 40
    assert len(TABLE) - len(accepted) > 200
