"""The schemas are valid, and agree with the contract's text and the engine; the layout of JSON."""

import json
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine_py import DEFAULT_LIMITS, errors
from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import CONTRACT
from parity_tests.kit.engines import SCHEMAS
from parity_tests.layout import WIDTH, laid_out, laid_out_densely

TEXT = CONTRACT.read_text(encoding="utf-8")
ERRORS = json.loads((SCHEMAS / "error.schema.json").read_text())
BY_CODE = {
    branch["properties"]["code"]["const"]: set(branch["required"]) - {"code", "message", "span"}
    for branch in ERRORS["oneOf"]
}
"""Each code's members other than code, message and span."""


def test_each_schema_is_a_valid_schema() -> None:
    files = sorted(SCHEMAS.glob("*.schema.json"))
    assert len(files) >= 28
    for file in files:
        Draft202012Validator.check_schema(json.loads(file.read_text()))


def test_the_contracts_error_table_matches_the_schema() -> None:
    rows = re.findall(r"^  \| `(\w+)` \| (.*?) \|", TEXT, re.MULTILINE)
    assert {code: set(re.findall(r"`(\w+)`", data)) for code, data in rows} == BY_CODE


def test_the_engines_error_codes_match_the_schema() -> None:
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert {kind.code for kind in classes if hasattr(kind, "code")} == BY_CODE.keys()


def test_a_limit_is_known_wherever_it_has_to_be() -> None:
    schema = json.loads((SCHEMAS / "limits.schema.json").read_text())
    names = [name for name, row in schema["properties"].items() if "default" in row]
    assert list(DEFAULT_LIMITS._fields) == names, "engine_py/limits.py, engine_ts/src/limits.ts"
    protocol = json.loads((SCHEMAS / "protocol.schema.json").read_text())
    assert protocol["$defs"]["limits"]["propertyNames"]["enum"] == names
    [case] = [
        case for case in load_cases() if case.name == "the-limit-of-another-command-has-no-effect"
    ]
    core = {"characters", "variables", "nodes"}
    assert set(case.limits or ()) == set(names) - core, "parity_tests/fixtures/limits.json"


def test_a_request_is_bounded_by_the_default_limits() -> None:
    request = json.loads((SCHEMAS / "request.schema.json").read_text())["properties"]
    assert request["expression"]["maxLength"] == DEFAULT_LIMITS.characters
    assert request["values"]["maxProperties"] == DEFAULT_LIMITS.variables


# The layout of JSON


SCALARS = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
TEXTS = st.builds(json.dumps, JSON, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 1]))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(TEXTS)
def test_the_layout_changes_white_space_only(text: str) -> None:
    for layout in (laid_out, laid_out_densely):
        new = layout(text)
        assert json.dumps(json.loads(new)) == json.dumps(json.loads(text))
        assert layout(new) == new


def test_lines_are_filled_and_a_description_has_its_own_line() -> None:
    names = [f"a_name_of_the_list_{n}" for n in range(9)]
    schema = {"type": "array", "minItems": 2, "description": "Names.", "enum": names, "items": {}}
    text = laid_out(json.dumps({"$defs": {"names": schema, "other": {"type": "string"}}}))
    assert text == (
        '{\n  "$defs": {\n    "names": {\n      "type": "array", "minItems": 2,\n'
        '      "description": "Names.",\n      "enum": [\n'
        '        "a_name_of_the_list_0", "a_name_of_the_list_1", "a_name_of_the_list_2", '
        '"a_name_of_the_list_3",\n'
        '        "a_name_of_the_list_4", "a_name_of_the_list_5", "a_name_of_the_list_6", '
        '"a_name_of_the_list_7",\n'
        '        "a_name_of_the_list_8"\n      ],\n      "items": {}\n    },\n'
        '    "other": {"type": "string"}\n  }\n}\n'
    )
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_case_has_its_reason_on_a_line_and_its_rows_below_each_other() -> None:
    row = {
        "operation": "a long name for an operation",
        "data": 1.5,
        "grad": -2.25,
        "derived": False,
    }
    case = {
        "name": "a-b",
        "holds": ["R4"],
        "why": "It is.",
        "expect": {"document": {"result": 1.5, "nodes": [row] * 2}},
    }
    line = json.dumps(row)
    assert laid_out_densely(json.dumps([case, {"name": "c-d", "why": "So."}])) == (
        '[{\n  "name": "a-b", "holds": ["R4"],\n  "why": "It is.",\n'
        f'  "expect": {{"document": {{"result": 1.5, "nodes": [\n    {line},\n    {line}\n  ]}}}}\n'
        '}, {\n  "name": "c-d",\n  "why": "So."\n}]\n'
    )
