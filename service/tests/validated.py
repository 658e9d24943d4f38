"""Validation of replies: by the contract's schemas, and by Prometheus' own parser."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

SCHEMAS = Path(__file__).parents[2] / "schemas"

EXAMPLE = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}

OF_VALUES = {"stale_custom"}
"""Codes that only a graph of Values has; a program sent over HTTP is a text."""


def schema_of(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema_rs.meta.validate(schema)
    return schema


ALL = [schema_of(file.name.partition(".")[0]) for file in SCHEMAS.glob("*.schema.json")]
REGISTRY = jsonschema_rs.Registry([(schema["$id"], schema) for schema in ALL])


def validator_of(name: str) -> Any:
    return jsonschema_rs.validator_for(schema_of(name), registry=REGISTRY)


PROBLEM, DOCUMENT = validator_of("problem"), validator_of("document")


class Reply(NamedTuple):
    """A document or a problem that has been validated."""

    status: int
    content: dict[str, Any]
    headers: Headers
    body: bytes


Post = Callable[..., Reply]


def proven(status: int, headers: Headers, body: bytes) -> Reply:
    content: dict[str, Any] = json.loads(body)
    if status == 200:
        assert headers["Content-Type"] == "application/json"
        DOCUMENT.validate(content)
    else:
        assert headers["Content-Type"] == "application/problem+json"
        assert headers["Cache-Control"] == "no-store"
        assert "ETag" not in headers
        PROBLEM.validate(content)
        assert content["status"] == status
        assert content["type"] == f"/problems/{content['code']}"
    return Reply(status, content, headers, body)


def reply_of(response: TestResponse) -> Reply:
    return proven(response.status_code, response.headers, response.data)


Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""The values of metrics by the name of the sample and its labels."""


def samples_of(text: str) -> Samples:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def counted(samples: Samples, name: str, **labels: str) -> float:
    """Return the sum of the samples of `name` that have at least these `labels`."""
    return sum(
        value
        for (each, found), value in samples.items()
        if each == name and labels.items() <= dict(found).items()
    )
