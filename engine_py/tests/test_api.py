"""The package as its callers see it, beyond what requests over the protocol can show."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import inf, nan
from typing import Any

import numpy as np
import pytest

import engine_py
from engine_py import (
    DEFAULT_LIMITS,
    Descending,
    GradientError,
    Limits,
    Span,
    Value,
    accuracy,
    descend,
    experiment,
    hessian,
    introspect,
    introspect_value,
    outline,
    paths,
    prepare,
    sweep,
)
from engine_py.accuracy.accuracy import compare
from engine_py.errors import InvalidRequest, UnknownFunction
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

MIXED = "n = x1 * w1 + x2 * w2 - 3 / b; o = tanh(n) ** 2; o + log(w1 * w1)"
NAMES = ["x1", "w1", "x2", "w2", "b"]


def values_of_mixed(index: int) -> dict[str, float]:
    return {name: index / 7 + place + 0.5 for place, name in enumerate(NAMES)}


def test_the_package_exports_these_names() -> None:
    names = """
    Accuracy CONTRACT DEFAULT_LIMITS Deadline DeadlineExceeded Descending GradientDocument Edge
    GradientError Layout Limits Node OPERATIONS Operation Outline Program Shown Span Sweep Value
    accuracy canonical_text digest draw draw_dot introspect introspect_value lay_out outline prepare
    Rewritten rewrite show sweep
    """
    of_the_lab = {*LAB, *(command.result.capitalize() for command in LAB.values())}
    assert of_the_lab >= {"descend", "Descent", "experiment", "hessian", "paths"}
    assert sorted(engine_py.__all__) == sorted([*names.split(), *of_the_lab])
    assert all(hasattr(engine_py, name) for name in engine_py.__all__)


def test_the_example_in_the_docstring_of_the_package_is_correct() -> None:
    document = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    assert document["gradients"] == {"a": 10.0, "b": 10.0, "c": -1.0}
    assert "{'a': 10.0, 'b': 10.0, 'c': -1.0}" in (engine_py.__doc__ or "")


def test_an_error_is_an_exception_with_code_message_span_and_data() -> None:
    error = UnknownFunction("what and why", (4, 7), name="foo")
    assert isinstance(error, GradientError)
    assert (error.code, error.message, error.span, error.data, str(error)) == (
        *("unknown_function", "what and why", Span(4, 7), {"name": "foo"}, "what and why"),
    )
    assert error.as_dict() == {
        "code": "unknown_function",
        "message": "what and why",
        "span": {"start": 4, "end": 7},
        "name": "foo",
    }
    assert InvalidRequest("what", Span(0, 0)).as_dict()["span"] == {"start": 0, "end": 0}
    assert InvalidRequest("what", pointer="/view").as_dict()["span"] is None


def test_changing_a_document_or_an_outline_does_not_affect_the_next() -> None:
    program = prepare("a ** 2 + b")
    for make in (
        lambda: program.introspect({"a": 2, "b": 1}, parameters=["a"]),
        lambda: introspect("a ** 2 + b", {"a": 2, "b": 1}),
        lambda: outline("a ** 2 + b"),
    ):
        made: Any = make()
        expected = to_the_bit(made)
        spoil(made)
        assert to_the_bit(made) != expected
        assert to_the_bit(make()) == expected


def spoil(content: Any) -> None:
    """Change every number and text of a document, and every array's length."""
    members = list(content.items() if isinstance(content, dict) else enumerate(content))
    for key, member in members:
        if isinstance(member, dict | list):
            spoil(member)
        else:
            content[key] = "spoiled"
    if isinstance(content, list):
        content.append("spoiled")


# Prepared programs


def test_a_program_has_the_document_gradients_and_sweep_of_its_text() -> None:
    program = prepare(MIXED)
    assert program.variables == NAMES
    for index in range(20):
        values, named = values_of_mixed(index), NAMES[: index % 5]
        document = introspect(MIXED, values, parameters=named)
        assert to_the_bit(program.introspect(values, parameters=named)) == to_the_bit(document)
        assert to_the_bit(program.gradients(values)) == to_the_bit(document["gradients"])
    columns = {**values_of_mixed(0), "x1": range(3), "w1": (1, 2, 3)}
    assert program.sweep(columns) == sweep(MIXED, columns)
    primitive = prepare("a - b", view="primitive").introspect({"a": 1, "b": 2})
    assert primitive == introspect("a - b", {"a": 1, "b": 2}, view="primitive")


