"""The judge of replies to bad inputs finds what no reply may be."""

import json
from typing import Any

import pytest

from service.tests.bad_replies import Reply, faults
from service.tests.call import Call

GET = Call("GET", b"/v1/limits")
HEADERS = {
    "x-request-id": "a",
    "traceparent": f"00-{'a' * 32}-{'b' * 16}-01",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": "application/problem+json",
}
PROBLEM = {
    "type": "/problems/not_found",
    "title": "There is no such path",
    "status": 404,
    "detail": "there is nothing at '/'",
    "code": "not_found",
    "span": None,
}
GOOD = Reply(404, HEADERS, json.dumps(PROBLEM).encode(), b'{"status":404}\n')


def saying(**changed: Any) -> Reply:
    return GOOD._replace(body=json.dumps({**PROBLEM, **changed}).encode())


def headed(status: int = 404, **changed: str) -> Reply:
    names = {name.replace("_", "-"): text for name, text in changed.items()}
    return GOOD._replace(status=status, headers={**HEADERS, **names}, log=b"")


BAD: dict[str, Reply] = {
    "a fault of the service": GOOD._replace(status=500),
    "another status than its problem": headed(status=405),
    "a code with another status": saying(code="invalid_json"),
    "an unknown code": saying(code="teapot"),
    "a problem without a span": GOOD._replace(body=GOOD.body.replace(b"span", b"spam")),
    "a fault inside a batch": headed(200, content_type="application/json")._replace(
        body=json.dumps(
            {"results": [{**PROBLEM, "code": "internal_error", "status": 500}]}
        ).encode()
    ),
    "a document without its nodes": headed(200, content_type="application/json")._replace(
        body=b'{"topological_order":[]}'
    ),
    "a refusal as a page": headed(content_type="text/html"),
    "a body that is no JSON": GOOD._replace(body=b"{"),
    "a body that is no text": GOOD._replace(body=b"\xff"),
    "another length than announced": headed(content_length="3"),
    "a header with a line break": headed(x_request_id="a\r\nb"),
    "no policy": headed(content_security_policy=""),
    "two lines in the log": GOOD._replace(log=GOOD.log * 2),
    "another status in the log": GOOD._replace(log=b'{"status":200}'),
    "a body of what is not modified": headed(304),
}


def test_a_good_reply_has_no_fault() -> None:
    assert list(faults(GET, GOOD)) == []


@pytest.mark.parametrize("name", BAD)
def test_a_fault_is(name: str) -> None:
    assert list(faults(GET, BAD[name]))


def test_a_reply_to_head_has_no_body() -> None:
    assert list(faults(GET._replace(method="HEAD"), GOOD)) == ["there is a body where none may be"]
