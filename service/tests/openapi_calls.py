"""The service conforms to its OpenAPI document: schemathesis sends valid and invalid calls.

test_openapi.py runs this file in its own process, because schemathesis makes most calls while
pytest collects, which would take seconds in every process that collects all tests.

The document cannot say which programs are valid, so 422 is a correct reply to a valid call.
"""

from typing import Any
from wsgiref.types import WSGIApplication

import schemathesis
from hypothesis import settings
from schemathesis import Case
from schemathesis.config import SchemathesisConfig

from engine_py import DEFAULT_LIMITS
from service.app import create_app
from service.config import Config

FEW = 50
"""The maximum length of a list of distinct names. The default limits take most of a minute."""
LIMITS = DEFAULT_LIMITS._replace(nodes=FEW, variables=FEW)
APP = create_app(Config(limits=LIMITS, log_requests=False))
ANSWERED = ["2xx", "304", "406"]
CHECKS = {
    # A program may be invalid, and a number too large.
    "positive_data_acceptance": {"expected-statuses": [*ANSWERED, "422"]},
    "negative_data_rejection": {
        "expected-statuses": ["400", "404", "405", "406", "413", "415", "422"]
    },
}
SETTINGS = settings(max_examples=40, derandomize=True, database=None, deadline=None)


def openapi(app: WSGIApplication) -> Any:
    """Load the document that the service serves, with the limits of `APP`, not the defaults."""
    query = {
        "include-operation-id": "differentiateByQuery",
        # OpenAPI has no way to say that a text is JSON that all tools know.
        "checks": {"positive_data_acceptance": {"expected-statuses": [*ANSWERED, "400", "422"]}},
    }
    config = SchemathesisConfig.from_dict({"seed": 1, "checks": CHECKS, "operations": [query]})
    loaded = schemathesis.openapi.from_wsgi("/openapi.json", app, config=config)
    limit_names(loaded.raw_schema)
    return loaded


def limit_names(schema: Any) -> None:
    """Set `maxItems` of every list of distinct items in `schema` to `FEW`."""
    if isinstance(schema, dict):
        if schema.get("uniqueItems") and "maxItems" in schema:
            schema["maxItems"] = FEW
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            limit_names(part)


@openapi(APP).parametrize()  # type: ignore[untyped-decorator]
@SETTINGS
def test_a_reply_conforms_to_the_openapi_document(case: Case[Any]) -> None:
    case.call_and_validate()
