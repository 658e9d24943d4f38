"""Command -> what the lab does with a document, and the members of a request that it takes."""

from collections.abc import Callable
from typing import Any, Concatenate, NamedTuple

from engine_py.document import Document
from engine_py.lab.descent import MEMBERS, descend
from engine_py.lab.experiment import experiment
from engine_py.lab.hessian import hessian
from engine_py.lab.paths import paths


class Work(NamedTuple):
    """A function of a document, whose keyword arguments are members of the request."""

    run: Callable[Concatenate[Document, ...], Any]
    members: tuple[str, ...]


LAB = {
    "experiment": Work(
        experiment, ("walk", "order", "accumulate", "seed", "passes", "reset", "mutate")
    ),
    "paths": Work(paths, ("node", "most")),
    "descend": Work(descend, MEMBERS),
    "hessian": Work(hessian, ("variables", "vector")),
}
"""The protocol's commands, and HTTP's routes, which have these names."""
