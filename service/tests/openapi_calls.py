"""The service keeps to its OpenAPI document: schemathesis calls it as that allows and forbids.

test_openapi.py runs this file in a process of its own, because schemathesis makes most calls
while pytest collects: for seconds, in every process that collects all tests.

The document cannot say which programs are correct, so 422 is a right answer to what it allows.
"""

from typing import Any
from wsgiref.types import WSGIApplication

import schemathesis
from hypothesis import settings
from schemathesis import Case
from schemathesis.config import SchemathesisConfig

from engine_py import DEFAULT_LIMITS
from service import Config, create_app

FEW = 50
"""Items of a list of different names. As many as the default allows take most of a minute."""
LIMITS = DEFAULT_LIMITS._replace(nodes=FEW, variables=FEW)
APP = create_app(Config(limits=LIMITS, log_requests=False))
ANSWERED = ["2xx", "304", "406"]
CHECKS = {
    # A program or a number may have no answer.
    "positive_data_acceptance": {"expected-statuses": [*ANSWERED, "422"]},
    "negative_data_rejection": {
        "expected-statuses": ["400", "404", "405", "406", "413", "415", "422"]
    },
}
SETTINGS = settings(max_examples=40, derandomize=True, database=None, deadline=None)


def openapi(app: WSGIApplication) -> Any:
    """Load what the service serves as its description, without a configuration from elsewhere.

    The description has the limits by default; those of this service are in its place.
    """
    query = {
        "include-operation-id": "differentiateByQuery",
        # OpenAPI cannot say that a text is JSON so that all tools know it.
        "checks": {"positive_data_acceptance": {"expected-statuses": [*ANSWERED, "400", "422"]}},
    }
    config = SchemathesisConfig.from_dict({"seed": 1, "checks": CHECKS, "operations": [query]})
    loaded = schemathesis.openapi.from_wsgi("/openapi.json", app, config=config)
    limit_names(loaded.raw_schema)
    return loaded


def limit_names(schema: Any) -> None:
    """Let every list of different items in a description end at the limit of this service."""
    if isinstance(schema, dict):
        if schema.get("uniqueItems") and "maxItems" in schema:
            schema["maxItems"] = FEW
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            limit_names(part)


@openapi(APP).parametrize()  # type: ignore[untyped-decorator]
@SETTINGS
def test_a_reply_is_what_the_openapi_document_says(case: Case[Any]) -> None:
    case.call_and_validate()
