"""Versions of the contract: which of them the kit can judge, and what differs by them alone."""

import json
import re
from functools import cache
from hashlib import sha256
from typing import Any

from parity_tests.kit.engines import SCHEMAS, SetupError

FIRST = (2, 0)
LAST_OF_1 = "46d1f23"
"""The commit whose kit judges engines of contract 1.6; this one does not know what held then."""

Number = tuple[int, int]
MEMBER = re.compile(r'"contract":"[^"]*"')
"""In a canonical text, where a quote inside of a string is escaped."""


@cache
def contract_version() -> str:
    """Give the version of the contract in schemas/."""
    operations = json.loads((SCHEMAS / "operations.json").read_text())
    return str(operations["contract"])


def number_of(version: str) -> Number:
    """Read `2.0`, or `2.0.3`, which no case tells from it. Raises SetupError for other text."""
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", version):
        raise SetupError(f"{version!r} is no version of the contract, such as 2.0")
    major, minor, *_ = map(int, version.split("."))
    return major, minor


def judged_number(version: str) -> Number:
    """Read a version that the kit can judge. Raises SetupError with what to do for others."""
    number, (major, minor) = number_of(version), number_of(contract_version())
    if FIRST <= number <= (major, minor):
        return number
    advice = "install a newer kit, or ask with --contract for a version that this one judges"
    if number < FIRST:
        advice = f"check out {LAST_OF_1}, the last commit of 1.6, whose kit judges engines of 1.6"
    known = f"this kit judges contract {FIRST[0]}.{FIRST[1]} to {major}.{minor}"
    raise SetupError(f"{known}, not {version}: {advice}")


def with_contract(outcome: dict[str, Any], version: str) -> dict[str, Any]:
    """Put a version into a part of a response; the digest of a canonical text follows (R33)."""
    [(kind, content)] = outcome.items()
    if kind == "canonical":
        text = MEMBER.sub(f'"contract":"{version}"', content["text"])
        return {kind: {"text": text, "digest": sha256(text.encode()).hexdigest()}}
    return {kind: _stated(content, version)}


def _stated(content: Any, version: str) -> Any:
    """A document of the lab stands within its result."""
    if not isinstance(content, dict):
        return content
    within = {name: _stated(content[name], version) for name in ("document",) if name in content}
    own = {name: version for name in ("contract",) if name in content}
    return {**content, **within, **own}
