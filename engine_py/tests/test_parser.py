from typing import Any

import pytest

from engine_py import OPERATIONS, GradientError, Limits
from engine_py.errors import WrongArity
from engine_py.operations import FUNCTIONS
from engine_py.parser import Program
from engine_py.request import View
from engine_py.tests.helpers import program_of, refusal, shape_of

PLENTY = Limits(characters=10**7, nodes=10**7)

SHAPES = {
    "a": "a",
    "2.5": "2.5",
    "a + b + c": "(+ (+ a b) c)",
    "a - b - c": "(- (- a b) c)",
    "a - b + c": "(+ (- a b) c)",
    "a * b * c": "(* (* a b) c)",
    "a / b / c": "(/ (/ a b) c)",
    "a / b * c": "(* (/ a b) c)",
    "a + b * c": "(+ a (* b c))",
    "a * b + c": "(+ (* a b) c)",
    "a - b / c - d": "(- (- a (/ b c)) d)",
    "(a + b) * c": "(* (+ a b) c)",
    "a * (b + c)": "(* a (+ b c))",
    "a - (b - c)": "(- a (- b c))",
    "((a))": "a",
    "a ** 2": "(** a 2)",
    "a ** -2": "(** a -2)",
    "a ** - 2": "(** a -2)",
    "a ** +2": "(** a 2)",
    "a * b ** 2": "(* a (** b 2))",
    "a ** 2 * b": "(* (** a 2) b)",
    "2 ** 3": "(** 2 3)",
    "(a + b) ** 2": "(** (+ a b) 2)",
    "(a ** 2) ** 3": "(** (** a 2) 3)",
    "relu(a) ** 2": "(** (relu a) 2)",
    "a ** 2 + b": "(+ (** a 2) b)",
}

SIGNS = {
    "-a": "(neg a)",
    "--a": "(neg (neg a))",
    "-a * b": "(* (neg a) b)",
    "a * -b": "(* a (neg b))",
    "a - -b": "(- a (neg b))",
    "-a + b": "(+ (neg a) b)",
    "-(a + b)": "(neg (+ a b))",
    "-a ** 2": "(neg (** a 2))",
    "(-a) ** 2": "(** (neg a) 2)",
    "a * -b ** 2": "(* a (neg (** b 2)))",
    "-relu(a) ** 2": "(neg (** (relu a) 2))",
    "+a": "a",
    "a + +b": "(+ a b)",
    "-+-a": "(neg (neg a))",
    "+a ** 2": "(** a 2)",
}

NEGATIVE_LITERALS = {
    "-3": "-3",
    "- 3": "-3",
    "a * -3": "(* a -3)",
    "-3 * a": "(* -3 a)",
    "a -2": "(- a 2)",
    "2 -3": "(- 2 3)",
    "a - -2": "(- a -2)",
    "--3": "(neg -3)",
    "+-3": "-3",
    "-+3": "(neg 3)",
    "-(3)": "(neg 3)",
    "(-3) ** 2": "(** -3 2)",
    "-3 ** 2": "(neg (** 3 2))",
    "a * -3 ** 2": "(* a (neg (** 3 2)))",
    "-3 + 2 ** 2": "(+ -3 (** 2 2))",
}

CALLS = {
    "relu(a)": "(relu a)",
    "exp (a)": "(exp a)",
    "log((a))": "(log a)",
    "tanh(a + b)": "(tanh (+ a b))",
    "relu(exp(-a))": "(relu (exp (neg a)))",
    "2 * exp(a) + b": "(+ (* 2 (exp a)) b)",
    "exp": "exp",
    "exp + exp(exp)": "(+ exp (exp exp))",
}

PROGRAMS = {
    "b = a + 1; b * b": "(* (+ a 1) (+ a 1))",
    "b = a + 1\nb * b": "(* (+ a 1) (+ a 1))",
    "b = a; c = b; c * a": "(* a a)",
    "d = a": "a",
    ";;\n; a ;;\n": "a",
    "b = a +\n1;;\n\nb": "(+ a 1)",
    "b =\n(a\n+ 1\n)\nb": "(+ a 1)",
    "exp = a; exp(exp)": "(exp a)",
}

