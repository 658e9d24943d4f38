"""Body -> the request whose document goes to the lab, and the members that the lab reads."""

from collections.abc import Mapping, Sequence
from typing import Any

Json = dict[str, Any]


def split(body: Any, members: Sequence[str]) -> tuple[Any, Json]:
    """Take the lab's members out of a body; a body that is no object is refused later."""
    if not isinstance(body, Mapping):
        return body, {}
    request = {name: member for name, member in body.items() if name not in members}
    return request, {name: body[name] for name in members if name in body}
