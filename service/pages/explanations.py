"""explanations.toml -> an explanation of each problem, with an example of request and reply."""

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from engine_py import DEFAULT_LIMITS, GradientError, introspect
from service import errors
from service.reply.problems import KINDS, content_of
from service.request.payloads import InvalidBody, Requests
from service.turns import Turns

Json = dict[str, Any]


class HttpRequest(NamedTuple):
    """What a client sends."""

    method: str
    path: str
    headers: dict[str, str]
    body: str

    @property
    def head(self) -> str:
        """Request line and headers, except those that every client adds."""
        headers = [f"{name}: {value}" for name, value in self.headers.items()]
        return "\n".join([f"{self.method} {self.path} HTTP/1.1", *headers])

    @property
    def text(self) -> str:
        """The whole request."""
        return f"{self.head}\n\n{self.body}" if self.body else self.head


class Explanation(NamedTuple):
    """The explanation of a problem."""

    code: str
    status: int
    title: str
    meaning: str
    cure: str
    data: dict[str, str]
    """Its members that not all problems have, each with its meaning."""
    request: HttpRequest
    problem: Json
    limits: dict[str, int]
    """The limits under which the request has the problem, if they are not the defaults."""
    reproducible: bool
    """Whether the request always has the problem."""

    def as_dict(self) -> Json:
        """Return the JSON of `/problems/<code>`."""
        example = {"request": self.request.text, "problem": self.problem}
        return {
            "type": f"/problems/{self.code}",
            "code": self.code,
            "title": self.title,
            "status": self.status,
            "meaning": self.meaning,
            "cure": self.cure,
            "data": self.data,
            "example": example,
        }


@cache
def explanations() -> dict[str, Explanation]:
    """Read the explanations of all codes, in the order of their statuses."""
    found = entries()
    members = found.pop("members")
    return {code: _explanation(code, found[code], members) for code in KINDS if code in found}


def entries() -> dict[str, Json]:
    """Read the file."""
    return tomllib.loads((files(__package__) / "explanations.toml").read_text("utf-8"))


def _explanation(code: str, entry: Json, members: dict[str, str]) -> Explanation:
    request, problem = _by_engine(code, entry) if "request" in entry else _by_http(code, entry)
    return Explanation(
        code=code,
        status=KINDS[code].status,
        title=KINDS[code].title,
        meaning=entry["meaning"],
        cure=entry["cure"],
        data={name: members[name] for name in entry["data"]},
        request=request,
        problem=problem,
        limits=entry.get("limits", {}),
        reproducible=entry.get("reproducible", True),
    )


def _by_engine(code: str, entry: Json) -> tuple[HttpRequest, Json]:
    """Run the engine for the example, so that the page shows its current message."""
    body = json.dumps(entry["request"])
    sent = HttpRequest("POST", "/v1/gradient", {"Content-Type": "application/json"}, body)
    limits = DEFAULT_LIMITS._replace(**entry.get("limits", {}))
    try:
        request = Requests(limits).load(entry["request"])
        introspect(**request._asdict(), limits=limits)
    except (GradientError, InvalidBody) as error:
        with Turns(waiting=1, wait_seconds=1, compute_seconds=1).turn("", 0) as turn:
            return sent, content_of(error, entry["request"], turn)
    raise ValueError(f"the example of {code} has a result; write one that fails")


def _by_http(code: str, entry: Json) -> tuple[HttpRequest, Json]:
    classes = (each for each in vars(errors).values() if getattr(each, "code", None) == code)
    error = next(classes)(entry["detail"], **entry.get("values", {}))
    return HttpRequest(**entry["http"]), content_of(error, None, None)