FAULTS = {
    "": ("unexpected_end", 0, 0),
    " ;\n ": ("unexpected_end", 4, 4),
    "a +": ("unexpected_end", 3, 3),
    "a + ": ("unexpected_end", 4, 4),
    "b = ": ("unexpected_end", 4, 4),
    "(a": ("unexpected_end", 2, 2),
    "relu(a": ("unexpected_end", 6, 6),
    "a **": ("unexpected_end", 4, 4),
    "a ** -": ("unexpected_end", 6, 6),
    "-": ("unexpected_end", 1, 1),
    "a)": ("unexpected_token", 1, 2),
    "()": ("unexpected_token", 1, 2),
    "(a; b)": ("unexpected_token", 2, 3),
    "a b": ("unexpected_token", 2, 3),
    "2x": ("unexpected_token", 1, 2),
    "2 -3 4": ("unexpected_token", 5, 6),
    "a(b)": ("unknown_function", 0, 1),
    "2(b)": ("unexpected_token", 1, 2),
    "(a)(b)": ("unexpected_token", 3, 4),
    "* a": ("unexpected_token", 0, 1),
    "a + * b": ("unexpected_token", 4, 5),
    "a ** * b": ("unexpected_token", 5, 6),
    "a ** )": ("unexpected_token", 5, 6),
    "a == b": ("unexpected_token", 3, 4),
    "= a": ("unexpected_token", 0, 1),
    "2 = a": ("unexpected_token", 2, 3),
    "(a = 2)": ("unexpected_token", 3, 4),
    "a, b": ("unexpected_token", 1, 2),
    "(a, b)": ("unexpected_token", 2, 3),
    "relu((a, b))": ("unexpected_token", 7, 8),
    "relu(, a)": ("unexpected_token", 5, 6),
    "relu(a,)": ("unexpected_token", 7, 8),
    "relu a": ("unexpected_token", 5, 6),
    "b = c = a": ("unexpected_token", 6, 7),
    "a; b": ("unexpected_token", 3, 4),
    "a\nb": ("unexpected_token", 2, 3),
    "a; b = 2": ("unexpected_token", 3, 4),
    "a ** b": ("exponent_not_literal", 5, 6),
    "a ** (2)": ("exponent_not_literal", 5, 6),
    "a ** relu(b)": ("exponent_not_literal", 5, 9),
    "a ** -b": ("exponent_not_literal", 6, 7),
    "a ** --2": ("exponent_not_literal", 6, 7),
    "a**2**3": ("exponent_not_literal", 4, 6),
    "a ** ** 3": ("exponent_not_literal", 5, 7),
    "a****3": ("exponent_not_literal", 3, 5),
    "a ** 1e999 ** 2": ("exponent_not_literal", 11, 13),
    "b = 1; b = 2 +": ("unexpected_end", 14, 14),
}


def slices(text: str) -> list[str]:
    """Give the text of every node's span."""
    graph = program_of(text).graph
    return [text[slice(*span)] for span in graph.spans if span]


def size(program: Program) -> int:
    return len(program.graph.operations)


def test_operators_bind_as_in_the_contract() -> None:
    assert {text: shape_of(text) for text in SHAPES} == SHAPES


def test_prefix_signs_bind_between_product_and_power() -> None:
    assert {text: shape_of(text) for text in SIGNS} == SIGNS


def test_a_minus_before_a_number_makes_a_negative_literal() -> None:
    assert {text: shape_of(text) for text in NEGATIVE_LITERALS} == NEGATIVE_LITERALS


def test_a_name_before_a_parenthesis_is_a_call() -> None:
    assert {text: shape_of(text) for text in CALLS} == CALLS


def test_statements_name_nodes() -> None:
    assert {text: shape_of(text) for text in PROGRAMS} == PROGRAMS


def test_a_variable_has_one_leaf_and_every_number_its_own() -> None:
    graph = program_of("a * 2 + a * 2").graph
    assert graph.labels == ["a", None, None, None, None, None]
    assert graph.operands == [(), (), (0, 1), (), (0, 3), (2, 4)]
    assert graph.literals == [0, 2, 0, 2, 0, 0]


def test_a_bound_name_is_the_very_node() -> None:
    graph = program_of("b = a + 1; b * b").graph
    assert graph.operands == [(), (), (0, 1), (2, 2)]


def test_the_first_name_of_an_operation_or_constant_is_its_label() -> None:
    program = program_of("b = a + 1; c = b; k = 2; r = c * k")
    assert program.graph.labels == ["a", None, "b", "k", "r"]
    bindings = [(name, node, tuple(span)) for name, node, span in program.bindings]
    assert bindings == [
        ("b", 2, (0, 1)),
        ("c", 2, (11, 12)),
        ("k", 3, (18, 19)),
        ("r", 4, (25, 26)),
    ]


