from typing import Any

import pytest

from engine_py import DEFAULT_LIMITS, Limits
from engine_py.protocol.message import Message, Refused, check_message
from engine_py.tests.helpers import Json, units

REQUEST = {"expression": "a"}
RUN = {"kind": "run", "sequence": 7.0, "command": "introspect", "request": REQUEST}
ONE = "3ff0000000000000"


def reason(value: object) -> str:
    with pytest.raises(Refused) as caught:
        check_message(value)
    return str(caught.value)


def evaluation(**members: Any) -> dict[str, Any]:
    request = {"operation": "exp", "operands": [[ONE]], **members}
    return {**RUN, "command": "evaluate", "request": request}


def test_the_three_kinds_are_read() -> None:
    assert check_message({"kind": "start", "protocol": "2"}) == Message("start")
    assert check_message({"kind": "stop"}) == Message("stop")
    assert check_message(RUN) == Message("run", 7, "introspect", REQUEST, DEFAULT_LIMITS)
    assert check_message(evaluation()).request == evaluation()["request"]


def test_what_an_unknown_command_carries_is_not_judged() -> None:
    message = check_message({**RUN, "command": "differentiate", "request": 3, "more": None})
    assert (message.sequence, message.command) == (7, "differentiate")


def test_limits_are_read_in_place_of_the_defaults() -> None:
    assert check_message({**RUN, "limits": {"nodes": 0.0}}).limits == Limits(nodes=0)
    assert check_message({**RUN, "limits": {}}).limits == DEFAULT_LIMITS


@units("message", "refused")
def test_a_refusal_names_the_member_and_what_it_must_be(case: Json) -> None:
    for wrong, expected in case["rows"]:
        message = wrong
        if "run" in wrong:
            message = {**RUN, **wrong["run"]}
        elif "evaluate" in wrong:
            message = evaluation(**wrong["evaluate"])
        assert expected in reason(message)
