"""What the server refuses before Flask sees it is refused as by Flask."""

from typing import Any

import pytest
from werkzeug.test import EnvironBuilder

from engine_py import GradientError
from service import Config, create_app
from service.errors import REFUSAL, MalformedRequest, Overloaded, RequestTimeout
from service.observe.observation import RECORD


def refusal(config: Config, method: str, path: str, error: GradientError) -> tuple[object, ...]:
    builder = EnvironBuilder(method=method, headers=[("X-Request-Id", "1")])
    environ = {**builder.get_environ(), "PATH_INFO": path, REFUSAL: error}
    app = create_app(config._replace(log_requests=False))
    started: list[Any] = []
    body = b"".join(app(environ, lambda *given: started.extend(given)))  # type: ignore[arg-type]
    kept = {name: text for name, text in started[1] if name not in ("traceparent", "Vary")}
    return started[0][:3], kept, body, environ[RECORD].route


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
@pytest.mark.parametrize("path", ["/v1/gradient", "/v1/limits", "/nowhere", "*"])
@pytest.mark.parametrize(
    "error",
    [
        Overloaded("too much", limit=1, actual=2),
        RequestTimeout("too late", limit=10),
        MalformedRequest("not HTTP"),
    ],
)
def test_what_flask_does_not_see_is_refused_as_by_flask(
    method: str, path: str, error: GradientError
) -> None:
    # Where pages of other origins may read replies, Flask answers.
    by_flask = refusal(Config(cors_origins=("https://example.org",)), method, path, error)
    assert refusal(Config(), method, path, error) == by_flask
