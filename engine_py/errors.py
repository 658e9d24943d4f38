"""One class per error code; code, span and data are the contract, the message is for people."""

import re
from typing import Any, ClassVar, NamedTuple, TypedDict


class SpanDict(TypedDict):
    """A span as the document writes it."""

    start: int
    end: int


Offsets = tuple[int, int]
"""A span, or a plain pair of its start and its end."""


class Span(NamedTuple):
    """Offsets into the text in code points, `end` exclusive."""

    start: int
    end: int

    def as_dict(self) -> SpanDict:
        """Return the span as the document writes it."""
        return {"start": self.start, "end": self.end}


_CONSTANT = re.compile(r"(?<=, not )(?:by )?(None|True|False)(?=$|;)")
_IN_JSON = {"None": "null", "True": "true", "False": "false"}


def json_words(message: str) -> str:
    """Write None, True and False as JSON does, for clients that sent JSON."""
    return _CONSTANT.sub(lambda found: found[0].replace(found[1], _IN_JSON[found[1]]), message)


class GradientError(Exception):
    """A request that cannot be computed. `span` is where in the expression, `data` why."""

    code: ClassVar[str]

    def __init__(self, message: str, span: Offsets | None = None, **data: Any) -> None:
        super().__init__(message)
        self.message = message
        self.span = Span(*span) if span else None
        self.data = data

    def as_dict(self) -> dict[str, Any]:
        """Return the error as `error.schema.json` describes it."""
        span = self.span.as_dict() if self.span else None
        message = json_words(self.message)
        return {"code": self.code, "message": message, "span": span, **self.data}


class InvalidRequest(GradientError):
    """A member of the request has the wrong shape. Data: pointer."""

    code = "invalid_request"


class InvalidValue(GradientError):
    """A value is not a finite number, or its name is not a name. Data: name, pointer."""

    code = "invalid_value"


class LimitExceeded(GradientError):
    """The request is larger than a limit. Data: name, limit, actual."""

    code = "limit_exceeded"


class UnexpectedCharacter(GradientError):
    """A character that starts no token."""

    code = "unexpected_character"


class UnexpectedToken(GradientError):
    """A token that is not allowed at its position."""

    code = "unexpected_token"


class UnexpectedEnd(GradientError):
    """The program ends too early."""

    code = "unexpected_end"


class UnknownFunction(GradientError):
    """A call of something that is not a function. Data: name."""

    code = "unknown_function"


class WrongArity(GradientError):
    """A call with too few or too many arguments. Data: name, expected, actual."""

    code = "wrong_arity"


class ExponentNotLiteral(GradientError):
    """An exponent that is not a number: power differentiates only its base."""

    code = "exponent_not_literal"


class DuplicateName(GradientError):
    """A name that is bound twice, or bound after its use as a variable. Data: name."""

    code = "duplicate_name"


class UnusedName(GradientError):
    """A statement that the result does not depend on. Data: name."""

    code = "unused_name"


class MissingValue(GradientError):
    """Variables without a value. Data: name, the first; names, all of them."""

    code = "missing_value"


class DomainError(GradientError):
    """An operation outside its domain. Data: node, operation, operands."""

    code = "domain_error"


class StaleCustom(GradientError):
    """A custom operation that would have to be recomputed. Data: node, name, operands."""

    code = "stale_custom"


class NonFinite(GradientError):
    """The first infinity or NaN. Data: stage, node, operation, operands, slot."""

    code = "non_finite"
