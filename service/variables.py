"""Text of an environment variable -> its value, or a message that says what to change."""

import re
from collections.abc import Callable
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Any, NamedTuple


class ConfigError(ValueError):
    """An environment variable that cannot be used."""


class Variable(NamedTuple):
    """An environment variable of the service."""

    field: str
    """What it sets, of Config or of its limits."""
    read: Callable[[str, str], Any]
    """Its name and its text -> the value. Raises ConfigError."""
    sets: str
    """What it sets, in words."""


def number(smallest: int, largest: int) -> Callable[[str, str], int]:
    """Read a whole number between two bounds."""

    def read(name: str, text: str) -> int:
        if not _WHOLE_NUMBER.fullmatch(text) or not smallest <= int(text) <= largest:
            message = f"{name} must be a whole number from {smallest} to {largest}, not {text!a}"
            raise ConfigError(message)
        return int(text)

    return read


def switch(name: str, text: str) -> bool:
    """Read 0 or 1."""
    if text not in ("0", "1"):
        raise ConfigError(f"{name} must be 0 or 1, not {text!a}")
    return text == "1"


def host(name: str, text: str) -> str:
    """Read an address or a host name; the system says later whether it is one of its own."""
    if not text.isprintable() or not text.isascii() or set(text) & set(" /@"):
        message = f"{name} must be an address or a host name such as 127.0.0.1, not {text!a}"
        raise ConfigError(message)
    return text


def origins(name: str, text: str) -> tuple[str, ...]:
    """Read `*` or origins that a browser can send; any other would never match one."""
    found = tuple(text.split())
    for origin in found:
        if origin != "*" and not _is_origin(origin):
            message = f"{name} must be * or origins as browsers send them, separated by blanks: "
            message += "https://example.org or http://localhost:5173, in lower case, with no "
            raise ConfigError(f"{message}default port and no path; not {origin[:_SHOWN_LENGTH]!a}")
    return found


_WHOLE_NUMBER = re.compile(r"[0-9]{1,10}")
_ORIGIN = re.compile(r"(https?)://(?:\[([0-9a-f:]+)\]|([a-z0-9._-]+))(?::([1-9][0-9]{0,4}))?")
_LABELS = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*([a-z0-9_-]{1,63})\.?")
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_LARGEST_PORT = 65_535
_SHOWN_LENGTH = 60


def _is_origin(text: str) -> bool:
    """Say whether that is how a browser writes an origin: one text for each (WHATWG URL)."""
    found = _ORIGIN.fullmatch(text)
    if not found:
        return False
    scheme, address, name, port = found.groups(default="")
    is_port = port != _DEFAULT_PORTS[scheme] and int(port or 0) <= _LARGEST_PORT
    return is_port and (_is_canonical(IPv6Address, address) if address else _is_name(name))


def _is_name(name: str) -> bool:
    """What ends in a number is an IPv4 address to a browser."""
    labels = _LABELS.fullmatch(name)
    if labels and _NUMERIC.fullmatch(labels[1]):
        return _is_canonical(IPv4Address, name)
    return labels is not None


def _is_canonical(kind: type[IPv4Address | IPv6Address], text: str) -> bool:
    try:
        return str(kind(text)) == text
    except AddressValueError:
        return False
