"""The cache of parsed programs: no reply shows whether its program was cached."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

import service.compute.engine
from engine_py import DEFAULT_LIMITS, GradientError, Limits, introspect
from engine_py.introspect import Prepared, prepare_text
from engine_py.request import GradientRequest, View
from service.compute.engine import Engine
from service.observe.metrics import Metrics


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs that have been parsed."""
    found: list[str] = []

    def note(expression: str, view: View, limits: Limits) -> Prepared:
        found.append(expression)
        return prepare_text(expression, view, limits)

    monkeypatch.setattr(service.compute.engine, "prepare_text", note)
    return found


@pytest.fixture
def engine() -> Engine:
    return Engine(DEFAULT_LIMITS, Metrics())


def request(expression: str, **values: float) -> GradientRequest:
    return GradientRequest(expression, values, [], "folded")


def test_a_repeated_program_is_parsed_once(engine: Engine, texts: list[str]) -> None:
    for number in (1.0, 2.0, 3.0):
        assert engine.answer(request("a * a", a=number))["gradients"] == {"a": 2 * number}
    assert texts == ["a * a"]


def test_a_cached_program_gives_the_same_document(engine: Engine) -> None:
    text = "c = a / 3; c * c - a"
    views: tuple[View, ...] = ("folded", "primitive", "folded")
    for view, values in product(views, ({"a": 2.0}, {"a": -3.0, "b": 1.0}, {"a": 2.0})):
        cached = engine.answer(GradientRequest(text, values, ["a"], view))
        assert cached == introspect(text, values, parameters=["a"], view=view)


def test_changing_a_document_does_not_affect_later_ones(engine: Engine) -> None:
    first = engine.answer(request("a * a", a=3.0))
    expected = introspect("a * a", {"a": 3})
    first["nodes"][0]["label"] = "changed"
    first["edges"].clear()
    first["topological_order"].clear()
    first["backward_order"].clear()
    assert engine.answer(request("a * a", a=3.0)) == expected


def test_an_error_is_not_cached(engine: Engine) -> None:
    for text, code in (("2x", "unexpected_token"), ("a + b", "missing_value")) * 2:
        with pytest.raises(GradientError) as refusal:
            engine.answer(request(text, a=1.0))
        assert refusal.value.code == code
    assert engine.answer(request("a + b", a=1.0, b=2.0))["result"] == 3


@pytest.mark.parametrize(("length", "times"), [(100, 1), (10_000, 3)])
def test_long_programs_are_not_cached(
    engine: Engine, texts: list[str], length: int, times: int
) -> None:
    for _ in range(3):
        engine.answer(request("2".rjust(length)))
    assert len(texts) == times


def test_the_cache_is_bounded(engine: Engine, texts: list[str]) -> None:
    numbers = [str(number) for number in range(1_000)]
    for text in [*numbers, numbers[-1], numbers[0]]:
        engine.answer(request(text))
    assert texts == [*numbers, "0"]  # the last one is still cached, the first is not


def test_threads_can_share_the_cache(engine: Engine) -> None:
    def square(number: int) -> float:
        return engine.answer(request("b = a * a; b * b", a=float(number)))["gradients"]["a"]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(square, range(200)))
    assert found == [4.0 * number**3 for number in range(200)]  # d a^4 / da
