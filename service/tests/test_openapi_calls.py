"""The calls of schemathesis find no fault in the service, and would find one if there were."""

import re
import subprocess
import sys
from typing import Any

import pytest
from schemathesis.core.failures import FailureGroup
from werkzeug import Request, Response

from service.tests import openapi_calls
from service.tests.openapi_calls import APP, openapi
from service.tests.processes import ROOT

PYTEST = ("-m", "pytest", "-o", "addopts=--import-mode=importlib -q", "-p", "no:cacheprovider")


def described() -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, operations in openapi(APP).raw_schema["paths"].items()
        for method in operations
    }


def test_every_operation_is_called_and_replies_as_the_openapi_document_says() -> None:
    argv = [sys.executable, *PYTEST, openapi_calls.__file__]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    # Schemathesis does not call what it read the document from; test_openapi.py does.
    assert int(passed) == len(described()) - 1 >= 12


# The proof that it can fail


def without(header: str) -> Any:
    def change(response: Response) -> None:
        del response.headers[header]

    return change


def with_(**changed: Any) -> Any:
    def change(response: Response) -> None:
        for name, value in changed.items():
            setattr(response, name, value)

    return change


FAULTS = {
    "a header that is missing": without("X-Request-Id"),
    "a status that is not described": with_(status_code=202),
    "a fault of the service": with_(status_code=500),
    "a media type that is not described": with_(mimetype="text/csv"),
    "a body of another shape": with_(data=b'{"contract": "1.6.0"}'),
    "a body that is no JSON": with_(data=b"{"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_schemathesis_finds(name: str) -> None:
    @Request.application
    def faulty(request: Request) -> Response:
        response = Response.from_app(APP, request.environ)
        if request.path == "/v1/limits":
            FAULTS[name](response)
        return response

    case = openapi(faulty)["/v1/limits"]["GET"].Case()
    with pytest.raises(FailureGroup):
        case.call_and_validate()
    openapi(APP)["/v1/limits"]["GET"].Case().call_and_validate()


def test_every_operation_can_be_called() -> None:
    called = {result.ok().label for result in openapi(APP).get_all_operations()}
    assert called == described() - {"GET /openapi.json"}
