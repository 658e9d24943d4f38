"""GET answers what POST answers, and caches may keep it (RFC 9110 and 9111)."""

import hashlib
import json
from typing import Any
from urllib.parse import quote, unquote, unquote_plus

import pytest
import rfc8785
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.test import TestResponse

from engine_py.errors import InvalidRequest, UnexpectedToken
from service.errors import InvalidJson
from service.request.query import hint_at_plus, read_query
from service.tests.validated import Post, Reply, reply_of

SUM = {"expression": "(a + b) * c", "values": '{"a":2,"b":-3,"c":10}'}


def ask(client: FlaskClient, query: Any, **headers: str) -> TestResponse:
    sent = {name.replace("_", "-"): text for name, text in headers.items()}
    return client.get("/v1/gradient", query_string=query, headers=sent)


def refused(client: FlaskClient, query: Any) -> Reply:
    reply = reply_of(ask(client, query))
    assert reply.headers["Cache-Control"] == "no-store"
    assert "ETag" not in reply.headers
    return reply


@pytest.mark.parametrize(
    ("query", "body"),
    [
        (SUM, {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}),
        ({"expression": "2 ** 0.5"}, {"expression": "2 ** 0.5", "values": {}}),
        ({"expression": "2", "values": ""}, {"expression": "2", "values": {}}),
        (
            MultiDict(
                {
                    "expression": "w*x + b",
                    "values": '{"w":1e-7,"x":0.1,"b":-0.0,"q":1}',
                    "parameters": ["w", "b"],
                }
            ),
            {
                "expression": "w*x + b",
                "values": {"w": 1e-7, "x": 0.1, "b": 0, "q": 1},
                "parameters": ["w", "b"],
            },
        ),
        (
            {"expression": "1 - 2", "view": "primitive", "format": "json"},
            {"expression": "1 - 2", "values": {}, "view": "primitive"},
        ),
        ({"expression": "2x"}, {"expression": "2x", "values": {}}),
        ({"expression": "a + é"}, {"expression": "a + é", "values": {}}),
        ({"expression": "log(0)"}, {"expression": "log(0)", "values": {}}),
        ({"values": '{"a":"2"}'}, {"values": {"a": "2"}}),
        ({"expression": "1", "values": "[1]"}, {"expression": "1", "values": [1]}),
        ({"expression": "1", "values": "null"}, {"expression": "1", "values": None}),
        ({"expression": "1", "view": "flat"}, {"expression": "1", "values": {}, "view": "flat"}),
        ({}, {"values": {}}),
        ("expression=a*b&a=2&b=-0.5", {"expression": "a*b", "values": {"a": 2, "b": -0.5}}),
        ('expression=a*b&a=2&values={"b":3}', {"expression": "a*b", "values": {"a": 2, "b": 3}}),
        ("expression=a&a=1e3&b=1E-7", {"expression": "a", "values": {"a": 1000, "b": 1e-7}}),
        ("a=9007199254740993&expression=a", {"expression": "a", "values": {"a": 2**53}}),
        (
            "expression=w*2&w=0&parameters=w",
            {"expression": "w*2", "values": {"w": 0}, "parameters": ["w"]},
        ),
        ("expression=a", {"expression": "a", "values": {}}),
        ("expression=a&a.b=1", {"expression": "a", "values": {"a.b": 1}}),
        ("expression=view&values={%22view%22:2}", {"expression": "view", "values": {"view": 2}}),
        ("a=1&values=[2]", {"values": [2]}),
    ],
)
def test_a_query_has_the_reply_of_the_body_it_stands_for(
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
    ],
)
def test_a_name_that_is_given_twice_is_named(client: FlaskClient, name: str, pointer: str) -> None:
    texts = {"expression": "1", "values": "{}", "view": "folded", "format": "json", "a": "1"}
    problem = refused(client, [*texts.items(), (name, texts[name])]).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", pointer)
    assert "2 times" in problem["detail"]


def test_a_long_name_is_not_repeated_as_a_whole(client: FlaskClient) -> None:
    name = "x" * 1_000
    for query in ([(name, "1")] * 2, [(name, "y")], [(name, "1"), ("values", f'{{"{name}":1}}')]):
        detail = refused(client, query).content["detail"]
        assert "x" * 40 in detail
        assert "x" * 41 not in detail


