import json
from typing import Any

import pytest

from engine_py.line import MAX_NESTING, Refused, read_line


def reason(line: bytes | str) -> str:
    with pytest.raises(Refused) as caught:
        read_line(line.encode() if isinstance(line, str) else line)
    return str(caught.value)


def test_a_line_is_one_json_value_with_doubles() -> None:
    value: Any = read_line(' {"a": [1, 2.5, -0, true, null, "é\\n"]} \r\n'.encode())
    assert value == {"a": [1.0, 2.5, 0.0, True, None, "é\n"]}
    assert [type(number) for number in value["a"][:3]] == [float, float, float]


def test_a_line_that_is_not_utf_8_is_refused() -> None:
    for line in (b'"\xff"', b'"\xc0\xaa"', b'"\xed\xa0\x80"', '"é"'.encode("latin-1")):
        assert reason(line) == "the line is not UTF-8"


def test_a_line_that_is_not_json_is_refused() -> None:
    for line in (
        "",
        "  ",
        "{",
        "{}{}",
        "[1,]",
        "NaN",
        "Infinity",
        "-Infinity",
        "01",
        "'a'",
        '"\\q"',
    ):
        assert reason(line) == "the line is not JSON"
    assert reason(b"\xef\xbb\xbf{}") == "the line is not JSON"
    assert reason("{}".encode("utf-16-le")) == "the line is not JSON"


def test_nesting_is_bounded_whatever_the_parser_can_bear() -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")):
        times = MAX_NESTING // len(closing)
        deepest = opening * times + "1" + closing * times
        assert json.dumps(read_line(deepest.encode())).count(closing) == times
        for more in (1, 1_000, 100_000):
            deeper = opening * (times + more) + "1" + closing * (times + more)
            assert "deeper than 100" in reason(deeper)


def test_what_is_deep_is_refused_even_where_it_is_lost_or_not_closed() -> None:
    deep = "[" * 101 + "]" * 101
    assert "deeper" in reason(f'{{"a": {deep}, "a": 1}}')
    assert "deeper" in reason("[" * 101)


def test_brackets_in_strings_and_side_by_side_do_not_nest() -> None:
    assert read_line(json.dumps("[" * 200).encode()) == "[" * 200
    assert read_line(json.dumps('"\\' + "[" * 200).encode()) == '"\\' + "[" * 200
    assert read_line(b"[" + b"[]," * 200 + b"[]]") == [[]] * 201
    assert reason('"' + "[" * 200) == "the line is not JSON"


def test_the_last_of_two_members_with_one_name_counts() -> None:
    assert read_line(b'{"a": 1, "b": 2, "\\u0061": 3}') == {"a": 3, "b": 2}
    assert read_line(b'{"\\u0061": 1, "a": 2}') == {"a": 2}


def test_a_name_is_read_as_written_whatever_was_read_before() -> None:
    lines = {
        b'{"a": 0, "\\u0062": 1}': ["a", "b"],
        b'{"a": 0, "\\\\": 1}': ["a", "\\"],
        b'{"a": 0, "\\"": 1}': ["a", '"'],
        b'{"a": 0, "x\\\\": {"a": 0, "\\n": 2}}': ["a", "x\\"],
        b'{"a": 0, "x\\u0062" : [{"\\/": 3}]}': ["a", "xb"],
    }
    for _ in range(3):
        for line, names in lines.items():
            value: Any = read_line(line)
            assert list(value) == names
    assert read_line(b'{"a": 0, "x\\u0062" : [{"\\/": ":"}]}') == {"a": 0, "xb": [{"/": ":"}]}


def test_a_long_string_is_read() -> None:
    for text in ("x" * 5_000_000, '\n"' * 1_000_000):
        assert read_line(json.dumps({"[": text, "\n": 1}).encode()) == {"[": text, "\n": 1}