def test_a_variable_keeps_its_own_name() -> None:
    program = program_of("b = a; b + 1")
    assert program.graph.labels == ["a", None, None]
    assert program.graph.variables == {"a": 0}


def test_a_name_is_bound_once_and_never_after_its_use() -> None:
    def duplicate(start: int, name: str = "b") -> dict[str, Any]:
        span = {"start": start, "end": start + len(name)}
        return {"code": "duplicate_name", "span": span, "name": name}

    assert refusal(program_of, "b = 1; b = 2; b") == duplicate(7)
    assert refusal(program_of, "c = b + 1; b = 2; b + c") == duplicate(11)
    assert refusal(program_of, "bb = bb + 1; bb") == duplicate(0, "bb")
    assert refusal(program_of, "b = a; a = 1; a + b") == duplicate(7, "a")
    assert refusal(program_of, "b = a; b = a") == duplicate(7)


def test_a_program_without_a_meaning_is_refused_where_it_goes_wrong() -> None:
    found = {}
    for text in FAULTS:
        error = refusal(program_of, text)
        found[text] = (error["code"], error["span"]["start"], error["span"]["end"])
    assert found == FAULTS


def test_the_first_fault_from_the_left_is_reported() -> None:
    for text in ("a b ** c foo(", "a) + 1e400", "a b; a = 2"):
        assert refusal(program_of, text)["code"] == "unexpected_token"
    assert refusal(program_of, "1e400 + foo(a)")["code"] == "non_finite"
    assert refusal(program_of, "foo(a) + 1e400")["code"] == "unknown_function"
    assert refusal(program_of, "b = 1; b = 2; c d")["code"] == "duplicate_name"


def test_a_call_needs_a_function_and_its_arguments() -> None:
    assert refusal(program_of, "a + foo(b)") == {
        "code": "unknown_function",
        "span": {"start": 4, "end": 7},
        "name": "foo",
    }
    for call, actual in {"relu()": 0, "exp (a, b)": 2, "log(a, b + 1, exp(c))": 3}.items():
        error = refusal(program_of, f"2 * {call} * 3")
        assert error == {
            "code": "wrong_arity",
            "span": {"start": 4, "end": 4 + len(call)},
            "name": call.split("(", maxsplit=1)[0].strip(),
            "expected": 1,
            "actual": actual,
        }


def test_a_call_takes_as_many_arguments_as_its_row_says(monkeypatch: pytest.MonkeyPatch) -> None:
    larger = OPERATIONS["*"]._replace(symbol="larger", name="larger", form="call")
    monkeypatch.setitem(FUNCTIONS, "larger", larger)
    monkeypatch.setitem(OPERATIONS, "larger", larger)
    shapes = {
        "larger(a, b)": "(larger a b)",
        "larger(a + 1, -b) * 2": "(* (larger (+ a 1) (neg b)) 2)",
        "larger(larger(a, 2), (b))": "(larger (larger a 2) b)",
        "exp(larger(a,\nb))": "(exp (larger a b))",
    }
    assert {text: shape_of(text) for text in shapes} == shapes
    assert slices("1 + larger( a , b )") == [
        "1",
        "a",
        "b",
        "larger( a , b )",
        "1 + larger( a , b )",
    ]
    for call, actual in {"larger()": 0, "larger(a)": 1, "larger(a, b, c + 1)": 3}.items():
        with pytest.raises(WrongArity) as caught:
            program_of(f"2 * {call} * 3")
        cure = f"larger takes 2 arguments, not {actual}; write larger(x, y)"
        span = {"start": 4, "end": 4 + len(call)}
        data = {"name": "larger", "expected": 2, "actual": actual}
        assert caught.value.as_dict() == {
            "code": "wrong_arity",
            "message": cure,
            "span": span,
            **data,
        }
    assert refusal(program_of, "larger(a, (b, c))")["code"] == "unexpected_token"
    assert refusal(program_of, "larger(a,)")["span"] == {"start": 9, "end": 10}
    with pytest.raises(GradientError, match=r"write `larger\(x, y\)` to call the function"):
        program_of("larger a")


def test_a_number_beyond_the_doubles_is_refused() -> None:
    spans = {"a + 1e400": (4, 9), "-1e400": (0, 6), "a ** - 1e999": (5, 12)}
    for text, (start, end) in spans.items():
        assert refusal(program_of, text) == {
            "code": "non_finite",
            "span": {"start": start, "end": end},
            "stage": "literal",
            "node": None,
            "operation": None,
            "operands": [],
            "slot": None,
        }
    assert program_of("1.7976931348623157e308").graph.literals == [1.7976931348623157e308]
    assert program_of("1e-400").graph.literals == [0.0]
    assert program_of("4.9e-324").graph.literals == [5e-324]


