"""random.Random -> HTTP requests that are probably wrong: in their bytes, in JSON, in the program.

Each begins as a correct call around a random program, damaged as often as not, and is then spoiled
in up to four ways. Of what is no HTTP, only methods are among them.
"""

import json
from random import Random
from typing import Any

from parity_tests.fuzz.damage import damage
from parity_tests.fuzz.programs import random_program
from service.tests.call import Call
from service.tests.nasty_heads import FORMATS, METHODS, PATHS
from service.tests.spoiling import WAYS, mangled
from service.tests.strategies import query_of

_HOST = (b"host", b"localhost")
_PLAIN = (_HOST, (b"content-type", b"application/json"))


def bad_call(random: Random) -> Call:
    """Make one call."""
    call = random.choice([_post, _post, _get, _batch, _other])(random)
    for _ in range(random.choice([0, 1, 1, 1, 2, 4])):
        call = random.choice(WAYS)(random, call)
    return _framed(random, call)


def _framed(random: Random, call: Call) -> Call:
    """Leave it to the body's end, now and then, how long it is."""
    if not call.body or (random.random() <= 0.8 and b"content-length" not in dict(call.headers)):
        return call
    return call._replace(headers=(*call.headers, (b"transfer-encoding", b"chunked")))


def _request(random: Random) -> dict[str, Any]:
    ask = random_program(random)
    _, request, _ = damage(random, ask) if random.random() < 0.5 else ask
    request = dict(request)
    if random.random() < 0.2 and isinstance(request["expression"], str):
        text = request["expression"].encode(errors="replace")
        request["expression"] = mangled(random, text).decode(errors="surrogateescape")
    return request


def _post(random: Random) -> Call:
    return Call("POST", b"/v1/gradient", _format(random), _PLAIN, _dumped(_request(random)))


def _get(random: Random) -> Call:
    request = _request(random)
    try:
        query = query_of(request)
    except (TypeError, UnicodeEncodeError):  # something that a query cannot say
        query = query_of({"expression": "a", "values": request["values"]})
    method = random.choice(["GET", "GET", "HEAD"])
    return Call(method, b"/v1/gradient", b"&".join((query.encode(), _format(random))), (_HOST,))


def _batch(random: Random) -> Call:
    requests: list[Any] = [_request(random) for _ in range(random.choice([0, 1, 2, 3, 12]))]
    if random.random() < 0.2:
        requests.append(random.choice([None, 1, "a", [], {}, [{}], True]))
    return Call("POST", b"/v1/gradients", b"", _PLAIN, _dumped({"requests": requests}))


def _other(random: Random) -> Call:
    return Call(random.choice(METHODS), random.choice(PATHS), b"", (_HOST,))


def _dumped(content: Any) -> bytes:
    return json.dumps(content).encode()


def _format(random: Random) -> bytes:
    if random.random() < 0.7:
        return b""
    return b"format=svg" if random.random() < 0.005 else b"format=" + random.choice(FORMATS)
