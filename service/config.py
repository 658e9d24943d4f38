"""Environment variables -> one frozen configuration, or a message that says what to change."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

from engine_py import DEFAULT_LIMITS, Limits

_WHOLE_NUMBER = re.compile(r"[0-9]{1,10}")
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?|https?://\[[0-9a-f:]+\](:[0-9]{1,5})?")


class ConfigError(ValueError):
    """An environment variable that cannot be used."""


class Config(NamedTuple):
    """Where the service listens, what it accepts, how it stops and what it logs."""

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    """Processes, each with its own interpreter."""
    max_body_bytes: int = 262_144
    limits: Limits = DEFAULT_LIMITS
    max_batch_requests: int = 1_000
    max_picture_nodes: int = 300
    """Drawing an SVG takes some ten times as long as differentiating."""
    max_concurrency: int = 64
    """Requests that a process computes or sends at once; more get 503."""
    read_seconds: int = 10
    """What a client has to send its headers, and then its body."""
    compute_seconds: int = 5
    """What one request may take to compute, a batch as a whole."""
    drain_seconds: int = 0
    """How long it serves on, not ready, after SIGTERM."""
    cors_origins: tuple[str, ...] = ()
    log_requests: bool = True
    log_values: bool = False
    traces: bool = False

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

    def published_limits(self) -> dict[str, int]:
        """Give the bounds by the names that problems and `/v1/limits` use."""
        return {
            **self.limits._asdict(),
            "body_bytes": self.max_body_bytes,
            "batch_requests": self.max_batch_requests,
            "picture_nodes": self.max_picture_nodes,
            "concurrency": self.max_concurrency,
            "read_seconds": self.read_seconds,
            "compute_seconds": self.compute_seconds,
        }

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Read every variable once; one that is unset or empty has its default.

        Raises:
            ConfigError: names the variable, what it holds and what it may hold.
        """
        fields = {
            field: read(name, environ[name])
            for name, (field, read) in VARIABLES.items()
            if environ.get(name)
        }
        bounds = {name: fields.pop(name) for name in Limits._fields if name in fields}
        return cls(**fields, limits=DEFAULT_LIMITS._replace(**bounds))


def _number(smallest: int, largest: int) -> Callable[[str, str], int]:
    def read(name: str, text: str) -> int:
        if not _WHOLE_NUMBER.fullmatch(text) or not smallest <= int(text) <= largest:
            message = f"{name} must be a whole number from {smallest} to {largest}, not {text!a}"
            raise ConfigError(message)
        return int(text)

    return read


def _switch(name: str, text: str) -> bool:
    if text not in ("0", "1"):
        raise ConfigError(f"{name} must be 0 or 1, not {text!a}")
    return text == "1"


def _host(name: str, text: str) -> str:
    if not text.isprintable() or not text.isascii() or set(text) & set(" /@"):
        message = f"{name} must be an address or a host name such as 127.0.0.1, not {text!a}"
        raise ConfigError(message)
    return text


def _origins(name: str, text: str) -> tuple[str, ...]:
    origins = tuple(text.split())
    for origin in origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            message = f"{name} must be * or origins such as https://example.org, separated by"
            raise ConfigError(f"{message} blanks, not {text!a}")
    return origins


_BOUND = _number(1, 10**9)
_SECONDS = 3_600

VARIABLES: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    # Not HOST: shells and compiler environments set that to something else.
    "GRADIENT_HOST": ("host", _host),
    "PORT": ("port", _number(1, 65_535)),
    "GRADIENT_WORKERS": ("workers", _number(1, 64)),
    "GRADIENT_MAX_BODY_BYTES": ("max_body_bytes", _BOUND),
    "GRADIENT_MAX_CHARACTERS": ("characters", _BOUND),
    "GRADIENT_MAX_VARIABLES": ("variables", _BOUND),
    "GRADIENT_MAX_NODES": ("nodes", _BOUND),
    "GRADIENT_MAX_BATCH_REQUESTS": ("max_batch_requests", _BOUND),
    "GRADIENT_MAX_PICTURE_NODES": ("max_picture_nodes", _BOUND),
    "GRADIENT_MAX_CONCURRENCY": ("max_concurrency", _number(1, 10_000)),
    "GRADIENT_READ_SECONDS": ("read_seconds", _number(1, _SECONDS)),
    "GRADIENT_COMPUTE_SECONDS": ("compute_seconds", _number(1, _SECONDS)),
    "GRADIENT_DRAIN_SECONDS": ("drain_seconds", _number(0, _SECONDS)),
    "GRADIENT_CORS_ORIGINS": ("cors_origins", _origins),
    "GRADIENT_LOG_REQUESTS": ("log_requests", _switch),
    "GRADIENT_LOG_VALUES": ("log_values", _switch),
    "GRADIENT_TRACES": ("traces", _switch),
}
"""Each variable, the field it sets and what reads its text. service/README.md lists them all."""
