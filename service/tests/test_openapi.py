import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from engine_py import CONTRACT, __version__
from schemas.bundle import NAMES
from service.app import create_app
from service.config import Config
from service.openapi import build_openapi, with_plain_references
from service.reply import KINDS
from service.tests.processes import ROOT
from service.tests.validated import schema_of

PYTEST = ("-m", "pytest", "-o", "addopts=--import-mode=importlib -q", "-p", "no:cacheprovider")
NOT_API = {"/", "/docs/<asset>", "/sandbox/<name>"}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return build_openapi()


@pytest.fixture(scope="module")
def plain(document: dict[str, Any]) -> dict[str, Any]:
    return with_plain_references(document)


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Config())


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def operations_of(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [operation for path in document["paths"].values() for operation in path.values()]


def replies_of(document: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the statuses of all replies with the names of their components."""
    return {
        (status, response["$ref"].rpartition("/")[2])
        for operation in operations_of(document)
        for status, response in operation["responses"].items()
    }


def test_no_parameter_of_a_query_can_be_a_variable(
    client: FlaskClient, document: dict[str, Any]
) -> None:
    described = document["paths"]["/v1/gradient"]["get"]["parameters"]
    keys = [one["$ref"].rpartition("/")[2] for one in described]
    parameters = [document["components"]["parameters"][key] for key in keys]
    for name in (one["name"] for one in parameters if one["in"] == "query"):
        query = [("expression", name), (name, "2")]
        assert client.get("/v1/gradient", query_string=query).status_code != 200, name


@pytest.mark.thorough
def test_every_operation_replies_as_documented(
    document: dict[str, Any],
) -> None:
    """Schemathesis makes most calls while pytest collects, so it runs in its own process."""
    argv = [sys.executable, *PYTEST, "service/tests/openapi_calls.py"]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    # It does not call the route that it read the document from; tests below do.
    assert int(passed) == len(operations_of(document)) - 1


def test_the_document_is_valid_openapi(plain: dict[str, Any]) -> None:
    # Here, since every process of the tests would take half a second to import it.
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415

    OpenAPIV31SpecValidator(plain).validate()


def test_the_schemas_of_the_contract_are_embedded_unchanged(
    document: dict[str, Any],
) -> None:
    schemas = document["components"]["schemas"]
    embedded = [name for name in schemas if "$id" in schemas[name]]
    assert len(embedded) >= 24
    for name in embedded:
        assert schemas[name] == schema_of(name)


def test_the_document_has_exactly_the_routes_of_the_service(
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
    operations = operations_of(document)
    assert len({one["operationId"] for one in operations}) == len(operations)
    tags = {tag["name"] for tag in document["tags"]}
    assert {tag for one in operations for tag in one["tags"]} == tags


def test_every_reply_of_the_application_has_a_request_id(document: dict[str, Any]) -> None:
    for response in document["components"]["responses"].values():
        assert "X-Request-Id" in response["headers"]
    assert {name for _, name in replies_of(document)} == set(document["components"]["responses"])
    assert "Allow" in document["components"]["responses"]["method_not_allowed"]["headers"]


def test_every_problem_of_http_has_a_response_with_its_status(document: dict[str, Any]) -> None:
    of_http = {(str(kind.status), code) for code, kind in KINDS.items() if kind.status != 422}
    assert of_http <= replies_of(document)


def test_the_examples_of_every_post_get_the_documented_reply(
    plain: dict[str, Any], client: FlaskClient
) -> None:
    shared = {name: one["value"] for name, one in plain["components"]["examples"].items()}
    for path, methods in plain["paths"].items():
        if "post" not in methods:
            continue
        content = methods["post"]["requestBody"]["content"]["application/json"]
        bodies = [content["example"]] if "example" in content else list(shared.values())
        replies = plain["components"]["responses"]
        reply = replies[methods["post"]["responses"]["200"]["$ref"].rpartition("/")[2]]
        described = reply["content"]["application/json"]["schema"]
        for body in bodies:
            Draft202012Validator({**plain, **content["schema"]}).validate(body)
            response = client.post(path, json=body)
            assert response.status_code == 200, body
            Draft202012Validator({**plain, **described}).validate(response.json)


@pytest.mark.parametrize(
    ("path", "name"), [("/problems", "explanations"), ("/problems/non_finite", "explanation")]
)
def test_an_explanation_conforms_to_its_documented_schema(
    plain: dict[str, Any], client: FlaskClient, path: str, name: str
) -> None:
    response = client.get(path, headers={"Accept": "application/json"})
    assert (response.status_code, response.mimetype) == (200, "application/json")
    described = plain["components"]["responses"][name]["content"]["application/json"]["schema"]
    Draft202012Validator({**plain, **described}).validate(response.json)


def test_code_generators_see_only_components_and_references_to_them(
    plain: dict[str, Any],
) -> None:
    found = list(values_of(plain, "$ref"))
    assert len(found) > 100
    for reference in found:
        assert re.fullmatch(r"#/components/[a-z]+/[A-Za-z_-]+", reference), reference
    for keyword in ("$id", "$schema", "$defs"):
        assert not any(True for _ in values_of(plain, keyword))
    used = {reference.rpartition("/")[2] for reference in found}
    assert set(plain["components"]["schemas"]) <= used
    for name, schema in plain["components"]["schemas"].items():
        assert name[0].isupper()
        assert schema.get("title", name) == name


def values_of(value: Any, key: str) -> Iterator[Any]:
    """Yield the values of the members called `key`, anywhere in a document."""
    if isinstance(value, dict) and key in value:
        yield value[key]
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            yield from values_of(item, key)


def test_component_names_do_not_clash_with_types_of_languages(
    plain: dict[str, Any],
) -> None:
    """They become the names of generated types: changing one breaks generated clients."""
    clearer = {"GradientRequest", "GradientDocument", "GraphNode", "GraphEdge", "GraphPath"}
    usual = {"Id", "Span", "Sweep", "SweepProblem", "Accuracy", "AccuracyNumber", "Problem"}
    twice = {"GradientRequestNumber", "GradientDocumentNumber", "OutlineNode", "OutlineEdge"}
    names = plain["components"]["schemas"].keys()
    assert names >= clearer | usual | twice
    assert names.isdisjoint({"Request", "Document", "Node", "Edge", "Path", "Number"})


def test_different_definitions_of_one_name_get_different_names() -> None:
    def schema(name: str, number: Any) -> dict[str, Any]:
        properties = {"n": {"$ref": "#/$defs/number"}}
        return {"$id": NAMES + name, "properties": properties, "$defs": {"number": number}}

    schemas = {
        "first": schema("first", {"type": "number"}),
        "second": schema("second", {"type": "integer"}),
        "third": schema("third", {"type": "number"}),
    }
    made = with_plain_references({"components": {"schemas": schemas}})["components"]["schemas"]
    assert list(made) == ["First", "FirstNumber", "Second", "SecondNumber", "Third"]
    assert made["Third"] == {"properties": {"n": {"$ref": "#/components/schemas/FirstNumber"}}}
    assert made["Second"] == {"properties": {"n": {"$ref": "#/components/schemas/SecondNumber"}}}
    assert made["SecondNumber"] == {"type": "integer"}


def test_a_reference_into_a_schema_is_replaced_by_that_part() -> None:
    inner = {"type": "array", "items": {"$ref": "#/$defs/b"}, "description": "Some."}
    first = {"$id": f"{NAMES}a", "properties": {"x": inner}, "$defs": {"b": {"type": "string"}}}
    reference = {"$ref": f"{NAMES}a#/properties/x", "description": "Others."}
    made = with_plain_references({"paths": reference, "components": {"schemas": {"a": first}}})
    items = {"$ref": "#/components/schemas/B"}
    assert made["paths"] == {"type": "array", "items": items, "description": "Others."}


def test_members_with_a_default_are_optional_for_every_client(plain: dict[str, Any]) -> None:
    """Generators make a member with a default required, so only the description states it."""
    request = plain["components"]["schemas"]["GradientRequest"]
    assert request["required"] == ["expression", "values"]
    assert not any(True for _ in values_of(request, "default"))
    assert request["properties"]["parameters"]["description"].endswith(" Without it: `[]`.")
    assert request["properties"]["view"]["description"].endswith(' Without it: `"folded"`.')


def test_every_parameter_has_a_schema_that_generators_can_send(plain: dict[str, Any]) -> None:
    for parameter in plain["components"]["parameters"].values():
        assert "content" not in parameter
        assert parameter["schema"].keys() & {"type", "enum"}


def test_the_document_is_served_with_plain_references(
    plain: dict[str, Any], client: FlaskClient
) -> None:
    assert client.get("/openapi.json").json == plain


def test_the_document_names_the_versions_of_software_and_contract(plain: dict[str, Any]) -> None:
    assert (plain["info"]["version"], plain["info"]["x-contract"]) == (__version__, CONTRACT)
