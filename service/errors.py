"""The errors that only HTTP has, one class a code, in the form of the engine's."""

from engine_py import GradientError


class InvalidJson(GradientError):
    """The body is not one JSON value in UTF-8, or an object in it has two members of one name."""

    code = "invalid_json"


class PayloadTooLarge(GradientError):
    """The body has too many bytes. Data: limit, actual (null where the client did not say)."""

    code = "payload_too_large"


class UnsupportedMediaType(GradientError):
    """The body is something else than JSON in UTF-8."""

    code = "unsupported_media_type"


class NotFound(GradientError):
    """Nothing has this path."""

    code = "not_found"


class MethodNotAllowed(GradientError):
    """The path is there, the method is not. Data: allowed."""

    code = "method_not_allowed"


class InternalError(GradientError):
    """A fault of the service."""

    code = "internal_error"


class NotAcceptable(GradientError):
    """The answer does not exist in a format that the client accepts. Data: allowed."""

    code = "not_acceptable"


class Overloaded(GradientError):
    """The service has enough to do at the moment. Data: limit, actual."""

    code = "overloaded"


class NotReady(GradientError):
    """The process is there, but is not to be sent requests."""

    code = "not_ready"


class ComputeTimeout(GradientError):
    """The answer takes longer to compute than the service allows. Data: limit, in seconds."""

    code = "compute_timeout"


class MalformedRequest(GradientError):
    """What came is not a request of HTTP: what a proxy before the service says."""

    code = "malformed_request"
