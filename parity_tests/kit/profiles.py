"""CONTRACT.md's table of profiles -> which parts of the contract a case needs."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from parity_tests.kit.engines import SCHEMAS

CORE = "core"
"""What every engine has."""
ROW = re.compile(r"^\| `(\w+)` \| (.*) \| (.*) \|$", re.MULTILINE)
CALL = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?=\s*\()")


class Profile(NamedTuple):
    """A part of the contract that an engine has as a whole, or does not claim."""

    rules: str
    words: tuple[str, ...]
    """The commands and functions that are of it alone."""


@cache
def load_profiles() -> dict[str, Profile]:
    """Give the profiles by name, `core` first."""
    contract = (SCHEMAS / "CONTRACT.md").read_text(encoding="utf-8")
    part = contract.partition("\n## Profiles\n")[2].partition("\n## ")[0]
    return {
        name: Profile(rules, tuple(re.findall(r"`(\w+)`", words)))
        for name, rules, words in ROW.findall(part)
    }


def profiles_of(commands: Iterable[str], program: object) -> frozenset[str]:
    """Give the profiles of commands, and of the functions that a program calls; else `core`."""
    calls = CALL.findall(program) if isinstance(program, str) else []
    needed = {_profiles()[word] for word in (*commands, *calls) if word in _profiles()}
    return frozenset(needed - {CORE} or {CORE})


def profiles_of_request(command: str, request: Mapping[str, Any]) -> frozenset[str]:
    """Give the profiles of a command and of what its request asks to compute."""
    nodes = request.get("nodes")
    listed = nodes if isinstance(nodes, list) else []
    made = [node.get("operation") for node in listed if isinstance(node, dict)]
    words = [command, request.get("operation"), *made]
    texts = [word for word in words if isinstance(word, str)]
    return profiles_of(texts, request.get("expression"))


@cache
def _profiles() -> dict[str, str]:
    return {word: name for name, profile in load_profiles().items() for word in profile.words}
