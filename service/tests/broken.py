"""Requests that break HTTP, each of which is refused with a problem."""

from service.attack.bodies import SMALL

_POST = b"POST /v1/gradient HTTP/1.1\r\nHost: attack\r\nContent-Type: application/json\r\n"
_CHUNKED = _POST + b"Transfer-Encoding: chunked\r\n\r\n"
_LENGTH = b"Content-Length: %d\r\n" % len(SMALL)
_END = b"\r\n\r\n"
_TINY = b"".join(b"X%d: 1\r\n" % number for number in range(100))

BROKEN: dict[str, tuple[bytes, int]] = {
    "chunk size is no number": (_CHUNKED + b"zz\r\n" + SMALL, 400),
    "chunk longer than its size": (_CHUNKED + b"5\r\n" + SMALL + b"\r\n0\r\n\r\n", 400),
    "body cut in the middle": (_POST + _LENGTH + b"\r\n" + SMALL[:20], 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b" + _END, 400),
    "Host: a/b@c": (b"GET /healthz HTTP/1.1\r\nHost: a/b@c" + _END, 400),
    "target without a slash": (b"GET healthz HTTP/1.1\r\nHost: attack" + _END, 400),
    "target of another form": (b"GET other:80 HTTP/1.1\r\nHost: attack" + _END, 400),
    "gzip, chunked": (
        _POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n3b\r\n" + SMALL + b"\r\n0" + _END,
        400,
    ),
    "chunk size beyond 64 bits": (_CHUNKED + b"f" * 17 + b"\r\n" + SMALL, 400),
    "method of 6 kB": (b"A" * 6_000 + b" /healthz HTTP/1.1\r\nHost: attack" + _END, 400),
    "101 headers": (b"GET /healthz HTTP/1.1\r\nHost: attack\r\n" + _TINY + b"\r\n", 400),
    "method in lower case": (b"get /healthz HTTP/1.1\r\nHost: attack" + _END, 400),
}
"""What is sent, and the status that says what is wrong. RFC 9110, 9112."""
