import pytest

from engine_py import GradientError, Limits, Span, errors, introspect
from engine_py.errors import InvalidRequest, UnknownFunction

CODES = {
    "invalid_request",
    "invalid_value",
    "limit_exceeded",
    "unexpected_character",
    "unexpected_token",
    "unexpected_end",
    "unknown_function",
    "wrong_arity",
    "exponent_not_literal",
    "duplicate_name",
    "unused_name",
    "missing_value",
    "domain_error",
    "non_finite",
}

MESSAGES = [
    # expression, values, code, what its message must name: the place, the thing, the way out
    (3, {}, "invalid_request", ["expression", "string", "a number"]),
    ("a", [], "invalid_request", ["values", "object", "an array"]),
    ("a", {"a": None}, "invalid_value", ["`a`", "finite number", "null"]),
    ("a", {"a": True}, "invalid_value", ["`a`", "finite number", "true"]),
    ("a", {"a": "2"}, "invalid_value", ["`a`", "finite number", "2"]),
    ("a", {"a": "x" * 9_999}, "invalid_value", ["`a`", "finite number", 'the string "xxx', "..."]),
    ("a", {"a": float("inf")}, "invalid_value", ["`a`", "finite number", "beyond"]),
    ("a", {"a": [2]}, "invalid_value", ["`a`", "an array"]),
    ("a", {"a": {}}, "invalid_value", ["`a`", "an object"]),
    ("a", {"2a": 1}, "invalid_value", ["2a", "a letter or _"]),
    ("a" * 101, {}, "limit_exceeded", ["101", "100 "]),
    ("a", dict.fromkeys("abcde", 1), "limit_exceeded", ["5", "4"]),
    ("a + b + c", {}, "limit_exceeded", ["4 nodes", "smaller"]),
    ("a ^ 2", {}, "unexpected_character", ["`^`", "offset 2", "`**`"]),
    ("a × b", {}, "unexpected_character", ["U+00D7", "offset 2", "`*`"]),
    ("a ÷ b", {}, "unexpected_character", ["U+00F7", "`/`"]),
    ("a − b", {}, "unexpected_character", ["U+2212", "`-`"]),
    ("[a]", {}, "unexpected_character", ["`[`", "( and )"]),
    ("a + é", {}, "unexpected_character", ["U+00E9", "offset 4", "ASCII"]),
    ("a + 😀", {}, "unexpected_character", ["U+1F600", "ASCII"]),
    ("a +\0", {}, "unexpected_character", ["U+0000", "ASCII"]),
    ("2x", {}, "unexpected_token", ["`x`", "offset 1", "`*`"]),
    ("", {}, "unexpected_end", ["empty", "write"]),
    ("a +", {}, "unexpected_end", ["end of the text", "offset 3"]),
    ("(a", {}, "unexpected_end", ["end of the text", "parenthesis"]),
    ("foo(a)", {}, "unknown_function", ["`foo`", "relu", "exp", "log", "tanh"]),
    ("relu(a, b)", {}, "wrong_arity", ["relu", "1", "2"]),
    ("a ** b", {}, "exponent_not_literal", ["`b`", "one number", "base"]),
    ("b = 1; b = 2", {}, "duplicate_name", ["`b`", "another name"]),
    ("b = 1; a", {}, "unused_name", ["`b`", "use it"]),
    ("a", {}, "missing_value", ["`a`", "values"]),
    ("log(a)", {"a": 0}, "domain_error", ["logarithm", "above 0", "`log`"]),
    ("1 / a", {"a": 0}, "domain_error", ["division by 0", "`/`"]),
    ("a ** -1", {"a": 0}, "domain_error", ["0", "negative power"]),
    ("a ** .5", {"a": -1}, "domain_error", ["negative base", "fractional"]),
    ("a + 1e999", {}, "non_finite", ["number", "largest double"]),
    ("exp(a)", {"a": 1000}, "non_finite", ["`exp`", "node 1", "too large", "nearer to 0"]),
    ("sqrt(a)", {"a": 0}, "non_finite", ["`sqrt`", "no finite slope at 0; use a value above 0"]),
    (
        "a ** 0.5",
        {"a": 0},
        "non_finite",
        ["`x ** c` with c < 1", "a value above 0"],
    ),
    ("1 / a", {"a": 1e-310}, "non_finite", ["`/`", "further from 0"]),
    ("log(a)", {"a": 1e-310}, "non_finite", ["local_grad", "`log`", "further from 0"]),
    ("log(a)", {"a": 5e-324}, "non_finite", ["local_grad", "`log`"]),
]


def test_every_code_of_the_contract_has_one_class() -> None:
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    codes = [
        kind.code
        for kind in classes
        if issubclass(kind, GradientError) and kind is not GradientError
    ]
    assert sorted(codes) == sorted(CODES)


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


def test_the_table_of_messages_has_every_code() -> None:
    assert {code for _, _, code, _ in MESSAGES} == CODES


@pytest.mark.parametrize(("expression", "values", "code", "words"), MESSAGES)
def test_a_message_names_the_place_or_the_way_out(
    expression: str, values: dict[str, float], code: str, words: list[str]
) -> None:
    with pytest.raises(GradientError) as caught:
        introspect(expression, values, limits=Limits(characters=100, variables=4, nodes=4))
    assert caught.value.code == code
    message = str(caught.value)
    assert [word for word in words if word not in message] == []
    assert len(message) < 200
