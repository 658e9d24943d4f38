from itertools import product
from typing import Any

import pytest

from engine_py import GradientError, introspect, sweep
from engine_py.tests.helpers import to_the_bit

PROGRAMS = [
    "tanh(x * w) + log(y)",
    "x ** -0.5 / (y - w)",
    "z = exp(x * 300); z * relu(y) - w",
    "x / y / w",
]


def one_by_one(expression: str, axes: list[dict[str, list[float]]], view: str) -> list[Any]:
    """Give the result and the gradients of every point as a request of its own has them."""
    found: list[Any] = []
    for rows in product(*(list(zip(*axis.values(), strict=True)) for axis in axes)):
        names = [name for axis in axes for name in axis]
        values = dict(zip(names, [number for row in rows for number in row], strict=True))
        try:
            document = introspect(expression, values, view=view)  # type: ignore[arg-type]
            found.append((document["result"], document["gradients"]))
        except GradientError as error:
            found.append(error.as_dict())
    return found


@pytest.mark.parametrize("view", ["folded", "primitive"])
@pytest.mark.parametrize("expression", PROGRAMS)
def test_a_sweep_has_the_bits_of_one_request_a_point(expression: str, view: str) -> None:
    values = {
        "x": {"from": -1.3, "to": 2.9, "count": 13},
        "y": [-1, 0, 0.25, 3],
        "w": [0.1, 2, -7e-3, 3],
    }
    made = sweep(expression, values, view=view)  # type: ignore[arg-type]
    expected = one_by_one(expression, made["axes"], view)
    assert made["count"] == len(expected) == 52
    problems = {each["index"]: each["error"] for each in made["problems"]}
    for index, point in enumerate(expected):
        column = {name: made["gradients"][name][index] for name in made["gradients"]}
        if isinstance(point, dict):
            assert (made["results"][index], problems[index]) == (None, point)
            assert set(column.values()) == {None}
        else:
            assert index not in problems
            assert to_the_bit([made["results"][index], column]) == to_the_bit([*point])
    assert 0 < len(problems) < 52


def test_no_column_shares_its_numbers_with_another() -> None:
    given = [1.0, 2.0]
    made = sweep("a", {"a": given})
    made["axes"][0]["a"][0] = made["results"][0] = 7.0
    assert (given, made["gradients"]["a"]) == ([1.0, 2.0], [1.0, 1.0])
    assert sweep("a", {"a": given})["results"] == [1.0, 2.0]


def test_any_sequence_is_a_column() -> None:
    assert sweep("a * a", {"a": range(3)})["results"] == [0.0, 1.0, 4.0]
    assert sweep("a * a", {"a": (1, 2)})["gradients"] == {"a": [2.0, 4.0]}
