"""What the service accepts and what `request.schema.json` accepts are the same bodies.

A body is JSON text here, so that both sides read it for themselves. A hand-written table holds what
is known to be read in two ways; one mutation of a valid body looks for what is not known yet.
"""

import json
from typing import NoReturn

import hypothesis.strategies as st
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from engine_py import DEFAULT_LIMITS
from service.errors import InvalidJson
from service.request.body import parse_json
from service.request.payloads import InvalidBody, load_request, request_schema
from service.tests.validated import schema_of

SCHEMA = request_schema(DEFAULT_LIMITS)
VALIDATOR = Draft202012Validator(schema_of("request"))
SETTINGS = settings(max_examples=500, derandomize=True, database=None, deadline=None)


def refuse(word: str) -> NoReturn:
    raise ValueError(word)


def schema_accepts(text: str) -> bool:
    """The other opinion: another parser, another validator; integers are doubles by R7."""
    try:
        body = json.loads(text, parse_int=float, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return bool(VALIDATOR.is_valid(body))


def service_accepts(text: str) -> bool:
    try:
        load_request(SCHEMA, parse_json(text.encode()))
    except (InvalidJson, InvalidBody):
        return False
    return True


# The table

NASTY_NUMBERS = [
    *("0", "-0", "-0.0", "1", "1.5", "1E5", "1e308", "5e-324", "1e-400", "9007199254740993"),
    *("1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "-1e309"),
    *("1e400", "-1e400", "1" + "0" * 308, "1" + "0" * 400, "-1" + "0" * 400, "1" + "0" * 5000),
    str(int(1.7976931348623157e308) + 1),
    *("NaN", "Infinity", "-Infinity", "+1", ".5", "5.", "01", "0x10", "1_000", "1e"),
]
NASTY_NAMES = [
    *("a", "_", "A9", "__proto__", "constructor", "exp", "None", "x" * 10_000),
    *("", "1a", "a b", " a", "a ", "a\n", "\na", "a\nb", "a\r", "a\0", "a-b", "a.b", "a/b", "a$"),
    *("é", "aé", "ａ", "ﬁ", "٣", "a٣", "a\u0301", "\u2028", "a\u2028", "\U0001f600", "K"),
]
NASTY_JSON = [
    *NASTY_NUMBERS,
    *(json.dumps(name) for name in NASTY_NAMES),
    *('"2"', '"1.5"', '"1_000"', '"1e3"', '"NaN"', '"folded"', '"Folded"', '"folded "'),
    *("true", "false", "null", "[]", "{}", "[1]", '["a"]', '["a","a"]', '["a","b"]', '["a",1]'),
    *("[null]", '[["a"]]', '{"a":1}', '{"a":"1"}', '{"a":{"b":1}}', '{"a":[]}', "tru", "'a'", ""),
]


def object_of(members: dict[str, str]) -> str:
    """Write an object whose members are JSON texts already."""
    return "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in members.items()) + "}"


VALID = {"expression": '"a"', "values": '{"a":1}', "parameters": '["a"]', "view": '"folded"'}
LONG = [character * size for character in "aé\U0001f600" for size in (65_536, 65_537)]
MANY = [[f"a{index}" for index in range(size)] for size in (1000, 1001)]

TABLE = [
    object_of(VALID),
    *(object_of({**VALID, member: text}) for member in VALID for text in NASTY_JSON),
    *(object_of({name: VALID[name] for name in VALID if name != member}) for member in VALID),
    *(object_of({**VALID, name: "1"}) for name in NASTY_NAMES),
    *(object_of({**VALID, "values": object_of({"a": text})}) for text in NASTY_JSON),
    *(object_of({**VALID, "values": object_of({name: "1"})}) for name in NASTY_NAMES),
    *(object_of({**VALID, "parameters": f'["b",{text}]'}) for text in NASTY_JSON),
    *(object_of({**VALID, "expression": json.dumps(text)}) for text in LONG),
    *(object_of({**VALID, "values": object_of(dict.fromkeys(some, "1"))}) for some in MANY),
    *(object_of({**VALID, "parameters": json.dumps(some)}) for some in MANY),
    *NASTY_JSON,
    *("[" * depth + "]" * depth for depth in (1, 60, 100_000)),
    *(object_of(VALID) + end for end in (" ", "\n", ",", "}", "\0", object_of(VALID))),
]


def test_service_and_schema_agree_on_every_nasty_body() -> None:
    assert [text for text in TABLE if service_accepts(text) != schema_accepts(text)] == []


def test_the_table_holds_bodies_of_both_kinds() -> None:
    accepted = sum(map(schema_accepts, TABLE))
    assert accepted > 40
    assert len(TABLE) - accepted > 200


# One mutation of a valid body

names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,3}", fullmatch=True)
numbers = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers().map(str)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=3,
).map(json.dumps)
nasty_json = st.sampled_from(NASTY_JSON) | json_values
nasty_names = st.sampled_from(NASTY_NAMES) | st.text(max_size=3)


@st.composite
def bodies(draw: st.DrawFn) -> str:
    values = draw(st.dictionaries(names, numbers, min_size=1, max_size=3))
    parameters = draw(st.lists(names, unique=True, max_size=3))
    items = [json.dumps(name) for name in parameters]
    members = {"expression": draw(st.text(max_size=5).map(json.dumps))}
    mutation = draw(st.sampled_from(["member", "absent", "unknown", "value", "name", "parameter"]))
    if mutation == "value":
        values[draw(st.sampled_from(sorted(values)))] = draw(nasty_json)
    elif mutation == "name":
        values[draw(nasty_names)] = draw(numbers)
    elif mutation == "parameter":
        items.append(draw(nasty_json | st.sampled_from(items or NASTY_JSON)))
    members["values"] = object_of(values)
    members["parameters"] = f"[{','.join(items)}]"
    members["view"] = json.dumps(draw(st.sampled_from(["folded", "primitive"])))
    if mutation == "member":
        members[draw(st.sampled_from(sorted(members)))] = draw(nasty_json)
    elif mutation == "absent":
        del members[draw(st.sampled_from(sorted(members)))]
    elif mutation == "unknown":
        members[draw(nasty_names)] = draw(json_values)
    return object_of(members)


@SETTINGS
@given(bodies())
def test_service_and_schema_agree_on_every_mutation_of_a_valid_body(text: str) -> None:
    assert service_accepts(text) == schema_accepts(text)
