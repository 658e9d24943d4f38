"""A request -> expression, values, parameters and view, or its first fault (R31)."""

import re
from math import isfinite

from faults import Fault

DEFAULTS = {
    **{"characters": 65_536, "variables": 1_000, "nodes": 10_000, "sweep_nodes": 1_000_000},
    **{"steps": 20_000, "path_edges": 20_000, "evaluations": 1_000_000, "tangents": 200_000},
    **{"descent_nodes": 5_000_000, "descent_numbers": 100_000, "truth_work": 1_000_000},
}
LARGEST = 2**53 - 1
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def checked(request, limits, check_values):
    """Read what all commands share; `check_values` is None where no values are needed."""
    text = request.get("expression")
    if type(text) is not str:
        raise Fault("invalid_request", None, pointer="/expression")
    most = limits["characters"]
    if len(text) > most:
        raise too_large("characters", most, len(text), (most, len(text)))
    values = request.get("values") if check_values else {}
    if check_values:
        check_object(values, limits["variables"])
        check_values(values)
    parameters = request["parameters"] if "parameters" in request else []
    check_parameters(parameters, limits["variables"])
    view = request["view"] if "view" in request else "folded"
    if view not in ("primitive", "folded"):
        raise Fault("invalid_request", None, pointer="/view")
    return text, values, parameters, view


def check_object(values, most):
    if type(values) is not dict:
        raise Fault("invalid_request", None, pointer="/values")
    if len(values) > most:
        raise too_large("variables", most, len(values))


def check_numbers(values):
    check_least(values, ["values"], lambda name, value: is_name(name) and is_double(value))


def check_least(named, place, is_right):
    """Refuse the least faulty name."""
    faulty = least(name for name in named if not is_right(name, named[name]))
    if faulty is not None:
        raise invalid_value(faulty, *place, faulty)


def invalid_value(name, *steps):
    escaped = [str(step).replace("~", "~0").replace("/", "~1") for step in steps]
    return Fault("invalid_value", None, name=name, pointer="/" + "/".join(escaped))


def check_parameters(parameters, most):
    if type(parameters) is not list:
        raise Fault("invalid_request", None, pointer="/parameters")
    if len(parameters) > most:
        raise too_large("variables", most, len(parameters))
    for place, name in enumerate(parameters):
        if not is_name(name) or name in parameters[:place]:
            raise Fault("invalid_request", None, pointer=f"/parameters/{place}")


def member(request, name, default, is_right):
    """Give a member of a command of the lab."""
    value = request[name] if name in request else default
    if not is_right(value):
        raise Fault("invalid_request", None, pointer=f"/{name}")
    return value


def word(request, name, *words):
    """Give a member that is one of some words; the first is the default."""
    return member(request, name, words[0], lambda value: value in words)


def refuse_large(name, actual, limits):
    if actual > limits[name]:
        raise too_large(name, limits[name], min(int(actual), LARGEST))


def is_name(name):
    return type(name) is str and bool(NAME.fullmatch(name))


def is_double(value):
    return type(value) is float and isfinite(value)


def is_whole(value, least, most):
    return is_double(value) and least <= value <= most and value == value // 1.0


def least(names):
    return min(names, key=units, default=None)


def units(name):
    """Order by UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def too_large(name, most, actual, span=None):
    return Fault("limit_exceeded", span, name=name, limit=most, actual=actual)
