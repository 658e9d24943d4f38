"""The contract's schemas and a skeleton of routes -> the OpenAPI 3.1 document.

openapi.json is the skeleton of the document; this module adds what several routes share.

The contract's schemas refer to one another by `$id`; `with_plain_references` makes all of them
components.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from engine_py import CONTRACT, __version__
from engine_py.lab.commands import LAB
from schemas.bundle import NAMES, Named, schema

Json = dict[str, Any]

ON_EVERY_REPLY = ("X-Request-Id",)
ON_EVERY_ROUTE = {
    "400": "malformed_request",
    "405": "method_not_allowed",
    "500": "internal_error",
    "503": "overloaded",
}

PLACES = "#/components/schemas/"

ANSWERS = {
    "parse": ("program", "outline"),
    "rewrite": ("rewrite_request", "rewrite"),
    "sweep": ("sweep_request", "sweep"),
    "accuracy": ("accuracy_request", "accuracy"),
    **{name: (f"{name}_request", command.result) for name, command in LAB.items()},
}
"""Routes that answer with one document, except the gradient: the schemas of request and document.
The members of the document are the choices of `fields`."""

_REFUSALS = {
    "400": "invalid_json",
    "413": "payload_too_large",
    "415": "unsupported_media_type",
    "422": "unanswerable",
    "503": "compute_timeout",
}
"""The other replies of these routes."""

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "urn:gradient-service:schema:problem"}}}
_EMBEDDED = (
    *("request", "document", "part"),
    *(schema for schemas in ANSWERS.values() for schema in schemas),
    *("problem", "batch", "results", "operations", "examples", "pitfalls", "limits"),
)


def build_openapi() -> Json:
    """Build the document, which does not depend on the configuration."""
    document: Json = json.loads((files("service") / "openapi.json").read_text("utf-8"))
    document["info"].update({"version": __version__, "x-contract": CONTRACT})
    components = document["components"]
    components["schemas"].update({name: schema(name) for name in _EMBEDDED})
    components["examples"] = {
        example["name"]: {
            "summary": example["title"],
            "description": example["about"],
            "value": example["request"],
        }
        for example in table("examples")
    }
    for name, (asked, result) in ANSWERS.items():
        _complete_answer(document, name, asked, result)
    _complete_responses(components["responses"])
    _complete_operations(document)
    return document


def table(name: str) -> list[Json]:
    """Read a table of the contract: examples or operations."""
    rows: list[Json] = json.loads((files("schemas") / f"{name}.json").read_text("utf-8"))[name]
    return rows


def members_of(result: str) -> tuple[str, ...]:
    """Return the members of a document in order."""
    return tuple(schema(result)["properties"])


@cache
def query_parameters() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the query parameters of each route, by path and method.

    Pages are left out, since links to them may carry unknown parameters, and so is the route whose
    parameters include the variables of a program.
    """
    document = build_openapi()
    parameters = document["components"]["parameters"]
    found = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            names = [one["$ref"].rpartition("/")[2] for one in operation.get("parameters", ())]
            reply = operation["responses"]["200"]["$ref"].rpartition("/")[2]
            types = document["components"]["responses"][reply]["content"]
            if "values" not in names and "text/html" not in types:
                own = [parameters[name]["name"] for name in names]
                found[path, method.upper()] = tuple(own)
    return found


def _complete_answer(document: Json, name: str, asked: str, result: str) -> None:
    """Add what the routes in `ANSWERS` share; `paths` and `responses` take priority."""
    components = document["components"]
    operation = document["paths"][f"/v1/{name}"]["post"]
    operation.setdefault("tags", ["lab"])
    fields, part = f"{result}_fields", f"{result}_part"
    operation["parameters"] = [{"$ref": f"#/components/parameters/{fields}"}]
    content = operation["requestBody"]["content"]["application/json"]
    content["schema"] = {"$ref": NAMES + asked}
    operation["requestBody"]["required"] = True
    own, common = operation.get("responses", {}), {"200": result, **_REFUSALS}
    replies = {**{status: _response(each) for status, each in common.items()}, **own}
    operation["responses"] = dict(sorted(replies.items()))
    either = {"anyOf": [{"$ref": NAMES + result}, {"$ref": PLACES + part}]}
    made = components["responses"].setdefault(
        result, {"description": schema(result)["description"]}
    )
    made["content"] = {"application/json": {"schema": either}, **made.get("content", {})}
    names = members_of(result)
    components["parameters"][fields] = {
        **components["parameters"]["fields"],
        "schema": {"type": "array", "minItems": 1, "items": {"enum": list(names)}},
        "example": list(names[-2:]),
    }
    components["schemas"][part] = {
        "description": "The members that `fields` asks for.",
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "properties": {each: {"$ref": f"{NAMES}{result}#/properties/{each}"} for each in names},
    }


def _response(name: str) -> Json:
    return {"$ref": f"#/components/responses/{name}"}


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
                operation["responses"].setdefault(status, _response(name))
    request = document["paths"]["/v1/gradient"]["post"]["requestBody"]["content"]
    request["application/json"]["examples"] = {
        name: {"$ref": f"#/components/examples/{name}"}
        for name in document["components"]["examples"]
    }


def with_plain_references(document: Json) -> Json:
    """Copy a document so that every schema is a component, as code generators need it."""
    components = document["components"]
    named = Named(components["schemas"], PLACES)
    others = {key: one for key, one in components.items() if key != "schemas"}
    copied = named.copy({**document, "components": others})
    return {**copied, "components": {**copied["components"], "schemas": named.schemas()}}
