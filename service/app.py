"""Configuration -> Flask application."""

import os

from flask import Flask

from service.config import Config
from service.problems import register_problems
from service.replies import add_headers
from service.routes import make_routes


def create_app(config: Config | None = None) -> Flask:
    """Put the service together; without a configuration it is read from the environment.

    Raises:
        ConfigError: the environment cannot be used.
    """
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # or `/v1//gradient` is a redirect
    app.register_blueprint(make_routes(config or Config.from_environ(os.environ)))
    app.after_request(add_headers)
    register_problems(app)
    return app
