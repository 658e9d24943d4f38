"""Seeded bad requests -> the first reply that no client may get, if there is one.

    python -m service.tests.bad_inputs --count 100000 --seed 1

A connection without a network answers in this process, under small limits so that these are met,
too. Every call has its own number: what is wrong is printed with the command that repeats it.
"""

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine_py import Limits
from parity_tests.kit.progress import progress
from service import Config, create_app
from service.server.entry import Entry
from service.tests.bad_calls import bad_call
from service.tests.bad_replies import Reply, answer, faults
from service.tests.call import Call
from service.tests.tally import NOT_OF_ONE_CALL, Tally

CONFIG = Config(
    max_body_bytes=16_384,
    limits=Limits(characters=2_000, variables=20, nodes=200),
    max_batch_requests=20,
    max_picture_nodes=20,
    cors_origins=("https://example.org",),
    log_values=True,
)

ENOUGH = 20_000
"""Calls after which every other code must have been met."""


class Answered(NamedTuple):
    """One call and what came of it."""

    number: int
    call: Call
    reply: Reply
    seconds: float
    faults: list[str]


def answered(seed: int, numbers: Iterable[int]) -> Iterator[Answered]:
    """Make the calls of a seed and have them answered, one after the other."""
    entry = Entry(create_app(CONFIG), CONFIG)
    with asyncio.Runner() as runner:
        for number in numbers:
            call = bad_call(Random(f"{seed}/{number}"))
            started = time.perf_counter()
            try:
                reply = runner.run(answer(entry, call))
                found = list(faults(call, reply))
            except Exception as fault:  # noqa: BLE001 - whatever it is, the server makes it 500
                reply, found = Reply(500, {}, b""), [f"{type(fault).__name__}: {fault}"]
            yield Answered(number, call, reply, time.perf_counter() - started, found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; give its exit code."""
    options = _options(arguments)
    numbers = range(options.count) if options.only is None else [options.only]
    tally, started = Tally(), time.monotonic()
    for one in progress(answered(options.seed, numbers), len(numbers), "calls"):
        if one.faults or options.only is not None:
            return _tell(_story(options.seed, one), code=1 if one.faults else 0)
        tally.add(one.number, one.reply, one.seconds)
    rate = len(numbers) / (time.monotonic() - started)
    missing = tally.missing() if options.count >= ENOUGH else []
    never = f"\nnever met: {', '.join(missing)}" if missing else ""
    told = f"{options.count:,} calls of seed {options.seed}, no fault, {rate:,.0f}/s"
    told += f"\nnot met by single calls: {', '.join(sorted(NOT_OF_ONE_CALL))}"
    return _tell(f"{tally}\n{told}{never}", code=1 if missing else 0)


def _story(seed: int, one: Answered) -> str:
    return "\n".join(
        (
            *(f"{name}: {content!r}" for name, content in one.call._asdict().items()),
            f"answer: {one.reply.status} {one.reply.headers}\n{one.reply.body[:2000]!r}",
            *(f"fault: {fault}" for fault in one.faults),
            f"again: python -m service.tests.bad_inputs --seed {seed} --only {one.number}",
        )
    )


def _options(arguments: Sequence[str] | None) -> Namespace:
    parser = ArgumentParser(
        prog="python -m service.tests.bad_inputs",
        description="Send bad requests; 1 as exit code tells of a reply that may not be.",
    )
    parser.add_argument("--count", type=int, default=100_000, help="calls to make")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same calls")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this call alone, shown in full")
    return parser.parse_args(arguments)


def _tell(text: str, *, code: int) -> int:
    if sys.stderr.isatty():
        sys.stderr.write("\n")  # leave the bar's line, which a run that fails has not cleared
    sys.stdout.write(f"{text}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
