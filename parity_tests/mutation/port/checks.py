"""A request -> expression, values, parameters and view, or its first fault (R31)."""

import re
from math import isfinite

from faults import Fault

DEFAULTS = {"characters": 65_536, "variables": 1_000, "nodes": 10_000, "sweep_nodes": 1_000_000}
NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def checked(request, limits, needs_values):
    text = request.get("expression")
    if type(text) is not str:
        raise Fault("invalid_request", None, pointer="/expression")
    most = limits["characters"]
    if len(text) > most:
        raise too_large("characters", most, len(text), (most, len(text)))
    values = request.get("values") if needs_values else {}
    check_values(values, limits["variables"])
    parameters = request["parameters"] if "parameters" in request else []
    check_parameters(parameters, limits["variables"])
    view = request["view"] if "view" in request else "folded"
    if view not in ("primitive", "folded"):
        raise Fault("invalid_request", None, pointer="/view")
    return text, values, parameters, view


def check_values(values, most):
    if type(values) is not dict:
        raise Fault("invalid_request", None, pointer="/values")
    if len(values) > most:
        raise too_large("variables", most, len(values))
    faulty = [name for name in values if not (is_name(name) and is_double(values[name]))]
    if faulty:
        first = sorted(faulty, key=units)[0]
        step = first.replace("~", "~0").replace("/", "~1")
        raise Fault("invalid_value", None, name=first, pointer=f"/values/{step}")


def check_parameters(parameters, most):
    if type(parameters) is not list:
        raise Fault("invalid_request", None, pointer="/parameters")
    if len(parameters) > most:
        raise too_large("variables", most, len(parameters))
    for place, name in enumerate(parameters):
        if not is_name(name) or name in parameters[:place]:
            raise Fault("invalid_request", None, pointer=f"/parameters/{place}")


def is_name(name):
    return type(name) is str and bool(NAME.fullmatch(name))


def is_double(value):
    return type(value) is float and isfinite(value)


def units(name):
    """Order by UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def too_large(name, most, actual, span=None):
    return Fault("limit_exceeded", span, name=name, limit=most, actual=actual)
