"""ASGI scope -> the address of the client, which has a fair share of what a process holds."""

from collections.abc import Mapping
from typing import Any

_UNKNOWN = "unknown"
_LONGEST = 45
"""Characters of an IPv6 address."""


def find_address(scope: Mapping[str, Any], proxies: int) -> str:
    """Give the address that connects to the outermost of so many proxies.

    Each adds the address of its own client to the end of X-Forwarded-For, so that what a client
    wrote there itself stands before all that counts. One that has not passed all has no share of
    its own.
    """
    nearest = str((scope.get("client") or (_UNKNOWN,))[0])
    if not proxies:
        return nearest
    lists = [text for name, text in scope["headers"] if name == b"x-forwarded-for"]
    addresses = b",".join(lists).decode("latin-1").split(",")
    if len(addresses) < proxies:
        return nearest
    return _without_port(addresses[-proxies].strip())[:_LONGEST] or nearest


def _without_port(text: str) -> str:
    """Give the address alone: some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
