"""Every engine shows every behaviour of fixtures/, and all engines answer alike to the bit."""

import pytest

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import load_engines
from parity_tests.kit.explanation import describe
from parity_tests.kit.protocol import malformed
from parity_tests.kit.worker import EngineFault, Json, Worker

CASES = load_cases()
ENGINES = list(load_engines())

Responses = dict[tuple[str, str], Json]


@pytest.fixture(scope="module")
def responses() -> Responses:
    """Each engine's response to each case, so that each case runs once."""
    return {}


def call(engine: str, case: Case, workers: dict[str, Worker], responses: Responses) -> Json:
    key = engine, case.name
    if key not in responses:
        try:
            responses[key] = workers[engine].run(*case.call)
        except EngineFault as fault:
            fail(case, str(fault))
    return responses[key]


def fail(case: Case, what: str) -> None:
    command = f"python -m pytest parity_tests/tests/test_fixtures.py -k '{case.name}'"
    pytest.fail("\n".join([*describe(case), what, f"reproduce: {command}"]), pytrace=False)


@pytest.mark.parametrize(
    ("engine", "case"),
    [pytest.param(name, case, id=f"{name}-{case.name}") for name in ENGINES for case in CASES],
)
def test_the_engine_shows_the_behaviour(
    engine: str,
    case: Case,
    workers: dict[str, Worker],
    responses: Responses,
) -> None:
    response = call(engine, case, workers, responses)
    wrong = case.verdict(response)
    if wrong is not None:
        fail(case, wrong)
    shape = malformed(response)
    if shape is not None:
        fail(case, f"not as the schemas say: {shape}")


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_the_engines_agree_in_full(
    case: Case, workers: dict[str, Worker], responses: Responses
) -> None:
    first, *others = ENGINES
    expected = outcome(call(first, case, workers, responses))
    for other in others:
        difference = first_difference(expected, outcome(call(other, case, workers, responses)))
        if difference is not None:
            fail(case, f"{first} (expected) and {other} (actual) differ {difference}")
