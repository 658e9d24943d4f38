"""What the tests share: one long-lived worker an engine, and the schemas."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from jsonschema import Draft202012Validator

from parity_tests.kit.engines import load_engines
from parity_tests.kit.protocol import load_validators
from parity_tests.kit.worker import Worker


@pytest.fixture(scope="session")
def workers() -> Iterator[dict[str, Worker]]:
    """Every engine's worker by name; each must end well."""
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(Worker(engine, seconds=30.0))
            for name, engine in load_engines().items()
        }


@pytest.fixture(scope="session")
def validators() -> dict[str, Draft202012Validator]:
    """A validator for each of schemas/*.schema.json, by its first name."""
    return load_validators()
