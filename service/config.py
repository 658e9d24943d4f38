"""Environment variables -> one frozen configuration, or a message that says what to change."""

import json
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib.resources import files
from typing import Any, NamedTuple, Self

from engine_py import DEFAULT_LIMITS, Limits

_SCHEMA = json.loads(files("schemas").joinpath("limits.schema.json").read_text("utf-8"))
_WORDS: dict[str, str] = {
    name: row["description"] for name, row in _SCHEMA["properties"].items() if name != "contract"
}
"""Name of a limit -> what it bounds."""


class ConfigError(ValueError):
    """An environment variable that cannot be used."""


class Config(NamedTuple):
    """Where the service listens, what it accepts, how it stops and what it logs."""

    host: str = "127.0.0.1"
    port: int = 8000
    body_bytes: int = 262_144
    limits: Limits = DEFAULT_LIMITS._replace(sweep_nodes=100_000)
    """The reply to a sweep has up to 150 bytes per node and point."""
    batch_requests: int = 1_000
    batch_nodes: int = 100_000
    """The reply to a batch has up to 300 bytes per node."""
    picture_nodes: int = 300
    """Drawing an SVG takes about ten times as long as differentiating."""
    waiting: int = 64
    """The maximum number of large requests that wait while one is computed."""
    wait_seconds: int = 60
    """CPU time of others after which a waiting large request is refused: twelve of the longest."""
    compute_seconds: int = 5
    """The maximum CPU time of one request; a batch counts as one."""
    max_memory_bytes: int = 320_000_000
    """The maximum memory of the worker. No known load takes 256 million bytes."""
    stop_seconds: int = 20
    """How long replies may continue after SIGTERM."""
    probes_port: int = 0
    """A port for the worker's probes and metrics; the next one is for granian's metrics."""
    proxies: int = 0
    """Proxies in front of the service, each of which adds an address to X-Forwarded-For."""
    cors_origins: tuple[str, ...] = ()
    log: str = "auto"
    log_requests: bool = True
    log_values: bool = False

    @property
    def local_host(self) -> str:
        """The host name for a client on the same machine."""
        everywhere = ("0.0.0.0", "::")  # noqa: S104 - read here, not bound
        return "localhost" if self.host in everywhere else self.host

    @property
    def url(self) -> str:
        """The service's URL for a client on the same machine."""
        host = f"[{self.local_host}]" if ":" in self.local_host else self.local_host
        return f"http://{host}:{self.port}"

    def published_limits(self) -> dict[str, int]:
        """Return the limits by the names that problems and `/v1/limits` use."""
        fields = {**self._asdict(), **self.limits._asdict()}
        return {name: fields[name] for name in _WORDS}

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Self:
        """Read every variable; one that is unset or empty has its default.

        Raises:
            ConfigError: a variable is invalid; the message says what it accepts.
        """
        fields = {
            variable.field: variable.read(name, environ[name])
            for name, variable in VARIABLES.items()
            if environ.get(name)
        }
        bounds = {name: fields.pop(name) for name in Limits._fields if name in fields}
        return cls(**fields, limits=cls().limits._replace(**bounds))


class Variable(NamedTuple):
    """An environment variable of the service."""

    field: str
    """The field that it sets, of Config or of its limits."""
    read: Callable[[str, str], Any]
    """Name and text of the variable -> value. Raises ConfigError."""
    sets: str
    """Its description."""


def number(smallest: int, largest: int) -> Callable[[str, str], int]:
    """Read a whole number between two bounds."""

    def read(name: str, text: str) -> int:
        if not _WHOLE_NUMBER.fullmatch(text) or not smallest <= int(text) <= largest:
            message = f"{name} must be a whole number from {smallest} to {largest}, not {text!a}"
            raise ConfigError(message)
        return int(text)

    return read


def choice(meanings: Mapping[str, Any]) -> Callable[[str, str], Any]:
    """Read a key of `meanings` as its value."""

    def read(name: str, text: str) -> Any:
        if text not in meanings:
            raise ConfigError(f"{name} must be {' or '.join(meanings)}, not {text!a}")
        return meanings[text]

    return read


def host(name: str, text: str) -> str:
    """Read an address or a host name. Only the server, when it starts, finds out if it exists."""
    if not text.isprintable() or not text.isascii() or set(text) & set(" /@"):
        message = f"{name} must be an address or a host name such as 127.0.0.1, not {text!a}"
        raise ConfigError(message)
    return text


