"""`make bench-dearest`: a search for the most expensive request that counts as small.

Programs are random pieces, repeated; the most expensive ones are mutated further. Each is sent to
every route on which it can be small. The exit code is 1 if a request takes more than `MAX_TIMES`
the time of a usual small request in the same run, or if its reply has more than `MAX_BYTES`.
"""

import json
import random
import sys
from itertools import product
from time import thread_time
from typing import NamedTuple

from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from service.memory import collect_seldom
from service.turns import SMALL_BYTES, Turn

TRIES, SEED, KEPT = 6_000, 1, 20
MAX_TIMES, MAX_BYTES = 20, 160_000
"""CPU time as a multiple of a usual request's, and bytes of the reply."""

PIECES = (
    *("-", "x", "a", "x^-", "2x", "a/", "a-", "+", "*", "(", ")", "tanh(a)", "sigmoid(a)", "e^"),
    *("|", "sin x ", "softplus(a)+", "max(a,a)+", "a**-2/", "b = a\n", ";", "²", "√", "5.e-3"),
    *("log(", "π"),
)
USUAL = "(a + b) * c"
VALUES = {"a": 1.5, "x": 0.5, "b": 2}
ROUTES = ("gradient", "gradient?format=svg", "gradient?format=dot", "parse", "rewrite")


class Cost(NamedTuple):
    """The CPU seconds of a request and the bytes of its reply; its route and view; its program."""

    seconds: float
    size: int
    asked: str
    text: str


def main() -> int:
    """Print the slowest request and the one with the longest reply."""
    collect_seldom()  # as the worker does: the collector's pauses are not a request's cost
    app = create_app(Config(log_requests=False))
    client, grown = app.test_client(), count_grown()
    usual = min(cost_of(client, "gradient", USUAL, "folded").seconds for _ in range(50))
    draw = random.Random(SEED)
    found: list[Cost] = []
    begun = (piece * count + "a" for piece in PIECES for count in (1, 12, 25, 49, 124, 249))
    asked = product(begun, ROUTES, ("folded", "primitive"))
    for _ in range(TRIES):
        text, route, view = next(asked, None) or (
            changed(draw, draw.choice(found).text),
            draw.choice(ROUTES),
            draw.choice(("folded", "primitive")),
        )
        grown.clear()
        cost = cost_of(client, route, text, view)
        if not grown:
            cost = min(cost, cost_of(client, route, text, view))
            by_size = sorted([*found, cost], key=lambda each: -each.size)[: KEPT // 2]
            found = list({*by_size, *sorted([*found, cost], reverse=True)[:KEPT]})
    slowest, longest = max(found), max(found, key=lambda each: each.size)
    print(f"a usual request: {usual * 1e3:.2f} ms; the most expensive of {TRIES} small ones:")
    for each in (slowest, longest):
        times = f"{each.seconds * 1e3:.1f} ms, {each.seconds / usual:.0f} times"
        print(
            f"{times:>20}, {each.size:7} bytes: {each.asked} {each.text[:50]!r}, {len(each.text)}"
        )
    return int(slowest.seconds > MAX_TIMES * usual or longest.size > MAX_BYTES)


def changed(draw: random.Random, text: str) -> str:
    """Return `text` with a repeated piece inserted, or written over a part of it."""
    at, piece = draw.randint(0, len(text)), draw.choice(PIECES)
    end = draw.choice((at, at, len(text), draw.randint(at, len(text))))
    return (text[:at] + piece * draw.choice((1, 2, 25, 125, 900)) + text[end:])[: SMALL_BYTES - 80]


def cost_of(client: FlaskClient, route: str, text: str, view: str) -> Cost:
    """Send one request, written as short as possible."""
    body = {"expression": text, "values": VALUES, "view": view}
    if route == "parse":
        del body["values"]
    if route == "rewrite":
        body = {"expression": text}
    data = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
    if len(data) > SMALL_BYTES:
        return Cost(0, 0, route, "")
    began = thread_time()
    reply = client.post(f"/v1/{route}", data=data, content_type="application/json")
    return Cost(thread_time() - began, len(reply.data), f"{route} {view}", text)


def count_grown() -> list[Turn]:
    """Return a list to which every request that turns out to be large is added."""
    grown: list[Turn] = []
    grow = Turn.grow

    def noted(self: Turn, *, is_refusable: bool = True) -> None:
        grown.append(self)
        grow(self, is_refusable=is_refusable)

    Turn.grow = noted  # type: ignore[method-assign]
    return grown


if __name__ == "__main__":
    sys.exit(main())
