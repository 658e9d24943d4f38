"""Request -> whether the event loop can answer it within some milliseconds, by an estimate."""

from engine_py.lab.commands import LAB
from service.server.environ import Environ

_SMALL = 4_096
"""Bytes: what is longer is large, for it takes long to read even where it is refused."""

_CHEAP = 50
"""Signs that cost 20 to 60 µs each, whichever they are: ten small requests at most, which have 10.
Of the examples none has more than 20."""

_ALWAYS = frozenset(f"/v1/{path}" for path in ("accuracy", "sweep", *LAB))
"""What computes a short program to many bits, or many times: at each step, direction or point; or
answers with many rows."""

_SIGNS = b"-+*/^({%,;&"
"""Of operators, calls, statements, values and requests of a batch; in a query, what may be an
operator escaped."""


def is_costly(environ: Environ, body: bytes) -> bool:
    """Count what makes nodes or faults: each operator and each call makes one or two.

    Where a picture may be wanted, its nodes have to be laid out, too.
    """
    if "svg" in environ["QUERY_STRING"] or "svg" in environ.get("HTTP_ACCEPT", ""):
        return True
    if environ["PATH_INFO"] in _ALWAYS:
        return True
    query = environ["QUERY_STRING"]
    size = len(body) + len(query)
    if size < _CHEAP:
        return False
    if size > _SMALL:
        return True
    return size - len((body + query.encode("latin-1")).translate(None, _SIGNS)) > _CHEAP
