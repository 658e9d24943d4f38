from collections.abc import Iterable
from itertools import repeat

import pytest

from service import Config
from service.tests.validated import Post, Reply

LIMIT = Config().max_body_bytes


def body_of(size: int) -> bytes:
    """A request of exactly so many bytes; blanks between members mean nothing."""
    start, end = b'{"expression":"2*a",', b'"values":{"a":3}}'
    return start + b" " * (size - len(start) - len(end)) + end


class Chunks:
    """The stream of a server: a read may give less than was asked for, and nothing at the end."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = iter(chunks)
        self.bytes_read = 0

    def read(self, size: int) -> bytes:
        chunk = next(self.chunks, b"")
        assert len(chunk) <= size
        self.bytes_read += len(chunk)
        return chunk


def post_chunked(post: Post, chunks: Chunks) -> Reply:
    # As the server hands it over: it says that the stream ends by itself.
    stream = {"wsgi.input": chunks, "wsgi.input_terminated": True}
    return post(b"", headers={"Transfer-Encoding": "chunked"}, environ_overrides=stream)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json",
        "application/json; charset=utf-8",
        'Application/JSON;charset="UTF-8"',
        "application/json; charset=utf8",
        "application/json; profile=x",
        "application/vnd.gradient+json",
        "application/merge-patch+json; charset=utf-8",
    ],
)
def test_json_may_be_announced_in_several_ways(post: Post, content_type: str) -> None:
    assert post(body_of(50), content_type).status == 200


@pytest.mark.parametrize(
    ("content_type", "found"),
    [
        ("", "not given"),
        ("application/x-www-form-urlencoded", "application/x-www-form-urlencoded"),
        ("text/json", "text/json"),
        ("text/plain+json", "text/plain+json"),
        ("application/jsonp", "application/jsonp"),
        ("json", "json"),
        ("application/json; charset=latin1", "latin1"),
        ("application/json; charset=utf-16", "utf-16"),
        ("multipart/form-data; boundary=x", "multipart/form-data"),
    ],
)
def test_anything_else_is_refused_with_the_header_to_send(
    post: Post, content_type: str, found: str
) -> None:
    reply = post(body_of(50), content_type)
    assert (reply.status, reply.content["code"]) == (415, "unsupported_media_type")
    assert found in reply.content["detail"]


def test_a_compressed_body_is_refused_as_such(post: Post) -> None:
    reply = post(body_of(50), headers={"Content-Encoding": "gzip"})
    assert (reply.status, reply.content["code"]) == (415, "unsupported_media_type")
    assert "uncompressed" in reply.content["detail"]
    assert post(body_of(50), headers={"Content-Encoding": "identity"}).status == 200


def test_a_body_of_exactly_the_limit_is_read_to_its_last_byte(post: Post) -> None:
    assert post(body_of(LIMIT)).content["result"] == 6


def test_a_body_of_one_byte_more_is_refused_with_both_numbers(post: Post) -> None:
    reply = post(body_of(LIMIT + 1))
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, LIMIT + 1)


@pytest.mark.parametrize(("size", "actual"), [(10**12, 10**12), (10**30, 2**53 - 1)])
def test_an_announced_size_is_refused_before_a_byte_is_read(
    post: Post, size: int, actual: int
) -> None:
    chunks = Chunks([b"never"])
    reply = post(b"", environ_overrides={"wsgi.input": chunks, "CONTENT_LENGTH": str(size)})
    assert (reply.status, reply.content["actual"]) == (413, actual)
    assert chunks.bytes_read == 0


def test_a_chunked_body_of_exactly_the_limit_is_read_to_its_last_byte(post: Post) -> None:
    body = body_of(LIMIT)
    pieces = [body[at : at + 1000] for at in range(0, LIMIT, 1000)]
    assert post_chunked(post, Chunks(pieces)).content["result"] == 6


def test_a_chunked_body_beyond_the_limit_is_refused_and_not_cut_short(post: Post) -> None:
    # Cut at the limit it would be a fine request.
    reply = post_chunked(post, Chunks([body_of(LIMIT), b" "]))
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, None)


def test_of_an_endless_body_no_more_is_read_than_shows_that_it_is_too_large(post: Post) -> None:
    chunks = Chunks(repeat(b" "))
    assert post_chunked(post, chunks).status == 413
    assert chunks.bytes_read == LIMIT + 1
