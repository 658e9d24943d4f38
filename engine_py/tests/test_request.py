from math import inf, nan
from typing import Any

from engine_py import DEFAULT_LIMITS, Limits
from engine_py.request import (
    Request,
    check_expression,
    check_parameters,
    check_request,
    check_values,
    check_view,
    described,
    quoted,
)
from engine_py.tests.helpers import refusal, to_the_bit

NOT_A_TEXT: list[Any] = [None, True, 3, 2.5, [], ["a"], {}, b"a"]
NOT_AN_OBJECT: list[Any] = [None, True, "a", 3, [], [["a", 1]]]
NOT_A_NUMBER: list[Any] = [None, True, False, "", "2", "NaN", [], [2], {}, nan, inf, -inf]
NOT_A_NAME = ["1", "1a", "a b", " a", "a ", "a\n", "a-b", "a.b", "é", "aé", "ａ", "😀", "\ud800"]
NOT_AN_ARRAY: list[Any] = [None, True, "ab", 3, {}, {"a": 1}]
NOT_A_PARAMETER: list[Any] = [None, 3, True, "", "1", "a b", ["a"], {}]
NOT_A_VIEW: list[Any] = ["", "Folded", "folded ", None, True, 1, [], ["folded"], {}]


def wrong(pointer: str) -> dict[str, Any]:
    return {"code": "invalid_request", "span": None, "pointer": pointer}


def wrong_value(name: str, pointer: str) -> dict[str, Any]:
    return {"code": "invalid_value", "span": None, "name": name, "pointer": pointer}


def parameters_of(parameters: object, limits: Limits = DEFAULT_LIMITS) -> list[str]:
    return check_parameters(parameters, limits)


def test_a_good_request_passes_as_it_is() -> None:
    request = check_request("a * k", {"a": 2, "k": 0.5}, ["k"], "primitive", DEFAULT_LIMITS)
    assert request == Request("a * k", {"a": 2.0, "k": 0.5}, ["k"], "primitive")
    assert to_the_bit(request.values) == '{"a": 2.0, "k": 0.5}'


def test_an_expression_is_a_text() -> None:
    for nonsense in NOT_A_TEXT:
        assert refusal(check_expression, nonsense, DEFAULT_LIMITS) == wrong("/expression")


def test_an_expression_is_measured_in_code_points() -> None:
    three = Limits(characters=3)
    for text in ("", "abc", "ééé", "😀😀😀"):
        assert check_expression(text, three) == text
    for text in ("abcd", "éééé", "😀😀😀😀"):
        assert refusal(check_expression, text, three) == {
            "code": "limit_exceeded",
            "span": {"start": 3, "end": 4},
            "name": "characters",
            "limit": 3,
            "actual": 4,
        }


def test_values_are_an_object() -> None:
    for nonsense in NOT_AN_OBJECT:
        assert refusal(check_values, nonsense, DEFAULT_LIMITS) == wrong("/values")


def test_a_value_is_a_finite_number() -> None:
    for nonsense in NOT_A_NUMBER:
        error = refusal(check_values, {"a": nonsense}, DEFAULT_LIMITS)
        assert error == wrong_value("a", "/values/a")


def test_every_finite_double_is_a_value() -> None:
    doubles = [0.0, -0.0, 1.5, 5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308]
    for double in doubles:
        assert to_the_bit(check_values({"a": double}, DEFAULT_LIMITS)) == to_the_bit({"a": double})


def test_an_integer_is_read_as_the_nearest_double() -> None:
    largest, half = 2**1024 - 2**971, 2**970  # half a step further begins infinity
    cases = {2**53 + 1: 2.0**53, 2**53 + 3: 2.0**53 + 4, -(2**53) - 1: -(2.0**53), 10**22: 1e22}
    for integer, double in {**cases, largest + half - 1: 1.7976931348623157e308}.items():
        assert to_the_bit(check_values({"a": integer}, DEFAULT_LIMITS)) == to_the_bit({"a": double})
    for integer in (largest + half, 2**1024, -(2**1024), 10**400, 10**5_000):
        error = refusal(check_values, {"a": integer}, DEFAULT_LIMITS)
        assert error == wrong_value("a", "/values/a")


def test_a_name_is_a_letter_or_underscore_then_letters_digits_underscores() -> None:
    for name in ("a", "Z", "_", "_1", "x1", "exp", "__proto__", "constructor", "a" * 1_000):
        assert check_values({name: 1}, DEFAULT_LIMITS) == {name: 1}
    for name in NOT_A_NAME:
        error = refusal(check_values, {name: 1}, DEFAULT_LIMITS)
        assert error == wrong_value(name, f"/values/{name}")


