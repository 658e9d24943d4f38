import copy
import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource

from engine_py import CONTRACT, introspect
from service import create_app
from service.config import Config
from service.openapi import build_openapi, examples
from service.openapi.relocate import relocate
from service.problems import KINDS
from service.tests.validated import SCHEMAS, schema_of

NOT_API = {"/", "/docs/<asset>"}
EMBEDDED = [
    "batch",
    "document",
    "error",
    "examples",
    "limits",
    "operations",
    "problem",
    "request",
    "results",
]


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return build_openapi()


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config())


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def test_the_document_is_openapi(document: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(relocate(document)).validate()


def test_the_validator_would_notice_a_reference_to_nowhere(document: dict[str, Any]) -> None:
    broken = relocate(copy.deepcopy(document))
    broken["paths"]["/v1/limits"]["get"]["responses"]["200"]["$ref"] += "s"
    with pytest.raises(Exception, match="limitss"):
        OpenAPIV31SpecValidator(broken).validate()


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    resource = Resource.from_contents({"$schema": schema_of("request")["$schema"], **document})
    schemas = [
        Resource.from_contents(schema)
        for schema in document["components"]["schemas"].values()
        if "$id" in schema
    ]
    registry = Registry().with_resource("", resource)
    registry = registry.with_resources([(schema.id() or "", schema) for schema in schemas])
    found = list(references(document, ""))
    assert len(found) > 100
    for base, reference in found:
        registry.resolver(base).lookup(reference)


def references(value: Any, base: str) -> Any:
    """Every `$ref` with the `$id` that it is relative to."""
    if isinstance(value, dict):
        base = value.get("$id", base)
        if isinstance(value.get("$ref"), str):
            yield base, value["$ref"]
    items = value.values() if isinstance(value, dict) else value
    for item in items if isinstance(value, (dict, list)) else ():
        yield from references(item, base)


@pytest.mark.parametrize("name", EMBEDDED)
def test_a_schema_is_embedded_as_its_file_has_it(document: dict[str, Any], name: str) -> None:
    embedded = document["components"]["schemas"][name]
    file = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    assert embedded == file
    Draft202012Validator.check_schema(embedded)


def test_the_version_is_the_contracts(document: dict[str, Any]) -> None:
    assert document["info"]["version"] == CONTRACT
    for name in ("document", "limits", "operations"):
        schema = document["components"]["schemas"][name]
        assert schema["properties"]["contract"]["const"] == CONTRACT


def test_the_routes_of_the_document_are_those_of_the_service(
    document: dict[str, Any], app: Flask
) -> None:
    described = {
        (path, method.upper())
        for path, operations in document["paths"].items()
        for method in operations
    }
    served = {
        (rule.rule.replace("<", "{").replace(">", "}"), method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule not in NOT_API
    }
    assert described == served


def test_operations_have_distinct_names_and_known_tags(document: dict[str, Any]) -> None:
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    tags = {tag["name"] for tag in document["tags"]}
    assert {tag for one in operations for tag in one["tags"]} == tags


def test_every_reply_of_every_operation_says_its_request_id(document: dict[str, Any]) -> None:
    for response in document["components"]["responses"].values():
        assert {"X-Request-Id", "traceparent"} <= set(response["headers"])
    used = {
        response["$ref"].rpartition("/")[2]
        for path in document["paths"].values()
        for operation in path.values()
        for response in operation["responses"].values()
    }
    assert used == set(document["components"]["responses"])


def test_every_code_of_http_has_a_response_of_its_status(document: dict[str, Any]) -> None:
    statuses = {
        (status, response["$ref"].rpartition("/")[2])
        for path in document["paths"].values()
        for operation in path.values()
        for status, response in operation["responses"].items()
    }
    own = {(str(kind.status), code) for code, kind in KINDS.items() if kind.status != 422}
    assert own <= statuses


def test_the_examples_of_the_document_have_answers(document: dict[str, Any]) -> None:
    requests = {name: one["value"] for name, one in document["components"]["examples"].items()}
    assert list(requests) == [example["name"] for example in examples()]
    for example in examples():
        answer = introspect(**requests[example["name"]])
        for name, expected in example["expect"].items():
            assert answer[name] == expected  # type: ignore[literal-required]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/v1/operations", "operations"),
        ("/v1/examples", "examples"),
        ("/v1/limits", "limits"),
        ("/healthz", "health"),
        ("/problems", "explanations"),
        ("/problems/non_finite", "explanation"),
    ],
)
def test_what_is_answered_has_the_shape_that_is_described(
    document: dict[str, Any], client: FlaskClient, path: str, name: str
) -> None:
    response = client.get(path, headers={"Accept": "application/json"})
    assert (response.status_code, response.mimetype) == (200, "application/json")
    described = document["components"]["responses"][name]["content"]["application/json"]["schema"]
    whole = relocate(document)
    whole.update(relocate(described))
    Draft202012Validator(whole).validate(response.json)


def test_a_batch_has_the_shape_that_is_described(
    document: dict[str, Any], client: FlaskClient
) -> None:
    batch = {"requests": [{"expression": "a", "values": {"a": 1}}, {"expression": ""}]}
    response = client.post("/v1/gradients", json=batch)
    whole = {**relocate(document), "$ref": "#/components/schemas/results"}
    Draft202012Validator(whole).validate(response.json)
    assert [sorted(one)[:2] for one in response.get_json()["results"]] == [
        ["backward_order", "contract"],
        ["code", "detail"],
    ]


def test_code_generators_are_given_references_within_the_document(client: FlaskClient) -> None:
    plain: dict[str, Any] = client.get("/openapi.json?references=local").get_json()
    found = list(references(plain, ""))
    assert len(found) > 100
    assert {reference[:13] for _, reference in found} == {"#/components/"}
    OpenAPIV31SpecValidator(plain).validate()


def test_the_document_is_served_and_may_be_kept(
    document: dict[str, Any], client: FlaskClient
) -> None:
    response = client.get("/openapi.json")
    assert response.json == document
    assert response.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get("/openapi.json", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