@pytest.mark.parametrize("value", [2, 3])
def test_a_variable_is_given_by_itself_or_in_values(client: FlaskClient, value: int) -> None:
    query = [("expression", "a"), ("values", f'{{"a":{value}}}'), ("a", "2")]
    problem = refused(client, query).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "/values/a")
    assert "`values`" in problem["detail"]


def test_a_name_in_a_pointer_is_escaped() -> None:
    with pytest.raises(InvalidRequest) as refusal:
        read_query(MultiDict([("a/b~c", "1"), ("a/b~c", "2")]))
    assert refusal.value.data["pointer"] == "/values/a~1b~0c"  # RFC 6901, section 3


JSON_NUMBERS = ["0", "-0", "12", "-3.5", "0.1", "1e3", "1E3", "1e-3", "1.5e%2B3", "5e-324"]
OTHER_NUMBERS = [
    *("", "%2B2", "+2", " 2", "2 ", "1e+3", ".5", "2.", "-", "01", "0x10", "1_000", "1,5", "1e"),
    *("NaN", "Infinity", "-Infinity", "true", "null", "%222%22", "２", "2%0A", "[2]"),
]


@pytest.mark.parametrize("text", JSON_NUMBERS)
def test_a_number_of_json_is_a_value(client: FlaskClient, text: str) -> None:
    reply = reply_of(ask(client, f"expression=a&a={text}"))
    assert reply.content["values"] == {"a": json.loads(unquote(text), parse_int=float)}


@pytest.mark.parametrize("text", OTHER_NUMBERS)
def test_what_json_does_not_call_a_number_is_no_value(client: FlaskClient, text: str) -> None:
    with pytest.raises(ValueError, match=r"not a JSON number|Expecting|Extra data|Invalid"):
        number_of_json(unquote_plus(text))
    problem = refused(client, f"expression=a&a={text}").content
    assert (problem["code"], problem["name"]) == ("invalid_value", "a")
    assert problem["pointer"] == "/values/a"
    assert "JSON" in problem["detail"]
    assert ("stands for a blank" in problem["detail"]) == (" " in unquote_plus(text))


def number_of_json(text: str) -> float:
    """Judge a text by the standard library's parser, which knows blanks, constants and more."""
    found = json.loads(text, parse_constant=lambda _: None)
    if text.strip() != text or isinstance(found, bool) or not isinstance(found, int | float):
        raise ValueError("not a JSON number")
    return found


def test_a_number_beyond_the_doubles_is_the_engines_to_refuse(client: FlaskClient) -> None:
    problem = refused(client, "expression=a&a=1e400").content
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/a")


def test_too_many_variables_in_a_query_are_too_many_values(client: FlaskClient) -> None:
    query = [("expression", "1"), *((f"a{index}", "1") for index in range(1001))]
    problem = refused(client, query).content
    assert (problem["code"], problem["actual"]) == ("limit_exceeded", 1001)


def test_the_message_tells_the_query_from_a_body() -> None:
    with pytest.raises(InvalidJson, match=r"`values` in the query is not JSON: .*column 2"):
        read_query(MultiDict({"values": "{"}))


def test_an_unknown_member_of_the_query_is_named(client: FlaskClient) -> None:
    problem = refused(client, {"expression": "1", "vaules": "{}"}).content
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/vaules")
    assert "expression, values, parameters, view, format" in problem["detail"]


def test_a_plus_before_a_parenthesis_that_was_read_as_a_call_is_explained(
    client: FlaskClient,
) -> None:
    problem = refused(client, "expression=a+(b*c)&a=1&b=2&c=3").content
    assert (problem["code"], problem["name"]) == ("unknown_function", "a")
    assert "%2B" in problem["detail"]


def test_a_plus_elsewhere_in_the_query_explains_nothing(client: FlaskClient) -> None:
    assert "%2B" not in refused(client, "expression=2x&values={+}").content["detail"]
    assert "%2B" not in refused(client, "expression=2%20x&x=1&values=+{}").content["detail"]


def test_a_plus_that_was_read_as_a_blank_is_explained(client: FlaskClient) -> None:
    reply = refused(client, 'expression=a+b&values={"a":1,"b":2}')
    assert (reply.content["code"], reply.content["span"]) == (
        "unexpected_token",
        {"start": 2, "end": 3},
    )
    assert "%2B" in reply.content["detail"]
    assert reply.content["detail"].endswith("\n\n    a b\n      ^")


