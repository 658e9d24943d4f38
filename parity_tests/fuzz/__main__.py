"""Seeded random programs -> the first difference between the engines, if there is one.

    python -m parity_tests.fuzz --count 100000 --seed 1

Every engine answers the same programs in batches, all engines at once. A difference is shrunk and
printed with the command that shows it again.
"""

import json
import shlex
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from random import Random

from parity_tests.fuzz.coverage import Coverage
from parity_tests.fuzz.found import write_fixture
from parity_tests.fuzz.programs import random_ask
from parity_tests.fuzz.shrink import shrink
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.harness import Ask, EngineFault, Json, Worker, load_engines
from parity_tests.kit.progress import progress

FIXTURE = Path("build/found.json")

CANONICAL = 16
"""One program in so many is asked for its canonical text, too, once its documents agree."""

ENOUGH = 5000
"""Programs after which a run must have met every operation and error."""


def disagreement(workers: Sequence[Worker], answers: Sequence[Json]) -> str | None:
    """Tell how the engines' answers to one ask differ. A fault is wrong even if all share it."""
    names = [worker.engine.name for worker in workers]
    for name, answer in zip(names, answers, strict=True):
        if answer["kind"] not in ("result", "error"):
            return f"{name}: {answer['kind']}, {answer.get('message', answer.get('reason'))}"
    first, *others = map(outcome, answers)
    for name, other in zip(names[1:], others, strict=True):
        difference = first_difference(first, other)
        if difference is not None:
            return f"{names[0]} (expected) and {name} (actual) differ {difference}"
    return None


def first_failure(
    workers: Sequence[Worker], batches: Iterable[list[Ask]], coverage: Coverage
) -> Ask | None:
    """Find the first ask that the engines answer differently."""
    with closing(_answered(workers, batches)) as stream:
        for asks, answers in stream:
            for ask, per_engine in zip(asks, zip(*answers, strict=True), strict=True):
                if disagreement(workers, per_engine) is not None:
                    return ask
                if ask[0] == "introspect":
                    coverage.add(per_engine[0])
    return None


def explain(workers: Sequence[Worker], ask: Ask, fixture: Path | None = None) -> str:
    """Shrink an ask on which the engines differ; tell how, and how to see it again."""

    def story(ask: Ask) -> str | None:
        return disagreement(workers, [worker.run(*ask) for worker in workers])

    smallest = shrink(ask, lambda smaller: story(smaller) is not None)
    again = json.dumps(dict(zip(("command", "request", "limits"), smallest, strict=True)))
    told = [story(smallest) or "they differed once, but not again"]
    if fixture is not None:
        write_fixture(smallest, told[0], fixture)
        told.append(f"as a fixture: {fixture}")
    told.append(f"again: python -m parity_tests.fuzz --ask {shlex.quote(again)}")
    return "\n".join(told)


def _answered(
    workers: Sequence[Worker], batches: Iterable[list[Ask]]
) -> Generator[tuple[list[Ask], list[list[Json]]]]:
    """Give each batch with every engine's answers; the engines are at the next one by then."""
    with ThreadPoolExecutor(len(workers)) as pool:
        asks: list[Ask] = []
        running = [pool.submit(worker.run_many, asks) for worker in workers]
        for following in chain(batches, [[]]):
            answers = [future.result() for future in running]
            running = [pool.submit(worker.run_many, following) for worker in workers]
            yield asks, answers
            asks = following


def _batches(seed: int, count: int, size: int) -> Iterator[list[Ask]]:
    """Make the programs of a seed."""
    random = Random(seed)
    for done in range(0, count, size):
        asks = [random_ask(random) for _ in range(min(size, count - done))]
        yield asks + [("canonicalize", *ask[1:]) for ask in asks[::CANONICAL]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; give its exit code."""
    options = _options(arguments)
    made = _batches(options.seed, options.count, options.batch)
    total = -(-options.count // options.batch)
    batches: Iterable[list[Ask]] = progress(made, total, f"batches of {options.batch}")
    if options.ask:
        ask = json.loads(options.ask)
        batches = [[(ask.get("command", "introspect"), ask["request"], ask.get("limits"))]]
    coverage, started = Coverage(), time.monotonic()
    try:
        with ExitStack() as stack:
            workers = [stack.enter_context(Worker(engine)) for engine in load_engines().values()]
            failure = first_failure(workers, batches, coverage)
            if failure is not None:
                return _tell(explain(workers, failure, options.fixture), code=1)
    except EngineFault as fault:
        return _tell(str(fault), code=1)
    if options.ask:
        return _tell("0 differences", code=0)
    rate = options.count / (time.monotonic() - started)
    told = f"{options.count:,} programs of seed {options.seed}, 0 differences, {rate:,.0f}/s"
    missing = coverage.missing() if options.count >= ENOUGH else []
    never = f"\nnever met: {', '.join(missing)}" if missing else ""
    return _tell(f"{told}\n{coverage}{never}", code=1 if missing else 0)


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m parity_tests.fuzz",
        description="Compare the engines on random programs; 1 as exit code tells a difference.",
    )
    parser.add_argument("--count", type=int, default=100_000, help="programs to try")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same programs")
    parser.add_argument("--batch", type=int, default=250, help="programs sent at once")
    parser.add_argument("--ask", help="one request as JSON, instead of random programs")
    parser.add_argument(
        "--fixture", type=Path, default=FIXTURE, help="where to write a difference as a fixture"
    )
    return parser.parse_args(arguments)


def _tell(text: str, *, code: int) -> int:
    if sys.stderr.isatty():
        print(file=sys.stderr)  # leave the bar's line, which a run that fails has not cleared
    print(text)
    return code


if __name__ == "__main__":
    sys.exit(main())
