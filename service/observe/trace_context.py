"""Headers -> who asked in which trace (W3C Trace Context, level 1)."""

import re
from random import getrandbits
from typing import NamedTuple

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")
_SAMPLED = 1
_NOT_ZERO = 1 << 64 | 1
"""A bit of the trace's name, which comes first, and one of the span's."""


class TraceContext(NamedTuple):
    """The names by which a request is found again in logs and traces."""

    request_id: str
    trace_id: str
    span_id: str
    """This service's part of the trace."""
    flags: str

    @property
    def traceparent(self) -> str:
        """The header for the caller, or for the next service."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


def read_trace_context(request_id: str | None, traceparent: str | None) -> TraceContext:
    """Keep the caller's names where they are well formed, and make new ones where not.

    Those are random, and not all zeros; nothing secret depends on them.
    """
    new = f"{getrandbits(192) | _NOT_ZERO:048x}"
    trace_id, span_id, flags = new[:32], new[32:], "00"
    if traceparent and (caller := _caller(traceparent)):
        trace_id, flags = caller
    if request_id is None or not _REQUEST_ID.fullmatch(request_id):
        request_id = span_id
    return TraceContext(request_id, trace_id, span_id, flags)


def _caller(traceparent: str) -> tuple[str, str] | None:
    if found := _TRACEPARENT.fullmatch(traceparent):
        version, trace_id, parent_id, flags, more = found.groups()
        is_known = version != "ff" and not (version == "00" and more)
        if is_known and int(trace_id, 16) and int(parent_id, 16):
            return trace_id, f"{int(flags, 16) & _SAMPLED:02x}"
    return None
