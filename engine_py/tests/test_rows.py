from collections.abc import Callable

from engine_py import Value
from engine_py.rows import Binary, Computed, Unary


def _half(x: float) -> Computed:
    """Give x / 2."""
    return x / 2, 0.5


def _smaller(x: float, y: float) -> Computed:
    """Give the smaller of x and y."""
    return (x, 1.0, 0.0) if x < y else (y, 0.0, 1.0)


class Calls:
    half = Unary(_half, lambda apply, out, x: (0.5,), lambda build, x: build("*", x, 0.5))
    smaller = Binary(
        _smaller, lambda apply, out, x, y: (1.0, 0.0) if x.data < y.data else (0.0, 1.0)
    )


class Called(Calls):
    """Has the calls as methods, and says what it was asked to compute."""

    def __init__(self, name: str = "", *others: "Called | float") -> None:
        self.name, self.others = name, others

    def _call(self, name: str, *others: "Called | float") -> "Called":
        return Called(name, *others)


def test_a_row_takes_its_name_from_the_class_body() -> None:
    half, smaller = vars(Calls)["half"].operation, vars(Calls)["smaller"].operation
    assert (half.symbol, half.name, half.form, half.arity) == ("half", "half", "call", 1)
    assert (smaller.symbol, smaller.name, smaller.form, smaller.arity) == (
        ("smaller", "smaller", "call", 2)
    )
    assert (half.rule, smaller.rule) == (_half, _smaller)
    assert (half.derived, smaller.derived) == (True, False)


def test_a_row_is_a_method() -> None:
    x, y = Called(), Called()
    half: Called = x.half()  # the annotations are read by mypy: a wrong type fails `make lint`
    smaller: Called = x.smaller(y)
    assert (half.name, half.others) == ("half", ())
    assert (smaller.name, smaller.others) == ("smaller", (y,))
    assert x.smaller(2).others == (2,)


def test_a_method_of_the_class_takes_the_operand_first() -> None:
    half: Callable[[Called], Called] = Called.half
    assert half(Called()).name == "half"
    assert Called.smaller(Called(), 3.0).others == (3.0,)
    assert (half.__name__, half.__doc__) == ("half", "Give x / 2.")


def test_the_methods_of_values_are_typed() -> None:
    squashed: list[Value] = [x.tanh() for x in (Value(0), Value(0.5))]
    same: list[Value] = list(map(Value.tanh, (Value(0), Value(0.5))))
    assert [x.data for x in squashed] == [x.data for x in same]
