import json
import struct

import pytest

from service.reply.formats import json_reply


@pytest.mark.parametrize(
    "number", [5e-324, 2.2250738585072014e-308, 0.1, 1 / 3, 1e22, 1e23, 1.7976931348623157e308]
)
def test_a_double_is_written_so_that_it_is_read_to_the_bit(number: float) -> None:
    for signed in (number, -number):
        read = json.loads(json_reply({"x": signed}).data)["x"]
        assert struct.pack(">d", read) == struct.pack(">d", signed)


def test_a_reply_is_compact_utf_8_and_ends_its_line() -> None:
    response = json_reply({"a": [1.0, None, True], "é": "\u2028"}, 201, "application/x+json")
    assert response.data == '{"a":[1.0,null,true],"é":"\u2028"}\n'.encode()
    assert (response.status_code, response.content_type) == (201, "application/x+json")


def test_what_is_not_json_is_a_fault_and_not_a_text() -> None:
    with pytest.raises(TypeError):
        json_reply({"a": object()})
