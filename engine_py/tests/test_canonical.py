import struct
from math import inf, nan
from typing import Any

import pytest

from engine_py import introspect
from engine_py.canonical import canonical_text, digest

# RFC 8785, appendix B: the bits of a double, and its text.
APPENDIX_B = [
    ("0000000000000000", "0"),
    ("8000000000000000", "0"),
    ("0000000000000001", "5e-324"),
    ("8000000000000001", "-5e-324"),
    ("7fefffffffffffff", "1.7976931348623157e+308"),
    ("ffefffffffffffff", "-1.7976931348623157e+308"),
    ("4340000000000000", "9007199254740992"),
    ("c340000000000000", "-9007199254740992"),
    ("4430000000000000", "295147905179352830000"),
    ("44b52d02c7e14af5", "9.999999999999997e+22"),
    ("44b52d02c7e14af6", "1e+23"),
    ("44b52d02c7e14af7", "1.0000000000000001e+23"),
    ("444b1ae4d6e2ef4e", "999999999999999700000"),
    ("444b1ae4d6e2ef4f", "999999999999999900000"),
    ("444b1ae4d6e2ef50", "1e+21"),
    ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
    ("3eb0c6f7a0b5ed8d", "0.000001"),
    ("41b3de4355555553", "333333333.3333332"),
    ("41b3de4355555554", "333333333.33333325"),
    ("41b3de4355555555", "333333333.3333333"),
    ("41b3de4355555556", "333333333.3333334"),
    ("41b3de4355555557", "333333333.33333343"),
    ("becbf647612f3696", "-0.0000033333333333333333"),
    ("43143ff3c1cb0959", "1424953923781206.2"),
]


@pytest.mark.parametrize(("bits", "text"), APPENDIX_B)
def test_the_numbers_of_the_rfc_have_their_texts(bits: str, text: str) -> None:
    [number] = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical_text(number) == text
    assert canonical_text({"a": [number]}) == f'{{"a":[{text}]}}'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (10.0, "10"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (1e-4, "0.0001"),
        (-1.25e-5, "-0.0000125"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (-1.5e-10, "-1.5e-10"),
        (1e15, "1000000000000000"),
        (1e16, "10000000000000000"),
        (-1.5e16, "-15000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e20, "100000000000000000000"),
        (1.5e300, "1.5e+300"),
    ],
)
def test_a_number_is_written_as_ecmascript_writes_it(number: float, text: str) -> None:
    assert canonical_text(number) == text


@pytest.mark.parametrize(
    ("integer", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (2**53, "9007199254740992"),
        (2**53 + 1, "9007199254740992"),
        (-(2**53) - 1, "-9007199254740992"),
        (2**53 + 2, "9007199254740994"),
        (10**21, "1e+21"),
        (2**68, "295147905179352830000"),
    ],
)
def test_an_integer_is_the_double_it_is_read_as(integer: int, text: str) -> None:
    assert canonical_text(integer) == text


@pytest.mark.parametrize("number", [inf, -inf, nan, 10**309, -(10**309)])
def test_what_is_no_finite_double_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="has no canonical text"):
        canonical_text({"a": [number]})


def test_the_example_of_the_rfc() -> None:
    # RFC 8785, section 3.2.2
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert canonical_text(value) == (
        '{"literals":[null,true,false],'
        '"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_members_are_sorted_by_utf16_as_the_rfc_shows() -> None:
    # RFC 8785, section 3.2.3; by code points the emoji would be the last
    value = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    assert canonical_text(value) == (
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control",'
        '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",'
        '"\U0001f600":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}'
    )


def test_members_are_sorted_at_every_depth_and_items_are_not() -> None:
    value = {"b": [{"z": 1, "Z": 2, "_": 3}, 2, 1], "a": {"bb": {}, "b": []}, "B": ""}
    assert canonical_text(value) == '{"B":"","a":{"b":[],"bb":{}},"b":[{"Z":2,"_":3,"z":1},2,1]}'


def test_only_what_json_must_escape_is_escaped() -> None:
    # RFC 8785, section 3.2.2.2
    controls = "".join(map(chr, range(32)))
    assert canonical_text(controls) == (
        '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e'
        "\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a"
        '\\u001b\\u001c\\u001d\\u001e\\u001f"'
    )
    assert canonical_text('"\\/\x7f\u2028é') == '"\\"\\\\/\x7f\u2028é"'


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, {"é": ["a\udc00b"]}, "\ude00\ud83d"])
def test_half_a_surrogate_pair_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="unpaired surrogate"):
        canonical_text(value)


@pytest.mark.parametrize("value", [(1, 2), {1: 2}, {"a": {1, 2}}, [b"a"], {None: 1}, object()])
def test_what_is_no_json_value_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        canonical_text(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # printf '%s' '{"a":[1,"é"]}' | sha256sum, and of '""' and 'null'
        ({"a": [1, "é"]}, "5db14a2cddc92d31365806bb5d82ed2bc436bf6960d10cd4654140f7bdadce1c"),
        ("", "12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126"),
        (None, "74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b"),
    ],
)
def test_the_digest_is_the_sha_256_of_the_text(value: object, expected: str) -> None:
    assert digest(value) == expected


def test_the_order_of_the_values_of_a_request_does_not_matter() -> None:
    one: Any = introspect("a * b", {"a": 2, "b": 3, "c": 1})
    other: Any = introspect("a * b", {"c": 1.0, "b": 3.0, "a": 2.0})
    assert canonical_text(one) == canonical_text(other)
    assert digest(one) != digest(introspect("a * b", {"a": 2, "b": 3}))
