"""Call -> the reply, through a connection but no network; reply -> what no reply may be."""

import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import Any, NamedTuple

from service.reply.problems import KINDS
from service.server.entry import Entry
from service.tests.call import Call
from service.tests.client import Client
from service.tests.validated import DOCUMENT, PROBLEM

_NDJSON = "application/x-ndjson"
_PROBLEM_TYPE = "application/problem+json"

ALWAYS = {
    "x-request-id": re.compile(r"[A-Za-z0-9._:/+=-]{1,128}"),
    "traceparent": re.compile(r"00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]"),
    "x-content-type-options": re.compile("nosniff"),
    "content-security-policy": re.compile("default-src 'none'; .*"),
}
"""The headers of every reply."""


class Reply(NamedTuple):
    """What a client is sent, and the line that is logged."""

    status: int
    headers: dict[str, str]
    body: bytes
    log: bytes = b""

    @property
    def media_type(self) -> str:
        """The content type without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0]

    def contents(self) -> list[Any]:
        """Read what the body says: the results of a batch, or else one thing, if it is JSON."""
        if self.media_type == _NDJSON:
            return [json.loads(line) for line in self.body.splitlines()]
        if not self.body or not self.media_type.endswith("json"):
            return []
        content = json.loads(self.body)
        results = content.get("results")
        return results if isinstance(results, list) else [content]

    def codes(self) -> list[str]:
        """Name its problems: one if it is a problem, or those in a batch."""
        return [content["code"] for content in self.contents() if _is_problem(content)]


async def answer(entry: Entry, call: Call) -> Reply:
    """Send a call, of which nothing more comes."""
    log = BytesIO()
    with redirect_stdout(TextIOWrapper(log, write_through=True)) as stdout:
        client = await Client(entry).send(*call.encoded(), b"").rest()
        client.leave()
        stdout.detach()
    status, headers, body, _ = client.reply
    return Reply(status, headers, body, log.getvalue())


def faults(call: Call, reply: Reply) -> Iterator[str]:
    """Name all that is wrong with a reply, whatever was asked."""
    if reply.status >= 500:
        yield f"the status is {reply.status}"
    for name, form in ALWAYS.items():
        text = reply.headers.get(name)
        if text is None or not form.fullmatch(text):
            yield f"the header {name} is {text!a}"
    if call.method == "HEAD" or reply.status == 304:
        if reply.body and reply.codes() != ["malformed_request"]:  # nobody can read the method
            yield "there is a body where none may be"
    else:
        yield from _faults_of_body(reply)
    lines = [json.loads(line) for line in reply.log.splitlines()]
    if len(lines) > 1 or any(line["status"] != reply.status for line in lines):
        yield f"the log says {reply.log!r}"


def _faults_of_body(reply: Reply) -> Iterator[str]:
    if int(reply.headers.get("content-length", len(reply.body))) != len(reply.body):
        yield f"there are {len(reply.body)} bytes, not {reply.headers['content-length']}"
    if (reply.status >= 400) != (reply.media_type == _PROBLEM_TYPE):
        yield f"a reply of status {reply.status} is {reply.media_type}"
    try:
        reply.body.decode()
        contents = reply.contents()
    except ValueError as fault:
        yield f"the body cannot be read: {fault}"
        return
    for content in contents:
        yield from _faults_of_content(content)
        if reply.media_type == _PROBLEM_TYPE and content["status"] != reply.status:
            yield f"the problem's status is {content['status']}"


def _is_problem(content: Any) -> bool:
    return isinstance(content, dict) and {"code", "detail"} <= content.keys()


def _faults_of_content(content: dict[str, Any]) -> Iterator[str]:
    """A document or a problem; the rest is what the service has to tell of itself."""
    if _is_problem(content):
        kind = KINDS.get(content["code"])
        if kind is None or kind.status != content["status"] or kind.status >= 500:
            yield f"{content['code']} has the status {content['status']}"
        yield from (f"no problem: {error.message}" for error in PROBLEM.iter_errors(content))
    elif "topological_order" in content:
        yield from (f"no document: {error.message}" for error in DOCUMENT.iter_errors(content))
