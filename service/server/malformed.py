"""ASGI scope -> what is wrong with the HTTP of a request, where the server lets it through."""

import re
from collections.abc import Mapping
from typing import Any

from service.errors import MalformedRequest
from service.server.environ import LONGEST_METHOD

_HOST = re.compile(rb"(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")
_SHOWN_LENGTH = 40


def find_fault(scope: Mapping[str, Any]) -> MalformedRequest | None:
    """Give the first fault of the request line, of Host and of Transfer-Encoding; None if none."""
    method, path = scope["method"], scope["raw_path"]
    if len(method) > LONGEST_METHOD or not method.isupper():
        return MalformedRequest(
            f"{method[:_SHOWN_LENGTH]!a} is not a method; methods are upper case"
        )
    if not path.startswith(b"/") and (path, method) != (b"*", "OPTIONS"):
        return MalformedRequest("the target of the request must be a path that begins with /")
    hosts, codings = [], []
    for name, text in scope["headers"]:
        if name == b"host":
            hosts.append(text)
        elif name == b"transfer-encoding":
            codings.append(text)
    # The server adds an empty one where there is none, which HTTP/1.0 allows.
    is_old = scope["http_version"] in ("1", "1.0") and hosts in ([], [b""])
    if not is_old and (len(hosts) != 1 or not _HOST.fullmatch(hosts[0])):
        return MalformedRequest(
            f"a request needs one header Host, with a host name; {_shown(hosts)}"
        )
    if any(coding.strip().lower() != b"chunked" for coding in codings):
        return MalformedRequest("the one transfer encoding that is understood is chunked")
    return None


def _shown(hosts: list[bytes]) -> str:
    given = [host.decode("latin-1")[:_SHOWN_LENGTH] for host in hosts[:2] if host]
    return f"this has {' and '.join(map(ascii, given))}" if given else "this has none"