def origins(name: str, text: str) -> tuple[str, ...]:
    """Read `*` or origins in the form that browsers send; any other would never match."""
    found = tuple(text.split())
    for origin in found:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            message = f"{name} must be * or origins as browsers send them, separated by spaces: "
            message += "https://example.org or http://localhost:5173, in lower case, with no "
            raise ConfigError(f"{message}default port and no path; not {origin!a}")
    return found


_WHOLE_NUMBER = re.compile(r"[0-9]{1,13}")
_ORIGIN = re.compile(
    r"(?!http:.*:80$|https:.*:443$)https?://(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:[1-9][0-9]{0,4})?"
)

_BOUND = number(1, 10**9)
_SECONDS = number(1, 3_600)
_SWITCH = choice({"0": False, "1": True})
_FORM = choice({"auto": "auto", "json": "json"})


def _limit(name: str, read: Callable[[str, str], Any] = _BOUND) -> Variable:
    """Return the variable of a limit, which is described in `limits.schema.json`."""
    words = _WORDS[name]
    return Variable(name, read, words[0].lower() + words[1:].removesuffix("."))


VARIABLES = {
    # Not HOST: shells and compiler environments set that to something else.
    "GRADIENT_HOST": Variable("host", host, "the address it listens on"),
    "PORT": Variable("port", number(0, 65_535), "the port it listens on; 0 picks a free one"),
    "GRADIENT_MAX_BODY_BYTES": _limit("body_bytes"),
    "GRADIENT_MAX_CHARACTERS": _limit("characters"),
    "GRADIENT_MAX_VARIABLES": _limit("variables"),
    "GRADIENT_MAX_NODES": _limit("nodes"),
    "GRADIENT_MAX_SWEEP_NODES": _limit("sweep_nodes"),
    "GRADIENT_MAX_PICTURE_NODES": _limit("picture_nodes"),
    "GRADIENT_MAX_BATCH_REQUESTS": _limit("batch_requests"),
    "GRADIENT_MAX_BATCH_NODES": _limit("batch_nodes"),
    "GRADIENT_MAX_DESCENT_NODES": _limit("descent_nodes"),
    "GRADIENT_MAX_WAITING": _limit("waiting", number(1, 200)),
    "GRADIENT_WAIT_SECONDS": _limit("wait_seconds", _SECONDS),
    "GRADIENT_COMPUTE_SECONDS": _limit("compute_seconds", _SECONDS),
    "GRADIENT_MAX_MEMORY_BYTES": Variable(
        "max_memory_bytes",
        number(100_000_000, 10**12),
        "bytes of memory that the worker may hold; beyond that, the large request being computed "
        "gets 503",
    ),
    "GRADIENT_STOP_SECONDS": Variable(
        "stop_seconds",
        _SECONDS,
        "seconds after SIGTERM in which requests that have begun are answered; replies that have "
        "not ended by then are cut off",
    ),
    "GRADIENT_PROBES_PORT": Variable(
        "probes_port",
        number(0, 65_534),
        "a port that answers `/healthz`, `/readyz` and `/metrics` even if all connections of the "
        "main port are taken; the next port has the metrics of the main process; 0 means neither",
    ),
    "GRADIENT_PROXIES": Variable(
        "proxies",
        number(0, 10),
        "the number of proxies that every request passes; each must add its client's address to "
        "X-Forwarded-For, by which large requests of different addresses take turns",
    ),
    "GRADIENT_CORS_ORIGINS": Variable(
        "cors_origins",
        origins,
        "origins whose pages may send requests, separated by spaces, or `*`",
    ),
    "GRADIENT_LOG": Variable("log", _FORM, "`json`, or `auto`, which is text on a terminal"),
    "GRADIENT_LOG_REQUESTS": Variable(
        "log_requests",
        _SWITCH,
        "whether each request is logged, as a line of JSON; `/healthz`, `/readyz` and `/metrics` "
        "only if they fail",
    ),
    "GRADIENT_LOG_VALUES": Variable(
        "log_values", _SWITCH, "whether that line includes the request's body"
    ),
}
"""All variables. `python -m service --help` and service/README.md print these descriptions."""


def unknown_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the unknown variables that begin with GRADIENT_, each with the nearest known name."""
    unknown = (name for name in environ if name.startswith("GRADIENT_") and name not in VARIABLES)
    return {
        name: f"the nearest is {get_close_matches(name, VARIABLES, 1, cutoff=0)[0]}"
        for name in sorted(unknown)
    }


def default_of(name: str) -> str:
    """Return the default of a variable as the text that would set it."""
    config = Config()
    default = {**config._asdict(), **config.limits._asdict()}[VARIABLES[name].field]
    if isinstance(default, tuple):
        return " ".join(default) or "none"
    return str(int(default) if isinstance(default, bool) else default)
