"""A sweep by columns is bit-identical to computing each point alone."""

import subprocess
import sys
from array import array
from collections.abc import Callable
from math import inf, isfinite, isnan, nan
from random import Random
from struct import unpack
from typing import Any

import numpy as np
import pytest

from engine_py import GradientError, Limits, prepare
from engine_py.deadline import NEVER
from engine_py.numerics import elementary, exact, logistic, wave
from engine_py.operations import OPERATIONS
from engine_py.sweeps import axes, columns
from engine_py.sweeps import column_functions as of_columns
from engine_py.tests.helpers import to_the_bit

FUNCTIONS = {
    **dict.fromkeys(("exp", "log", "tanh"), elementary),
    **dict.fromkeys(("sigmoid", "softplus"), logistic),
    **dict.fromkeys(("sin", "cos"), wave),
}
"""The module with the function of one number, by name."""
PROGRAMS = [
    "sin(exp(x * 300)) + cos(y / w)",
    "softplus(x * exp(y * 400)) + sigmoid(x * w * 300)",
    "tanh(x * w) + log(y)",
    "x ** -0.5 / (y - w)",
    "z = exp(x * 300); z * relu(y) - w",
    "-x ** 3 + y ** 1.7 - w ** 0 * x ** 1",
    "2 * 3 + exp(1)",
    "x",
]


def any_double(random: Random) -> float:
    while True:
        x: float = unpack(">d", random.randbytes(8))[0]
        if isfinite(x):
            return x


