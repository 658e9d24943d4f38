"""One program at many points (R39)."""

from fractions import Fraction
from itertools import product
from math import prod

import reals
from checks import LARGEST, checked, invalid_value, is_double, is_name, is_whole
from checks import least, refuse_large, units
from faults import Fault
from passes import backward, forward
from report import CONTRACT, plain, read, refuse_missing

MEMBERS = ("from", "to", "count")


def sweep(request, limits):
    request = {**request, "parameters": []}
    text, values, _, view = checked(request, limits, check_points)
    parser, graph = read(text, [], view, limits)
    refuse_missing(parser, [], values)
    names = axes_of(values)
    count = prod(size(values[axis[0]]) for axis in names)
    refuse_large("sweep_nodes", len(graph.order) * count, limits)
    axes = [{name: listed(values[name]) for name in axis} for axis in names]
    results, gradients, problems = columns(graph, values, axes)
    return {
        "problems": problems,
        "gradients": gradients,
        "results": results,
        "count": count,
        "axes": [{name: [*map(plain, axis[name])] for name in axis} for axis in axes],
        "unused_values": sorted(values.keys() - graph.variables.keys()),
        "view": view,
        "expression": text,
        "contract": CONTRACT,
    }


def check_points(values):
    faults = {name: fault_in(values[name]) if is_name(name) else [] for name in values}
    wrong = least(name for name in values if faults[name] is not None)
    if wrong is not None:
        raise invalid_value(wrong, "values", wrong, *faults[wrong])
    lengths = {name: len(values[name]) for name in values if type(values[name]) is list}
    other = least(name for name in lengths if lengths[name] != lengths[least(lengths)])
    if other is not None:
        raise invalid_value(other, "values", other)


def fault_in(value):
    """Give the steps from a value to its fault, or None."""
    if type(value) is list:
        faulty = [place for place, item in enumerate(value) if not is_double(item)]
        return faulty[:1] if faulty or not value else None
    if type(value) is dict:
        right = {name: is_double(value.get(name)) for name in MEMBERS}
        right["count"] = is_whole(value.get("count"), 1, LARGEST)
        strange = sorted(value.keys() - right.keys(), key=units)
        faulty = [*(name for name in MEMBERS if not right[name]), *strange]
        return faulty[:1] if faulty else None
    return None if is_double(value) else []


def axes_of(values):
    """Give the names on each axis: all columns, then each grid."""
    columns = [name for name in values if type(values[name]) is list]
    grids = sorted((name for name in values if type(values[name]) is dict), key=units)
    return [axis for axis in (columns, *([name] for name in grids)) if axis]


def size(value):
    return len(value) if type(value) is list else int(value["count"])


def listed(value):
    if type(value) is list:
        return value
    start, end, last = Fraction(value["from"]), Fraction(value["to"]), size(value) - 1
    return [reals.exact(start + (end - start) * i / max(last, 1)) for i in range(last + 1)]


def columns(graph, values, axes):
    """Give results, gradients and problems, point by point."""
    results, gradients, problems = [], {name: [] for name in graph.variables}, []
    for index, rows in enumerate(product(*map(rows_of, axes))):
        result, slopes = None, dict.fromkeys(graph.variables)
        try:
            forward(graph.order, {name: row[name] for row in (values, *rows) for name in row})
            backward(graph.order)
            result = graph.root.data
            slopes = {name: node.grad for name, node in graph.variables.items()}
        except Fault as fault:
            problems.append({"error": fault.shown(), "index": index})
        results.append(plain(result))
        for name, column in gradients.items():
            column.append(plain(slopes[name]))
    return results, gradients, problems


def rows_of(axis):
    return [dict(zip(axis, row, strict=True)) for row in zip(*axis.values(), strict=True)]
