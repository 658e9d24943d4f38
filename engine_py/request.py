"""Unchecked members -> request: a string, finite values, distinct parameters, a known view."""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Literal, NamedTuple, SupportsFloat, SupportsIndex, get_args

from engine_py.errors import InvalidRequest, InvalidValue, LimitExceeded, Span
from engine_py.limits import Limits

Real = SupportsFloat | SupportsIndex
"""A number that Python can convert to a double."""
View = Literal["folded", "primitive"]
VIEWS: tuple[View, ...] = get_args(View)

_SHOWN = 20
"""The maximum number of code points of an invalid string that a message quotes."""


class GradientRequest(NamedTuple):
    """A checked request."""

    expression: str
    values: dict[str, float]
    parameters: list[str]
    view: View


def check_request(
    expression: object, values: object, parameters: object, view: object, limits: Limits
) -> GradientRequest:
    """Check each member in turn; the first invalid one is the error (CONTRACT.md R31)."""
    return GradientRequest(
        check_expression(expression, limits),
        check_values(values, limits),
        check_parameters(parameters, limits),
        check_view(view),
    )


def check_expression(expression: object, limits: Limits) -> str:
    """Accept a string within the limit of characters."""
    if not isinstance(expression, str):
        message = f"expression must be a string, not {described(expression)}"
        raise InvalidRequest(message, pointer="/expression")
    limit, actual = limits.characters, len(expression)
    if actual > limit:
        message = f"the expression has {actual} characters; at most {limit} are accepted"
        raise LimitExceeded(
            message, Span(limit, actual), name="characters", limit=limit, actual=actual
        )
    return expression


def check_values(values: object, limits: Limits) -> dict[str, float]:
    """Accept an object from names to finite numbers; return them as doubles."""
    if not isinstance(values, dict | Mapping):  # recognizing a dict takes a tenth of the time
        message = f"values must be an object of numbers, not {described(values)}"
        raise InvalidRequest(message, pointer="/values")
    refuse_too_many("values", len(values), limits)
    doubles = {name: as_double(value) for name, value in values.items()}
    if None not in doubles.values() and all(map(is_name, doubles)):
        return doubles  # type: ignore[return-value]
    faulty = [name for name, double in doubles.items() if double is None or not is_name(name)]
    first = min(faulty, key=utf16)
    raise value_error(first, values[first])


def check_parameters(parameters: object, limits: Limits, member: str = "parameters") -> list[str]:
    """Accept distinct names within the limit of variables; `member` is where they are."""
    if not isinstance(parameters, list | tuple):
        message = f"{member} must be an array of names, not {described(parameters)}"
        raise InvalidRequest(message, pointer=f"/{member}")
    refuse_too_many(member, len(parameters), limits)
    seen: set[str] = set()
    for index, name in enumerate(parameters):
        if not is_name(name):
            message = f"{member}[{index}] must be a name, not {described(name)}"
            raise InvalidRequest(message, pointer=f"/{member}/{index}")
        if name in seen:
            message = f"`{name}` is listed twice under {member}; list it once"
            raise InvalidRequest(message, pointer=f"/{member}/{index}")
        seen.add(name)
    return list(parameters)


def check_view(view: object) -> View:
    """Accept one of the two views."""
    for known in VIEWS:
        if view == known:
            return known
    message = f'view must be "folded" or "primitive", not {described(view)}'
    raise InvalidRequest(message, pointer="/view")


def refuse_too_many(member: str, actual: int, limits: Limits) -> None:
    """Accept at most `limits.variables` entries."""
    limit = limits.variables
    if actual > limit:
        message = f"{member} has {actual} entries; at most {limit} are accepted"
        raise LimitExceeded(message, name="variables", limit=limit, actual=actual)


def as_double(value: object) -> float | None:
    """Return a finite double, or None for anything else; True is not a number here."""
    if type(value) is float:  # most are, and this check takes a third of the time
        return value if isfinite(value) else None
    if not is_number(value):
        return None
    try:
        double = float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):  # too large, or not a number after all
        return None
    return double if isfinite(double) else None


def is_number(value: object) -> bool:
    """Return whether a value is a real number: Python's own, numpy's, a Fraction, a Decimal.

    numpy's are recognized by their dtype: its booleans, strings and arrays of one item could be
    converted, too, but are not numbers.
    """
    if type(value) in (int, float):
        return True
    if isinstance(value, bool | str | bytes):
        return False
    kind = getattr(value, "dtype", None)
    if kind is not None:
        return value.ndim == 0 and re.search("int|float", str(kind)) is not None  # type: ignore[attr-defined]
    if hasattr(value, "_local_grads"):  # a Value, whose graph would be lost; float(a) asks for that
        return False
    return hasattr(type(value), "__float__") or hasattr(type(value), "__index__")


def is_name(name: object) -> bool:
    """Return whether a name is a letter or _, followed by letters, digits and _, all in ASCII."""
    return isinstance(name, str) and name.isascii() and name.isidentifier()


def value_error(name: object, value: object) -> InvalidValue:
    """Return the error for an invalid value, or for a value with an invalid name."""
    message = f"{quoted(str(name))} is not a name: a letter or _, then letters, digits, _"
    if is_name(name):
        message = f"the value of `{name}` must be a finite number, not {described(value)}"
    return InvalidValue(message, name=str(name), pointer="/values" + pointer_step(str(name)))


def pointer_step(member: str) -> str:
    """Write a member's name as a step of a JSON Pointer (RFC 6901)."""
    return "/" + member.replace("~", "~0").replace("/", "~1")


def utf16(name: object) -> bytes:
    """Order names as JavaScript does, so that both engines name the same one first."""
    return str(name).encode("utf-16-be", "surrogatepass")


def described(value: object) -> str:
    """Describe a value for a message; a string is quoted, a long one truncated.

    None, True and False are written as in Python; `json_words` writes them as JSON does.
    """
    if value is None or isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        return f"the string {quoted(value)}"
    if is_number(value):
        finite = as_double(value) is not None
        return "a number" if finite else "infinity, NaN or a number beyond the doubles"
    if isinstance(value, list | tuple) or getattr(value, "ndim", False):
        return "an array"
    if isinstance(value, Mapping):
        return "an object"
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeioAEIO" or name == "ndarray" else f"a {name}"


def quoted(text: str) -> str:
    """Write a string as JSON does, a long one truncated."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    # Half a surrogate pair is escaped, because no encoding of the message could write it.
    return json.dumps(shown, ensure_ascii=False).encode(errors="backslashreplace").decode()