@pytest.mark.parametrize("factor", [1.0 - 2.0**-53, 1.0 + 2.0**-52])
def test_a_sqrt_of_numpy_that_is_off_by_an_ulp_changes_no_result(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random("roots")
    x = np.array([abs(any_double(random)) or 2.0 for _ in range(1_000)])
    expected = [exact.power(each, 0.5) for each in x.tolist()]
    root = np.sqrt
    monkeypatch.setattr(np, "sqrt", lambda column: root(column) * factor)
    with np.errstate(all="ignore"):
        assert to_the_bit(of_columns.power(x, 0.5).tolist()) == to_the_bit(expected)


def test_operands_that_are_infinite_or_outside_the_domain_give_nan() -> None:
    x = np.array([inf, -inf, nan, -1.0, 0.0])
    with np.errstate(all="ignore"):
        assert np.isnan(of_columns.exp(x)).tolist() == [True, True, True, False, False]
        assert np.isnan(of_columns.log(x)).all()
        assert np.isnan(of_columns.power(x, 1.5)).tolist() == [True, True, True, True, False]
        assert np.isnan(of_columns.power(x, -1.5)).all()
        assert np.isnan(of_columns.tanh(x)[2])
        for name in ("sin", "cos", "sigmoid", "softplus"):
            made = getattr(of_columns, name)(x)
            assert np.isnan(made).tolist() == [True, True, True, False, False]


def test_few_elements_need_the_function_of_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only this count detects an error bound that is too large."""
    x = np.random.default_rng(1).uniform(0.05, 3.0, 100_000)
    left: list[float] = []

    def count(x: float, *_: float) -> float:
        left.append(x)
        return x

    for name, numbers in FUNCTIONS.items():
        monkeypatch.setattr(numbers, name, count)
    monkeypatch.setattr(elementary, "power", count)
    for name in FUNCTIONS:
        assert len(getattr(of_columns, name)(x)) == len(x)
    assert len(of_columns.power(x, 1.7)) == len(x)
    assert 0 < len(left) < 800
    left.clear()
    assert len(of_columns.power(x, 0.5)) == len(x)
    assert len(left) < 3


@pytest.mark.parametrize("symbol", sorted(OPERATIONS))
def test_an_operation_without_a_form_for_columns_is_computed_point_by_point(symbol: str) -> None:
    operation = OPERATIONS[symbol]
    random = Random(symbol)
    x = np.array([random.uniform(0.1, 3.0) for _ in range(50)])
    y = np.array([1.7]) if symbol == "**" else x[::-1].copy()
    given = [x, y][: operation.arity]
    one_by_one = columns._one_by_one(operation.rule, NEVER, *given)
    for made, each in zip(columns.column_rule(operation)(*given), one_by_one, strict=True):
        expected = np.broadcast_to(np.nan if made is None else made, 50)
        assert expected.tolist() == pytest.approx(
            np.asarray(each).tolist(), abs=0, rel=0, nan_ok=True
        )


def test_a_point_outside_the_domain_gives_nan_without_a_form_for_columns() -> None:
    made = columns._one_by_one(OPERATIONS["log"].rule, NEVER, np.array([1.0, -1.0, inf, nan]))
    data, slope = map(np.asarray, made)
    assert (data[0], slope[0]) == (0.0, 1.0)
    assert np.isnan(data[1:]).all()
    assert np.isnan(slope[1:]).all()


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that hides numpy from the engine."""

    def hide() -> None:
        monkeypatch.setattr("engine_py.sweeps.blocks.numpy", lambda: None)
        monkeypatch.setattr("engine_py.sweeps.axes.numpy", lambda: None)

    return hide


@pytest.mark.parametrize("view", ["folded", "primitive"])
@pytest.mark.parametrize("expression", PROGRAMS)
def test_a_sweep_without_numpy_is_bit_identical(
    expression: str, view: Any, without_numpy: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(expression)
    values = {
        "x": [any_double(random) if i % 9 == 0 else random.uniform(-2, 4) for i in range(60)],
        "y": [random.choice([-1.0, 0.0, 0.5, 2.0]) for _ in range(60)],
        "w": {"from": -1, "to": 2, "count": 4},
        "unused": 3,
    }
    program = prepare(expression, view=view)
    monkeypatch.setattr("engine_py.sweeps.blocks.POINTS", 7)  # so that blocks end inside the grid
    made = program.sweep(values)
    without_numpy()
    alone = program.sweep(values)
    assert to_the_bit(made) == to_the_bit(alone)
    assert made["count"] == 240


def test_columns_returns_the_numbers_of_a_sweep_as_arrays(
    without_numpy: Callable[[], None],
) -> None:
    program = prepare("log(x) * w")
    values: dict[str, Any] = {"x": np.array([1.0, -1.0, 0.5, -0.0, 3.0])}
    values["w"] = array("d", [2, 3, -4, 5, 0])
    listed = program.sweep({name: column.tolist() for name, column in values.items()})
    for _ in range(2):
        made = program.columns(values)
        assert program.sweep(values) == listed
        arrays = {"": made.results, **made.gradients}
        for name, column in {"": listed["results"], **listed["gradients"]}.items():
            assert [None if isnan(x) else x for x in arrays[name]] == column
        problems = [{"index": index, "error": error.as_dict()} for index, error in made.problems]
        assert problems == listed["problems"]
        assert [each["index"] for each in problems] == [1, 3]
        without_numpy()


def test_ranges_of_points_add_up_to_the_whole_sweep() -> None:
    program = prepare("x / w + tanh(x)", limits=Limits(sweep_nodes=1_000_000))
    values = {"x": {"from": -2, "to": 2, "count": 300}, "w": {"from": 0, "to": 1, "count": 60}}
    whole = program.columns(values)
    parts = [program.columns(values, range(first, first + 6_000)) for first in (0, 6_000, 12_000)]
    assert np.array_equal(whole.results, np.concatenate([p.results for p in parts]), equal_nan=True)
    for name, gradient in whole.gradients.items():
        joined = np.concatenate([part.gradients[name] for part in parts])
        assert np.array_equal(gradient, joined, equal_nan=True)
    assert [index for part in parts for index, _ in part.problems] == [
        *range(300)
    ]  # w is 0 at first


def test_a_range_beyond_the_points_is_rejected() -> None:
    program = prepare("x")
    assert len(program.columns({"x": [1, 2, 3]}, range(1, 1)).results) == 0
    for chosen in (range(4), range(-1, 2), range(0, 3, 2), range(2, 1)):
        with pytest.raises(ValueError, match="not a range within 3 points"):
            program.columns({"x": [1, 2, 3]}, chosen)


def test_the_message_about_an_invalid_number_names_its_index() -> None:
    program = prepare("x")
    for column in (np.array([1.0, inf, 2.0]), array("d", [1.0, nan])):
        with pytest.raises(GradientError, match="finite number at index 1"):
            program.columns({"x": column})
    with pytest.raises(GradientError, match="empty"):
        program.columns({"x": np.array([])})
    with pytest.raises(GradientError, match="must be a finite number, a column or a grid"):
        program.columns({"x": np.ones((2, 2))})


def test_only_a_sweep_imports_numpy() -> None:
    code = (
        "import sys, engine_py; engine_py.introspect('a', {'a': 1}); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    assert axes.numpy() is np


NUMBERS = [
    np.array([1, -2], dtype=np.int8),
    np.array([1, -2]),
    np.array([1, -2], dtype=np.float16),
    np.array([1, -2], dtype=np.float32),
    np.array([1, -2], dtype=">f8"),
    np.array([1, 7, -2, 7], dtype=">i4")[::2],
    array("h", [1, -2]),
    [np.int64(1), np.float32(-2)],
]


@pytest.mark.parametrize("column", NUMBERS)
def test_an_array_of_any_numbers_is_a_column(
    column: Any, without_numpy: Callable[[], None]
) -> None:
    """The squares of 1 and -2, times 4."""
    for _ in range(2):
        made = prepare("x * x * y").columns({"x": column, "y": np.int64(4)})
        assert list(made.results) == [4.0, 16.0]
        without_numpy()


def test_a_float32_keeps_its_value_and_an_integer_becomes_the_nearest_double() -> None:
    """A float32 has 24 bits of 0.1; 2**53 + 1 is halfway between doubles and rounds to even."""
    x = np.array([0.1], dtype=np.float32)
    assert prepare("x").columns({"x": x}).results[0] == 0.100000001490116119384765625
    x = np.array([2**53 + 1, 2**64 - 1], dtype=np.uint64)
    assert list(prepare("x").columns({"x": x}).results) == [2.0**53, 2.0**64]


@pytest.mark.parametrize(
    "column",
    [
        np.ones((2, 2)),
        np.ma.array([1.0, 2.0], mask=[False, True]),
        np.array([1, None]),
        np.array([True]),
        np.array([1j]),
        np.array(["1"]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        b"12",
        bytearray(b"12"),
        memoryview(b"12"),
    ],
)
def test_an_array_of_anything_else_is_rejected_with_a_hint(column: Any) -> None:
    with pytest.raises(GradientError, match="pass a list or a one-dimensional array of integers"):
        prepare("x").columns({"x": column})


@pytest.mark.parametrize("points", [[0], (0, 1), 1, np.arange(2)])
def test_points_must_be_a_range(points: Any) -> None:
    with pytest.raises(TypeError, match="points must be a range, such as"):
        prepare("x").columns({"x": [1, 2]}, points)


@pytest.mark.parametrize("error", [ModuleNotFoundError, ImportError])
def test_a_numpy_that_does_not_load_counts_as_missing(
    monkeypatch: pytest.MonkeyPatch, error: type[ImportError]
) -> None:
    def refuse(_name: str) -> None:
        raise error

    monkeypatch.setattr(axes, "import_module", refuse)
    monkeypatch.setattr(axes, "numpy", axes.numpy.__wrapped__)
    assert axes.numpy() is None


def test_a_grid_that_is_too_long_to_keep_has_the_same_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grids = {
        name: {"from": -1, "to": end, "count": count}
        for name, end, count in [("w", 7, 5), ("x", 2, 7), ("y", 1 / 3, 3)]
    }
    values = axes.check_axes({"a": [1, 2, 3], **grids}, Limits())
    kept = axes.Points(values)
    monkeypatch.setattr(axes, "KEPT", 4)
    long = axes.Points(values)
    random = Random("long grids")
    for _ in range(100):
        first = random.randrange(kept.count)
        last = random.randint(first + 1, kept.count)
        assert long.rows(first, last) == kept.rows(first, last)
    assert kept.rows(0, kept.count)[1][:42] == [*[-1.0] * 21, *[1.0] * 21]
