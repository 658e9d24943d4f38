"""Hard operands -> the engines' answers beside MPFR's: every double must be the same (R1).

python -m parity_tests.exactness --count 200000 --seed 1     compare, 200,000 inputs an operation
python -m parity_tests.exactness --write                     choose hard_cases/*.json anew
"""

import argparse
import json
import math
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from struct import pack, unpack
from typing import NamedTuple

from parity_tests.exactness.hard.draws import HALFWAY, Operands
from parity_tests.exactness.hard.halfway import from_halfway
from parity_tests.exactness.hard.inputs import HARD, hard_inputs
from parity_tests.exactness.hard.referee import RATIONAL, expected
from parity_tests.kit.compare import ulps_between
from parity_tests.kit.harness import Engine, EngineFault, SetupError, Worker, load_engines

HARD_CASES = Path(__file__).with_name("hard_cases")

SIGN_OF_ZERO_COUNTS = frozenset("+-*/")
"""Hardware operations, so equal to IEEE in every bit. The functions may return 0 for -0 and the
other way round: no document can show the sign of a zero (R6), and dividing by either is an error.
"""


class Case(NamedTuple):
    """Operands and the expected result as 16 hex digits each; None outside the domain."""

    kind: str
    operands: tuple[str, ...]
    expected: str | None


class Wrong(NamedTuple):
    """An answer that is not the nearest double."""

    operation: str
    case: Case
    actual: str | None

    def __str__(self) -> str:
        """Tell it on four lines."""
        shown = [
            f"{label:9} {bits} {'outside the domain' if bits is None else repr(double(bits))}"
            for label, bits in [
                *(("operand", bits) for bits in self.case.operands),
                ("expected", self.case.expected),
                ("actual", self.actual),
            ]
        ]
        if self.case.expected is not None and self.actual is not None:
            off = ulps_between(double(self.case.expected), double(self.actual))
            shown[-1] += f", {off} ulp away"
        return "\n  ".join([f"{self.operation} ({self.case.kind})", *shown])


# Cases


def to_bits(x: float) -> str:
    """Write a double as 16 hex digits."""
    return pack(">d", x).hex()


def double(bits: str) -> float:
    """Read 16 hex digits as a double."""
    x: float = unpack(">d", bytes.fromhex(bits))[0]
    return x


def as_case(operation: str, kind: str, operands: Operands) -> Case:
    """Ask the referee."""
    result = expected(operation, operands)
    return Case(kind, tuple(map(to_bits, operands)), None if result is None else to_bits(result))


def fresh_cases(operation: str, count: int, seed: int) -> Iterator[Case]:
    """Draw so many different hard inputs."""
    return (as_case(operation, *drawn) for drawn in hard_inputs(operation, count, seed))


def case_file(operation: str) -> Path:
    """Find the committed cases of an operation."""
    names = {"+": "add", "-": "sub", "*": "mul", "/": "div", "**": "pow"}
    return HARD_CASES / f"{names.get(operation, operation)}.json"


def committed_cases(operation: str) -> list[Case]:
    """Read the committed cases of an operation."""
    return [
        Case(case["class"], tuple(case["operands"]), case["expected"])
        for case in json.loads(case_file(operation).read_text())["cases"]
    ]


def write_cases(operation: str) -> int:
    """Choose the cases to commit and write them, one a line."""
    cases = [
        as_case(operation, kind, operands)
        for kind in HARD[operation]
        for operands in chosen(operation, kind)
    ]
    lines = ",\n    ".join(
        json.dumps({"class": case.kind, "operands": case.operands, "expected": case.expected})
        for case in cases
    )
    head = f'{{\n  "operation": {json.dumps(operation)},\n  "cases": [\n    '
    case_file(operation).write_text(f"{head}{lines}\n  ]\n}}\n")
    return len(cases)


