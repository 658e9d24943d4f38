"""Edge -> the local gradient that an engine uses in its backward pass."""

from collections.abc import Callable, Mapping
from typing import Any

from engine_py.custom import Moved, stale_custom
from engine_py.document import Document
from engine_py.errors import DomainError, Span
from engine_py.lab.tape import tape_of
from engine_py.lab.term import Term, apply
from engine_py.rows import OutsideDomain
from engine_py.template import Edge

LocalGrad = Callable[[Edge], float]


def stored(edge: Edge) -> float:
    """Give the local gradient that was computed in the forward pass, as this engine does."""
    return edge["local_grad"] or 0.0


def rereader(document: Document, mutate: Mapping[int, float]) -> LocalGrad:
    """Compute local gradients when they are needed, as closures over the operands do.

    They read what an operand's data is then, and the operation's own data as it was computed.
    """
    nodes, tape = document["nodes"], tape_of(document)

    def reread(edge: Edge) -> float:
        node = edge["to"]
        operation: Any = tape[node].operation  # an edge leads to one
        terms = [Term(mutate.get(operand, tape[operand].data)) for operand in tape[node].operands]
        try:
            formulas = operation.formulas(apply, Term(tape[node].data), *terms)
        except Moved:
            data = [term.data for term in terms]
            raise stale_custom(operation.name, node, data) from None
        except OutsideDomain as reason:
            data = [term.data + 0.0 for term in terms]
            where = {"node": node, "operation": operation.symbol, "operands": data}
            message = f"{reason}, in the local gradients of node {node} (`{operation.symbol}`)"
            span = nodes[node]["span"]
            raise DomainError(message, span and Span(**span), **where) from None
        formula = formulas[edge["slot"]]
        return formula.data if isinstance(formula, Term) else formula

    return reread
