"""A document written by a form has the bytes of the engine's own document, whatever the numbers."""

from math import isfinite
from typing import Any

import pytest
from hypothesis import given, settings

import service.engine
from engine_py import DEFAULT_LIMITS, GradientError, introspect
from engine_py.introspect import prepare
from engine_py.request import Request
from service import Config, create_app
from service.engine import Engine
from service.forms import make_form
from service.observe.metrics import Metrics
from service.payloads import load_request, request_schema
from service.replies import json_bytes
from service.tests.strategies import correct_requests
from service.tests.validated import EXAMPLE

SCHEMA = request_schema(DEFAULT_LIMITS)


def expected(request: Request) -> bytes | GradientError:
    expression, values, parameters, view = request
    try:
        return json_bytes(introspect(expression, values, parameters=parameters, view=view))
    except GradientError as error:
        return error


def written(engine: Engine, request: Request) -> bytes | GradientError:
    try:
        return engine.written(request)[0]
    except GradientError as error:
        return error


def assert_same(engine: Engine, request: Request) -> None:
    found, wanted = written(engine, request), expected(request)
    if isinstance(wanted, GradientError):
        assert isinstance(found, GradientError)
        assert found.as_dict() == wanted.as_dict()
    else:
        assert found == wanted


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Note each form that is made."""
    forms: list[Any] = []
    make = make_form

    def note(*given: Any) -> Any:
        forms.append(make(*given))
        return forms[-1]

    monkeypatch.setattr(service.engine, "make_form", note)
    return forms


@settings(max_examples=40, deadline=None)
@given(correct_requests())
def test_any_program_has_the_bytes_of_its_documents(request: dict[str, Any]) -> None:
    engine = Engine(DEFAULT_LIMITS, Metrics())
    first = load_request(SCHEMA, request)
    for change in (1.0, 1.0, 1.0, -1.0, 0.0, -0.0, 0.5, 1e-300, 3e200):
        values = {name: value * change for name, value in first.values.items()}
        if all(map(isfinite, values.values())):
            assert_same(engine, first._replace(values=values))


@pytest.mark.parametrize(
    "expression", ["(a + b) * c", "a * b + relu(c)", "a ** 3 - b / c", "-a-b-c"]
)
@pytest.mark.parametrize("view", ["folded", "primitive"])
def test_a_form_is_made_for_the_third_request_and_used_for_all_after_it(
    made: list[Any], expression: str, view: Any
) -> None:
    engine = Engine(DEFAULT_LIMITS, Metrics())
    for number, forms in enumerate((0, 0, 1, 1, 1)):
        values = {"a": number - 2.0, "b": -0.0, "c": 1.5}
        assert_same(engine, Request(expression, values, [], view))
        assert len(made) == forms
    assert None not in made


OTHERS = {
    "a parameter": {"parameters": ["a"]},
    "a value that is left over": {"values": {"a": 2.0, "b": 3.0, "z": 1.0}},
    "a value too few": {"values": {"a": 2.0}},
    "another one in its place": {"values": {"a": 2.0, "z": 1.0}},
    "no result": {"values": {"a": 0.0, "b": 3.0}},
}


@pytest.mark.parametrize("others", OTHERS.values(), ids=OTHERS)
def test_other_requests_between_are_answered_as_ever(
    made: list[Any], others: dict[str, Any]
) -> None:
    engine = Engine(DEFAULT_LIMITS, Metrics())
    request = Request("b * log(a) + b", {"a": 2.0, "b": 3.0}, [], "folded")
    for _ in range(6):
        assert_same(engine, request._replace(**others))
        assert_same(engine, request)
    assert len(made) == 1


@pytest.mark.parametrize("expression", ["a", "exp(a)", "a ** 2", "+".join(["a*a"] * 60)])
def test_programs_with_few_or_many_numbers_have_no_form(made: list[Any], expression: str) -> None:
    engine = Engine(DEFAULT_LIMITS, Metrics())
    for number in (1.0, 2.0, 3.0, 4.0):
        assert_same(engine, Request(expression, {"a": number}, [], "folded"))
    assert made in ([], [None])


def test_replies_and_metrics_do_not_tell_a_form_from_a_document() -> None:
    client = create_app(Config()).test_client()
    replies = [client.post("/v1/gradient", json=EXAMPLE) for _ in range(5)]
    assert len({reply.data for reply in replies}) == 1
    names = {tuple(name for name, _ in reply.headers) for reply in replies}
    assert len(names) == 1
    assert b"gradient_nodes_count 5.0" in client.get("/metrics").data


def test_a_text_that_is_not_kept_is_prepared_once_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts: list[str] = []

    def note(text: str, *given: Any) -> Any:
        texts.append(text)
        return prepare(text, *given)

    monkeypatch.setattr(service.engine, "prepare", note)
    engine, text = Engine(DEFAULT_LIMITS, Metrics()), " + ".join(["a"] * 100)
    assert_same(engine, load_request(SCHEMA, {"expression": text, "values": {"a": 2.0}}))
    assert texts == [text]