def test_threads_may_share_a_program() -> None:
    program, values = prepare(MIXED), [values_of_mixed(index) for index in range(400)]
    with ThreadPoolExecutor(8) as pool:
        documents = list(pool.map(program.introspect, values))
    assert to_the_bit(documents) == to_the_bit([introspect(MIXED, each) for each in values])


def test_a_refused_request_does_not_change_a_program() -> None:
    program = prepare("1 / a + exp(b)")
    expected = to_the_bit(program.introspect({"a": 2, "b": 1}))
    for values in ({"a": 1}, {"a": 0, "b": 1}, {"a": 1, "b": 1e3}, {"a": 1e-200, "b": 1}):
        with pytest.raises(GradientError):
            program.introspect(values)
        assert to_the_bit(program.introspect({"a": 2, "b": 1})) == expected


def test_prepare_reports_errors_of_the_text_and_a_call_those_of_its_values() -> None:
    assert refusal(prepare, "2x")["code"] == "unexpected_token"
    assert refusal(prepare, 2)["pointer"] == "/expression"
    assert refusal(prepare, "a", view="flat")["pointer"] == "/view"
    program = prepare("a * b")
    assert refusal(program.gradients, {"a": 1})["names"] == ["b"]
    assert refusal(program.gradients, {"a": 1, "b": [2]})["code"] == "invalid_value"
    assert refusal(program.sweep, {"a": [1]})["names"] == ["b"]


def test_limits_passed_to_prepare_hold_for_every_call() -> None:
    program = prepare("a * a", limits=Limits(sweep_nodes=5, variables=2))
    assert refusal(program.sweep, {"a": [1, 2, 3]})["actual"] == 6
    assert refusal(program.gradients, dict.fromkeys("abc", 1))["name"] == "variables"
    assert refusal(prepare, "a * a", limits=Limits(nodes=1))["name"] == "nodes"
    with pytest.raises(ValueError, match="sweep_nodes"):
        prepare("a", limits=Limits(sweep_nodes=-1))


def test_the_repr_of_a_program_is_one_line() -> None:
    assert repr(prepare("a * b")) == (
        "Program('a * b', view='folded', 3 nodes, variables=['a', 'b'])"
    )
    shown = repr(prepare(" + ".join(f"sin(x{number})" for number in range(900))))
    assert shown.startswith("Program('sin(x0) + ")
    assert "2699 nodes" in shown
    assert len(shown) < 150


# A descent, point by point


def test_descending_computes_a_point_when_next_is_called() -> None:
    descending = Descending("log(w)", {"w": 1}, parameters=["w"], learning_rate=2, steps=5)
    assert next(descending)["parameters"] == {"w": 1}
    assert descending.fault is None
    assert next(descending, None) is None
    fault: Any = descending.fault
    assert (fault["step"], fault["error"]["operands"]) == (1, [-1])
    assert next(descending, None) is None


def test_descending_checks_its_settings_before_the_first_point() -> None:
    document = introspect("w * x", {"w": 0, "x": 1}, parameters=["w"])
    assert refusal(Descending, document, steps=-1)["pointer"] == "/steps"
    with pytest.raises(TypeError, match="'rate'"):
        Descending(document, rate=1)  # type: ignore[call-arg]


TEXT, VALUES = "(w * x - y) ** 2", {"w": 1.5, "x": 2, "y": -0.5}


def loss() -> Value:
    w, x, y = (Value(number, name) for name, number in VALUES.items())
    return (w * x - y) ** 2


ASKED: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (experiment, {"accumulate": "replace", "order": [5, 4, 3, 2]}),
    (paths, {"node": "w"}),
    (hessian, {"variables": ["w", "x"]}),
    (accuracy, {"claimed": {"w": 14}, "witnesses": True}),
]


@pytest.mark.parametrize(("ask", "members"), ASKED)
def test_a_text_and_a_value_have_the_results_of_their_documents(
    ask: Callable[..., Any], members: dict[str, Any]
) -> None:
    assert ask(TEXT, VALUES, **members) == ask(introspect(TEXT, VALUES), **members)
    assert ask(loss(), **members) == ask(introspect_value(loss()), **members)


