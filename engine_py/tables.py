"""The tables of schemas/ that the engine reads; a wheel holds them next to its modules."""

import json
from pathlib import Path
from typing import Any

_PLACES = Path(__file__).with_name("schemas"), Path(__file__).parents[1] / "schemas"
_FOLDER = next(filter(Path.exists, _PLACES))


def _load(name: str) -> Any:
    return json.loads((_FOLDER / name).read_text("utf-8"))


LIMITS: dict[str, Any] = {
    name: row for name, row in _load("limits.schema.json")["properties"].items() if "default" in row
}
"""Name of a limit -> its `default` and `description`; a limit of the service has no default."""

EXPANSIONS: dict[str, str] = {
    row["operation"]: row["expansion"]
    for row in _load("operations.json")["operations"]
    if row["derived"]
}
"""Symbol of a derived operation -> what builds it from primitives, in the language."""
