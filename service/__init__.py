"""The engine over HTTP.

A request passes through app and routes, then through the folders `request`, which reads and checks
it, `compute`, which has the engine answer it, and `reply`, which writes the answer or a problem.
`server` is the process around the application, `observe` its metrics, log and spans.
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
