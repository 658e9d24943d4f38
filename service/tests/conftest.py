import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config
from service.tests.validated import Post, Reply, reply_of


@pytest.fixture
def client() -> FlaskClient:
    return create_app(Config()).test_client()


@pytest.fixture
def post(client: FlaskClient) -> Post:
    """Post a body, given as bytes or as a JSON value, and validate the reply."""

    def send(body: Any, content_type: str = "application/json", **options: Any) -> Reply:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return reply_of(
            client.post("/v1/gradient", data=data, content_type=content_type, **options)
        )

    return send
