"""The suite can fail: every mistake of mistakes.toml turns the fixtures red."""

from collections import Counter
from pathlib import Path

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import Engine, load_engines
from parity_tests.kit.worker import Worker
from parity_tests.mutation.judge import Judge
from parity_tests.mutation.mistakes import Change, Mistake, load_mistakes, put_into_copy

ENGINES = load_engines()
MISTAKES = load_mistakes()
NOTHING = {
    "engine_py": Change("order.py", '"""Graph -> topological', '"""The graph -> topological'),
    "engine_ts": Change("order.ts", "/** Graph -> topological", "/** The graph -> topological"),
}
"""A change to a comment."""


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(load_cases())


def test_every_engine_has_at_least_twelve_mistakes() -> None:
    counted = Counter(mistake.engine for mistake in MISTAKES)
    assert set(counted) == set(ENGINES)
    assert min(counted.values()) >= 12


@pytest.mark.parametrize(
    "mistake",
    [
        pytest.param(
            each,
            id=f"{each.engine}-{each.name}",
            marks=[pytest.mark.thorough] if index % 12 else [],
        )
        for index, each in enumerate(MISTAKES)
    ],
)
def test_the_fixtures_find_the_mistake(mistake: Mistake, tmp_path: Path, judge: Judge) -> None:
    engine = ENGINES[mistake.engine]
    put_into_copy([mistake.change], engine, tmp_path)
    worker = Worker(engine, root=tmp_path, seconds=10.0)
    worker.run_many([])  # it starts: a copy that is no program would prove nothing
    assert judge.first_failure(worker) is not None


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_an_undamaged_copy_passes(engine: Engine, tmp_path: Path, judge: Judge) -> None:
    put_into_copy([NOTHING[engine.name]], engine, tmp_path)
    assert judge.first_failure(Worker(engine, root=tmp_path)) is None
