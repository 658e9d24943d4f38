"""problems.toml -> an explanation of each problem, with an example of request and reply."""

import json
from functools import cache
from typing import Any, NamedTuple

from engine_py import DEFAULT_LIMITS, GradientError, introspect
from service import errors
from service.reply import EXPLAINED, MEMBERS, content_of
from service.request import InvalidBody, Requests
from service.turns import Turns

Json = dict[str, Any]


class HttpRequest(NamedTuple):
    """A request that a client sends."""

    method: str
    path: str
    headers: dict[str, str]
    body: str

    @property
    def head(self) -> str:
        """Request line and headers, except those that every client adds."""
        headers = [f"{name}: {value}" for name, value in self.headers.items()]
        return "\n".join([f"{self.method} {self.path} HTTP/1.1", *headers])


class Explanation(NamedTuple):
    """The explanation of a problem."""

    code: str
    about: Json
    """Its entry in problems.toml."""
    data: dict[str, str]
    """Its members that only some problems have, each with its meaning."""
    request: HttpRequest
    problem: Json

    def as_dict(self) -> Json:
        """Return the JSON of `/problems/<code>`."""
        head, body = self.request.head, self.request.body
        return {
            "type": f"/problems/{self.code}",
            "code": self.code,
            **{name: self.about[name] for name in ("title", "status", "meaning", "cure")},
            "data": self.data,
            "example": {"request": f"{head}\n\n{body}" if body else head, "problem": self.problem},
        }


@cache
def explanations() -> dict[str, Explanation]:
    """Return the explanations of all codes, in the order of their statuses."""
    return {code: _explanation(code, about) for code, about in EXPLAINED.items()}


def _explanation(code: str, about: Json) -> Explanation:
    request, problem = _by_engine(code, about) if "request" in about else _by_http(code, about)
    return Explanation(
        code, about, {name: MEMBERS[name] for name in about["data"]}, request, problem
    )


def _by_engine(code: str, about: Json) -> tuple[HttpRequest, Json]:
    """Run the engine for the example, so that the page shows its current message."""
    body = json.dumps(about["request"])
    sent = HttpRequest("POST", "/v1/gradient", {"Content-Type": "application/json"}, body)
    limits = DEFAULT_LIMITS._replace(**about.get("limits", {}))
    try:
        request = Requests(limits).load(about["request"])
        introspect(**request._asdict(), limits=limits)
    except (GradientError, InvalidBody) as error:
        with Turns(waiting=1, wait_seconds=1, compute_seconds=1).turn("", 0) as turn:
            return sent, content_of(error, about["request"], turn)
    raise ValueError(f"the example of {code} has a result; write one that fails")


def _by_http(code: str, about: Json) -> tuple[HttpRequest, Json]:
    classes = (each for each in vars(errors).values() if getattr(each, "code", None) == code)
    error = next(classes)(about["detail"], **about.get("values", {}))
    return HttpRequest(**about["http"]), content_of(error, None, None)
