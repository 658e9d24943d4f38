"""Gradients by paths, counted and multiplied by hand."""

from decimal import Decimal

from engine_py import Limits, introspect
from engine_py.lab.paths import paths
from engine_py.tests.helpers import Json, refusal, units

DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", {"a": 2})


def doubling(times: int) -> str:
    """x + x, so often: 2 ** times paths, each with the product 1."""
    lines = [f"n{place + 1} = n{place} + n{place}" for place in range(times)]
    return "\n".join(["n0 = x", *lines])


def test_a_gradient_is_the_sum_of_its_paths() -> None:
    """15 = 6 by b + 9 by c: d-b is c's data 6, times 1; d-c is b's data 3, times 3."""
    result = paths(DIAMOND, "a")
    assert result["document"] == DIAMOND
    assert (result["node"], result["gradient"], result["count"], result["sum"]) == (0, 15, "2", 15)
    assert result["paths"] == [{"edges": [4, 0], "product": 6}, {"edges": [5, 2], "product": 9}]


def test_an_operand_that_is_an_operation_has_paths_by_id_and_label() -> None:
    result = paths(DIAMOND, 4)
    assert result == paths(DIAMOND, "c")
    assert (result["gradient"], result["paths"]) == (3, [{"edges": [5], "product": 3}])


def test_all_paths_are_counted_and_the_first_are_listed() -> None:
    result = paths(introspect(doubling(60), {"x": 1}), "x", most=3)
    assert (result["count"], result["sum"]) == ("1152921504606846976", None)  # 2 ** 60
    first, second, third = (path["edges"] for path in result["paths"])
    # The edges of the operation n are 2 n and 2 n + 1, from the root down.
    assert first == list(range(118, -2, -2))
    assert second == [*first[:-1], 1]
    assert third == [*first[:-2], 3, 0]


def test_the_count_is_exact_beyond_4300_digits() -> None:
    """Halved each time, so that the gradient stays 1; Python's int refuses such texts."""
    text = doubling(15_000).replace(" = n", " = 0.5 * (n").replace("\n", ")\n").replace("x)", "x")
    limits = Limits(characters=10**6, nodes=50_000)
    result = paths(introspect(f"{text})", {"x": 0}, limits=limits), "x", most=0)
    assert Decimal(result["count"]) == Decimal(2**15_000)
    assert (result["gradient"], result["paths"], result["sum"]) == (1, [], None)


@units("paths", "refused")
def test_wrong_members_are_refused(case: Json) -> None:
    error = refusal(paths, DIAMOND, case["node"], most=case["most"])
    assert error == {"code": "invalid_request", "span": None, "pointer": case["pointer"]}
