"""The layout of JSON changes only white space, fills lines, and is stable."""

import json

from hypothesis import given
from hypothesis import strategies as st

from parity_tests.layout import WIDTH, laid_out, laid_out_densely

SCALARS = st.none() | st.booleans() | st.floats(allow_nan=False) | st.text()
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
TEXTS = st.builds(json.dumps, JSON, ensure_ascii=st.booleans(), indent=st.sampled_from([None, 1]))


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
        "expect": {"document": {"nodes": [row] * 2}},
    }
    line = json.dumps(row)
    assert laid_out_densely(json.dumps([case, {"name": "c-d", "why": "So."}])) == (
        '[{\n  "name": "a-b", "holds": ["R4"],\n  "why": "It is.",\n'
        f'  "expect": {{"document": {{"nodes": [\n    {line},\n    {line}\n  ]}}}}\n'
        '}, {\n  "name": "c-d",\n  "why": "So."\n}]\n'
    )
