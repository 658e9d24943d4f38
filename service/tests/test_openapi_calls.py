"""The calls of schemathesis find no fault in the service, and would find one if there were."""

import re
import subprocess
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from werkzeug import Request, Response

from service.tests.processes import ROOT

PYTEST = ("-m", "pytest", "-o", "addopts=--import-mode=importlib -q", "-p", "no:cacheprovider")


@pytest.fixture(scope="module")
def calls() -> ModuleType:
    """The module with schemathesis, which takes a second to load where it is not used."""
    return import_module("service.tests.openapi_calls")


def described(calls: ModuleType) -> set[str]:
    return {
        f"{method.upper()} {path}"
        for path, operations in calls.openapi(calls.APP).raw_schema["paths"].items()
        for method in operations
    }


@pytest.mark.thorough
def test_every_operation_is_called_and_replies_as_the_openapi_document_says(
    calls: ModuleType,
) -> None:
    argv = [sys.executable, *PYTEST, str(calls.__file__)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    # Schemathesis does not call what it read the document from; test_openapi.py does.
    assert int(passed) == len(described(calls)) - 1 >= 12


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
    "a body of another shape": with_(data=b'{"contract": "2.0.0"}'),
    "a body that is no JSON": with_(data=b"{"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_schemathesis_finds(name: str, calls: ModuleType) -> None:
    from schemathesis.core.failures import FailureGroup  # noqa: PLC0415 - as above

    @Request.application
    def faulty(request: Request) -> Response:
        response = Response.from_app(calls.APP, request.environ)
        if request.path == "/v1/limits":
            FAULTS[name](response)
        return response

    case = calls.openapi(faulty)["/v1/limits"]["GET"].Case()
    with pytest.raises(FailureGroup):
        case.call_and_validate()
    calls.openapi(calls.APP)["/v1/limits"]["GET"].Case().call_and_validate()
