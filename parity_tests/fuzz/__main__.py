"""Compare the engines on random programs, the same ones for the same seed.

    python -m parity_tests.fuzz --count 100000
    python -m parity_tests.fuzz --far --count 1000

Every engine gets the same programs in batches, all engines at once. A difference is shrunk and
printed with the command that repeats it. Each run draws and prints a new seed: this detects an
engine that has only stored the answers of one seed. With `--far`, numbers are far from 1 or
next to 0, and memory is bounded, which detects allocations that grow with a number.
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random, SystemRandom

from parity_tests.fuzz.bounded import Bounded
from parity_tests.fuzz.damage import random_line
from parity_tests.fuzz.programs import Far, deep_call, random_call
from parity_tests.fuzz.requests import random_values, with_members
from parity_tests.fuzz.search import Coverage, explain, first_failure, is_claimed
from parity_tests.kit.contract import load_results
from parity_tests.kit.engines import IS_INSTALLED, Engine, SetupError, load_engines
from parity_tests.kit.runner import Fuzz
from parity_tests.kit.terminal import again, progress
from parity_tests.kit.worker import Budget, Call, EngineFault, Json, Worker

FIXTURE = None if IS_INSTALLED else Path("build/found.json")
"""Where a difference is written; only a checkout has the oracle that gives its expectation."""

WITHOUT_NUMPY: Json = {
    "argv": (
        *(sys.executable, "-c"),
        (
            "import sys; sys.modules['numpy'] = None; "
            "from engine_py.protocol.worker import main; main()"
        ),
    ),
    "commands": frozenset({"sweep"}),
}
"""The first engine without numpy, which computes points one by one instead of in columns."""

SAMPLES = {
    **{name: 8 for name in load_results() if not name.startswith("introspect")},
    **dict.fromkeys(("parse", "canonicalize", "picture"), 16),
    "sweep": 16,  # it computes a program at some dozen points
    "evaluate": 16,  # an operation at two dozen operands
}
"""Programs per request of another command; half of those requests are short."""

VALUES_RATE = LINES_RATE = 8
"""Programs per graph of Values, and per line that may be an invalid message."""

RATE_OF_FAR = 2
"""The same for every command with `--far`."""

BATCH = 250
"""Programs per batch."""

ENOUGH = 5000
"""Programs after which a run must have seen every operation and every error code."""


def random_batches(
    seed: int,
    count: int,
    size: int,
    is_asked: Callable[[Call], bool] = lambda _: True,
    *,
    far: bool = False,
) -> Iterator[list[Call]]:
    """Yield batches of `size` programs, `count` in all, with requests of the other commands.

    A program that is not to be asked is replaced by the next one that is.
    """
    kind = Far if far else Random
    random, of_values, of_lines = kind(seed), kind(f"values {seed}"), kind(f"lines {seed}")
    for done in range(0, count, size):
        drawn = filter(is_asked, iter(partial(random_call, random), None))
        calls = [*islice(drawn, min(size, count - done) - 1)]
        calls.append(deep_call(random))
        others = [
            with_members(random, (name, *random_call(random, short=0.2, calm=0.6)[1:]))
            for name, rate in SAMPLES.items()
            for _ in range(0, len(calls), RATE_OF_FAR if far else rate)
        ]
        graphs = [random_values(of_values) for _ in range(0, len(calls), VALUES_RATE)]
        lines = [
            random_line(of_lines, random_call(of_lines, short=0.9, calm=0.9))
            for _ in range(0, len(calls), LINES_RATE)
        ]
        yield [*calls, *others, *graphs, *lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _options(arguments)
    try:
        engines = _engines(options.engines)
    except SetupError as fault:
        return _finish(f"fuzz: {fault}", code=2)
    if options.call:
        call = json.loads(options.call)
        calls = [(call.get("command", "introspect"), call["request"], call.get("limits"))]
        workers = _workers(engines, far=options.far)
        found = _compared(workers, lambda: [calls], Coverage(), options.fixture)
        return _finish(found or "0 differences", code=1 if found else 0)
    seed = drawn_seed() if options.seed is None else options.seed
    size, far = options.batch, options.far
    fuzz = compare(engines, options.count, seed, size, options.fixture, far=far)
    return _finish(fuzz.text, code=0 if fuzz.green else 1)


def drawn_seed() -> int:
    """Draw a seed that is short enough to be typed."""
    return SystemRandom().randrange(10**6)


def compare(  # noqa: PLR0913 - the engines, the programs and the options
    engines: Sequence[Engine],
    count: int,
    seed: int,
    size: int = BATCH,
    fixture: Path | None = None,
    *,
    far: bool = False,
    budget: Budget | None = None,
) -> Fuzz:
    """Compare engines with the first one on `count` random programs of a seed."""
    workers, coverage = _workers(engines, far=far, budget=budget), Coverage()

    def batches() -> Iterator[list[Call]]:
        """Draw programs that one of the engines claims, other than the first, which claims all."""
        others = workers[1:]
        made = random_batches(
            seed, count, size, lambda call: any(is_claimed(each, call) for each in others), far=far
        )
        return progress(made, -(-count // size), f"batches of {size}")

    started = time.monotonic()
    if found := _compared(workers, batches, coverage, fixture):
        return Fuzz(
            green=False, text=f"among the programs of seed {seed} (--seed {seed}):\n{found}"
        )
    rate = count / (time.monotonic() - started)
    counts = f"{count:,} programs of seed {seed}, 0 differences, {rate:,.0f}/s"
    claimed = {name for worker in workers[1:] for name in worker.started.profiles}
    missing = coverage.missing(claimed) if count >= ENOUGH else []
    never = f"\nnever met: {', '.join(missing)}" if missing else ""
    return Fuzz(green=not missing, text=f"{counts}\n{coverage}{never}")


def _workers(engines: Sequence[Engine], *, far: bool, budget: Budget | None = None) -> list[Worker]:
    """Return a process for each engine; the first is the kit's and has no budget."""
    if far:
        return [Bounded(engine) for engine in engines]
    first, *others = engines
    # A random request may take longer than a case does.
    more = budget and budget._replace(seconds=max(60.0, budget.seconds))
    return [Worker(first), *(Worker(engine, budget=more) for engine in others)]


