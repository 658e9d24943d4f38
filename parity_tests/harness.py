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
from pathlib import Path
from typing import Any, NamedTuple, Self

from parity_tests.child import Child, ChildFault

ROOT = Path(__file__).resolve().parent.parent
ENGINES = Path(__file__).with_name("engines.toml")
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


def load_engines(file: Path = ENGINES, root: Path = ROOT) -> dict[str, Engine]:
    """Read the engines by name. Raises SetupError where anything is missing."""
    if not file.is_file():
        raise SetupError(f"no engines: {file} is missing")
    engines = {}
    for name, entry in tomllib.loads(file.read_text()).items():
        folder = root / entry["folder"]
        if not folder.is_dir() or not any(folder.iterdir()):
            raise SetupError(f"engine {name}: its folder {entry['folder']} is missing or empty")
        program, *rest = entry["argv"]
        known = frozenset(entry.get("known_failures", ()))
        engines[name] = Engine(name, (find_program(program), *rest), folder, known)
    if not engines:
        raise SetupError(f"no engines: {file} lists none")
    return engines


def find_program(name: str) -> str:
    """Find a program beside the running Python, then on PATH."""
    if name == "python":
        return sys.executable
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([beside, os.environ.get("PATH", "")]))
    if found is None:
        raise SetupError(f"`{name}` is neither in {beside} nor on PATH; run `make setup`")
    return found


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
        root: Path = ROOT,
        check: Callable[[Json], str | None] | None = None,
    ) -> None:
        """Allow so many seconds for each answer, and let `check` say what is wrong in a message."""
        self.engine = engine
        self.seconds = seconds
        self.root = root
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
        self._sequence += len(asks)
        lines = [self._line(_run(sequence, ask)) for sequence, ask in enumerate(asks, first)]
        writer = threading.Thread(target=child.write, args=(lines,), daemon=True)
        writer.start()
        answers = []
        for sequence, ask in enumerate(asks, first):
            answers.append(self._read(child, ask))
            if answers[-1].get("sequence") != sequence:
                raise self._fault(f"answered {json.dumps(answers[-1])[:200]}", ask)
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
            raise self._fault(f"ended with {code} instead of 0", "stop")
        child.kill()
        self._child = None

    def _started(self) -> Child:
        if self._child is None:
            self._child = Child(self.engine.argv, self.root)
            self._child.write([self._line({"kind": "start", "protocol": PROTOCOL})])
            started = self._read(self._child, "start")
            spoken = [started.get(member) for member in ("kind", "protocol", "contract")]
            if spoken != ["started", PROTOCOL, contract_version()]:
                raise self._fault(f"answered {json.dumps(started)[:200]}", "start")
        return self._child

    def _read(self, child: Child, case: str | Ask) -> Json:
        try:
            line = child.read_line(self.seconds)
        except ChildFault as fault:
            raise self._fault(str(fault), case) from None
        try:
            answer = json.loads(line, parse_constant=_refuse)
        except ValueError:
            answer = None
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
