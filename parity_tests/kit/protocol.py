"""Messages -> the first violation of schemas/*.schema.json."""

import json
from functools import cache

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from parity_tests.kit.contract import load_results
from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Json

REQUESTS = ("start", "run", "stop")
RESPONSES = ("started", "result", "error", "skipped", "refused", "crashed", "stopped")


@cache
def _schemas() -> dict[str, Json]:
    """Return each schema by its file's name, and one for each kind of message."""
    schemas = {
        file.name.removesuffix(".schema.json"): json.loads(file.read_text())
        for file in SCHEMAS.glob("*.schema.json")
    }
    for kind in ("request", *REQUESTS, *RESPONSES):
        schemas[f"message {kind}"] = {"$ref": f"{schemas['protocol']['$id']}#/$defs/{kind}"}
    return schemas


@cache
def load_validators() -> dict[str, Draft202012Validator]:
    """Return a validator for each of these schemas."""
    resources = [Resource.from_contents(each) for each in _schemas().values() if "$id" in each]
    registry = resources @ Registry()
    return {
        name: Draft202012Validator(schema, registry=registry) for name, schema in _schemas().items()
    }


@cache
def _quick_validators() -> dict[str, jsonschema_rs.Draft202012Validator]:
    """Return compiled validators: thirty times as fast, but with less detail in an error."""
    resources = [(each["$id"], each) for each in _schemas().values() if "$id" in each]
    registry = jsonschema_rs.Registry(resources)
    return {
        name: jsonschema_rs.Draft202012Validator(schema, registry=registry)
        for name, schema in _schemas().items()
    }


def malformed(message: Json) -> str | None:
    """Describe the first violation of a schema in a message or in its result; None if valid."""
    kind = message.get("kind")
    if kind not in (*REQUESTS, *RESPONSES):
        return f"has the unknown kind {kind!r}"
    found = _fault(f"message {kind}", message)
    if found is None and kind == "result" and (schema := _schema_of(message["result"])):
        found = _fault(schema, message["result"])
    return found


def _schema_of(result: object) -> str | None:
    """Name the schema of a result; None if the protocol's own schema describes it."""
    if not isinstance(result, dict) or not {"digest", "svg"}.isdisjoint(result):
        return None
    return next((name for member, name in _own_members().items() if member in result), "document")


@cache
def _own_members() -> dict[str, str]:
    """Map each member that only one schema has, and requires, to the name of that schema."""
    names = {*load_results().values()} & _schemas().keys()
    members = {name: _schemas()[name]["properties"].keys() for name in names}
    return {
        member: name
        for name in sorted(names)
        for member in _schemas()[name]["required"]
        if [each for each in names if member in members[each]] == [name]
    }


def _fault(schema: str, value: Json) -> str | None:
    if _quick_validators()[schema].is_valid(value):
        return None
    error = best_match(load_validators()[schema].iter_errors(value))
    return None if error is None else f"{schema} at {error.json_path}: {error.message[:300]}"
