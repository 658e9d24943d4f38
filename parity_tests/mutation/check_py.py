"""The kill check of a Python mutant: the calls of calls.json, in this process.

Copied beside the mutated engine as a test; mutmut runs the checks that reach a mutant's function.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from engine_py.worker import answer

CALLS = Path(__file__).with_name("calls.json")
PARTS = 32
ROUNDED_ONCE = "+-*/"
"""Elsewhere the sign of a zero is free, as in the exactness check."""


@pytest.mark.parametrize("part", range(PARTS))
def test_the_answers_are_right(part: int) -> None:
    for line in CALLS.read_text().splitlines()[part::PARTS]:
        entry = json.loads(line)
        symbol = json.loads(entry["call"])["request"].get("operation", "+")
        outcome = _compared(answer(entry["call"].encode()), symbol)
        assert outcome == _plain(entry["right"]), entry["name"]


def _compared(reply: dict[str, Any], symbol: str) -> str:
    """Give what counts in a reply: no message, which is prose."""
    if reply["kind"] == "result":
        result = reply["result"]
        if isinstance(result, list) and symbol not in ROUNDED_ONCE:
            result = ["0" * 16 if bits == "8" + "0" * 15 else bits for bits in result]
        return _plain({"document": result})
    if reply["kind"] == "error":
        error = {key: value for key, value in reply["error"].items() if key != "message"}
        return _plain({"error": error})
    return _plain({"crashed": None})


def _plain(value: object) -> str:
    """Write a value so that equal text is equality to the bit, every number being a double."""
    text = json.dumps(value, sort_keys=True)
    return repr(json.loads(text, parse_int=float))
