"""GET replies like POST, and its reply can be cached (RFC 9110 and 9111)."""

import hashlib
import json
from typing import Any
from urllib.parse import unquote, unquote_plus

import pytest
import rfc8785
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from service.errors import InvalidJson
from service.request import read_query
from service.tests.validated import EXAMPLE, Post, Reply, reply_of

SUM = {"expression": "(a + b) * c", "values": '{"a":2,"b":-3,"c":10}'}


def ask(client: FlaskClient, query: Any) -> TestResponse:
    return client.get("/v1/gradient", query_string=query)


def refused(client: FlaskClient, query: Any) -> Reply:
    reply = reply_of(ask(client, query))
    assert reply.status >= 400
    return reply


def test_a_query_above_the_documented_length_is_refused(client: FlaskClient) -> None:
    longest = "expression=1" + "%2B1" * 1_997
    assert len(longest) == 8_000
    assert ask(client, longest).status_code == 200
    reply = refused(client, longest + "0")
    assert (reply.status, reply.content["code"]) == (400, "malformed_request")
    assert "8001 bytes; at most 8000" in reply.content["detail"]


@pytest.mark.parametrize(
    ("query", "body"),
    [
        (SUM, {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}),
        ({"expression": "2", "values": ""}, {"expression": "2", "values": {}}),
        (
            'expression=w*x%2Bb&values={"w":1e-7,"x":0.1,"b":-0.0,"q":1}&parameters=w&parameters=b',
            {
                "expression": "w*x+b",
                "values": {"w": 1e-7, "x": 0.1, "b": 0, "q": 1},
                "parameters": ["w", "b"],
            },
        ),
        (
            {"expression": "1 - 2", "view": "primitive", "format": "json"},
            {"expression": "1 - 2", "values": {}, "view": "primitive"},
        ),
        ({"values": '{"a":"2"}'}, {"values": {"a": "2"}}),
        ({"expression": "1", "values": "[1]"}, {"expression": "1", "values": [1]}),
        ({"expression": "1", "values": "null"}, {"expression": "1", "values": None}),
        ({}, {"values": {}}),
        ("expression=a*b&a=2&b=-0.5", {"expression": "a*b", "values": {"a": 2, "b": -0.5}}),
        ('expression=a*b&a=2&values={"b":3}', {"expression": "a*b", "values": {"a": 2, "b": 3}}),
        ("a=9007199254740993&expression=a", {"expression": "a", "values": {"a": 2**53}}),
        (
            "expression=w*2&w=0&parameters=w",
            {"expression": "w*2", "values": {"w": 0}, "parameters": ["w"]},
        ),
        ("expression=a&a.b=1", {"expression": "a", "values": {"a.b": 1}}),
        ("expression=view&values={%22view%22:2}", {"expression": "view", "values": {"view": 2}}),
        ("a=1&values=[2]", {"values": [2]}),
    ],
)
def test_a_query_gets_the_reply_of_the_equivalent_body(
    client: FlaskClient, post: Post, query: Any, body: dict[str, Any]
) -> None:
    got, posted = reply_of(ask(client, query)), post(body)
    assert (got.status, got.content) == (posted.status, posted.content)


@pytest.mark.parametrize(
    ("name", "pointer"),
    [
        ("expression", "/expression"),
        ("values", "/values"),
        ("view", "/view"),
        ("format", "/format"),
        ("a", "/values/a"),
        ("a/b~c", "/values/a~1b~0c"),  # RFC 6901, section 3
    ],
)
def test_a_name_given_twice_is_refused(client: FlaskClient, name: str, pointer: str) -> None:
    texts = {"expression": "1", "values": "{}", "view": "folded", "format": "json"}
    problem = refused(client, [(name, texts.get(name, "1"))] * 2).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", pointer)
    assert "2 times" in problem["detail"]


def test_a_long_name_is_truncated(client: FlaskClient) -> None:
    name = "x" * 1_000
    for query in ([(name, "1")] * 2, [(name, "y")], [(name, "1"), ("values", f'{{"{name}":1}}')]):
        detail = refused(client, query).content["detail"]
        assert "x" * 60 in detail
        assert "x" * 61 not in detail


def test_a_variable_given_by_itself_and_in_values_is_refused(client: FlaskClient) -> None:
    query = [("expression", "a"), ("values", '{"a":2}'), ("a", "2")]
    problem = refused(client, query).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "/values/a")
    assert "`values`" in problem["detail"]


JSON_NUMBERS = ["0", "-0", "12", "-3.5", "0.1", "1e3", "1E3", "1e-3", "1.5e%2B3", "5e-324"]
OTHER_NUMBERS = [
    *("", "%2B2", "+2", " 2", "2 ", "1e+3", ".5", "2.", "-", "01", "0x10", "1_000", "1,5", "1e"),
    *("NaN", "Infinity", "-Infinity", "true", "null", "%222%22", "２", "2%0A", "[2]"),
]


@pytest.mark.parametrize("text", JSON_NUMBERS)
def test_a_json_number_is_a_value(client: FlaskClient, text: str) -> None:
    reply = reply_of(ask(client, f"expression=a&a={text}"))
    assert reply.content["values"] == {"a": json.loads(unquote(text), parse_int=float)}


