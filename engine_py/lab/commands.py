"""Command -> what the lab does with a document; protocol, service and OpenAPI read this.

CONTRIBUTING.md says what a new one takes elsewhere.
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
    """What it returns, which is the name of a schema and of a profile (CONTRACT.md)."""


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
"""The protocol's commands, and HTTP's routes, which have these names."""
