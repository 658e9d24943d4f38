"""OpenAPI document, the contract's operations and some text -> the reference page."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from engine_py import introspect, rewrite
from service.config import Config
from service.openapi import (
    ON_EVERY_REPLY,
    ON_EVERY_ROUTE,
    build_openapi,
    operations,
    with_plain_references,
)
from service.pages.html import Shapes

Json = dict[str, Any]

_EXAMPLE: Json = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
_QUERY = {"expression": _EXAMPLE["expression"], **_EXAMPLE["values"]}


def reference(config: Config) -> Json:
    """Return the variables of docs.html."""
    openapi = with_plain_references(build_openapi())
    shapes = Shapes(openapi)
    routes = [
        _route(openapi, shapes, path, method)
        for path, methods in openapi["paths"].items()
        for method in methods
    ]
    return {
        "openapi": openapi,
        "url": config.url,
        "limits": _limits(config, openapi),
        "groups": [
            (tag, [route for route in routes if tag["name"] in route["tags"]])
            for tag in openapi["tags"]
        ],
        "language": language(),
        "shapes": shapes.tables(),
        "example": _EXAMPLE,
        "document": introspect(**_EXAMPLE),
        "picture": _query("svg"),
    }


def _limits(config: Config, openapi: Json) -> list[tuple[str, int, str]]:
    described = openapi["components"]["schemas"]["Limits"]["properties"]
    return [
        (name, bound, described[name]["description"])
        for name, bound in config.published_limits().items()
    ]


def _route(openapi: Json, shapes: Shapes, path: str, method: str) -> Json:
    operation = openapi["paths"][path][method]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    parameters = [_resolved(openapi, one) for one in operation.get("parameters", ())]
    replies = {
        status: _resolved(openapi, one)
        for status, one in sorted(operation["responses"].items())
        if status not in ON_EVERY_ROUTE
    }
    return {
        **operation,
        "path": path,
        "method": method.upper(),
        "parameters": [(one, shapes.type_of(one["schema"])) for one in parameters],
        "body": shapes.type_of(body["schema"]) if body else None,
        "examples": _examples(openapi, path, method),
        "replies": [_reply(shapes, status, reply) for status, reply in replies.items()],
    }


def _query(form: str) -> str:
    return f"/v1/gradient?{urlencode({**_QUERY, 'format': form})}"


def _reply(shapes: Shapes, status: str, reply: Json) -> Json:
    types = [
        (media_type, shapes.type_of(content["schema"]))
        for media_type, content in reply.get("content", {}).items()
    ]
    headers = [name for name in reply.get("headers", ()) if name not in ON_EVERY_REPLY]
    return {**reply, "status": status, "types": types, "headers": headers}


def _examples(openapi: Json, path: str, method: str) -> list[Json]:
    """Return example requests with title, path, body if it is a POST, and description."""
    if method == "post":
        content = openapi["paths"][path][method]["requestBody"]["content"]["application/json"]
        if "example" in content:
            return [{"path": path, "body": content["example"]}]
        several = [_resolved(openapi, one) for one in content["examples"].values()]
        return [
            {
                "title": one["summary"],
                "about": one["description"],
                "path": path,
                "body": one["value"],
            }
            for one in several
        ]
    if path == "/v1/gradient":
        formats = {"json": "As JSON", "svg": "As a picture", "dot": "For Graphviz"}
        return [
            {"title": title, "path": _query(name), "query": {**_QUERY, "format": name}}
            for name, title in formats.items()
        ]
    if path == "/docs":
        return []
    return [{"path": path.replace("{code}", "domain_error")}]


def _resolved(openapi: Json, reference: Json) -> Json:
    """Follow a reference to a part of the document itself."""
    found = openapi
    for step in reference["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


class Substitute(NamedTuple):
    """Something that the language lacks, what to write instead, and when that holds."""

    wanted: str
    written: str
    where: str = ""


def _as_the_engine_says(call: str) -> str:
    """Rewrite the call of an unknown function."""
    return str(rewrite(call)["expression"])


SUBSTITUTES = (
    Substitute("2x, 2(x), (a)(b)", "2*x, 2*(x), (a)*(b)"),
    Substitute("a ^ 2", "a ** 2"),
    Substitute("ln(x)", _as_the_engine_says("ln(x)"), "x > 0"),
    Substitute("log10(x)", _as_the_engine_says("log10(x)"), "x > 0"),
    Substitute("x ** y", "exp(y * log(x))", "x > 0"),
    Substitute("pi, e", "3.141592653589793, exp(1)", "or a value under that name"),
)


def language() -> Json:
    """Return the variables of language.html: operators, functions, substitutes."""
    rows = operations()
    return {
        "operators": [row for row in rows if not _is_call(row)],
        "functions": [row for row in rows if _is_call(row)],
        "substitutes": SUBSTITUTES,
    }


def _is_call(row: Json) -> bool:
    name, *_ = row["syntax"].partition("(")
    return bool(name.isidentifier())
