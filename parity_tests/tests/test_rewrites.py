"""What people write, and schemas/rewrites.json, which says what it is in the language."""

import json

import pytest

from engine_py import GradientError, introspect
from engine_py.operations import FUNCTIONS
from parity_tests.kit.engines import ROOT

TABLES = json.loads((ROOT / "schemas" / "rewrites.json").read_text())


def test_no_function_of_other_languages_is_taken_for_another_one() -> None:
    names = {call.partition("(")[0] for call in TABLES["formulas"]} | {*TABLES["two_readings"]}
    for words in (*TABLES["no_formula"], *TABLES["vector"], *TABLES["aliases"].values()):
        names |= {*words.split()}
    assert len(names) > 150
    for name in names - FUNCTIONS.keys():
        with pytest.raises(GradientError, match="is not a function") as caught:
            introspect(f"{name}(x)", {"x": 2})
        assert "did you mean" not in caught.value.message
