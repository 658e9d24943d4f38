"""A batch and a query are accepted just where their schemas accept them.

The bodies are those on which single requests are judged, in test_request_agreement.py.
"""

import json
from typing import Any
from urllib.parse import urlencode

import hypothesis.strategies as st
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from werkzeug import Request

from engine_py import DEFAULT_LIMITS
from engine_py.errors import InvalidRequest, LimitExceeded
from service import Config
from service.compute.batch import load_batch
from service.errors import InvalidJson
from service.request.payloads import InvalidBody, load_request, request_schema
from service.request.query import PARAMETERS, read_query
from service.request.strict_json import parse_json
from service.tests.test_request_agreement import (
    NASTY_JSON,
    NASTY_NAMES,
    SETTINGS,
    TABLE,
    names,
    nasty_json,
    nasty_names,
    numbers,
    object_of,
    refuse,
    schema_accepts,
)
from service.tests.validated import schema_of

SCHEMA = request_schema(DEFAULT_LIMITS)
MOST = Config().max_batch_requests
REGISTRY: Registry[Any] = Registry().with_resource(
    "urn:gradient-service:schema:request", Resource.from_contents(schema_of("request"))
)
BATCH = Draft202012Validator(schema_of("batch"), registry=REGISTRY)

# The batch


def batch_schema_accepts(text: str) -> bool:
    try:
        return BATCH.is_valid(json.loads(text, parse_int=float, parse_constant=refuse))
    except (ValueError, RecursionError):
        return False


def batch_is_accepted(text: str, most: int = MOST) -> bool:
    """Whether it is a batch, whose faulty requests have problems among its results."""
    try:
        load_batch(parse_json(text.encode()), most)
    except (InvalidJson, InvalidRequest, LimitExceeded):
        return False
    return True


GOOD = '{"expression":"a","values":{"a":1}}'
BATCHES = [
    *(f'{{"requests":[{body}]}}' for body in TABLE),
    *(f'{{"requests":{text}}}' for text in NASTY_JSON),
    *(f'{{"requests":[{GOOD},{text}]}}' for text in NASTY_JSON),
    *(f"{{{json.dumps(name)}:[]}}" for name in (*NASTY_NAMES, "Requests", "requests ")),
    *(f'{{"requests":[],{json.dumps(name)}:1}}' for name in NASTY_NAMES),
    *(f'{{"requests":[{",".join([GOOD] * count)}]}}' for count in (0, 1, 2, MOST, MOST + 1)),
    *(*NASTY_JSON, "{}", f"[{GOOD}]", GOOD),
]


def test_service_and_schema_agree_on_every_nasty_batch() -> None:
    assert [text for text in BATCHES if batch_is_accepted(text) != batch_schema_accepts(text)] == []


def test_the_batches_are_of_both_kinds() -> None:
    accepted = sum(map(batch_schema_accepts, BATCHES))
    assert accepted > 40
    assert len(BATCHES) - accepted > 300


@pytest.mark.parametrize("most", [MOST - 1, MOST + 1])
def test_the_batches_find_a_limit_that_is_off_by_one(most: int) -> None:
    found = [
        text for text in BATCHES if batch_is_accepted(text, most) != batch_schema_accepts(text)
    ]
    assert len(found) == 1


@SETTINGS
@given(st.lists(nasty_json | st.just(GOOD), max_size=3), names | nasty_names)
def test_service_and_schema_agree_on_every_batch_of_anything(items: list[str], name: str) -> None:
    for member in ("requests", name):
        text = f"{{{json.dumps(member)}:[{','.join(items)}]}}"
        assert batch_is_accepted(text) == batch_schema_accepts(text)


# The query

parameter_lists = st.lists(names | nasty_names, max_size=3)

Members = list[tuple[str, str]]


def query_schema_accepts(members: Members) -> bool:
    """Judge the body that a query stands for, its values being JSON as they are.

    Each name is given once, but for `parameters`; each variable that is one has the value 1.
    """
    given = dict(members)
    texts = {name: json.dumps(given[name]) for name in given.keys() & {"expression", "view"}}
    listed = [text for name, text in members if name == "parameters"]
    texts |= {"parameters": json.dumps(listed)} if listed else {}
    texts["values"] = given.get("values") or "{}"  # none are none
    for name in given.keys() - PARAMETERS:
        texts["values"] = f"{texts['values'][:-1]},{json.dumps(name)}:{given[name]}}}"
    return schema_accepts(
        "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in texts.items()) + "}"
    )


def query_is_accepted(members: Members) -> bool:
    try:
        load_request(SCHEMA, read_query(Request({"QUERY_STRING": urlencode(members)}).args))
    except (InvalidJson, InvalidBody, InvalidRequest):
        return False
    return True


BARE: Members = [("expression", "a")]
VALUES = {"a": 1}
FULL: Members = [*BARE, ("values", json.dumps(VALUES)), ("parameters", "a"), ("view", "folded")]
QUERIES: list[Members] = [
    *([], BARE, FULL, FULL[1:]),
    *([*BARE, ("values", text)] for text in NASTY_JSON),
    *([*BARE, ("values", f'{{"a":{text}}}')] for text in NASTY_JSON),
    *([*BARE, ("values", f"{{{json.dumps(name)}:1}}")] for name in NASTY_NAMES),
    *([*BARE, (member, name)] for member in ("view", "parameters") for name in NASTY_NAMES),
    *([*BARE, ("view", view)] for view in ("folded", "primitive", "Folded", "folded ", '"folded"')),
    *([*FULL, ("parameters", name)] for name in NASTY_NAMES),
    *([*FULL, (name, "1")] for name in NASTY_NAMES if name not in VALUES),
    *([("expression", name)] for name in NASTY_NAMES),
    *([("expression", "é" * size)] for size in (65_536, 65_537)),
    *([*BARE, *(("parameters", f"a{n}") for n in range(size))] for size in (1000, 1001)),
]


def test_service_and_schema_agree_on_every_nasty_query() -> None:
    assert [each for each in QUERIES if query_is_accepted(each) != query_schema_accepts(each)] == []


def test_the_queries_are_of_both_kinds() -> None:
    accepted = sum(map(query_schema_accepts, QUERIES))
    assert accepted > 40
    assert len(QUERIES) - accepted > 100


@SETTINGS
@given(st.dictionaries(names | nasty_names, numbers | nasty_json, max_size=2), parameter_lists)
def test_service_and_schema_agree_on_every_mutation_of_a_query(
    values: dict[str, str], parameters: list[str]
) -> None:
    members = [*BARE, ("values", object_of(values))]
    members += [("parameters", name) for name in parameters]
    assert query_is_accepted(members) == query_schema_accepts(members)
