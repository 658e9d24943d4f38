"""Seeded calls, changed again and again -> those that take the event loop longest.

    python -m service.tests.costly_calls --seconds 600 --seed 1

A call is one that a client can make with 16 kB, half of them its head. What is handed to the
process for large requests costs the loop no more than to parse it and to find that out. Costs are
told as multiples of a small request's, which is measured in the same process.
"""

import asyncio
import json
import sys
import time
from argparse import ArgumentParser
from collections.abc import Generator, Iterator
from heapq import heappush, heappushpop
from itertools import count
from random import Random

from service import Config, create_app
from service.server.bridge import LocalPieces, Reply
from service.server.debts import Debts
from service.server.entry import Entry
from service.server.environ import Environ
from service.tests.bad_calls import bad_call
from service.tests.call import Call
from service.tests.client import Client
from service.tests.nasty_heads import HEADERS
from service.tests.spoiling import WAYS
from service.tests.validated import EXAMPLE

_MOST = 8_000
"""Bytes of a head, and of a body."""

_KEPT = 20
_TIMES, _SURE = 5, 20
"""So often is measured what may be kept, and what may be told; the least counts."""

SMALL = Call(
    "POST",
    b"/v1/gradient",
    headers=((b"host", b"localhost"), (b"content-type", b"application/json")),
    body=json.dumps(EXAMPLE).encode(),
)


class Loop:
    """An event loop that answers calls by itself, unless they are large."""

    def __init__(self, runner: asyncio.Runner) -> None:
        """Make the application."""
        config = Config(log_requests=False)
        self._entry = Entry(create_app(config), config, _elsewhere)
        self._runner = runner
        self._small = min(self._seconds(SMALL) for _ in range(1_000))

    def cost(self, call: Call, times: int = 1) -> float:
        """Give how many small requests take as long, in turn with some where it counts."""
        pairs = [(self._seconds(call), self._seconds(SMALL)) for _ in range(times)]
        small = min(small for _, small in pairs) if times > 1 else self._small
        return min(took for took, _ in pairs) / small

    def _seconds(self, call: Call) -> float:
        self._entry.debts = Debts()
        return self._runner.run(self._answer(call))

    async def _answer(self, call: Call) -> float:
        client = Client(self._entry)
        started = time.process_time()
        await client.send(*call.encoded(), b"").rest()
        took = time.process_time() - started
        client.leave()
        return took


async def _elsewhere(environ: Environ, body: bytes) -> Reply:
    return Reply(200, [(b"content-length", b"0")], LocalPieces([b""], (), environ, 0.0))


def costliest(seconds: float, seed: int) -> Generator[tuple[float, Call]]:
    """Search for so long; give each call that costs more than all before."""
    with asyncio.Runner() as runner:
        yield from _search(Loop(runner), Random(seed), time.monotonic() + seconds)


def _search(loop: Loop, random: Random, end: float) -> Iterator[tuple[float, Call]]:
    kept: list[tuple[float, int, Call]] = []
    most, numbers = 0.0, count()
    while time.monotonic() < end:
        call = random.choice(kept)[2] if kept and random.random() < 0.8 else bad_call(random)
        for _ in range(random.choice((1, 1, 2, 4))):
            call = random.choice((*WAYS, *[_grow] * len(WAYS)))(random, call)
        if call.path == b"/metrics" or _size_of_head(call) > _MOST or len(call.body) > _MOST:
            continue
        least = kept[0][0] if len(kept) == _KEPT else 0.0
        if loop.cost(call) <= least or (cost := loop.cost(call, _TIMES)) <= least:
            continue
        (heappushpop if len(kept) == _KEPT else heappush)(kept, (cost, next(numbers), call))
        if cost > most and (cost := loop.cost(call, _SURE)) > most:
            most = cost
            yield cost, call


def _size_of_head(call: Call) -> int:
    headers = sum(len(name) + len(text) + 4 for name, text in call.headers)
    return len(call.path) + len(call.query) + headers


def _grow(random: Random, call: Call) -> Call:
    """Repeat some bytes of a body, a query or a header many times."""
    part = random.randrange(3)
    if part == 0:
        return call._replace(body=_repeated(random, call.body))
    if part == 1:
        return call._replace(query=_repeated(random, call.query))
    name, texts = random.choice(HEADERS)
    text = dict(call.headers).get(name) or random.choice(texts)
    kept = tuple(each for each in call.headers if each[0] != name)
    return call._replace(headers=(*kept, (name, _repeated(random, text))))


def _repeated(random: Random, text: bytes) -> bytes:
    start = random.randint(0, len(text))
    end = min(len(text), start + random.choice((1, 1, 2, 4, 8, 16, 40)))
    times = random.choice((10, 100, _MOST)) // max(1, end - start)
    return text[:end] + text[start:end] * times + text[end:]


def main() -> None:
    """Run the command: a line for each call that costs more than those before, then the worst."""
    parser = ArgumentParser("python -m service.tests.costly_calls")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    call = SMALL
    for cost, call in costliest(options.seconds, options.seed):
        sizes = f"a head of {_size_of_head(call):,} bytes, a body of {len(call.body):,}"
        told = f"{cost:6.1f} small requests: {call.method} {call.path[:40]!r}, {sizes}\n"
        sys.stdout.write(told)
        sys.stdout.flush()
    sys.stdout.write("".join(f"{name}: {part!r}\n" for name, part in call._asdict().items()))


if __name__ == "__main__":
    main()
