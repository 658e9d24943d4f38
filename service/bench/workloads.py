"""What is asked: requests, each with the speed that it should have beside a bare Flask route."""

from typing import NamedTuple

import orjson

FULL, BARE = "/v1/gradient", "/bare"

_NEURONS = """\
h1 = tanh(x1*w1 + x2*w2 + b)
h2 = relu(x1*w3 + x2*w4 + b)
(h1*w5 + h2*w6 - y) ** 2"""


class Workload(NamedTuple):
    """A request, and the share of a bare route's requests a second that it should have."""

    name: str
    body: bytes
    goal: float

    @property
    def bare(self) -> str:
        """The path of the bare route that answers with the same bytes."""
        return f"{BARE}/{len(self.body)}"


def _body(expression: str, **values: float) -> bytes:
    return orjson.dumps({"expression": expression, "values": values})


_VALUES = {
    "x1": 0.5,
    "x2": -1.0,
    "w1": 0.3,
    "w2": 0.7,
    "w3": -0.4,
    "w4": 0.9,
    "w5": 1.1,
    "w6": -0.2,
}

WORKLOADS = (
    Workload("5 nodes", _body("(a + b) * c", a=2, b=-3, c=10), 0.50),
    Workload("26 nodes", _body(_NEURONS, **_VALUES, b=0.1, y=0.25), 0.40),
)
