"""The engine over HTTP.

A request passes through app and routes; then body and strict_json, or query; then payloads; then
engine, or batch for many requests. The answer passes through formats and pictures, or problems, and
then replies. A request that the server itself refuses passes through refusals only.
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