def test_a_span_covers_operands_with_their_parentheses_but_not_its_own() -> None:
    assert slices("(a + b) * c") == ["a", "b", "a + b", "c", "(a + b) * c"]
    assert slices("(( a )) + b ") == ["a", "b", "(( a )) + b"]
    assert slices("( a - b )") == ["a", "b", "a - b"]
    assert slices("a * (b + c)") == ["a", "b", "c", "b + c", "a * (b + c)"]
    assert slices("relu( a ) ** 3") == ["a", "relu( a )", "3", "relu( a ) ** 3"]
    assert slices("a - b / c") == ["a", "b", "c", "b / c", "a - b / c"]


def test_a_span_begins_at_a_prefix_sign() -> None:
    assert slices("b * - 3") == ["b", "- 3", "b * - 3"]
    assert slices("a ** - 2") == ["a", "- 2", "a ** - 2"]
    assert slices("b - -(a)") == ["b", "a", "-(a)", "b - -(a)"]
    assert slices("-a ** 2") == ["a", "2", "a ** 2", "-a ** 2"]
    assert slices("+a * b") == ["a", "b", "+a * b"]
    assert slices("+a ** 2") == ["a", "2", "a ** 2"]


def test_the_span_of_a_leaf_is_its_first_use() -> None:
    assert slices("b = a; b + a")[0] == "a"
    assert program_of("1 + a * a").graph.spans[1] == (4, 5)
    assert program_of("b = a; b + a").graph.spans[0] == (4, 5)


def test_the_limit_of_nodes_is_met_at_the_construct_that_needs_one_more() -> None:
    def limited(text: str, nodes: int, view: View = "folded") -> Any:
        error = refusal(program_of, text, view, Limits(nodes=nodes))
        assert error.pop("code") == "limit_exceeded"
        span = error.pop("span")
        assert error == {"name": "nodes", "limit": nodes, "actual": nodes + 1}
        return text[span["start"] : span["end"]]

    assert size(program_of("a + a * b", limits=Limits(nodes=4))) == 4
    assert limited("a + a * b", 3) == "a + a * b"
    assert limited("a + a * b", 2) == "a * b"
    assert limited("a + a * b", 1) == "b"
    assert limited("a", 0) == "a"
    assert limited("a ** -2", 1) == "-2"
    assert limited("a ** -2", 2) == "a ** -2"
    assert size(program_of("a - b", "primitive", Limits(nodes=5))) == 5
    assert limited("(a - b) + c", 4, "primitive") == "a - b"


def test_the_primitive_view_builds_minus_and_division_from_other_operations() -> None:
    shapes = {
        "a - b": "(+ a (* b -1))",
        "a / b": "(* a (** b -1))",
        "-a": "(* a -1)",
        "-3": "-3",
        "-3 ** 2": "(* (** 3 2) -1)",
        "a - b / -c": "(+ a (* (* b (** (* c -1) -1)) -1))",
    }
    assert {text: shape_of(text, "primitive") for text in shapes} == shapes
    assert program_of("(a - b)", "primitive").graph.spans == [(1, 2), (5, 6), *[(1, 6)] * 3]


def test_the_primitive_view_shares_what_the_text_shares() -> None:
    graph = program_of("a - a", "primitive").graph
    assert graph.operands == [(), (), (0, 1), (0, 2)]


def test_depth_and_length_are_bounded_by_the_limits_alone() -> None:
    def parsed(text: str) -> int:
        return size(program_of(text, limits=PLENTY))

    assert parsed("(" * 70_000 + "a" + ")" * 70_000) == 1
    assert parsed("a" + " + a" * 20_000) == 20_001
    assert parsed("-" * 20_000 + "a") == 20_001
    assert parsed("+-" * 20_000 + "3") == 20_000
    assert parsed("relu(" * 20_000 + "a" + ")" * 20_000) == 20_001
    assert parsed("(1 + " * 20_000 + "a" + ")" * 20_000) == 40_001
    assert parsed("v0 = a + 1" + "".join(f"; v{i + 1} = v{i} + a" for i in range(5_000))) == 5_003
    assert refusal(parsed, "(" * 70_000 + "a")["code"] == "unexpected_end"


def test_a_deep_program_meets_the_limit_of_nodes() -> None:
    error = refusal(program_of, "-" * 60_000 + "a")
    assert (error["code"], error["limit"]) == ("limit_exceeded", 10_000)
