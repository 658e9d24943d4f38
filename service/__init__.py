"""The engine over HTTP.

Read the modules in the order of a request. Around the application: config, server, gateway,
environ, bridge, observation. In it: app, routes; then body and strict_json, or query; payloads; the
engine, or batch for many; and back by formats and pictures, or by problems, and replies.
"""

from service.app import create_app
from service.config import Config, ConfigError

__all__ = ["Config", "ConfigError", "create_app"]
