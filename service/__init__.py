"""The engine over HTTP.

The modules in the order of a request: app, routes; then body and strict_json, or query; payloads;
the engine, or batch for many; and back by formats and pictures, or by problems, and replies. What
the server refuses by itself goes by refusals alone.
`server/` is the process around the application, `observe/` its metrics, log and spans.
"""

from typing import TYPE_CHECKING, Any

from service.config import Config, ConfigError

if TYPE_CHECKING:
    from service.app import create_app

__all__ = ["Config", "ConfigError", "create_app"]


def __getattr__(name: str) -> Any:
    """Import the application when it is asked for: the server's main process never does."""
    if name == "create_app":
        from service.app import create_app  # noqa: PLC0415

        return create_app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
