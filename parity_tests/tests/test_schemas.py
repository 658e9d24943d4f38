"""The schemas are valid, and agree with the contract's text and the engine."""

import json
import re

from jsonschema import Draft202012Validator

from engine_py import DEFAULT_LIMITS, errors
from parity_tests.kit.cases import load_cases
from parity_tests.kit.contract import CONTRACT
from parity_tests.kit.engines import SCHEMAS

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
    [case] = [case for case in load_cases() if case.name.startswith("a-limit-of-another-command")]
    core = {"characters", "variables", "nodes"}
    assert set(case.limits or ()) == set(names) - core, "parity_tests/fixtures/limits.json"


def test_a_request_is_bounded_by_the_default_limits() -> None:
    request = json.loads((SCHEMAS / "request.schema.json").read_text())["properties"]
    assert request["expression"]["maxLength"] == DEFAULT_LIMITS.characters
    assert request["values"]["maxProperties"] == DEFAULT_LIMITS.variables
