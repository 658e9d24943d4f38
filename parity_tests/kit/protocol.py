"""Messages -> what is malformed in them, by schemas/*.schema.json."""

import json
from functools import cache

import jsonschema_rs
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry, Resource

from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Json

OF_RESULTS = {
    "counts_as_zero": "accuracy",
    "walks": "experiment",
    "paths": "paths",
    "trajectory": "descent",
    "hessian": "hessian",
    "variables": "outline",
    "axes": "sweep",
}
"""Which schema a result has, by a member that only it has."""

REQUESTS = ("start", "run", "stop")
RESPONSES = ("started", "result", "error", "skipped", "refused", "crashed", "stopped")


@cache
def _schemas() -> dict[str, Json]:
    """Return each schema by its first name, and one for each kind of message."""
    schemas = {
        file.name.removesuffix(".schema.json"): json.loads(file.read_text())
        for file in SCHEMAS.glob("*.schema.json")
    }
    for kind in ("request", *REQUESTS, *RESPONSES):
        schemas[f"message {kind}"] = {"$ref": f"{schemas['protocol']['$id']}#/$defs/{kind}"}
    return schemas


@cache
def load_validators() -> dict[str, Draft202012Validator]:
    """Return a validator for each schema by its first name, and for each kind of message."""
    resources = [Resource.from_contents(each) for each in _schemas().values() if "$id" in each]
    registry = resources @ Registry()
    return {
        name: Draft202012Validator(schema, registry=registry) for name, schema in _schemas().items()
    }


@cache
def _quick_validators() -> dict[str, jsonschema_rs.Draft202012Validator]:
    """Return the same validators compiled: thirty times as fast, with less to say of an error."""
    resources = [(each["$id"], each) for each in _schemas().values() if "$id" in each]
    registry = jsonschema_rs.Registry(resources)
    return {
        name: jsonschema_rs.Draft202012Validator(schema, registry=registry)
        for name, schema in _schemas().items()
    }


def malformed(message: Json) -> str | None:
    """Say what in a message, and in the result in it, is not as the schemas say."""
    kind = message.get("kind")
    if kind not in (*REQUESTS, *RESPONSES):
        return f"has the unknown kind {kind!r}"
    found = _fault(f"message {kind}", message)
    if found is None and kind == "result" and (schema := _schema_of(message["result"])):
        found = _fault(schema, message["result"])
    return found


def _schema_of(result: object) -> str | None:
    """None for what the protocol's schema describes itself: canonical text, picture, bits."""
    if not isinstance(result, dict) or not {"digest", "svg"}.isdisjoint(result):
        return None
    return next((name for member, name in OF_RESULTS.items() if member in result), "document")


def _fault(schema: str, value: Json) -> str | None:
    if _quick_validators()[schema].is_valid(value):
        return None
    error = best_match(load_validators()[schema].iter_errors(value))
    return None if error is None else f"{schema} at {error.json_path}: {error.message[:300]}"
