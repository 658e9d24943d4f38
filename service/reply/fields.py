"""`fields` of a query -> the members of a document that a client asks for."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, cast

from flask import Request

from engine_py import Document
from engine_py.errors import InvalidRequest
from service.reply.formats import JSON, Format

Fields = Sequence[str]

KNOWN: Fields = tuple(Document.__annotations__)
"""The members of a document."""

NUMBERS = frozenset(("result", "gradients"))
"""Those that take no graph and no ledger: alone they take 0.7 of the time, in a batch."""

_SHOWN_LENGTH = 60


def asked_fields(request: Request, chosen: Format) -> Fields:
    """Read the members of `?fields=result,gradients`; without `fields` a document has all of them.

    Raises:
        InvalidRequest: there is no such member, or the reply is no JSON.
    """
    if not request.query_string or "fields" not in request.args:
        return KNOWN
    if chosen is not JSON:
        message = f"fields chooses members of JSON; leave it out for {chosen.name}"
        raise InvalidRequest(message, pointer="/fields")
    asked = {name for text in request.args.getlist("fields") for name in text.split(",")}
    for name in sorted(asked.difference(KNOWN)):
        raise _unknown(name)
    return [name for name in KNOWN if name in asked]


def pick(document: Document, fields: Fields) -> Document:
    """Give a document with these members alone, in the document's own order."""
    members: dict[str, Any] = {**document}
    return document if fields is KNOWN else cast("Document", {n: members[n] for n in fields})


def _unknown(name: str) -> InvalidRequest:
    near = get_close_matches(name[:_SHOWN_LENGTH], KNOWN, n=1)
    nearest = f"did you mean {near[0]}? " if near else ""
    message = f"a document has no member {name[:_SHOWN_LENGTH]!a}; {nearest}fields takes "
    return InvalidRequest(message + ", ".join(KNOWN), pointer="/fields")