def chosen(operation: str, kind: str, few: int = 32, many: int = 1_000_000) -> list[Operands]:
    """Draw a few operands of a class; of those near halfway the closest of very many."""
    random, source = Random(f"hard cases {operation} {kind}"), HARD[operation][kind]
    if kind == HALFWAY and operation not in RATIONAL:
        drawn = {source(random) for _ in range(many)}
        ranked = sorted((from_halfway(operation, operands), operands) for operands in drawn)
        return [operands for distance, operands in ranked if distance > -math.inf][:few]
    few = min(few, 600 // len(HARD[operation]))
    return list(islice(dict.fromkeys(source(random) for _ in range(20 * few)), few))


# Comparing


def compare(worker: Worker, operation: str, cases: list[Case]) -> list[Wrong]:
    """Ask an engine for the results, and give the wrong ones."""
    return [
        Wrong(operation, case, actual)
        for case, actual in zip(cases, evaluate(worker, operation, cases), strict=True)
        if actual != case.expected and not is_other_zero(operation, case.expected, actual)
    ]


def evaluate(worker: Worker, operation: str, cases: list[Case]) -> list[str | None]:
    """Ask an engine for the results. Raises EngineFault that names the operands it crashes at."""
    request = {"operation": operation, "operands": [case.operands for case in cases]}
    answer = worker.run("evaluate", request)
    if answer["kind"] == "result" and len(answer["result"]) == len(cases):
        return list(answer["result"])
    if len(cases) == 1:
        operands = ", ".join(repr(double(bits)) for bits in cases[0].operands)
        told = answer.get("message") or json.dumps(answer)[:300]
        raise EngineFault(f"{worker.engine.name}, {operation} of {operands}: {told}")
    return [result for case in cases for result in evaluate(worker, operation, [case])]


def is_other_zero(operation: str, one: str | None, other: str | None) -> bool:
    """True for 0 beside -0, where the sign is free."""
    zeros = {"0000000000000000", "8000000000000000"}
    return operation not in SIGN_OF_ZERO_COUNTS and {one, other} == zeros


class Column:
    """One engine's part of the table: its worker, a thread that waits for it, and the score."""

    def __init__(self, engine: Engine, stack: ExitStack) -> None:
        """Start the worker; the stack ends it."""
        self.name = engine.name
        self.seconds = 0.0
        self.wrong: list[Wrong] = []
        self._worker = stack.enter_context(Worker(engine))
        self._thread = stack.enter_context(ThreadPoolExecutor(1))

    def submit(self, operation: str, cases: list[Case]) -> Future[None]:
        """Compare in the background."""
        return self._thread.submit(self._compare, operation, cases)

    def _compare(self, operation: str, cases: list[Case]) -> None:
        start = time.perf_counter()
        self.wrong += compare(self._worker, operation, cases)
        self.seconds += time.perf_counter() - start


def compare_all(
    engines: Iterable[Engine], count: int, seed: int, batch: int = 2000
) -> Iterator[tuple[str, list[Column]]]:
    """Compare operation by operation; every engine runs beside the referee."""
    with ExitStack() as stack:
        columns = [Column(engine, stack) for engine in engines]
        for operation in HARD:
            for column in columns:
                column.seconds, column.wrong = 0.0, []
            cases = fresh_cases(operation, count, seed)
            running: deque[Future[None]] = deque()
            done = 0
            while part := list(islice(cases, batch)):
                running.extend(column.submit(operation, part) for column in columns)
                while len(running) > 3 * len(columns):  # the slowest engine sets the pace
                    running.popleft().result()
                done += len(part)
                show_progress(f"{operation:5} {done:,} of {count:,}")
            for future in running:
                future.result()
            show_progress("")
            yield operation, columns


def show_progress(text: str) -> None:
    """Rewrite the last line of a terminal; elsewhere, nothing."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


# The command


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments; give the exit code."""
    parser = argparse.ArgumentParser(description="Compare every operation with MPFR.")
    parser.add_argument("--count", type=int, default=200_000, help="inputs an operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", help="this one alone")
    parser.add_argument("--write", action="store_true", help="choose the committed cases anew")
    options = parser.parse_args(arguments)
    if options.write:
        for operation in HARD:
            print(f"{case_file(operation).name}: {write_cases(operation)} cases")
        return 0
    try:
        engines = selected(load_engines(), options.engine)
        return report(engines, options.count, options.seed)
    except (SetupError, EngineFault) as fault:
        print(fault, file=sys.stderr)
        return 1


def selected(engines: Mapping[str, Engine], name: str | None) -> list[Engine]:
    """Give all engines, or the one of that name."""
    if name is not None and name not in engines:
        raise SetupError(f"no engine {name}; there are {', '.join(engines)}")
    return [engine for engine in engines.values() if name in (None, engine.name)]


def report(engines: list[Engine], count: int, seed: int) -> int:
    """Print a line for each operation, then the first differences; 1 if there is one, else 0."""
    print(f"{'':9} {'inputs':>9}", *(f"{engine.name:>24}" for engine in engines))
    first: list[str] = []
    for operation, columns in compare_all(engines, count, seed):
        cells = (f"{len(column.wrong):>8,} wrong {column.seconds:7.1f} s" for column in columns)
        print(f"{operation:9} {count:9,}", *cells, flush=True)
        first += [f"{column.name}: {column.wrong[0]}" for column in columns if column.wrong]
    print(*first, sep="\n", end="\n" if first else "")
    return 1 if first else 0


if __name__ == "__main__":
    sys.exit(main())
