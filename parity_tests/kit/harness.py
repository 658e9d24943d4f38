"""engines.toml -> engines; asks -> answers, through one long-lived worker each.

A worker speaks `schemas/protocol.schema.json`: one JSON object a line on stdin and stdout. It gets
the request alone, never what is expected of it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from parity_tests.kit.child import Child, ChildFault

ROOT = Path(__file__).resolve().parents[2]
ENGINES = ROOT / "parity_tests" / "engines.toml"
PROTOCOL = "1"

Json = dict[str, Any]
Ask = tuple[str, Mapping[str, Any], Mapping[str, int] | None]
"""A command, its request, and limits other than the defaults."""


class SetupError(Exception):
    """An engine, or what runs it, is not there. The suite fails; it never skips."""


class EngineFault(Exception):
    """A worker broke the protocol, died or fell silent; the message names the case."""


class Engine(NamedTuple):
    """How to start an engine's worker, and where the engine lies."""

    name: str
    argv: tuple[str, ...]
    folder: Path
    known_failures: frozenset[str] = frozenset()
    """Names of cases that it is not expected to pass yet."""
    root: Path = ROOT
    """Where its worker is started."""
    file: Path = ENGINES
    """Where it is listed."""


MEMBERS = {"folder": str, "argv": list, "known_failures": list}


def load_engines(file: Path = ENGINES, root: Path | None = None) -> dict[str, Engine]:
    """Read the engines by name. Raises SetupError where anything is missing.

    The engines of this repository are found and started at its root, others beside their file.
    """
    if not file.is_file():
        raise SetupError(f"no engines: {file} is missing")
    if root is None:
        root = ROOT if file == ENGINES else file.resolve().parent
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise SetupError(f"{file} is not TOML: {fault}") from None
    if not entries:
        raise SetupError(f"no engines: {file} lists none")
    return {name: _engine(name, entry, root, file) for name, entry in entries.items()}


def _engine(name: str, entry: Any, root: Path, file: Path) -> Engine:
    given = entry if isinstance(entry, dict) else {}
    entry = {"known_failures": [], **given}
    for member in [*MEMBERS, *entry]:
        if member not in MEMBERS or not isinstance(entry.get(member), MEMBERS[member]):
            told = "folder (a text), argv and known_failures (arrays)"
            raise SetupError(f"engine {name}: `{member}` is wrong; an engine has {told}")
    folder = root / entry["folder"]
    if not folder.is_dir() or not any(folder.iterdir()):
        raise SetupError(f"engine {name}: its folder {entry['folder']} is missing or empty")
    if not entry["argv"]:
        raise SetupError(f"engine {name}: `argv` is empty; it begins with the program")
    program, *rest = entry["argv"]
    argv = (find_program(program, root), *rest)
    return Engine(name, argv, folder, frozenset(entry["known_failures"]), root, file)


def find_program(name: str, root: Path = ROOT) -> str:
    """Find a program by its path from the root, beside the running Python, or on PATH."""
    if name == "python":
        return sys.executable
    if "/" in name:
        if not os.access(root / name, os.X_OK):
            raise SetupError(f"`{name}` is not a program in {root}")
        return str(root / name)
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        told = "install it; for the engines of this repository run `make setup`"
        raise SetupError(f"`{name}` is neither in {beside} nor on PATH; {told}")
    return found


@cache
def contract_version() -> str:
    """Give the version of the contract in schemas/."""
    operations = json.loads((ROOT / "schemas" / "operations.json").read_text())
    return str(operations["contract"])


def _no_check(_message: Json) -> str | None:
    """Trust every message."""
    return None