@pytest.mark.parametrize("text", OTHER_NUMBERS)
def test_a_text_that_is_not_a_json_number_is_refused(client: FlaskClient, text: str) -> None:
    problem = refused(client, f"expression=a&a={text}").content
    assert (problem["code"], problem["name"]) == ("invalid_value", "a")
    assert problem["pointer"] == "/values/a"
    assert "JSON" in problem["detail"]
    assert ("stands for a blank" in problem["detail"]) == (" " in unquote_plus(text))


def test_a_number_larger_than_every_double_is_refused(client: FlaskClient) -> None:
    problem = refused(client, "expression=a&a=1e400").content
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/a")


def test_invalid_json_in_values_is_reported_as_part_of_the_query() -> None:
    with pytest.raises(InvalidJson, match=r"`values` in the query is not JSON: .*column 2"):
        read_query(MultiDict({"values": "{"}))


@pytest.mark.parametrize(
    ("query", "code", "is_explained"),
    [
        ('expression=a+b&values={"a":1,"b":2}', "unexpected_token", True),
        ("expression=a+(b*c)&a=1&b=2&c=3", "unknown_function", True),  # a (b*c) is a call
        ("expression=2x&values={+}", "unexpected_token", False),
        ("expression=2%20x&x=1&values=+{}", "unexpected_token", False),
        ("expression=2%20x", "unexpected_token", False),
    ],
)
def test_a_plus_that_was_read_as_a_blank_is_explained(
    client: FlaskClient, query: str, code: str, *, is_explained: bool
) -> None:
    problem = refused(client, query).content
    message, _picture = problem["detail"].split("\n\n")
    assert (problem["code"], "%2B" in message) == (code, is_explained)


def test_invalid_utf_8_is_a_problem_and_not_an_internal_error(client: FlaskClient) -> None:
    assert refused(client, "expression=%ff").content["code"] == "unexpected_character"
    assert refused(client, "expression=a&values={%22%ff%22:1}").status == 422


# Unknown parameters.


def test_every_route_refuses_an_unknown_parameter(client: FlaskClient) -> None:
    described = client.get("/openapi.json").get_json()
    routes = {
        (path, method)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if path != "/docs" and not path.startswith("/problems")  # links may add parameters
    } - {("/v1/gradient", "get")}  # there every other name is a variable
    assert len(routes) >= 15
    for path, method in sorted(routes):
        problem = reply_of(client.open(f"{path}?feilds=x", method=method)).content
        assert (problem["code"], problem["pointer"]) == ("invalid_request", "/feilds"), path


@pytest.mark.parametrize(
    ("route", "found"),
    [
        (
            "POST /v1/gradient?feilds=x",
            "'feilds'; did you mean fields? it takes format, fields; the rest",
        ),
        ("POST /v1/gradients?format=svg", "'format'; it takes fields; the rest goes in the body"),
        ("GET /v1/limits?view=folded", "'view'; it takes none"),
    ],
)
def test_the_nearest_parameter_is_suggested(client: FlaskClient, route: str, found: str) -> None:
    method, _, path = route.partition(" ")
    detail = reply_of(client.open(path, method=method)).content["detail"]
    assert detail.startswith(f"{route.partition('?')[0]} has no parameter {found}")
    assert client.head(path).status_code in (405, 422)


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        ("/v1/gradient?format=sgv", EXAMPLE, "'sgv'; did you mean svg? choose json, dot, "),
        ("/v1/gradient", {**EXAMPLE, "vew": "folded"}, "; did you mean view? the members are "),
        ("/problems/domain_eror", None, "; did you mean domain_error? /problems lists them all"),
    ],
)
def test_the_nearest_format_member_or_problem_is_suggested(
    client: FlaskClient, path: str, body: Any, found: str
) -> None:
    reply = client.open(path, method="POST" if body else "GET", json=body)
    assert found in reply_of(reply).content["detail"]


def test_an_unknown_name_in_a_query_is_refused_with_the_nearest_parameter(
    client: FlaskClient,
) -> None:
    problem = refused(client, "expression=a&a=1&feilds=result").content
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/feilds")
    found = "; did you mean fields? every name but expression, values, parameters, view, format"
    assert found in problem["detail"]


# Caching; test_pages.py tests what all cacheable replies have in common.


@pytest.mark.parametrize(
    "query",
    [
        SUM,
        {"expression": "1e21 * 1e-7"},
        {"expression": "-0.5"},
        {**SUM, "fields": "result,gradients"},
    ],
)
def test_the_etag_is_the_digest_of_the_canonical_reply(client: FlaskClient, query: Any) -> None:
    reply = ask(client, query)
    assert reply.get_etag() == (hashlib.sha256(rfc8785.dumps(reply.json)).hexdigest(), False)


def test_every_format_and_every_result_has_its_own_etag(client: FlaskClient) -> None:
    queries = [{**SUM, "format": each} for each in ("json", "dot", "mermaid")]
    queries += [{**SUM, "values": '{"a":2,"b":-3,"c":11}'}, {**SUM, "view": "primitive"}]
    queries += [{**SUM, "expression": "(a + b) *  c"}, {**SUM, "fields": "result"}]
    tags = [ask(client, query).headers["ETag"] for query in queries]
    assert len(set(tags)) == len(queries)
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)  # strong: no W/
