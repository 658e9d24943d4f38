"""Gradients by paths, counted and multiplied by hand."""

from decimal import Decimal
from typing import Any

import pytest

from engine_py import Limits, introspect
from engine_py.errors import GradientError
from engine_py.lab.paths import paths

DIAMOND = introspect("b = a + 1; c = a * 3; d = b * c", {"a": 2})


def doubling(times: int) -> str:
    """x + x, so often: 2 ** times paths, each with the product 1."""
    lines = [f"n{place + 1} = n{place} + n{place}" for place in range(times)]
    return "\n".join(["n0 = x", *lines])


def test_a_gradient_is_the_sum_of_its_paths() -> None:
    """15 = 6 by b + 9 by c: d-b is c's data 6, times 1; d-c is b's data 3, times 3."""
    result = paths(DIAMOND, "a")
    assert result["document"] == DIAMOND
    assert (result["variable"], result["gradient"], result["count"], result["sum"]) == (
        ("a", 15, "2", 15)
    )
    assert result["paths"] == [{"edges": [4, 0], "product": 6}, {"edges": [5, 2], "product": 9}]


def test_two_slots_are_two_paths() -> None:
    result = paths(introspect("a * a", {"a": 3}), "a")
    assert result["paths"] == [{"edges": [0], "product": 3}, {"edges": [1], "product": 3}]


def test_the_root_itself_is_a_path_without_edges() -> None:
    result = paths(introspect("a", {"a": 3}), "a")
    assert (result["count"], result["paths"], result["sum"]) == (
        ("1", [{"edges": [], "product": 1}], 1)
    )


def test_an_exponent_is_on_no_path() -> None:
    result = paths(introspect("a ** 3 + b", {"a": 2, "b": 1}), "a")
    # edges: a-** 0, exponent-** 1, **-+ 2, b-+ 3
    assert (result["count"], result["paths"]) == ("1", [{"edges": [2, 0], "product": 12}])


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


def test_the_listed_edges_are_bounded() -> None:
    result = paths(introspect(doubling(900), {"x": 0}), "x", most=1000)
    assert len(result["paths"]) == 22  # of 900 edges each, 22 have at most 20,000


def test_a_product_that_is_no_double_is_none() -> None:
    """The gradient of n is 1e200 - 1e200, so nothing overflows; but each path does."""
    result = paths(introspect("n = 1e200 * a; 1e200 * n - 1e200 * n", {"a": 1e-100}), "a")
    assert (result["gradient"], result["count"], result["sum"]) == (0, "2", None)
    assert [path["product"] for path in result["paths"]] == [None, None]


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"variable": "b"}, "/variable"),
        ({"variable": None}, "/variable"),
        ({"variable": ["a"]}, "/variable"),
        ({"variable": "a", "most": -1}, "/most"),
        ({"variable": "a", "most": 1001}, "/most"),
        ({"variable": "a", "most": "1"}, "/most"),
    ],
)
def test_wrong_members_are_refused(members: dict[str, Any], pointer: str) -> None:
    with pytest.raises(GradientError) as caught:
        paths(DIAMOND, **members)
    assert caught.value.as_dict()["code"] == "invalid_request"
    assert caught.value.as_dict()["pointer"] == pointer
