"""schemas/ -> the contract's version, rules, profiles and operations."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from parity_tests.kit.engines import SCHEMAS, SetupError

CONTRACT = SCHEMAS / "CONTRACT.md"
FIRST = (2, 0)
LAST_OF_1 = "46d1f23"
"""The last commit whose kit judges engines of contract 1.6; this one judges from 2.0 on."""

# --- versions -------------------------------------------------------------------------------------

Number = tuple[int, int]
MEMBER = re.compile(r'"contract":"[^"]*"')
"""The member in a canonical text, in which quotes inside strings are escaped."""


@cache
def contract_version() -> str:
    """Return the version of the contract in schemas/."""
    operations = json.loads((SCHEMAS / "operations.json").read_text())
    return str(operations["contract"])


def number_of(version: str) -> Number:
    """Read `2.0`, or `2.0.3`, whose cases are the same. Raises SetupError for other text."""
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", version):
        raise SetupError(f"{version!r} is not a contract version, such as 2.0")
    major, minor, *_ = map(int, version.split("."))
    return major, minor


def refuse_short(version: str) -> None:
    """Raise SetupError unless the version has three numbers, as in documents."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        advice = f"write three numbers, as a document does, such as {contract_version()}"
        raise SetupError(f"{version!r} is short: {advice}")


def judged_number(version: str) -> Number:
    """Read a version. Raises SetupError, with what to do, if this kit cannot judge it."""
    number, (major, minor) = number_of(version), number_of(contract_version())
    if FIRST <= number <= (major, minor):
        return number
    advice = "install a newer kit, or choose a version that this one judges with --contract"
    if number < FIRST:
        advice = f"check out {LAST_OF_1}, the last commit of 1.6, whose kit judges engines of 1.6"
    known = f"this kit judges contract {FIRST[0]}.{FIRST[1]} to {major}.{minor}"
    raise SetupError(f"{known}, not {version}: {advice}")


def with_contract(outcome: dict[str, Any], version: str) -> dict[str, Any]:
    """Put `version` into an outcome; the digest of a canonical text changes with it (R33)."""
    [(kind, content)] = outcome.items()
    if kind == "canonical":
        text = MEMBER.sub(f'"contract":"{version}"', content["text"])
        return {kind: {"text": text, "digest": sha256(text.encode()).hexdigest()}}
    return {kind: _stated(content, version)}


def _stated(content: Any, version: str) -> Any:
    """Put the version into a result, and into the document that a result of the lab contains."""
    if not isinstance(content, dict):
        return content
    within = {name: _stated(content[name], version) for name in ("document",) if name in content}
    own = {name: version for name in ("contract",) if name in content}
    return {**content, **within, **own}


# --- rules ----------------------------------------------------------------------------------------

HEAD = re.compile(r"^(?:## (?P<part>.+)|- \*\*(?P<rule>R\d+) (?P<title>.+?)\*\*)", re.MULTILINE)


@cache
def load_rules() -> dict[str, list[str]]:
    """Return the sentences of each rule (`R7`), and of each part that has a text (`Lab`).

    A row of a table is a sentence, too, but not its head.
    """
    contract = CONTRACT.read_text(encoding="utf-8")
    heads = list(HEAD.finditer(contract))
    ends = [*(head.start() for head in heads[1:]), len(contract)]
    texts = {
        head["rule"] or head["part"]: (head["title"] or "") + contract[head.end() : end]
        for head, end in zip(heads, ends, strict=True)
    }
    return {name: found for name, text in texts.items() if (found := _sentences(text.strip()))}


def _sentences(text: str) -> list[str]:
    text = re.sub(r"(?m)^ *\|.*\n *\|[-:|]+$", "", text)
    items = re.split(r"\n *\n|\n *- |\n(?= *\|)", text)
    flat = [" ".join(item.split()) for item in items if item]
    ends = r"(?<=[.:]) (?=[A-Z`−(])(?!.*\|$)"  # not within a row
    return [each for item in flat for each in re.split(ends, item)]


# --- profiles -------------------------------------------------------------------------------------

CORE = "core"
"""The profile that every engine must have."""
ROW = re.compile(r"^\| `(\w+)` \| (.*) \| (.*) \|$", re.MULTILINE)
CALL = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?=(?:\s|#[^\n]*\n)*\()")


class Profile(NamedTuple):
    """A part of the contract that an engine claims as a whole or not at all."""

    rules: str
    words: tuple[str, ...]
    """The commands and functions that belong only to this profile."""


@cache
def load_profiles() -> dict[str, Profile]:
    """Return the profiles by name, `core` first."""
    contract = CONTRACT.read_text(encoding="utf-8")
    part = contract.partition("\n## Profiles\n")[2].partition("\n## ")[0]
    return {
        name: Profile(rules, tuple(re.findall(r"`(\w+)`", words)))
        for name, rules, words in ROW.findall(part)
    }


def profiles_of(commands: Iterable[str], program: object) -> frozenset[str]:
    """Return the profiles of `commands` and of the functions that `program` calls, or `core`."""
    calls = CALL.findall(program) if isinstance(program, str) else []
    needed = {_profiles()[word] for word in (*commands, *calls) if word in _profiles()}
    return frozenset(needed - {CORE} or {CORE})


def profiles_of_request(command: str, request: Mapping[str, Any]) -> frozenset[str]:
    """Return the profiles of a command and of the operations in its request."""
    nodes = request.get("nodes")
    listed = nodes if isinstance(nodes, list) else []
    made = [node.get("operation") for node in listed if isinstance(node, dict)]
    words = [command, request.get("operation"), *made]
    texts = [word for word in words if isinstance(word, str)]
    return profiles_of(texts, request.get("expression"))


@cache
def load_results() -> dict[str, str]:
    """Return the name of the schema of each command's result.

    A profile may have a schema of its own; protocol.schema.json describes all other results.
    """
    results = {
        "introspect": "document",
        "introspect_value": "document",
        "canonicalize": "canonical",
    }
    of_profiles = {
        word: name
        for word, name in _profiles().items()
        if (SCHEMAS / f"{name}.schema.json").exists()
    }
    return results | of_profiles


@cache
def _profiles() -> dict[str, str]:
    return {word: name for name, profile in load_profiles().items() for word in profile.words}


# --- operations -----------------------------------------------------------------------------------


class Operation(NamedTuple):
    """A row of the contract's table."""

    operation: str
    name: str
    syntax: str
    arity: int
    formula: str
    local_gradients: tuple[str | None, ...]
    domain: str
    derived: bool
    expansion: str | None

    @property
    def form(self) -> str:
        """How it is written: `infix`, `prefix` or `call`."""
        if self.syntax.startswith(f"{self.name}("):
            return "call"
        return "infix" if self.arity == 2 else "prefix"

    @property
    def is_everywhere(self) -> bool:
        """Whether every double is in its domain."""
        return self.domain.startswith("all ")


@cache
def load_operations() -> dict[str, Operation]:
    """Return the rows of schemas/operations.json by symbol."""
    rows = json.loads((SCHEMAS / "operations.json").read_text())["operations"]
    operations = [
        Operation(**{**row, "local_gradients": tuple(row["local_gradients"])}) for row in rows
    ]
    return {row.operation: row for row in operations}