def _compared(
    made: Sequence[Worker],
    batches: Callable[[], Iterable[list[Call]]],
    coverage: Coverage,
    fixture: Path | None,
) -> str:
    """Return the first difference or fault; an empty string if all engines agree."""
    try:
        with ExitStack() as stack:
            workers = [stack.enter_context(worker) for worker in made]
            for worker in workers:
                if not worker.started.profiles:
                    return f"{worker.engine.name} claims no profile, so nothing can be compared"
            failure = first_failure(workers, batches(), coverage)
            return "" if failure is None else explain(workers, failure, fixture)
    except EngineFault as fault:
        return str(fault)


def _engines(files: Sequence[Path]) -> list[Engine]:
    """Load the engines to compare; the first is one of the kit, which is assumed to be right."""
    own = [*load_engines().values()]
    if find_spec("numpy"):
        own.append(own[0]._replace(name="engine_py without numpy", **WITHOUT_NUMPY))
    others = [engine for file in files for engine in load_engines(file).values()]
    engines = [own[0], *others] if others else own
    if len(engines) < 2:
        raise SetupError("there is only one engine; name a file with others by --engines")
    return engines


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(
        prog=again("parity_tests.fuzz"),
        description="Compare the engines on random programs. The exit code is 1 if they differ.",
    )
    parser.add_argument(
        "--engines", action="append", type=Path, default=[], metavar="FILE",
        help="compare the engines of FILE with the first one of the kit",
    )  # fmt: skip
    parser.add_argument("--count", type=int, default=100_000, help="programs to try")
    parser.add_argument("--seed", type=int, help="which programs; by default drawn")
    parser.add_argument(
        "--far", action="store_true", help="draw numbers far from 1 and bound the memory (Linux)"
    )
    parser.add_argument("--batch", type=int, default=BATCH, help="programs sent at once")
    parser.add_argument("--call", help="one request as JSON, instead of random programs")
    parser.add_argument(
        "--fixture", type=Path, default=FIXTURE, help="where to write a difference as a fixture"
    )
    return parser.parse_args(arguments)


def _finish(text: str, *, code: int) -> int:
    if sys.stderr.isatty():
        print(file=sys.stderr)  # a run that fails has not cleared the line of the progress bar
    print(text)
    return code


if __name__ == "__main__":
    sys.exit(main())