class Worker:
    """One engine, asked through one child. After a fault the next ask starts a new child."""

    def __init__(
        self,
        engine: Engine,
        *,
        seconds: float = 60.0,
        root: Path | None = None,
        check: Callable[[Json], str | None] | None = None,
    ) -> None:
        """Allow so many seconds for each answer, and let `check` say what is wrong in a message."""
        self.engine = engine
        self.seconds = seconds
        self.root = root or engine.root
        self.check = check or _no_check
        self._child: Child | None = None
        self._sequence = 0

    def __enter__(self) -> Self:
        self._started()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        elif self._child is not None:
            self._child.kill()

    def run(
        self, command: str, request: Mapping[str, Any], limits: Mapping[str, int] | None = None
    ) -> Json:
        """Ask one thing."""
        return self.run_many([(command, request, limits)])[0]

    def run_many(self, asks: Sequence[Ask]) -> list[Json]:
        """Ask many things at once. A thread writes, so that two full pipes never deadlock."""
        child, first = self._started(), self._sequence
        if asks and (early := child.read_early()):
            told = f"wrote {early[:200]!r} before it was asked, after the answer to the case before"
            raise self._fault(told, asks[0])
        self._sequence += len(asks)
        lines = [self._line(_run(sequence, ask)) for sequence, ask in enumerate(asks, first)]
        writer = threading.Thread(target=child.write, args=(lines,), daemon=True)
        writer.start()
        answers = []
        for sequence, ask in enumerate(asks, first):
            answers.append(self._read(child, ask))
            if (answered := answers[-1].get("sequence")) != sequence:
                raise self._fault(f"answered sequence {answered!r}, asked {sequence}", ask)
        writer.join()
        return answers

    def close(self) -> None:
        """Stop the child, which must say so and exit with 0."""
        child = self._child
        if child is None:
            return
        child.write([self._line({"kind": "stop"})])
        if self._read(child, "stop") != {"kind": "stopped"}:
            raise self._fault("did not answer `stopped`", "stop")
        code = child.wait(self.seconds)
        if code != 0:
            told = "did not end in time" if code is None else f"ended with {code} instead of 0"
            raise self._fault(told, "stop")
        child.kill()
        self._child = None

    def _started(self) -> Child:
        if self._child is None:
            self._child = Child(self.engine.argv, self.root)
            self._child.write([self._line({"kind": "start", "protocol": PROTOCOL})])
            started = self._read(self._child, "start")
            ours = {"kind": "started", "protocol": PROTOCOL, "contract": contract_version()}
            for member, expected in ours.items():
                if (spoken := started.get(member)) != expected:
                    told = f"speaks {member} {spoken!r}, this suite {expected!r}"
                    raise self._fault(told, "start")
        return self._child

    def _read(self, child: Child, case: str | Ask) -> Json:
        try:
            line = child.read_line(self.seconds)
        except ChildFault as fault:
            raise self._fault(str(fault), case) from None
        try:
            answer = json.loads(line, parse_constant=_refuse)
        except ValueError as fault:
            place = getattr(fault, "pos", 0)
            around = line[max(0, place - 60) : place + 20]
            raise self._fault(f"wrote no JSON object: {fault}, at ...{around!r}...", case) from None
        if not isinstance(answer, dict):
            raise self._fault(f"wrote {line[:200]!r}, which is no JSON object", case)
        if wrong := self.check(answer):
            raise self._fault(f"wrote a misshapen answer, {wrong}", case)
        return answer

    def _line(self, message: Json) -> str:
        if wrong := self.check(message):
            raise ValueError(f"the harness itself wrote a misshapen message, {wrong}")
        return json.dumps(message, separators=(",", ":")) + "\n"

    def _fault(self, what: str, case: str | Ask) -> EngineFault:
        if not isinstance(case, str):
            case = f"{case[0]} {json.dumps(case[1])[:300]}"
        child, self._child = self._child, None
        last_words = child.kill() if child is not None else ""
        return EngineFault(f"{self.engine.name} {what}, on: {case}\n{last_words}".rstrip())


def _run(sequence: int, ask: Ask) -> Json:
    command, request, limits = ask
    message = {"kind": "run", "sequence": sequence, "command": command, "request": request}
    return message if limits is None else {**message, "limits": limits}


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
