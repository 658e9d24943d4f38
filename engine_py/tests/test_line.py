import json
from typing import Any

import pytest

from engine_py.protocol.line import Refused, read_line


def reason(line: bytes | str) -> str:
    with pytest.raises(Refused) as caught:
        read_line(line.encode() if isinstance(line, str) else line)
    return str(caught.value)


def test_a_line_is_one_json_value_with_doubles() -> None:
    value: Any = read_line(' {"a": [1, 2.5, -0, true, null, "é\\n"]} \r\n'.encode())
    assert value == {"a": [1.0, 2.5, 0.0, True, None, "é\n"]}
    assert [type(number) for number in value["a"][:3]] == [float, float, float]


def test_a_line_that_cannot_be_read_says_why() -> None:
    """What cannot be read is in parity_tests/kit/protocol_lines.json."""
    assert reason(b'"\xff"') == "the line is not UTF-8"
    assert reason("[1,]") == "the line is not JSON"
    assert read_line(b"[" * 100 + b"]" * 100)
    assert "deeper than 100" in reason("[" * 101 + "]" * 101)
    assert read_line(json.dumps('"\\' + "[" * 200).encode()) == '"\\' + "[" * 200


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
