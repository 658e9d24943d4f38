"""OpenAPI document -> the same with every reference spelled by its place, for tools that need it.

The schemas of the contract refer to one another by their names (`$id`), as JSON Schema has it.
Many code generators know references within one file only.
"""

from typing import Any

_NAMES = "urn:gradient-service:schema:"
_PLACES = "#/components/schemas/"


def relocate(value: Any, schema: str = "") -> Any:
    """Give a copy of a document, or of what stands in the schema of that name."""
    if isinstance(value, list):
        return [relocate(item, schema) for item in value]
    if not isinstance(value, dict):
        return value
    schema = value.get("$id", "").removeprefix(_NAMES) or schema
    moved = {key: relocate(item, schema) for key, item in value.items() if key != "$id"}
    if isinstance(moved.get("$ref"), str):
        address, _, pointer = moved["$ref"].partition("#")
        if address or schema:
            moved["$ref"] = f"{_PLACES}{address.removeprefix(_NAMES) or schema}{pointer}"
    return moved
