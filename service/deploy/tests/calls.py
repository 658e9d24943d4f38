"""HTTP requests to containers, one at a time or many."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from threading import Event
from typing import Any, NamedTuple

from service.deploy.tests.containers import CLIENT

JSON = {"Content-Type": "application/json"}
LOST = "lost"


class Answer(NamedTuple):
    """What came back, headers by their names in small letters."""

    status: int
    body: bytes
    headers: dict[str, str]


def call(
    port: int,
    path: str = "/v1/gradient",
    body: bytes | None = None,
    *,
    seconds: float = 60,
    headers: Mapping[str, str] = JSON,
) -> Answer:
    """POST a body, or GET without one. Raises OSError or HTTPException where no answer comes."""
    connection = HTTPConnection(CLIENT, port, timeout=seconds)
    try:
        connection.request("GET" if body is None else "POST", path, body, {**JSON, **headers})
        response = connection.getresponse()
        found = {name.lower(): text for name, text in response.getheaders()}
        return Answer(response.status, response.read(), found)
    finally:
        connection.close()


def status_of(port: int, body: bytes) -> int | str:
    """POST a request, or a batch of them, and give the status, or LOST."""
    path = "/v1/gradients" if body.startswith(b'{"requests"') else "/v1/gradient"
    try:
        return call(port, path, body).status
    except (OSError, HTTPException):
        return LOST


def request(expression: str, **values: float) -> bytes:
    return json.dumps({"expression": expression, "values": values}).encode()


SMALL = request("(a + b) * c", a=2, b=-3, c=10)


def large(terms: int) -> bytes:
    """Give a request with two nodes a term, the cost of each being a correctly rounded tanh."""
    return request("+".join(["tanh(a)"] * terms), a=0.5)


def maximal() -> list[bytes]:
    """Give requests that just stay within the default limits, each in another respect."""
    many = [{"expression": "a*b", "values": {"a": 2, "b": 3}}] * 1_000
    names = {f"v{i}": 1.0 for i in range(1_000)}
    return [
        large(4_999),
        request("(" * 32_000 + "a" + ")" * 32_000, a=1),
        json.dumps({"expression": "+".join(names), "values": names}).encode(),
        json.dumps({"requests": many}).encode(),
    ]


@contextmanager
def load(port: int, bodies: list[bytes], clients: int, pause: float = 0) -> Iterator[Counter[Any]]:
    """Call without end from so many threads; afterwards the statuses are counted."""
    counts: Counter[Any] = Counter()
    over = Event()

    def client(offset: int) -> None:
        for body in cycle(bodies[offset:] + bodies[:offset]):
            if over.is_set():
                return
            counts[status_of(port, body)] += 1
            time.sleep(pause)

    with ThreadPoolExecutor(clients) as pool:
        running = [pool.submit(client, number % len(bodies)) for number in range(clients)]
        try:
            yield counts
        finally:
            over.set()
        for each in running:
            each.result()
