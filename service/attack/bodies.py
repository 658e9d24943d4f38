"""Programs -> the request bodies that cost a server the most, and an honest small one."""

import json
from typing import Any

Json = dict[str, Any]

MAX_BODY = 262_144
"""The service's default bound, in bytes."""


def encoded(content: Json) -> bytes:
    """Write a body without blanks."""
    return json.dumps(content, separators=(",", ":")).encode()


def negations(count: int) -> Json:
    """A request of `count` bytes whose primitive view has two nodes a character."""
    return {"expression": "-" * count + "a", "values": {"a": 1}, "view": "primitive"}


def hyperbolic(count: int) -> Json:
    """A request of three nodes for each of `count` terms, each with a correctly rounded tanh."""
    return {"expression": "+".join(["tanh(a)"] * count), "values": {"a": 0.5}}


SMALL = encoded({"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}})

AMPLIFIED = encoded({"requests": [negations(3_300)] * 19})
"""63.8 kB whose reply has 35.7 MB."""

TWO_MEGABYTES = encoded(negations(3_850))
"""3.9 kB whose reply has 2.2 MB."""

THIRTY_KILOBYTES = encoded(negations(48))
"""A reply of so many, which the event loop makes by itself."""

EXPONENTIALS = encoded(
    {"expression": "+".join(f"exp({k / 97:.3f})" for k in range(300)), "values": {}}
)
"""Under 4 kB; each term is rounded correctly, from as many bits as that takes."""

LARGEST = encoded({"requests": [hyperbolic(1_200)] * 27})
"""A batch near the bound, of nearly 100,000 nodes that need bits."""

STRANGE = [
    (
        "/v1/gradient",
        encoded({"expression": "a", "values": {f"a{n}": "b" for n in range(350)}}),
        "",
    ),
    ("/v1/gradients", encoded({"requests": [1] * 1_000}), ""),
    ("/v1/gradient?format=dot", encoded(negations(38)), ""),
    ("/v1/gradient", SMALL, f"If-None-Match: {',' * 7_500}\r\n"),
    ("/v1/gradient", SMALL, f"Accept: a/b{';x=y' * 1_800}\r\n"),
]
"""Paths, bodies of at most 4 kB and headers that are no program's: faults for each value, elements
that are no requests, lists and parameters that no client sends; and what costs most of what the
estimate lets through."""

REFUSED = encoded({"requests": [{"expression": "a ^ 2", "values": {}}] * 900})
"""A batch whose results are problems."""

STREAMED = encoded({"requests": [negations(48)] * 250})
"""A batch whose results are streamed, 7 MB: more than a socket's buffers hold."""

LARGE = encoded(hyperbolic(300))
"""2.5 kB and 900 nodes, which somebody may well mean."""

HONEST = encoded({"requests": [hyperbolic(20)] * 1_000})
"""1,000 programs of 60 nodes: what a batch is for."""


def posted(path: str, body: bytes, *, length: int | None = None, headers: str = "") -> bytes:
    """Give a request of HTTP/1.1; its length may be announced as another."""
    head = f"POST {path} HTTP/1.1\r\nHost: attack\r\nContent-Type: application/json\r\n"
    size = len(body) if length is None else length
    return f"{head}{headers}Content-Length: {size}\r\n\r\n".encode() + body


def got(path: str) -> bytes:
    """Give a request without a body, after which the connection is closed."""
    return f"GET {path} HTTP/1.1\r\nHost: attack\r\nConnection: close\r\n\r\n".encode()
