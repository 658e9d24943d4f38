"""Command -> its function of a document; the protocol, the service and OpenAPI read this.

CONTRIBUTING.md lists the other places that a new command touches.
"""

from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple

from engine_py.document import GradientDocument
from engine_py.lab.descent import MEMBERS, descend
from engine_py.lab.experiment import experiment
from engine_py.lab.hessian import hessian
from engine_py.lab.paths import paths


class LabCommand(NamedTuple):
    """A function of a document, whose keyword arguments are members of the request."""

    run: Callable[Concatenate[GradientDocument, ...], Any]
    members: tuple[str, ...]
    result: str
    """The name of its result, of the result's schema and of a profile (CONTRACT.md)."""


LAB = {
    "experiment": LabCommand(
        experiment,
        ("walk", "order", "accumulate", "seed", "passes", "reset", "mutate"),
        "experiment",
    ),
    "paths": LabCommand(paths, ("node", "most"), "paths"),
    "descend": LabCommand(descend, MEMBERS, "descent"),
    "hessian": LabCommand(hessian, ("variables", "vector"), "hessian"),
}
"""By the name of the protocol's command and of the HTTP route."""
