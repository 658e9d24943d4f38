"""HTTP request -> the bytes of its body, if they may be JSON and are not too many."""

from flask import Request

from service.errors import PayloadTooLarge, UnsupportedMediaType

_ENCODING = "HTTP_CONTENT_ENCODING"
_SHOWN_LENGTH = 60

_LARGEST = 2**53 - 1
"""What every reader of JSON can count to."""


def read_body(request: Request, limit: int) -> bytes:
    """Read at most one byte more than the limit, so that a larger body is never cut short.

    Raises:
        UnsupportedMediaType: the headers announce something else than JSON in UTF-8.
        PayloadTooLarge: the body is announced or found to be larger than the limit.
    """
    environ = request.environ
    if environ.get("CONTENT_TYPE") != "application/json" or _ENCODING in environ:
        _check_media_type(request)
    # Of fewer digits than the limit's it is smaller; werkzeug's number takes longer than the body.
    is_long = len(environ.get("CONTENT_LENGTH", "")) >= len(str(limit))
    if is_long and (announced := request.content_length or 0) > limit:
        message = f"the body has {announced} bytes; at most {limit} are accepted"
        raise PayloadTooLarge(message, limit=limit, actual=min(announced, _LARGEST))
    # A server that ends the input itself hands on what it has read: nothing is to be guarded.
    stream = environ["wsgi.input"] if environ.get("wsgi.input_terminated") else request.stream
    body = bytearray()
    # A chunked body has no announced length, and one read may give less than was asked for.
    while piece := stream.read(limit + 1 - len(body)):
        body += piece
        if len(body) > limit:
            message = f"the body has more than {limit} bytes; at most {limit} are accepted"
            raise PayloadTooLarge(message, limit=limit, actual=None)
    return bytes(body)


def _check_media_type(request: Request) -> None:
    environ = request.environ
    media_type = request.mimetype
    if media_type != "application/json" and not (
        media_type.startswith("application/") and media_type.endswith("+json")
    ):
        found = f"`{media_type[:_SHOWN_LENGTH]}`" if media_type else "not given"
        message = f"the content type is {found}; send the header `Content-Type: application/json`"
        raise UnsupportedMediaType(message)
    charset = request.mimetype_params.get("charset", "utf-8")
    if charset.lower() not in ("utf-8", "utf8"):
        message = f"the charset is `{charset[:_SHOWN_LENGTH]}`; send JSON in UTF-8"
        raise UnsupportedMediaType(message)
    coding = environ.get(_ENCODING, "identity")
    if coding.lower() != "identity":
        message = f"the content encoding is `{coding[:_SHOWN_LENGTH]}`; send the body uncompressed"
        raise UnsupportedMediaType(message)
