"""The suite can fail: every mistake of mistakes.toml turns the fixtures red."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import load_engines
from parity_tests.kit.worker import EngineFault, Worker
from parity_tests.mutation.mistakes import Mistake, load_mistakes, put_into_copy

CASES = load_cases()
SHUFFLED = sorted(
    Random(1).sample(CASES, len(CASES)), key=lambda case: len(str(case.request)) > 2_000
)
"""Most mistakes are found by one of the first, so the few long programs are last."""
BATCH = 50
ENGINES = load_engines()
MISTAKES = load_mistakes()


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
            marks=[pytest.mark.thorough] if index % 4 else [],
        )
        for index, each in enumerate(MISTAKES)
    ],
)
def test_the_fixtures_find_the_mistake(mistake: Mistake, tmp_path: Path) -> None:
    engine = ENGINES[mistake.engine]
    put_into_copy(mistake, engine, tmp_path)
    worker = Worker(engine, root=tmp_path, seconds=10.0)
    worker.run_many([])  # it starts: a copy that is no program would prove nothing
    verdicts: set[bool] = set()
    for start in range(0, len(SHUFFLED), BATCH):
        cases = SHUFFLED[start : start + BATCH]
        try:
            responses = worker.run_many([case.call for case in cases])
        except EngineFault:
            return  # an engine that dies is found, too
        pairs = zip(cases, responses, strict=True)
        verdicts |= {case.verdict(response) is None for case, response in pairs}
        if verdicts == {True, False}:
            break
    worker.close()
    # Some fixture fails, and another one passes: the copy runs, and the mistake is what was found.
    assert verdicts == {True, False}


def test_an_undamaged_copy_passes(tmp_path: Path) -> None:
    for engine in ENGINES.values():
        harmless = Mistake("nothing", engine.name, *_harmless(engine.name))
        root = tmp_path / engine.name
        put_into_copy(harmless, engine, root)
        with Worker(engine, root=root) as worker:
            responses = worker.run_many([case.call for case in CASES])
        wrong = [
            case.name for case, each in zip(CASES, responses, strict=True) if case.verdict(each)
        ]
        assert wrong == []


def _harmless(engine: str) -> tuple[str, str, str]:
    """Change a comment."""
    if engine == "engine_py":
        return "order.py", '"""Graph -> topological order', '"""The graph -> topological order'
    return "order.ts", "/** Graph -> topological order", "/** The graph -> topological order"
