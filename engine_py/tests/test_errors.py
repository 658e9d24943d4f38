import pytest

from engine_py import GradientError, Limits, Span, introspect
from engine_py.errors import InvalidRequest, UnknownFunction
from engine_py.tests.helpers import Json, units


def test_an_error_writes_its_code_message_span_and_data() -> None:
    error = UnknownFunction("what and why", Span(4, 7), name="foo")
    assert error.as_dict() == {
        "code": "unknown_function",
        "message": "what and why",
        "span": {"start": 4, "end": 7},
        "name": "foo",
    }
    assert (error.code, error.message, error.span, error.data) == (
        "unknown_function",
        "what and why",
        (4, 7),
        {"name": "foo"},
    )


def test_an_error_without_a_place_has_no_span() -> None:
    error = InvalidRequest("what", pointer="/view")
    expected = {"code": "invalid_request", "message": "what", "span": None, "pointer": "/view"}
    assert error.as_dict() == expected
    assert InvalidRequest("what").as_dict() == {
        "code": "invalid_request",
        "message": "what",
        "span": None,
    }


def test_a_span_at_the_start_of_the_text_is_a_span() -> None:
    assert InvalidRequest("what", Span(0, 0)).as_dict()["span"] == {"start": 0, "end": 0}


def test_an_error_is_an_exception_that_says_its_message() -> None:
    with pytest.raises(Exception, match=r"^what and why$") as caught:
        raise UnknownFunction("what and why", Span(4, 7), name="foo")
    assert isinstance(caught.value, GradientError)


@units("errors", "messages")
def test_a_message_names_the_place_or_the_way_out(case: Json) -> None:
    limits = Limits(characters=20, variables=4, nodes=4)
    for expression, values, words in case["messages"]:
        with pytest.raises(GradientError) as caught:
            introspect(expression, values, limits=limits)
        assert caught.value.code == case["code"]
        message = str(caught.value)
        assert [word for word in words if word not in message] == []
        assert len(message) < 200