def test_without_a_plus_there_is_nothing_to_explain(client: FlaskClient) -> None:
    assert "%2B" not in refused(client, "expression=2%20x").content["detail"]
    error = UnexpectedToken("`x` is out of place")
    assert hint_at_plus(error, b"expression=2%20x") is error
    assert hint_at_plus(error, b"y=+1") is error


def test_a_plus_that_is_escaped_is_a_plus(client: FlaskClient) -> None:
    query = f"expression={quote('2 + 3')}&values={quote('{}')}"
    assert reply_of(ask(client, query)).content["result"] == 5


def test_bytes_that_are_no_utf_8_are_a_problem_and_no_fault(client: FlaskClient) -> None:
    assert refused(client, "expression=%ff").content["code"] == "unexpected_character"
    assert refused(client, "expression=a&values={%22%ff%22:1}").status == 422


# --- caching --------------------------------------------------------------------------------------


def etag(document: Any) -> str:
    return hashlib.sha256(rfc8785.dumps(document)).hexdigest()


@pytest.mark.parametrize("query", [SUM, {"expression": "1e21 * 1e-7"}, {"expression": "-0.5"}])
def test_the_tag_is_the_digest_of_the_canonical_document(client: FlaskClient, query: Any) -> None:
    reply = reply_of(ask(client, query))
    assert reply.headers["ETag"] == f'"{etag(reply.content)}"'


def test_every_format_and_every_result_has_its_own_tag(client: FlaskClient) -> None:
    queries = [{**SUM, "format": each} for each in ("json", "dot", "mermaid")]
    queries += [{**SUM, "values": '{"a":2,"b":-3,"c":11}'}, {**SUM, "view": "primitive"}]
    queries += [{**SUM, "expression": "(a + b) *  c"}]
    tags = [ask(client, query).headers["ETag"] for query in queries]
    assert len(set(tags)) == len(queries)
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)  # strong: no W/


def test_an_answer_may_be_kept_for_a_day_by_everyone(client: FlaskClient) -> None:
    headers = ask(client, SUM).headers
    assert set(headers["Cache-Control"].split(", ")) == {"public", "max-age=86400"}
    assert "Accept" in headers["Vary"]


@pytest.mark.parametrize("form", ["{tag}", '"x", {tag}, "y"', "*", "W/{tag}", 'W/"x",{tag}'])
@pytest.mark.parametrize("name", ["json", "dot"])
def test_who_has_the_answer_is_not_sent_it_again(client: FlaskClient, form: str, name: str) -> None:
    query = {**SUM, "format": name}
    first = ask(client, query)
    again = ask(client, query, If_None_Match=form.format(tag=first.headers["ETag"]))
    assert (again.status_code, again.data) == (304, b"")
    # RFC 9110, section 15.4.5: what a 200 would have had for caches.
    for header in ("ETag", "Cache-Control", "Vary"):
        assert again.headers[header] == first.headers[header]
    assert "Content-Type" not in again.headers
    assert again.headers["X-Request-Id"]


@pytest.mark.parametrize("form", ['"x"', 'W/"x"', "x", "", '"{bare}.dot"'])
def test_who_has_another_answer_is_sent_this_one(client: FlaskClient, form: str) -> None:
    bare = ask(client, SUM).headers["ETag"].strip('"')
    assert ask(client, SUM, If_None_Match=form.format(bare=bare)).status_code == 200


def test_a_problem_is_sent_whatever_the_client_has_cached(client: FlaskClient) -> None:
    assert ask(client, {"expression": "("}, If_None_Match="*").status_code == 422


@pytest.mark.parametrize("name", ["json", "dot", "mermaid"])
def test_head_has_the_headers_of_get_and_no_body(client: FlaskClient, name: str) -> None:
    def lasting(headers: Headers) -> dict[str, str]:
        every_time = {"X-Request-Id", "traceparent", "Date"}
        return {key: text for key, text in headers.items() if key not in every_time}

    query = {**SUM, "format": name}
    got = ask(client, query)
    head = client.head("/v1/gradient", query_string=query)
    assert (head.status_code, head.data) == (200, b"")
    assert lasting(head.headers) == lasting(got.headers)
    assert int(head.headers["Content-Length"]) == len(got.data)


def test_a_body_is_never_kept(post: Post) -> None:
    reply = post({"expression": "2", "values": {}})
    assert reply.headers["Cache-Control"] == "no-store"
    assert "ETag" not in reply.headers
    assert json.loads(reply.body)["result"] == 2
