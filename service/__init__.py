"""The engine over HTTP.

The modules in the order of a request: app, routes; then body and strict_json, or query; payloads;
the engine, or batch for many; and back by formats and pictures, or by problems, and replies.
`server/` is the process around the application, `observe/` its metrics, log and spans.
"""

from service.app import create_app
from service.config import Config, ConfigError

__all__ = ["Config", "ConfigError", "create_app"]
