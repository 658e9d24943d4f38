"""Environment variables -> one frozen configuration, or a message that says what to change."""

import re
from collections.abc import Mapping
from typing import NamedTuple, Self

from engine_py import DEFAULT_LIMITS, Limits

_WHOLE_NUMBER = re.compile(r"[0-9]{1,10}")
_LARGEST_PORT = 65_535
_LARGEST_BOUND = 10**9


class ConfigError(ValueError):
    """An environment variable that cannot be used."""


class Config(NamedTuple):
    """Where the service listens and how large a request may be."""

    host: str = "127.0.0.1"
    port: int = 8000
    max_body_bytes: int = 262_144
    limits: Limits = DEFAULT_LIMITS

    @property
    def local_host(self) -> str:
        """The host as a client on the same machine calls it."""
        everywhere = ("0.0.0.0", "::")  # noqa: S104 - read here, not bound
        return "localhost" if self.host in everywhere else self.host

    @property
    def url(self) -> str:
        """Where a client on the same machine finds the service."""
        host = self.local_host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Read every variable once; one that is unset or empty has its default.

        Raises:
            ConfigError: names the variable, what it holds and what it may hold.
        """
        default = cls()
        return cls(
            # Not HOST: shells and compiler environments set that to something else.
            host=_host(environ, "GRADIENT_HOST", default.host),
            port=_number(environ, "PORT", default.port, _LARGEST_PORT),
            max_body_bytes=_number(environ, "GRADIENT_MAX_BODY_BYTES", default.max_body_bytes),
            limits=Limits(
                characters=_number(environ, "GRADIENT_MAX_CHARACTERS", default.limits.characters),
                variables=_number(environ, "GRADIENT_MAX_VARIABLES", default.limits.variables),
                nodes=_number(environ, "GRADIENT_MAX_NODES", default.limits.nodes),
            ),
        )


def _host(environ: Mapping[str, str], name: str, default: str) -> str:
    host = environ.get(name) or default
    if not host.isprintable() or not host.isascii() or set(host) & set(" /@"):
        message = f"{name} must be an address or a host name such as {default}, not {host!a}"
        raise ConfigError(message)
    return host


def _number(
    environ: Mapping[str, str], name: str, default: int, largest: int = _LARGEST_BOUND
) -> int:
    text = environ.get(name) or str(default)
    if not _WHOLE_NUMBER.fullmatch(text) or not 1 <= int(text) <= largest:
        message = f"{name} must be a whole number from 1 to {largest}, not {text!a}"
        raise ConfigError(message)
    return int(text)
