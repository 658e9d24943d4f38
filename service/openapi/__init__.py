"""The contract's schemas and a skeleton of routes -> the OpenAPI 3.1 document.

The skeleton is four JSON files: info, paths, responses, components. What all replies or all
problems have in common is added here, so that it need not be read over and over there.
"""

import json
from importlib.resources import files
from typing import Any

from engine_py import CONTRACT, __version__

Json = dict[str, Any]

ON_EVERY_REPLY = ("X-Request-Id", "traceparent")
ON_EVERY_ROUTE = {
    "400": "malformed_request",
    "405": "method_not_allowed",
    "500": "internal_error",
    "503": "overloaded",
}

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "urn:gradient-service:schema:problem"}}}
_EMBEDDED = (
    "request",
    "document",
    "part",
    "program",
    "outline",
    "sweep_request",
    "sweep",
    "accuracy_request",
    "accuracy",
    "experiment_request",
    "experiment",
    "paths_request",
    "paths",
    "descend_request",
    "descent",
    "hessian_request",
    "hessian",
    "problem",
    "batch",
    "results",
    "operations",
    "examples",
    "pitfalls",
    "limits",
)


def build_openapi() -> Json:
    """Give the document. It is the same under every configuration."""
    document = _part("info")
    document["info"].update({"version": __version__, "x-contract": CONTRACT})
    document["paths"] = _part("paths")
    components = document["components"] = _part("components")
    components["schemas"].update({name: schema(name) for name in _EMBEDDED})
    components["responses"] = _part("responses")
    components["examples"] = {
        example["name"]: {
            "summary": example["title"],
            "description": example["about"],
            "value": example["request"],
        }
        for example in examples()
    }
    _complete_responses(components["responses"])
    _complete_operations(document)
    return document


def schema(name: str) -> Json:
    """Read a schema of the contract as it is."""
    return _data(f"{name}.schema.json")


def examples() -> list[Json]:
    """Read the contract's examples."""
    found: list[Json] = _data("examples.json")["examples"]
    return found


def operations() -> list[Json]:
    """Read the contract's operations."""
    found: list[Json] = _data("operations.json")["operations"]
    return found


def _complete_responses(responses: Json) -> None:
    for name, response in responses.items():
        headers = {header: {"$ref": f"#/components/headers/{header}"} for header in ON_EVERY_REPLY}
        response["headers"] = {**response.get("headers", {}), **headers}
        if name != "not_modified":
            response.setdefault("content", _PROBLEM)


def _complete_operations(document: Json) -> None:
    for path in document["paths"].values():
        for operation in path.values():
            for status, name in ON_EVERY_ROUTE.items():
                common = {"$ref": f"#/components/responses/{name}"}
                operation["responses"].setdefault(status, common)
    request = document["paths"]["/v1/gradient"]["post"]["requestBody"]["content"]
    request["application/json"]["examples"] = {
        name: {"$ref": f"#/components/examples/{name}"}
        for name in document["components"]["examples"]
    }


def _data(name: str) -> Json:
    content: Json = json.loads((files("schemas") / name).read_text("utf-8"))
    return content


def _part(name: str) -> Json:
    content: Json = json.loads((files(__name__) / f"{name}.json").read_text("utf-8"))
    return content
