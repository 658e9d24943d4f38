"""Shared fixtures: one long-lived worker per engine, the schemas, and an engine that differs."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from parity_tests.kit.engines import ROOT, load_engines
from parity_tests.kit.protocol import load_validators
from parity_tests.kit.worker import Budget, Worker


@pytest.fixture(scope="session")
def workers() -> Iterator[dict[str, Worker]]:
    """Every engine's worker by name; each must stop with exit code 0."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(Worker(engine, budget=Budget(30.0)))
            for name, engine in load_engines().items()
        }


@pytest.fixture(scope="session")
def validators() -> dict[str, Draft202012Validator]:
    """A validator for each of schemas/*.schema.json, by the file's name."""
    return load_validators()


PROXY = """
import json, sys
sys.path.insert(0, %r)
from engine_py.protocol.worker import answer

def changed(message, response):
%s
    return response

for line in sys.stdin.buffer:
    response = changed(json.loads(line), answer(line))
    print(json.dumps(response), flush=True)
    if response["kind"] == "stopped":
        break
"""


ENTRY = """
[mine]
folder = "."
argv = ["python", "worker.py"]
twin = true # it runs engine_py
"""


def write_proxy(folder: Path, change: str) -> str:
    """Write a worker and its entry, `mine`; return the entry's file.

    The change is a body of a function of a message and its response, which makes the other
    response, or changes this one.
    """
    body = "\n".join(f"    {line}" for line in change.strip().splitlines())
    (folder / "worker.py").write_text(PROXY % (str(ROOT), body))
    (folder / "mine.toml").write_text(ENTRY)
    return str(folder / "mine.toml")
