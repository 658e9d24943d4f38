from typing import Any

import pytest

from engine_py import DEFAULT_LIMITS, Limits
from engine_py.line import Refused
from engine_py.message import LARGEST, Message, check_message, sequence_of

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


def test_limits_are_read_in_place_of_the_defaults() -> None:
    assert check_message({**RUN, "limits": {"nodes": 0.0}}).limits == Limits(nodes=0)
    assert check_message({**RUN, "limits": {}}).limits == DEFAULT_LIMITS


def test_what_an_unknown_command_carries_is_not_judged() -> None:
    message = check_message({**RUN, "command": "differentiate", "request": 3, "more": None})
    assert (message.sequence, message.command) == (7, "differentiate")


def test_a_refusal_names_the_member_and_what_it_must_be() -> None:
    whole = f"a whole number from 0 to {LARGEST}"
    assert reason([]) == "a message must be an object, not an array"
    assert reason({}) == 'kind must be "start", "run" or "stop", not null'
    assert reason({"kind": "x"}) == 'kind must be "start", "run" or "stop", not the string "x"'
    assert reason({"kind": "start"}) == "`start` needs the member `protocol`"
    assert reason({"kind": "start", "protocol": 1.0}) == "protocol must be a string, not a number"
    assert reason({"kind": "stop", "b": 1, "a": 1}) == '`stop` has no member "a"'
    assert reason({**RUN, "sequence": 0.5}) == f"sequence must be {whole}, not a number"
    assert reason({**RUN, "command": None}) == "command must be a string, not null"
    assert reason({**RUN, "request": []}) == "request must be an object, not an array"
    assert reason({**RUN, "limits": None}) == "limits must be an object, not null"
    assert reason({**RUN, "limits": {"node": 1}}) == '`limits` has no member "node"'
    assert reason({**RUN, "limits": {"nodes": "5"}}) == (
        f'limits.nodes must be {whole}, not the string "5"'
    )
    assert reason(evaluation(operation=None)) == "operation must be a string, not null"
    assert reason(evaluation(view="folded")) == 'the request of `evaluate` has no member "view"'
    assert reason({**evaluation(), "request": {}}) == (
        "the request of `evaluate` needs the member `operation`"
    )
    assert "16 hex digits" in reason(evaluation(operands=[[ONE.upper()]]))


@pytest.mark.parametrize("sequence", [None, True, "7", -1.0, 0.5, 2.0**53, float("inf")])
def test_a_sequence_is_a_whole_number_that_every_language_has(sequence: object) -> None:
    assert sequence_of({"sequence": sequence}) is None
    assert "sequence must be" in reason({**RUN, "sequence": sequence})


def test_a_sequence_is_found_in_what_is_no_message() -> None:
    assert sequence_of({"sequence": 7.0}) == 7
    assert sequence_of({"sequence": -0.0}) == 0
    assert sequence_of({"sequence": float(LARGEST)}) == LARGEST
    nonsense: list[Any] = [{}, [], None, "sequence"]
    assert [sequence_of(value) for value in nonsense] == [None] * 4
