"""The routes: each reads a request, hands it to the engine and writes its answer."""

from flask import Blueprint, Response, request

from engine_py import introspect
from service.body import read_body
from service.config import Config
from service.payloads import load_request, request_schema
from service.replies import json_reply
from service.strict_json import parse_json


def make_routes(config: Config) -> Blueprint:
    """Give the views of a service that is configured so."""
    routes = Blueprint("routes", __name__)
    schema = request_schema(config.limits)

    @routes.post("/v1/gradient")
    def gradient() -> Response:
        """Differentiate the program of the body (CONTRACT.md)."""
        body = parse_json(read_body(request, config.max_body_bytes))
        expression, values, parameters, view = load_request(schema, body)
        document = introspect(
            expression, values, parameters=parameters, view=view, limits=config.limits
        )
        return json_reply(document)

    @routes.get("/healthz")
    def healthz() -> Response:
        """Say that the process answers."""
        return json_reply({"status": "ok"})

    return routes
