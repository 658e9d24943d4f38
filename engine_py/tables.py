"""The tables of schemas/ that the engine reads; a wheel holds them next to its modules."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_PLACES = Path(__file__).with_name("schemas"), Path(__file__).parents[1] / "schemas"
_FOLDER = next(filter(Path.exists, _PLACES), _PLACES[-1])


def _load(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text("utf-8"))


LIMITS: dict[str, Any] = {
    name: row for name, row in _load("limits.schema.json")["properties"].items() if "default" in row
}
"""Name of a limit -> its `default` and `description`; the service's limits have no default."""

EXPANSIONS: dict[str, str] = {
    row["operation"]: row["expansion"]
    for row in _load("operations.json")["operations"]
    if row["derived"]
}
"""Symbol of a derived operation -> its expansion into primitives, in the language."""

REASONS: dict[str, str] = {
    reason: f"{row['sentence']['en']} {row['cure']['en']}"
    for reason, row in _load("reasons.json").items()
}
"""Reason why `rewrite` refuses a text -> what is wrong and what to do, in English."""

_SAID_BY_ERRORS = frozenset(
    (
        *("arity", "ended", "no_program", "no_value", "too_deep", "too_long"),
        *("unexpected", "unknown", "unknown_function"),
    )
)
"""Reasons that say no more than the error of the same text as a program."""


def says_more(refused: Mapping[str, Any] | None) -> bool:
    """Return whether a refusal says more than the error of the same text as a program."""
    if refused is None:
        return False
    return refused["program"] is not None or refused["reason"] not in _SAID_BY_ERRORS
