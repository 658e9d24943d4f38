"""Every engine shows every behaviour of fixtures/, and all engines answer alike to the bit."""

from typing import NoReturn

import pytest

from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import load_engines
from parity_tests.kit.protocol import malformed
from parity_tests.kit.report import describe
from parity_tests.kit.worker import EngineFault, Json, Worker

CASES = load_cases()
ENGINES = list(load_engines())


def fail(case: Case, what: str) -> NoReturn:
    command = f"python -m pytest parity_tests/tests/test_fixtures.py -k '{case.id}'"
    pytest.fail("\n".join([*describe(case), what, f"reproduce: {command}"]), pytrace=False)


def call(engine: str, case: Case, workers: dict[str, Worker]) -> Json:
    """Give the engine's response if it shows the behaviour, and is as the schemas say."""
    try:
        response = workers[engine].run(*case.call)
    except EngineFault as fault:
        fail(case, f"{engine}: {fault}")
    wrong = case.verdict(response)
    if wrong is not None:
        fail(case, f"{engine}: {wrong}")
    shape = malformed(response)
    if shape is not None:
        fail(case, f"{engine}: not as the schemas say: {shape}")
    return response


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_the_engines_show_the_behaviour_and_agree_in_full(
    case: Case, workers: dict[str, Worker]
) -> None:
    first, *others = ENGINES
    expected = outcome(call(first, case, workers), case.command)
    for other in others:
        given = outcome(call(other, case, workers), case.command)
        difference = first_difference(expected, given)
        if difference is not None:
            fail(case, f"{first} (expected) and {other} (actual) differ {difference}")
