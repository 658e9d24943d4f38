"""HTTP errors, one class for each code, with the interface of the engine's errors."""

from engine_py import GradientError


class InvalidJson(GradientError):
    """The body is not one JSON value in UTF-8, or an object in it has two members of one name."""

    code = "invalid_json"


class PayloadTooLarge(GradientError):
    """The body has too many bytes. Data: limit, actual (null if the client did not say)."""

    code = "payload_too_large"


class UnsupportedMediaType(GradientError):
    """The body is not JSON in UTF-8."""

    code = "unsupported_media_type"


class NotFound(GradientError):
    """No route has this path."""

    code = "not_found"


class MethodNotAllowed(GradientError):
    """The path exists without this method. Data: allowed."""

    code = "method_not_allowed"


class InternalError(GradientError):
    """A bug in the service."""

    code = "internal_error"


class NotAcceptable(GradientError):
    """The answer does not exist in a format that the client accepts. Data: allowed."""

    code = "not_acceptable"


class Overloaded(GradientError):
    """The service is busy. Data: limit, actual."""

    code = "overloaded"


class NotReady(GradientError):
    """The process runs but cannot answer requests yet."""

    code = "not_ready"


class ComputeTimeout(GradientError):
    """The answer takes longer to compute than the service allows. Data: limit, in seconds."""

    code = "compute_timeout"


class MalformedRequest(GradientError):
    """The request is not valid HTTP; a proxy in front of the service answers with this."""

    code = "malformed_request"
