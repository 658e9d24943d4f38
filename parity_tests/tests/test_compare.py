"""Every difference is found, however small, and shown clearly."""

import json
from typing import Any

import pytest

from parity_tests.kit.compare import first_difference, outcome, ulps_between

DOCUMENT = {
    "result": 0.1,
    "gradients": {"a": -2, "a/b~": 3},
    "nodes": [{"id": 0, "grad": None, "derived": False}, {"id": 1, "grad": 1.0, "derived": True}],
    "topological_order": [0, 1],
}


def changed(**members: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(DOCUMENT)), **members}


def test_equal_documents_do_not_differ() -> None:
    assert first_difference(DOCUMENT, changed()) is None


def test_the_order_of_members_does_not_matter() -> None:
    assert first_difference({"a": 1, "b": 2}, {"b": 2, "a": 1}) is None


def test_an_integer_is_the_double_of_the_same_value() -> None:
    assert first_difference([2, 10**22, 2**53], [2.0, 1e22, float(2**53)]) is None


def test_integers_that_round_to_one_double_are_equal() -> None:
    assert first_difference(2**53, 2**53 + 1) is None
    assert first_difference(2**53, 2**53 + 2) is not None


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (0.1, 0.10000000000000002),
        (0.0, -0.0),
        (0, -0.0),
        (0.0, 5e-324),
        (1, True),
        (0, False),
        (True, 1.0),
        (False, None),
        (1, "1"),
        (None, 0),
        ("a", "b"),
        ([], {}),
        ({}, None),
        ([1], [1, 2]),
        ([1, 2], [1]),
        ([1, 2], [2, 1]),
        ({"a": 1}, {}),
        ({}, {"a": 1}),
        ({"a": None}, {}),
        (float("nan"), 1.0),
        (10**400, 1.7976931348623157e308),
    ],
)
def test_these_differ(expected: object, actual: object) -> None:
    assert first_difference(expected, actual) is not None
    assert first_difference({"x": [expected]}, {"x": [actual]}) is not None


def test_the_pointer_leads_to_the_first_difference() -> None:
    nodes = [{"id": 0, "grad": None, "derived": False}, {"id": 1, "grad": 2.0, "derived": False}]
    found = first_difference(DOCUMENT, changed(nodes=nodes, topological_order=[1, 0]))
    assert found == ("/nodes/1/grad", 1.0, 2.0)


def test_a_pointer_escapes_tilde_and_slash() -> None:
    found = first_difference(DOCUMENT, changed(gradients={"a": -2, "a/b~": 4}))
    assert found is not None
    assert found.pointer == "/gradients/a~1b~0"


def test_numbers_are_shown_with_bits_and_distance() -> None:
    assert str(first_difference({"result": 0.1}, {"result": 0.10000000000000002})) == (
        "at /result\n"
        "  expected 0.1 = 3fb999999999999a\n"
        "  actual   0.10000000000000002 = 3fb999999999999b, 1 ulp away"
    )


@pytest.mark.parametrize(
    ("expected", "actual", "reported"),
    [
        (0.5, -0.5, "of the other sign"),
        (0.5, -0.25, "of another size and sign"),
        (5e-324, -5e-324, "of the other sign"),
        (1.5, -(10**400), "of another size and sign"),
        (1.5, 10**400, "ulp away"),
    ],
)
def test_a_wrong_sign_is_reported_as_one(expected: float, actual: float, reported: str) -> None:
    assert str(first_difference({"grad": expected}, {"grad": actual})).endswith(reported)


def test_missing_and_extra_members_are_shown() -> None:
    assert "actual   nothing" in str(first_difference({"a": {"b": 1}}, {"a": {}}))
    assert "expected nothing" in str(first_difference({"a": [1]}, {"a": [1, 2]}))


def test_a_long_value_is_truncated() -> None:
    shown = str(first_difference({"a": list(range(1000))}, {"a": "x"}))
    assert max(map(len, shown.splitlines())) < 100


def test_two_long_texts_are_shown_around_their_first_difference() -> None:
    shown = str(first_difference({"a": "x" * 500 + "1e+21" * 50}, {"a": "x" * 500 + "1e21" * 50}))
    assert [line.count("x") for line in shown.splitlines()] == [0, 39, 38]  # one is of "expected"
    assert "1e+21" in shown
    assert "1e21" in shown
    assert max(map(len, shown.splitlines())) < 100


def test_a_partial_expectation_allows_more_members_at_any_depth() -> None:
    part = {"nodes": [{"grad": None}, {"grad": 1}], "gradients": {"a": -2}}
    assert first_difference(part, DOCUMENT, partial=True) is None
    assert first_difference(part, DOCUMENT) is not None


@pytest.mark.parametrize(
    "part",
    [
        {"nodes": [{"grad": None}]},
        {"nodes": [{"grad": None}, {"grad": 1}, {}]},
        {"topological_order": []},
        {"gradients": {"b": 1}},
        {"result": None},
    ],
)
def test_a_partial_expectation_still_expects(part: dict[str, Any]) -> None:
    assert first_difference(part, DOCUMENT, partial=True) is not None


def test_the_distance_counts_doubles() -> None:
    assert ulps_between(1.0, 1.0000000000000002) == 1
    assert ulps_between(-5e-324, 5e-324) == 2
    assert ulps_between(0.0, -0.0) == 0
    assert ulps_between(1.7976931348623157e308, 10**400) == 1


def test_an_outcome_leaves_out_what_may_differ() -> None:
    error = {"code": "unused_name", "message": "in words", "span": None, "name": "b"}
    result = {"kind": "result", "sequence": 3, "result": DOCUMENT}
    assert outcome(result, "introspect") == {"document": DOCUMENT}
    assert outcome({"kind": "error", "sequence": 3, "error": error}, "introspect") == {
        "error": {"code": "unused_name", "span": None, "name": "b"}
    }
    assert outcome({"kind": "skipped", "sequence": 3, "reason": "no"}, "introspect") == {
        "skipped": {"reason": "no"}
    }
