"""A shrunk difference -> a file with one case, ready to be added to a topic.

The expectation comes from the oracle. The oracle has no errors: there, the code must be derived by
hand, and until then the fixture fails for every engine.
"""

import json
from pathlib import Path

from parity_tests.kit.worker import Call, Json
from parity_tests.oracle.document import reference_document

BY_HAND = "derive the code and the span by hand"


def write_fixture(call: Call, difference: str, file: Path) -> None:
    """Write the case, and make its folder if that is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps([as_fixture(call, difference)], indent=2) + "\n", encoding="utf-8")


def as_fixture(call: Call, difference: str) -> Json:
    """Return a case of `fixture.schema.json`; its name, rules and `why` are drafts."""
    command, request, limits = call
    expect, source = _expectation(command, request, limits)
    fixture = {
        "name": "random-programs-found-it",
        "holds": ["R1"],
        "why": f"Random programs found it: {' '.join(difference.split())}",
        "source": source,
        "command": None if command == "introspect" else command,
        "request": request,
        "limits": limits,
        "expect": expect,
    }
    return {member: value for member, value in fixture.items() if value is not None}


def _expectation(command: str, request: object, limits: object) -> tuple[Json, str]:
    try:
        assert command == "introspect"
        assert limits is None
        assert isinstance(request, dict)
        document = reference_document(**request)
    except Exception:  # noqa: BLE001 - for whatever reason, the oracle has no document
        return {"error": {"code": BY_HAND, "span": None}}, "hand derivation"
    members = ("result", "gradients", "nodes", "edges")
    return {"document": {member: document[member] for member in members}}, "MPFR"
