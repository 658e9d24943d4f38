"""The contract's schemas and a skeleton of routes -> the OpenAPI 3.1 document.

The skeleton is four JSON files: info, paths, responses, components. What several routes share is
added here.

The contract's schemas refer to one another by `$id`. Code generators follow only references to
`#/components/schemas/…`, so `with_plain_references` replaces the others.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from engine_py import CONTRACT, __version__
from engine_py.lab.commands import LAB

Json = dict[str, Any]

ON_EVERY_REPLY = ("X-Request-Id",)
ON_EVERY_ROUTE = {
    "400": "malformed_request",
    "405": "method_not_allowed",
    "500": "internal_error",
    "503": "overloaded",
}

NAMES = "urn:gradient-service:schema:"
PLACES = "#/components/schemas/"
_DROPPED = ("$schema", "$id", "$defs")

_CLEARER = {
    "request": "gradient_request",
    "document": "gradient_document",
    "node": "graph_node",
    "edge": "graph_edge",
    "path": "graph_path",
}
"""Clearer names of schemas: their own would hide types of browsers or of Python's library."""

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
"""Their other replies."""

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "urn:gradient-service:schema:problem"}}}
_EMBEDDED = (
    "request",
    "document",
    "part",
    *(schema for schemas in ANSWERS.values() for schema in schemas),
    "problem",
    "batch",
    "results",
    "operations",
    "examples",
    "pitfalls",
    "limits",
)


def build_openapi() -> Json:
    """Build the document, which does not depend on the configuration."""
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
    for name, (asked, result) in ANSWERS.items():
        _complete_answer(document, name, asked, result)
    _complete_responses(components["responses"])
    _complete_operations(document)
    return document


def schema(name: str) -> Json:
    """Read a schema of the contract."""
    return _data(f"{name}.schema.json")


def examples() -> list[Json]:
    """Read the contract's examples."""
    found: list[Json] = _data("examples.json")["examples"]
    return found


def operations() -> list[Json]:
    """Read the contract's operations."""
    found: list[Json] = _data("operations.json")["operations"]
    return found


def members_of(result: str) -> tuple[str, ...]:
    """Return the members of a document in order."""
    return tuple(schema(result)["properties"])


@cache
def query_parameters() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the query parameters of each route, by path and method.

    Left out are pages, since links to them may carry foreign parameters, and the route whose
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
            if "variables" not in names and "text/html" not in types:
                own = [parameters[name]["name"] for name in names]
                found[path, method.upper()] = tuple(own)
    return found


def _complete_answer(document: Json, name: str, asked: str, result: str) -> None:
    """Add what the routes in `ANSWERS` share; what `paths` or `responses` say has priority."""
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
    made = components["responses"].setdefault(result, {"description": _described(result)})
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


def _described(result: str) -> str:
    description: str = schema(result)["description"]
    return description


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


def _data(name: str) -> Json:
    content: Json = json.loads((files("schemas") / name).read_text("utf-8"))
    return content


def _part(name: str) -> Json:
    content: Json = json.loads((files(__name__) / f"{name}.json").read_text("utf-8"))
    return content


def with_plain_references(document: Json) -> Json:
    """Copy a document so that every schema is a component.

    Every definition in a schema becomes a component, and a reference to a part of a schema becomes
    a copy of the part. Members lose `default`, because generators make such a member required.
    """
    return _Plain(document["components"]["schemas"]).document(document)


class _Plain:
    """The schemas of a document and the names of their components."""

    def __init__(self, schemas: Json) -> None:
        self._schemas = schemas
        self._titles = _titles(schemas)

    def document(self, document: Json) -> Json:
        schemas = {
            title: _titled(self._copy(self._found(place), place.partition("#")[0]), title)
            for place, title in self._titles.items()
        }
        others = {key: one for key, one in document["components"].items() if key != "schemas"}
        return {
            **self._copy({**document, "components": others}, ""),
            "components": {**self._copy(others, ""), "schemas": schemas},
        }

    def _copy(self, value: Any, schema: str) -> Any:
        """Copy a value from the schema named `schema`, or, if that is empty, from elsewhere."""
        if isinstance(value, list):
            return [self._copy(item, schema) for item in value]
        if not isinstance(value, dict):
            return value
        copied = {key: self._copy(one, schema) for key, one in value.items() if key not in _DROPPED}
        if isinstance(copied.get("properties"), dict):
            copied["properties"] = {
                name: _without_default(one) for name, one in copied["properties"].items()
            }
        if not isinstance(copied.get("$ref"), str):
            return copied
        return self._referring(copied, copied.pop("$ref"), schema)

    def _referring(self, others: Json, reference: str, schema: str) -> Json:
        if reference.startswith("#/components/") and not reference.startswith(PLACES):
            return {"$ref": reference, **others}
        place = _place(reference, schema)
        if place in self._titles:
            return {"$ref": PLACES + self._titles[place], **others}
        return {**self._copy(self._found(place), place.partition("#")[0]), **others}

    def _found(self, place: str) -> Any:
        name, _, pointer = place.partition("#")
        found = self._schemas[name]
        for step in pointer.split("/")[1:]:
            found = found[step]
        return found


def _place(reference: str, schema: str) -> str:
    """Return a reference as the schema's name, followed by `#` and the pointer if it has one."""
    if reference.startswith(PLACES):
        return reference.removeprefix(PLACES)
    address, _, pointer = reference.partition("#")
    name = address.removeprefix(NAMES) or schema
    return f"{name}#{pointer}" if pointer else name


def _titles(schemas: Json) -> dict[str, str]:
    """Return the component's name of each schema and of each definition, by their places.

    A definition is called `Span`, or `SweepNumber` if several schemas define a different `number`.
    Equal definitions share a component, which is called after the first.
    """
    homes: dict[str, dict[str, str]] = {}
    for schema, name, text in _definitions(schemas):
        homes.setdefault(name, {}).setdefault(text, schema)
    titles = {}
    for schema in schemas:
        titles[schema] = _title(schema)
        for _, name, text in _definitions({schema: schemas[schema]}):
            prefix = _title(homes[name][text]) if len(homes[name]) > 1 else ""
            titles[f"{schema}#/$defs/{name}"] = prefix + _title(name)
    return titles


def _definitions(schemas: Json) -> Iterator[tuple[str, str, str]]:
    """Yield the schema, the name and the text of each definition."""
    for schema, content in schemas.items():
        for name, definition in content.get("$defs", {}).items():
            yield schema, name, json.dumps(definition, sort_keys=True)


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in _CLEARER.get(name, name).split("_"))


def _titled(schema: Json, title: str) -> Json:
    """Give a schema with a title its component's name, because some generators prefer the title."""
    return {**schema, "title": title} if "title" in schema else schema


def _without_default(member: Any) -> Any:
    if not isinstance(member, dict) or "default" not in member:
        return member
    kept = {key: value for key, value in member.items() if key != "default"}
    default = json.dumps(member["default"])
    return {**kept, "description": f"{member['description']} Without it: `{default}`."}
