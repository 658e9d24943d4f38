"""Reverse-mode automatic differentiation of scalar programs, with every step in the open.

    from engine_py import introspect

    introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})["gradients"]
    # {'a': 10.0, 'b': 10.0, 'c': -1.0}

Read the modules in the order of the pipeline: request, tokens, parser, graph, order, operations,
forward, backward, document; `introspect` puts them together, and `numerics` holds the functions.
"""

from engine_py.document import CONTRACT, Document, Edge, Node
from engine_py.errors import GradientError, Span
from engine_py.introspect import introspect
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.operations import OPERATIONS, Operation
from engine_py.value import Value, introspect_value

__all__ = [
    "CONTRACT",
    "DEFAULT_LIMITS",
    "OPERATIONS",
    "Document",
    "Edge",
    "GradientError",
    "Limits",
    "Node",
    "Operation",
    "Span",
    "Value",
    "introspect",
    "introspect_value",
]
