"""JSON value -> checked request, or the errors of all its members.

marshmallow visits the members; the engine's own checks accept or refuse each of them.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from marshmallow import Schema, ValidationError, fields, missing

from engine_py import GradientError, Limits
from engine_py.errors import InvalidRequest, InvalidValue
from engine_py.language.rewrite import check_names
from engine_py.request import (
    GradientRequest,
    View,
    check_expression,
    check_parameters,
    check_request,
    check_values,
    check_view,
    described,
    pointer_step,
)
from engine_py.sweeps.axes import Axes, check_axes
from service.request.query import nearest

MEMBERS = ("expression", "values", "parameters", "view")
"""In the order in which errors are reported (CONTRACT.md R31)."""

_KNOWN, _REQUIRED = frozenset(MEMBERS), frozenset(("expression", "values"))
_DEFAULTS = {"parameters": (), "view": "folded"}

_MOST_UNKNOWN = 20
_SHOWN_LENGTH = 40


class MemberError(NamedTuple):
    """An error, and the member that it is about as a JSON Pointer (RFC 6901)."""

    error: GradientError
    pointer: str


class InvalidBody(Exception):
    """A body with invalid members."""

    def __init__(self, errors: list[MemberError]) -> None:
        """Keep all errors; the first one decides the problem's code."""
        super().__init__(errors[0].error.message)
        self.errors = errors


class Checked(fields.Raw):
    """A member that one of the engine's checks accepts or refuses, even if it is null."""

    def __init__(self, name: str, check: Callable[[Any], Any], **options: Any) -> None:
        """Take `check`, which returns the checked value or raises a GradientError."""
        absent = InvalidRequest(f"the member `{name}` is missing; add it", pointer=f"/{name}")
        super().__init__(error_messages={"required": [absent]}, **options)
        self.check = check

    def deserialize(
        self,
        value: Any,
        attr: str | None = None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Check a member; marshmallow's messages are the errors themselves."""
        if value is missing:
            return super().deserialize(value, attr, data, **kwargs)
        try:
            return self.check(value)
        except GradientError as error:
            raise ValidationError(self.all_errors(error, value)) from None

    def all_errors(self, first: GradientError, _value: Any) -> list[GradientError]:
        """Return all errors of a member whose check raised `first`."""
        return [first]


class CheckedEntries(Checked):
    """An object whose invalid entries are all reported."""

    def all_errors(self, first: GradientError, value: Any) -> list[GradientError]:
        """Check every entry separately, since the engine names only the first (R31)."""
        if not isinstance(first, InvalidValue):
            return [first]
        others = [{name: value[name]} for name in value if name != first.data["name"]]
        return [first, *(error for entry in others if (error := self._error_of(entry)))]

    def _error_of(self, entry: dict[str, Any]) -> GradientError | None:
        try:
            self.check(entry)
        except GradientError as error:
            return error
        return None


def _expression(limits: Limits) -> Checked:
    return Checked("expression", partial(check_expression, limits=limits), required=True)


def _view() -> Checked:
    return Checked("view", check_view, load_default=lambda: "folded")


class Requests:
    """Checks requests. One instance serves all of them, since building a schema is slow."""

    def __init__(self, limits: Limits, *, with_values: bool = True) -> None:
        """Take the limits, and whether requests have `values`; without, `values` is empty."""
        self._limits, self._with_values = limits, with_values
        members: dict[str, fields.Field[Any]] = {
            "expression": _expression(limits),
            "values": CheckedEntries("values", partial(check_values, limits=limits), required=True),
            "parameters": Checked(
                "parameters", partial(check_parameters, limits=limits), load_default=list
            ),
            "view": _view(),
        }
        if not with_values:
            del members["values"]
        self._schema = Schema.from_dict(members)()

    def load(self, body: Any, others: Sequence[str] = ()) -> GradientRequest:
        """Check all members of a body.

        The engine's check takes a third of the schema's time, so it goes first. The error of an
        unknown member lists the known names and `others`, which the caller reads.

        Raises:
            InvalidBody: with an error for each invalid member, invalid value and unknown member.
        """
        if isinstance(body, dict) and self._with_values and _REQUIRED <= body.keys() <= _KNOWN:
            with suppress(GradientError):  # the schema finds all errors
                return check_request(**{**_DEFAULTS, **body}, limits=self._limits)
        return GradientRequest(**{"values": {}, **load_members(self._schema, body, others)})


def rewrite_schema(limits: Limits) -> Schema:
    """Return the schema of requests to rewrite a text."""
    members: dict[str, fields.Field[Any]] = {
        "expression": _expression(limits),
        "names": Checked("names", partial(check_names, limits=limits), load_default=None),
    }
    return Schema.from_dict(members)()


class SweepRequest(NamedTuple):
    """A checked request for a sweep."""

    expression: str
    values: Axes
    view: View


def sweep_schema(limits: Limits) -> Schema:
    """Return the schema of requests for sweeps."""
    members: dict[str, fields.Field[Any]] = {
        "expression": _expression(limits),
        "values": CheckedEntries("values", partial(check_axes, limits=limits), required=True),
        "view": _view(),
    }
    return Schema.from_dict(members)()


def split(body: Any, names: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Split the members `names` off a body; a body that is not an object is refused later."""
    if not isinstance(body, dict):
        return body, {}
    request = {name: member for name, member in body.items() if name not in names}
    return request, {name: body[name] for name in names if name in body}


def load_members(schema: Schema, body: Any, others: Sequence[str] = ()) -> dict[str, Any]:
    """Check all members of a body by `schema`, with the arguments and errors of `Requests.load`."""
    if not isinstance(body, dict):
        required = " and ".join([name for name, field in schema.fields.items() if field.required])
        message = f"the body must be an object with {required}, not {described(body)}"
        raise InvalidBody([MemberError(InvalidRequest(message, pointer=""), "")])
    try:
        members: dict[str, Any] = schema.load(body)
    except ValidationError as refused:
        names = list(schema.fields)
        known = _known(refused.messages_dict, names)
        raise InvalidBody([*known, *_unknown(body, [*names, *others])]) from None
    return members


def _known(errors: dict[str, Any], members: list[str]) -> list[MemberError]:
    return [
        MemberError(error, error.data.get("pointer", f"/{member}"))
        for member in members
        for error in errors.get(member, ())
    ]


def _unknown(body: dict[str, Any], members: list[str]) -> list[MemberError]:
    """Report unknown members, at most `_MOST_UNKNOWN`."""
    errors = []
    names = (name for name in body if name not in members)
    for name in islice(names, _MOST_UNKNOWN):
        shown = ascii(name[:_SHOWN_LENGTH])
        message = f"{shown} is not a member of a request; {nearest(name, members)}"
        message += f"the members are {', '.join(members)}"
        pointer = pointer_step(name)
        errors.append(MemberError(InvalidRequest(message, pointer=pointer), pointer))
    return errors