def test_a_pointer_escapes_tilde_and_slash() -> None:
    for name, escaped in {"": "", "a/b~c": "a~1b~0c", "~1": "~01", "//": "~1~1"}.items():
        error = refusal(check_values, {name: 1}, DEFAULT_LIMITS)
        assert error == wrong_value(name, f"/values/{escaped}")


def test_the_least_faulty_name_in_utf16_order_is_reported() -> None:
    def first(*names: str) -> Any:
        return refusal(check_values, dict.fromkeys(names), DEFAULT_LIMITS)["name"]

    assert first("b", "a") == "a"
    assert first("a", "Z") == "Z"
    assert first("aa", "a") == "a"
    assert first("b", "10", "9") == "10"
    assert first("a", "") == ""
    # An emoji begins with the unit D83D, so it comes before FFFD though its code point is higher.
    assert first("\ufffd", "😀") == "😀"


def test_names_and_values_are_one_kind_of_fault() -> None:
    assert refusal(check_values, {"b": 1, "é": 1, "a": "x"}, DEFAULT_LIMITS)["name"] == "a"
    assert refusal(check_values, {"b": "x", "1": 1, "a": 1}, DEFAULT_LIMITS)["name"] == "1"


def test_values_are_counted_before_they_are_read() -> None:
    two = Limits(variables=2)
    assert check_values({"a": 1, "b": 2}, two) == {"a": 1, "b": 2}
    error = refusal(check_values, {"a": "x", "b": "y", "1": "z"}, two)
    data = {"name": "variables", "limit": 2, "actual": 3}
    assert error == {"code": "limit_exceeded", "span": None, **data}


def test_parameters_are_an_array() -> None:
    for nonsense in NOT_AN_ARRAY:
        assert refusal(parameters_of, nonsense) == wrong("/parameters")


def test_parameters_are_distinct_names_in_their_order() -> None:
    assert parameters_of([]) == []
    assert parameters_of(["b", "a", "_"]) == ["b", "a", "_"]
    for nonsense in NOT_A_PARAMETER:
        assert refusal(parameters_of, ["a", nonsense, 4]) == wrong("/parameters/1")
    assert refusal(parameters_of, ["a", "b", "a", "b"]) == wrong("/parameters/2")
    assert refusal(parameters_of, ["a", "a", 3]) == wrong("/parameters/1")


def test_parameters_are_counted_before_they_are_read() -> None:
    two = Limits(variables=2)
    assert parameters_of(["a", "b"], two) == ["a", "b"]
    data = {"name": "variables", "limit": 2, "actual": 3}
    expected = {"code": "limit_exceeded", "span": None, **data}
    assert refusal(parameters_of, ["a", "a", 3], two) == expected


def test_a_view_is_one_of_two() -> None:
    assert [check_view(view) for view in ("folded", "primitive")] == ["folded", "primitive"]
    for nonsense in NOT_A_VIEW:
        assert refusal(check_view, nonsense) == wrong("/view")


def test_the_first_member_that_is_wrong_is_reported() -> None:
    def check(*members: Any) -> Request:
        expression, values, parameters, view = members
        return check_request(expression, values, parameters, view, DEFAULT_LIMITS)

    assert refusal(check, 3, [], 3, 3) == wrong("/expression")
    assert refusal(check, "a", [], 3, 3) == wrong("/values")
    assert refusal(check, "a", {"1": 1}, 3, 3) == wrong_value("1", "/values/1")
    assert refusal(check, "a", {}, 3, 3) == wrong("/parameters")
    assert refusal(check, "a", {}, [], 3) == wrong("/view")
    assert check("a", {}, [], "folded") == Request("a", {}, [], "folded")


def test_a_name_that_is_no_text_is_refused_like_one_that_is_no_name() -> None:
    error = refusal(check_values, {1: 2.0}, DEFAULT_LIMITS)
    assert error == {"code": "invalid_value", "span": None, "name": "1", "pointer": "/values/1"}


def test_a_string_is_quoted_as_json_and_cut_by_code_points() -> None:
    assert quoted("it's") == '"it\'s"'
    assert quoted('"\\\n\x00\x7f') == '"\\"\\\\\\n\\u0000\x7f"'
    assert quoted("é😀\u2028") == '"é😀\u2028"'
    assert quoted("\ud800") == '"\\ud800"'
    assert quoted("x" * 20) == f'"{"x" * 20}"'
    assert quoted("x" * 21) == f'"{"x" * 20}..."'
    assert quoted("😀" * 20) == f'"{"😀" * 20}"'
    assert quoted("x" + "😀" * 30) == f'"x{"😀" * 19}..."'


def test_a_value_is_described_by_its_kind() -> None:
    values: list[Any] = [None, True, False, "it's", 2.5, inf, [], {}]
    assert [described(value) for value in values] == [
        "null",
        "true",
        "false",
        'the string "it\'s"',
        "a number",
        "infinity, NaN or a number beyond the doubles",
        "an array",
        "an object",
    ]
