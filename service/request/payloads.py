"""JSON value -> checked request, or all that is wrong with its members.

marshmallow walks through the members; the engine's own checks accept or refuse each of them.
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
    Request,
    check_expression,
    check_parameters,
    check_request,
    check_values,
    check_view,
    described,
    pointer_step,
)
from service.request.query import nearest

MEMBERS = ("expression", "values", "parameters", "view")
"""In the order in which faults are reported (CONTRACT.md R31)."""

_KNOWN, _REQUIRED = frozenset(MEMBERS), frozenset(("expression", "values"))
_DEFAULTS = {"parameters": (), "view": "folded"}

_MOST_UNKNOWN = 20
_SHOWN_LENGTH = 40


class Fault(NamedTuple):
    """An error and the place in the body that it is about, as a JSON Pointer (RFC 6901)."""

    error: GradientError
    pointer: str


class InvalidBody(Exception):
    """A body whose members cannot be used."""

    def __init__(self, faults: list[Fault]) -> None:
        """Keep every fault; the first is the problem."""
        super().__init__(faults[0].error.message)
        self.faults = faults


class Checked(fields.Raw):
    """A member that one of the engine's checks accepts or refuses, null included."""

    def __init__(self, name: str, check: Callable[[Any], Any], **options: Any) -> None:
        """Take the check, which raises a GradientError."""
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
        """Check a member that is there; the errors themselves are marshmallow's messages."""
        if value is missing:
            return super().deserialize(value, attr, data, **kwargs)
        try:
            return self.check(value)
        except GradientError as error:
            raise ValidationError(self.all_errors(error, value)) from None

    def all_errors(self, first: GradientError, _value: Any) -> list[GradientError]:
        """List every error of a member that was refused with the first."""
        return [first]


class CheckedEntries(Checked):
    """An object whose entries are reported one by one."""

    def all_errors(self, first: GradientError, value: Any) -> list[GradientError]:
        """Check every entry by itself, the engine having named only the first (R31)."""
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


class Requests:
    """What checks the requests of a service; one serves them all, as a schema is slow to make."""

    def __init__(self, limits: Limits, *, with_values: bool = True) -> None:
        """Take the bounds, and whether a request has values; without, they are empty."""
        self._limits, self._with_values = limits, with_values
        members: dict[str, fields.Field[Any]] = {
            "expression": Checked(
                "expression", partial(check_expression, limits=limits), required=True
            ),
            "values": CheckedEntries("values", partial(check_values, limits=limits), required=True),
            "parameters": Checked(
                "parameters", partial(check_parameters, limits=limits), load_default=list
            ),
            "view": Checked("view", check_view, load_default=lambda: "folded"),
        }
        if not with_values:
            del members["values"]
        self._schema = Schema.from_dict(members)()

    def load(self, body: Any, others: Sequence[str] = ()) -> Request:
        """Check all members of a body; if one is faulty, report all that are.

        The engine accepts most bodies in a third of the schema's time. The fault of an unknown
        member lists the known names, with `others`, which are members that the caller reads.

        Raises:
            InvalidBody: with a fault for each faulty member, value and unknown member.
        """
        if isinstance(body, dict) and self._with_values and _REQUIRED <= body.keys() <= _KNOWN:
            with suppress(GradientError):  # the schema finds the others, too
                return check_request(**{**_DEFAULTS, **body}, limits=self._limits)
        return Request(**{"values": {}, **load_members(self._schema, body, others)})


def rewrite_schema(limits: Limits) -> Schema:
    """Return what checks the members of a text that is to be read."""
    of_text, of_names = (
        partial(check_expression, limits=limits),
        partial(check_names, limits=limits),
    )
    members: dict[str, fields.Field[Any]] = {
        "expression": Checked("expression", of_text, required=True),
        "names": Checked("names", of_names, load_default=None),
    }
    return Schema.from_dict(members)()


def split(body: Any, names: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Take the lab's members out of a body; a body that is no object is refused later."""
    if not isinstance(body, dict):
        return body, {}
    request = {name: member for name, member in body.items() if name not in names}
    return request, {name: body[name] for name in names if name in body}


def load_members(schema: Schema, body: Any, others: Sequence[str] = ()) -> dict[str, Any]:
    """Check all members of a body by the schema.

    Raises:
        InvalidBody: as `Requests.load`.
    """
    if not isinstance(body, dict):
        required = " and ".join([name for name, field in schema.fields.items() if field.required])
        message = f"the body must be an object with {required}, not {described(body)}"
        raise InvalidBody([Fault(InvalidRequest(message, pointer=""), "")])
    try:
        members: dict[str, Any] = schema.load(body)
    except ValidationError as refused:
        names = list(schema.fields)
        known = _known(refused.messages_dict, names)
        raise InvalidBody([*known, *_unknown(body, [*names, *others])]) from None
    return members


def _known(errors: dict[str, Any], members: list[str]) -> list[Fault]:
    return [
        Fault(error, error.data.get("pointer", f"/{member}"))
        for member in members
        for error in errors.get(member, ())
    ]


def _unknown(body: dict[str, Any], members: list[str]) -> list[Fault]:
    """Report members that a request does not have, the first of them where there are many."""
    faults = []
    names = (name for name in body if name not in members)
    for name in islice(names, _MOST_UNKNOWN):
        shown = ascii(name[:_SHOWN_LENGTH])
        message = f"{shown} is not a member of a request; {nearest(name, members)}"
        message += f"the members are {', '.join(members)}"
        pointer = pointer_step(name)
        faults.append(Fault(InvalidRequest(message, pointer=pointer), pointer))
    return faults
