"""Seeded random programs -> the engines' gradients beside those of PyTorch in float64.

    python -m parity_tests.fuzz.torch_check --count 20000 --seed 1

Each program that has a document of moderate numbers is rebuilt in PyTorch, node by node, and
differentiated by its autograd. The two may differ by the width of the gradient's interval (see
`gradients`), functions and powers a whole ulp off. No rule needs an exception: PyTorch, too, gives
relu the slope 0 at 0 and `x ** 0` the slope 0, and says that 0 ** 0 is 1.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import inf
from random import Random

import torch

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.engines import load_engines
from parity_tests.kit.operations import load_operations
from parity_tests.kit.progress import progress
from parity_tests.kit.worker import EngineFault, Json, Worker
from parity_tests.oracle.gradients import (
    Graph,
    bounds,
    is_moderate,
    read_gradients,
    read_graph,
    variables,
)
from parity_tests.oracle.intervals import NoBoundError
from parity_tests.oracle.operations import ROWS

BATCH = 250
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


@lru_cache(maxsize=8)
def differentiate(graph: Graph) -> list[float]:
    """Compute the gradient of each node by autograd; an exponent is a plain number and has 0."""
    exponents = {node.operands[1] for node in graph if node.operation == "**"}
    tensors: list[torch.Tensor] = []
    names = load_operations()
    for id_, node in enumerate(graph):
        if node.operation is None:
            leaf = torch.tensor(node.data, dtype=torch.float64, requires_grad=id_ not in exponents)
            tensors.append(leaf)
        elif node.operation == "**":
            base, exponent = node.operands
            tensors.append(torch.pow(tensors[base], float(graph[exponent].data or 0.0)))
        else:
            operands = [tensors[id_] for id_ in node.operands]
            if written := ROWS[node.operation].torch:
                tensors.append(written(torch, *operands))
            else:
                tensors.append(getattr(torch, names[node.operation].name)(*operands))
    leaves = [id_ for id_ in range(len(graph)) if id_ not in exponents]
    grads = torch.autograd.grad(tensors[-1], [tensors[id_] for id_ in leaves])
    gradients = dict(zip(leaves, grads, strict=True))
    return [gradients[id_].item() if id_ in gradients else 0.0 for id_ in range(len(graph))]


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


def _documents(workers: Sequence[Worker], seed: int) -> Iterator[list[Json]]:
    """Make, without an end, every engine's document of one more moderate program."""
    random = Random(seed)
    while True:
        calls = [random_program(random) for _ in range(BATCH)]
        for responses in zip(*(worker.run_many(calls) for worker in workers), strict=True):
            documents = [
                response["result"] for response in responses if response["kind"] == "result"
            ]
            if len(documents) == len(workers) and is_moderate(documents[0]):
                yield documents


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = ArgumentParser(
        prog="python -m parity_tests.fuzz.torch_check",
        description="Compare gradients with PyTorch's. The exit code is 1 if one is off.",
    )
    parser.add_argument("--count", type=int, default=20_000, help="programs to differentiate")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same programs")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    tallies = {name: Tally() for name in load_engines()}
    try:
        _compare(tallies, options.seed, options.count)
    except EngineFault as fault:
        print(fault)
        return 1
    print(f"PyTorch {torch.__version__}, float64, seed {options.seed}\n{HEADER}")
    print("\n".join(tally.row(name) for name, tally in tallies.items()))
    print(NOTE)
    beyond = [tally for tally in tallies.values() if tally.worst_ratio > 1 or not tally.gradients]
    for tally in beyond:
        print(f"beyond the bound: {tally.worst_program}")
    return 1 if beyond else 0


def _compare(tallies: Mapping[str, Tally], seed: int, count: int) -> None:
    """Fill in the tallies of all engines."""
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(engine)) for engine in load_engines().values()]
        stream = islice(_documents(workers, seed), count)
        for documents in progress(stream, count, "programs"):
            for tally, document in zip(tallies.values(), documents, strict=True):
                tally.add(document, differentiate(read_graph(document)))


if __name__ == "__main__":
    sys.exit(main())