def test_values_that_would_be_ignored_are_refused() -> None:
    for ask in (experiment, hessian, descend, accuracy):
        assert refusal(ask, introspect("w", {"w": 1}), {"w": 2})["pointer"] == "/values"


def test_a_text_takes_a_view() -> None:
    for ask in (experiment, hessian):
        assert ask("w - x", {"w": 1, "x": 1}, view="primitive")["document"]["view"] == "primitive"
    # w + -1 * x: the path to x goes through the product
    assert (
        len(paths("w - x", {"w": 1, "x": 1}, node="x", view="primitive")["paths"][0]["edges"]) == 2
    )


def test_a_descent_of_a_text_or_a_value_takes_parameters() -> None:
    settings: dict[str, Any] = {"parameters": ["w"], "steps": 3, "learning_rate": 0.125}
    document = introspect(TEXT, VALUES, parameters=["w"])
    descent = descend(document, steps=3, learning_rate=0.125)
    assert descend(TEXT, VALUES, **settings) == descent
    assert descend(loss(), **settings)["trajectory"] == descent["trajectory"]
    # w * x - y is 3.5 and falls to 0: w moves by 0.125 * 2 * 3.5 * 2 = 1.75, to the minimum.
    assert [point["parameters"]["w"] for point in descent["trajectory"]] == [
        1.5,
        -0.25,
        -0.25,
        -0.25,
    ]


def test_a_text_without_its_values_is_refused() -> None:
    for ask, members in ASKED:
        assert refusal(ask, "w * x", **members)["code"] == "missing_value"


# Members and limits with values that JSON does not have


GOOD: Json = {"expression": "a", "values": {}, "parameters": [], "view": "folded"}


def check(**members: Any) -> GradientRequest:
    """Check a request that is valid except for `members`."""
    expression, values, parameters, view = {**GOOD, **members}.values()
    return check_request(expression, values, parameters, view, DEFAULT_LIMITS)


def test_values_that_json_does_not_have_are_refused() -> None:
    assert refusal(check, expression=b"a")["pointer"] == "/expression"
    for number in (nan, inf, -inf):
        assert refusal(check, values={"a": number})["pointer"] == "/values/a"


@pytest.mark.parametrize(
    ("number", "double"),
    [
        (np.int64(-2), -2.0),
        (np.uint8(200), 200.0),
        (np.float32(0.1), 13421773 / 2**27),  # the float32 nearest to 0.1, unchanged
        (np.float64(0.1), 0.1),
        (np.array(4), 4.0),
        (Fraction(1, 3), 1 / 3),
        (Fraction(2**53 + 1), 2.0**53),
        (Decimal("0.1"), 0.1),
    ],
)
def test_a_real_number_of_any_type_becomes_the_nearest_double(number: Any, double: float) -> None:
    assert to_the_bit(check(values={"a": number}).values) == to_the_bit({"a": double})


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (np.True_, "a bool"),
        (np.array(True), "an ndarray"),  # noqa: FBT003 - numpy's boolean
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
def test_a_convertible_value_that_is_not_a_real_number_is_refused(wrong: Any, kind: str) -> None:
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


def test_a_name_that_is_not_a_string_is_an_invalid_name() -> None:
    error = refusal(check, values={1: 2.0})
    assert error == {"code": "invalid_value", "span": None, "name": "1", "pointer": "/values/1"}


@units("hints", "quoted")
def test_a_text_quoted_in_a_message_is_truncated(case: Json) -> None:
    assert {text: quoted(text) for text in case["texts"]} == case["texts"]


@pytest.mark.parametrize(
    ("value", "python", "in_json"), [(None, "None", "null"), (True, "True", "true")]
)
def test_a_message_spells_none_and_true_as_python_or_json_does(
    value: object, python: str, in_json: str
) -> None:
    with pytest.raises(GradientError, match=f"must be a finite number, not {python}$") as caught:
        check(values={"a": value})
    message = "the value of `a` must be a finite number, not {}"
    assert caught.value.as_dict()["message"] == message.format(in_json)


@pytest.mark.parametrize("wrong", [-1, 2.5, 5.0, nan, inf, -inf, None, True, "5"])
@pytest.mark.parametrize("name", Limits._fields)
def test_a_limit_must_be_a_whole_number_of_0_or_more(name: str, wrong: Any) -> None:
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
