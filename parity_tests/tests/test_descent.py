"""Trajectories that no hand can derive come from the referee, and from no engine."""

import pytest

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference
from parity_tests.oracle.descent import reference_descent

CASES = [case for case in load_cases() if case.topic == "descent" and case.source == "MPFR"]
DERIVED = [
    case
    for case in load_cases()
    if case.topic == "descent"
    and case.source == "hand derivation"
    and case.expect.get("descent", {}).get("fault", "error") is None
    and None not in [point.get("gradient_norm") for point in case.expect["descent"]["trajectory"]]
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_trajectory_is_the_referees(case: Case) -> None:
    trajectory = reference_descent(case.request)
    assert first_difference(case.expect["descent"]["trajectory"], trajectory) is None


@pytest.mark.parametrize("case", DERIVED, ids=lambda case: case.name)
def test_the_referee_follows_what_hands_derived(case: Case) -> None:
    trajectory = reference_descent(case.request)
    expected = case.expect["descent"]["trajectory"]
    assert first_difference(expected, trajectory, partial=True) is None


def test_there_are_trajectories_of_both_kinds() -> None:
    assert len(CASES) == 4
    assert len(DERIVED) >= 12
