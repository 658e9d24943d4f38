"""The engine over HTTP: `POST /v1/gradient` and `GET /healthz`.

Read the modules in the order of a request: config, app, routes, body, strict_json, payloads, and
then the engine; replies and problems are the way back.
"""

from service.app import create_app
from service.config import Config, ConfigError

__all__ = ["Config", "ConfigError", "create_app"]
