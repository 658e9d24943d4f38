"""The suite can fail: every mistake of saboteurs.toml turns the fixtures red."""

from collections import Counter
from pathlib import Path

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import load_engines
from parity_tests.kit.worker import EngineFault, Worker
from parity_tests.mutation.saboteurs import Saboteur, load_saboteurs, sabotage

CASES = load_cases()
CALLS = [case.call for case in CASES]
ENGINES = load_engines()
SABOTEURS = load_saboteurs()


def test_every_engine_has_at_least_twelve_saboteurs() -> None:
    counted = Counter(saboteur.engine for saboteur in SABOTEURS)
    assert set(counted) == set(ENGINES)
    assert min(counted.values()) >= 12


@pytest.mark.parametrize(
    "saboteur", [pytest.param(each, id=f"{each.engine}-{each.mistake}") for each in SABOTEURS]
)
def test_the_fixtures_find_the_saboteur(saboteur: Saboteur, tmp_path: Path) -> None:
    engine = ENGINES[saboteur.engine]
    sabotage(saboteur, engine, tmp_path)
    worker = Worker(engine, root=tmp_path, seconds=10.0)
    worker.run_many([])  # it starts: a copy that is no program would prove nothing
    try:
        responses = worker.run_many(CALLS)
        worker.close()
    except EngineFault:
        return  # an engine that dies is found, too
    found = [
        case.name for case, response in zip(CASES, responses, strict=True) if case.verdict(response)
    ]
    assert found
    assert len(found) < len(CASES)  # the copy runs, and the mistake is what was found


def test_an_undamaged_copy_passes(tmp_path: Path) -> None:
    for engine in ENGINES.values():
        harmless = Saboteur("nothing", engine.name, *_harmless(engine.name))
        root = tmp_path / engine.name
        sabotage(harmless, engine, root)
        with Worker(engine, root=root) as worker:
            responses = worker.run_many(CALLS)
        wrong = [
            case.name for case, each in zip(CASES, responses, strict=True) if case.verdict(each)
        ]
        assert wrong == []


def _harmless(engine: str) -> tuple[str, str, str]:
    """Change a comment."""
    if engine == "engine_py":
        return "order.py", '"""Graph -> topological order', '"""The graph -> topological order'
    return "order.ts", "/** Graph -> topological order", "/** The graph -> topological order"
