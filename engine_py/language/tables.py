"""schemas/rewrites.json, where a checkout or the wheel has it: how people write, as data."""

import json
from pathlib import Path
from typing import Any

from engine_py.operations import FUNCTIONS

_PLACES = (
    Path(__file__).with_name("rewrites.json"),  # as the wheel has it
    Path(__file__).parents[2] / "schemas" / "rewrites.json",
)
TABLES: dict[str, Any] = json.loads(next(filter(Path.exists, _PLACES)).read_text("utf-8"))


def _inverted(rows: dict[str, str], separator: str = "") -> dict[str, str]:
    """Map each character, or each word, to the key of its row."""
    words = {key: row.split(separator) if separator else row for key, row in rows.items()}
    return {word: key for key, row in words.items() for word in row}


CHARACTERS, LETTERS = _inverted(TABLES["characters"]), _inverted(TABLES["letters"])
CHARACTERS |= {chr(ascii_code + 0xFEE0): chr(ascii_code) for ascii_code in range(0x21, 0x7F)}
SIGNS, ALIASES = _inverted(TABLES["signs"]), _inverted(TABLES["aliases"], " ")
LATEX = _inverted(TABLES["latex"], " ")
FORMULAS: dict[str, str] = TABLES["formulas"]
NEEDS: dict[str, str] = TABLES["needs"]
CONSTANTS: dict[str, str] = TABLES["constants"]
TWO_READINGS: dict[str, list[str]] = TABLES["two_readings"]
NO_FORMULA = {*" ".join(TABLES["no_formula"]).split(" ")}
VECTOR = {*" ".join(TABLES["vector"]).split(" ")}
KNOWN = {*FUNCTIONS, *(call[: call.index("(")] for call in FORMULAS), "pow"}
KNOWN |= {*ALIASES, *TWO_READINGS, *NO_FORMULA, *VECTOR}
"""Functions that a text may call, whether the language has a formula for them or not."""
