"""Every engine shows every behaviour of fixtures/, and all engines answer alike to the bit."""

import pytest

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.harness import EngineFault, Json, Worker, load_engines
from parity_tests.kit.protocol import misshapen

CASES = load_cases()
ENGINES = list(load_engines())

Answers = dict[tuple[str, str], Json]


@pytest.fixture(scope="module")
def answers() -> Answers:
    """What each engine answered to each case, so that it is asked once."""
    return {}


def ask(engine: str, case: Case, workers: dict[str, Worker], answers: Answers) -> Json:
    key = engine, case.name
    if key not in answers:
        try:
            answers[key] = workers[engine].run(*case.ask)
        except EngineFault as fault:
            fail(case, str(fault))
    return answers[key]


def fail(case: Case, what: str) -> None:
    again = f"python -m pytest parity_tests/tests/test_fixtures.py -k '{case.name}'"
    pytest.fail(f"{case.why}\n{what}\nagain: {again}", pytrace=False)


@pytest.mark.parametrize(
    ("engine", "case"),
    [pytest.param(name, case, id=f"{name}-{case.name}") for name in ENGINES for case in CASES],
)
def test_the_engine_shows_the_behaviour(
    engine: str,
    case: Case,
    workers: dict[str, Worker],
    answers: Answers,
) -> None:
    answer = ask(engine, case, workers, answers)
    wrong = case.verdict(answer)
    if wrong is not None:
        fail(case, wrong)
    shape = misshapen(answer)
    if shape is not None:
        fail(case, f"not as the schemas say: {shape}")


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_the_engines_agree_in_full(
    case: Case, workers: dict[str, Worker], answers: Answers
) -> None:
    first, *others = ENGINES
    expected = outcome(ask(first, case, workers, answers))
    for other in others:
        difference = first_difference(expected, outcome(ask(other, case, workers, answers)))
        if difference is not None:
            fail(case, f"{first} (expected) and {other} (actual) differ {difference}")
