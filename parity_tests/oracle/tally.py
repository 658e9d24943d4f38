"""Documents + PyTorch's gradients -> how near the engine's are, as a line of a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from parity_tests.kit.compare import ulps_between
from parity_tests.kit.worker import Json
from parity_tests.oracle.bounds import bounds
from parity_tests.oracle.graph import read_gradients, read_graph, variables
from parity_tests.oracle.intervals import NoBoundError

ULPS = 1.0
"""What a function or a power of PyTorch may err."""

CANCELLED = 2.0**-40
"""A bound that is a larger part of the gradient leaves too few digits to count ulps of."""

HEADER = (
    "engine      programs  gradients           bit-equal  cancelled  worst error/bound  worst ulps"
)
NOTE = (
    "cancelled: the bound is above 2**-40 of the gradient; the worst ulps are those of the others"
)


@dataclass
class Tally:
    """What one engine's gradients have shown so far."""

    programs: int = 0
    gradients: int = 0
    equal: int = 0
    cancelled: int = 0
    worst_ulps: int = 0
    worst_ratio: float = 0.0
    worst_program: str = ""

    def add(self, document: Json, theirs: Sequence[float]) -> None:
        """Compare the gradients of the variables; `theirs` are by node.

        A program that rounding may carry out of an operation's domain has no bound: left out.
        """
        graph, ours = read_graph(document), read_gradients(document)
        try:
            intervals = bounds(graph, ULPS)[1]
        except NoBoundError:
            return
        self.programs += 1
        for node in variables(document):
            width = float(intervals[node].width)
            ulps = ulps_between(ours[node], theirs[node])
            self.gradients += 1
            self.equal += ulps == 0
            if width > CANCELLED * abs(ours[node]):
                self.cancelled += 1
            else:
                self.worst_ulps = max(self.worst_ulps, ulps)
            ratio = _ratio(abs(ours[node] - theirs[node]), width)
            if ratio > self.worst_ratio:
                self.worst_ratio = ratio
                self.worst_program = f"{document['expression']!r} with {document['values']}"

    def row(self, name: str) -> str:
        """Write the line of the table."""
        equal = f"{self.equal:,} ({self.equal / max(self.gradients, 1):.1%})"
        counts = f"{self.programs:>9,} {self.gradients:>10,} {equal:>19}"
        worst = f"{self.worst_ratio:>18.3f} {self.worst_ulps:>11,}"
        return f"{name:<10} {counts} {self.cancelled:>10,} {worst}"


def _ratio(error: float, width: float) -> float:
    """Divide; a NaN is beyond every bound."""
    if error == 0:
        return 0.0
    return error / width if error < inf and width > 0 else inf
