"""What Python has and JSON has not, as a member or a limit. Fixtures hold all other members."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from engine_py import (
    DEFAULT_LIMITS,
    GradientError,
    Limits,
    Value,
    accuracy,
    introspect,
    introspect_value,
    paths,
)
from engine_py.accuracy.accuracy import compare
from engine_py.introspect import prepare_text
from engine_py.lab.commands import LAB
from engine_py.request import (
    GradientRequest,
    as_double,
    check_request,
    described,
    quoted,
)
from engine_py.tests.helpers import Json, refusal, to_the_bit, units

GOOD: Json = {"expression": "a", "values": {}, "parameters": [], "view": "folded"}


def check(**members: Any) -> GradientRequest:
    """Check a request that is good but for these members."""
    expression, values, parameters, view = {**GOOD, **members}.values()
    return check_request(expression, values, parameters, view, DEFAULT_LIMITS)


def test_what_json_does_not_have_is_refused_too() -> None:
    assert refusal(check, expression=b"a")["pointer"] == "/expression"
    for number in (nan, inf, -inf):
        assert refusal(check, values={"a": number})["pointer"] == "/values/a"


@pytest.mark.parametrize(
    ("number", "double"),
    [
        (np.int64(-2), -2.0),
        (np.uint8(200), 200.0),
        (np.float32(0.1), 13421773 / 2**27),  # the float nearest to a tenth, as it is
        (np.float64(0.1), 0.1),
        (np.array(4), 4.0),
        (Fraction(1, 3), 1 / 3),
        (Fraction(2**53 + 1), 2.0**53),
        (Decimal("0.1"), 0.1),
    ],
)
def test_a_real_number_of_any_type_is_its_nearest_double(number: Any, double: float) -> None:
    assert to_the_bit(check(values={"a": number}).values) == to_the_bit({"a": double})


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (np.True_, "a bool"),
        (np.array(True), "an ndarray"),  # noqa: FBT003 - a truth value of numpy
        (np.str_("2"), 'the string "2"'),
        (np.array("2"), "an ndarray"),
        (np.array([1.0]), "an array"),
        (np.complex128(1), "a complex128"),
        (np.datetime64(1, "s"), "a datetime64"),
        (b"2", "a bytes"),
        (1j, "a complex"),
        (object(), "an object"),
        (float, "a type"),
        (np.float32(inf), "infinity, NaN or a number beyond the doubles"),
        (Decimal("sNaN"), "infinity, NaN or a number beyond the doubles"),
        (Fraction(10**400), "infinity, NaN or a number beyond the doubles"),
    ],
)
def test_what_could_be_converted_but_is_no_real_number_is_named(wrong: Any, kind: str) -> None:
    assert as_double(wrong) is None
    assert described(wrong) == kind


def test_an_integer_is_read_as_the_nearest_double() -> None:
    largest, half = 2**1024 - 2**971, 2**970  # half a step further begins infinity
    cases = {2**53 + 1: 2.0**53, 2**53 + 3: 2.0**53 + 4, -(2**53) - 1: -(2.0**53), 10**22: 1e22}
    for integer, double in {**cases, largest + half - 1: 1.7976931348623157e308}.items():
        assert to_the_bit(check(values={"a": integer}).values) == to_the_bit({"a": double})
    for integer in (largest + half, 2**1024, -(2**1024), 10**400, 10**5_000):
        error = refusal(check, values={"a": integer})
        assert error["pointer"] == "/values/a"


def test_a_name_that_is_no_text_is_refused_like_one_that_is_no_name() -> None:
    error = refusal(check, values={1: 2.0})
    assert error == {"code": "invalid_value", "span": None, "name": "1", "pointer": "/values/1"}


def test_every_slash_and_tilde_of_a_name_is_escaped_in_a_pointer() -> None:
    error = refusal(check, values={"a//b~~c": 1})
    assert (error["name"], error["pointer"]) == ("a//b~~c", "/values/a~1~1b~0~0c")


@units("hints", "quoted")
def test_a_text_in_a_message_is_short(case: Json) -> None:
    assert {text: quoted(text) for text in case["texts"]} == case["texts"]


@pytest.mark.parametrize(
    ("value", "python", "in_json"), [(None, "None", "null"), (True, "True", "true")]
)
def test_what_was_found_is_told_to_python_and_to_json_in_their_own_words(
    value: object, python: str, in_json: str
) -> None:
    with pytest.raises(GradientError, match=f"must be a finite number, not {python}$") as caught:
        check(values={"a": value})
    message = "the value of `a` must be a finite number, not {}"
    assert caught.value.as_dict()["message"] == message.format(in_json)


def test_a_value_is_described_by_its_kind() -> None:
    values: list[Any] = [None, True, False, "it's", 2.5, inf, [], {}]
    assert [described(value) for value in values] == [
        "None",
        "True",
        "False",
        'the string "it\'s"',
        "a number",
        "infinity, NaN or a number beyond the doubles",
        "an array",
        "an object",
    ]


@pytest.mark.parametrize("wrong", [-1, 2.5, 5.0, nan, inf, -inf, None, True, "5"])
@pytest.mark.parametrize("name", Limits._fields)
def test_a_limit_is_a_whole_number_from_0_up(name: str, wrong: Any) -> None:
    limits = DEFAULT_LIMITS._replace(**{name: wrong})
    a = Value(1.0, "a")
    document = introspect("a", {"a": 1}, parameters=["a"])
    calls: list[Callable[[], object]] = [
        lambda: introspect("a", {"a": 1}, limits=limits),
        lambda: prepare_text("a", limits=limits),
        lambda: introspect_value(a, limits=limits),
        lambda: paths(document, node="a", limits=limits),
        lambda: accuracy("a", {"a": 1}, limits=limits),
        lambda: compare(document, {"a": 1.0}, document, limits=limits),
        *(
            partial(LAB[name].run, document, limits=limits)
            for name in ("experiment", "descend", "hessian")
        ),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"limits\.{name} must be a whole number, 0 or more"):
            call()
