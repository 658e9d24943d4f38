"""The kill check of a Python mutant: the lines of calls.json, in this process.

Copied beside the mutated engine as a test; mutmut runs the checks that reach a mutant's function.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from engine_py.protocol.worker import answer

LINES = Path(__file__).with_name("calls.json").read_text().splitlines()
CALLS = [json.loads(line) for line in LINES]
PARTS = 32
ZERO, MINUS_ZERO = "0" * 16, "8" + "0" * 15


@pytest.mark.parametrize("part", range(PARTS))
def test_the_answers_are_right(part: int) -> None:
    for entry in CALLS[part::PARTS]:
        given = without_prose(answer(bytes.fromhex(entry["hex"])), entry.get("prose", {}))
        right = entry["right"]
        if entry.get("zero_is_free"):
            given, right = zeros_freed(given), zeros_freed(right)
        if entry.get("partial"):
            given = shared(right, given)
        assert is_same(given, right), entry["name"]


def without_prose(value: Any, places: Any) -> Any:
    """Leave out what is said to people, as `parity_tests.kit.prose` does."""
    if isinstance(value, dict):
        within = {name: places.get(name, places.get("*", {})) for name in value}
        return {
            name: without_prose(member, within[name])
            for name, member in value.items()
            if within[name] is not True
        }
    if isinstance(value, list):
        return [without_prose(item, places.get("*", {})) for item in value]
    return value


def zeros_freed(response: dict[str, Any]) -> dict[str, Any]:
    """Write -0 as 0 where its sign is free, as the exactness check does."""
    bits = [ZERO if each == MINUS_ZERO else each for each in response["result"]]
    return {**response, "result": bits}


def shared(right: Any, given: Any) -> Any:
    """Give what is expected to be there of what is given."""
    if not (isinstance(right, dict) and isinstance(given, dict)):
        return given
    return {key: shared(right[key], each) for key, each in given.items() if key in right}


def is_same(given: object, right: object) -> bool:
    """Equal to the bit; equal texts, which most are, need no second look."""
    texts = [json.dumps(each, sort_keys=True) for each in (given, right)]
    return (
        len({*texts}) == 1 or len({repr(json.loads(each, parse_int=float)) for each in texts}) == 1
    )
