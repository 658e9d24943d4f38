"""Seeded random programs -> the engines' gradients beside those of PyTorch in float64.

    python -m parity_tests.fuzz.torch_check --count 20000 --seed 1

Each program that has a document of moderate numbers is rebuilt in PyTorch, node by node, and
differentiated by its autograd. The two may differ by the width of the gradient's interval (see
`bounds`), functions and powers a whole ulp off. No rule needs an exception: PyTorch, too, gives
relu the slope 0 at 0 and `x ** 0` the slope 0, and says that 0 ** 0 is 1.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from random import Random

import torch

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.engines import load_engines
from parity_tests.kit.progress import progress
from parity_tests.kit.worker import EngineFault, Json, Worker
from parity_tests.oracle.graph import is_moderate, read_graph
from parity_tests.oracle.pytorch import differentiate
from parity_tests.oracle.tally import HEADER, NOTE, Tally

BATCH = 250


def _documents(workers: Sequence[Worker], seed: int) -> Iterator[list[Json]]:
    """Give, without an end, every engine's document of one more moderate program."""
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
    """Run the command; give its exit code."""
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
