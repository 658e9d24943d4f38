"""Hypothesis strategies -> correct requests, by the grammar that the engines are fuzzed with.

`parity_tests.fuzz.programs` draws from a `random.Random`: Hypothesis hands it one whose draws it
chooses, so that it can shrink what it finds.
"""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

import hypothesis.strategies as st

from parity_tests.fuzz.programs import FUNCTIONS, random_program
from parity_tests.kit.operations import Operation
from parity_tests.kit.worker import Json

_NUMBER = re.compile(r"(?<![A-Za-z_0-9.])(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_BOUND_NAME = re.compile(r"\bn\d\b")
_USED_NAME = re.compile(r"\bn\d\b(?!\s*=)")
_EXPONENT = re.compile(rf"\*\*\s*[-+]?\s*{_NUMBER.pattern}")
_TAME = [row for row in FUNCTIONS if row.name in ("relu", "tanh")]
_EXP = re.compile(r"\bexp(?=[ \t\r]*\()")
_LONGEST = 1000


def is_used_up(request: Json) -> bool:
    """Whether every name that is bound is used, too, as a program has to (CONTRACT.md R17)."""
    return min(Counter(_BOUND_NAME.findall(request["expression"])).values(), default=2) > 1


def correct_requests() -> st.SearchStrategy[Json]:
    """Make requests with every operation, view and kind of number; the result may be no number."""
    return _requests(FUNCTIONS)


def _requests(functions: Sequence[Operation]) -> st.SearchStrategy[Json]:
    made = st.randoms(use_true_random=False).map(
        lambda random: dict(random_program(random, functions)[1])
    )
    return made.filter(is_used_up)


def tame_requests() -> st.SearchStrategy[Json]:
    """Make programs of `+ - * tanh relu` that have a result and gradients, whatever is computed.

    All leaves, and all names that are used again, are at most 2 in magnitude. So a statement with n
    leaves is at most 2**n, and so is each of its slopes; as the text is shorter than 1000
    characters, it has fewer than 500 leaves, and no sum over all paths reaches 2**1000.
    """
    return _requests(_TAME).map(tamed).filter(lambda each: len(each["expression"]) < _LONGEST)


def tamed(request: Json) -> Json:
    """Take out what can leave the doubles."""
    text = _EXPONENT.sub("", request["expression"])
    text = _EXP.sub("tanh", text).replace("/", "*")
    text = _NUMBER.sub(lambda number: number[0] if float(number[0]) <= 2 else "1.5", text)
    text = _USED_NAME.sub(lambda name: f"tanh({name[0]})", text)
    values = {name: value if abs(value) <= 2 else 0.75 for name, value in request["values"].items()}
    return {**request, "expression": text, "values": values}


def query_of(request: Json) -> str:
    """Write a request as the query of a URL."""
    members: list[tuple[str, Any]] = [("expression", request["expression"])]
    members.append(("values", json.dumps(request["values"])))
    members += [("parameters", name) for name in request.get("parameters", ())]
    members += [("view", request["view"])] if "view" in request else []
    return urlencode(members)
