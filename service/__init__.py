"""The engine over HTTP.

A request passes through app and routes, then through the folders `request`, which reads and checks
it, `compute`, which has the engine answer it, and `reply`, which writes the answer or a problem.
`server` starts the process around the application; `observe` has its metrics, log and spans.
"""

from service.app import create_app
from service.config import Config, ConfigError

__all__ = ["Config", "ConfigError", "create_app"]
