"""ASGI scope -> WSGI environment (PEP 3333)."""

import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

Environ = dict[str, Any]

CONSTANT: Environ = {
    "SCRIPT_NAME": "",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.input_terminated": True,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
_WITHOUT_HTTP = ("CONTENT_TYPE", "CONTENT_LENGTH")

_LONGEST = 1_000
"""Characters of a header that count; no client's list has more, and some are slow to read."""

LONGEST_METHOD = 20
"""Characters; a request with a longer one is malformed."""


def make_environ(scope: Mapping[str, Any]) -> Environ:
    """Give the environment without `wsgi.input`, as native strings: bytes decoded as latin-1."""
    host, port = scope["server"] or ("localhost", 0)
    path = scope["raw_path"]
    environ = {
        **CONSTANT,
        "REQUEST_METHOD": scope["method"][:LONGEST_METHOD],
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.url_scheme": scope["scheme"],
    }
    for name, content in scope["headers"]:
        key, text = _key(name), content.decode("latin-1")
        # One that is given twice is one list, RFC 9110 section 5.3.
        environ[key] = (f"{environ[key]},{text}" if key in environ else text)[:_LONGEST]
    return environ


@lru_cache(64)
def _key(name: bytes) -> str:
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in _WITHOUT_HTTP else f"HTTP_{key}"
