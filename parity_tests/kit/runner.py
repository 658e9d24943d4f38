"""Cases x engines -> results: passed, failed, skipped or crashed, each with its explanation.

An engine is asked the cases of its contract whose profiles it claims. It may skip none of them.
"""

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Literal, NamedTuple

from parity_tests.kit.again import again
from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contracts import Number, number_of, with_contract
from parity_tests.kit.engines import ENGINES, Engine, SetupError
from parity_tests.kit.profiles import load_profiles
from parity_tests.kit.worker import EngineFault, Json, Started, Worker

Status = Literal[
    "passed",
    "failed",
    "crashed",
    "skipped",
    "known failure",
    "unexpected success",
    "not claimed",
]

STATUSES: dict[Status, bool] = {
    "passed": True,
    "failed": False,
    "crashed": False,
    "skipped": False,
    "known failure": True,
    "unexpected success": False,
    "not claimed": True,
}
"""Whether a run with such a result is still green."""


class Result(NamedTuple):
    """The outcome of one case for one engine."""

    engine: str
    case: Case
    status: Status
    explanation: str = ""
    command: str = ""
    """The command that reproduces it."""
    started: Started = Started("", (), "", "")
    """What the engine says of itself."""

    @property
    def good(self) -> bool:
        """True unless this result turns the run red."""
        return STATUSES[self.status]


def run_cases(
    engines: list[Engine],
    cases: list[Case],
    model: Engine,
    *,
    seconds: float = 30.0,
    check: Callable[[Json], str | None] | None = None,
) -> Iterator[Result]:
    """Give a result for each case and engine, case by case, as they come.

    A response is compared with the expectation and, in full, with the model's, because an
    expectation may name only a part of the document. The cases are those of a version of the
    contract: of the engine's own, unless another is asked for. Raises SetupError where an
    engine claims what there is not.
    """
    with ExitStack() as stack:
        first, *others = [
            stack.enter_context(Worker(engine, seconds=seconds, check=check))
            for engine in [model, *(engine for engine in engines if engine != model)]
        ]
        judged = [worker for worker in [first, *others] if worker.engine in engines]
        numbers = {worker: _number(worker) for worker in judged}
        last: dict[Worker, Case] = {}
        for case in cases:
            asked = [worker for worker in judged if case.is_of(numbers[worker])]
            for worker, result in _run_case(case, first, asked):
                if result.status != "not claimed":
                    last[worker] = case
                yield _judged(result, worker)
        for worker in [first, *others]:
            try:
                worker.close()
            except EngineFault as fault:
                late = f"after the last case: {fault}"
                case = last.get(worker, cases[-1])
                yield _judged(Result(worker.engine.name, case, "crashed", late), worker)


def refuse_stale_lists(engines: list[Engine], cases: list[Case]) -> None:
    """Raise SetupError where a known failure names no case."""
    names = {case.id for case in cases}
    for engine in engines:
        if stale := sorted(engine.known_failures - names):
            raise SetupError(f"engine {engine.name}: there are no such known failures: {stale}")


def _number(worker: Worker) -> Number:
    """Give the version by which an engine is judged; refuse what it claims beyond the contract."""
    engine, started = worker.engine, worker.started
    for name in started.profiles:
        if name not in load_profiles():
            known = ", ".join(load_profiles())
            raise SetupError(f"engine {engine.name} claims the profile {name!r}; there are {known}")
    return number_of(engine.contract or started.contract)


def _run_case(case: Case, first: Worker, asked: list[Worker]) -> Iterator[tuple[Worker, Result]]:
    """Ask the workers that claim what the case needs, after the first one, which is the model."""
    running = []
    for worker in asked:
        if lacking := case.profiles.difference(worker.started.profiles):
            name, reason = worker.engine.name, f"needs {' and '.join(sorted(lacking))}"
            yield worker, Result(name, case, "not claimed", reason)
        else:
            running.append(worker)
    right_response = None
    if first in running or (running and case.is_partial and _is_of(first, case)):
        result, right_response = _run(first, case, None)
        if first in running:
            yield first, result
    for worker in running:
        if worker is not first:
            yield worker, _run(worker, case, right_response)[0]


def _is_of(worker: Worker, case: Case) -> bool:
    return case.is_of(number_of(worker.started.contract))


def _run(worker: Worker, case: Case, model: Json | None) -> tuple[Result, Json | None]:
    """Give the result, and the response if it is right."""
    name = worker.engine.name
    try:
        response = worker.send(case.line) if case.line is not None else worker.run(*case.call)
    except EngineFault as fault:
        return Result(name, case, "crashed", str(fault)), None
    if response["kind"] == "skipped" and case.line is None:
        return Result(name, case, "skipped", response["reason"]), None
    if response["kind"] == "crashed" and case.line is None:
        crash = f"{response['message']}\n{response['traceback']}"
        return Result(name, case, "crashed", crash), None
    contract = worker.started.contract
    wrong = case.verdict(response, contract)
    if wrong is None and model is not None and case.is_partial:
        right = with_contract(outcome(model, case.command), contract)
        difference = first_difference(right, outcome(response, case.command))
        wrong = f"the whole response differs from the model's\n{difference}" if difference else None
    if wrong is not None:
        return Result(name, case, "failed", wrong), None
    return Result(name, case, "passed"), response


def _judged(result: Result, worker: Worker) -> Result:
    """Apply the engine's list of known failures, and add the command that reproduces the result."""
    engine = worker.engine
    listed = "" if engine.file == ENGINES else f"--engines {shlex.quote(str(engine.file))} "
    command = f"{again('parity_tests')} {listed}--engine {engine.name} --filter {result.case.id}"
    result = result._replace(command=command, started=worker.started)
    if result.case.id not in engine.known_failures:
        return result
    if result.status in ("failed", "skipped"):
        return result._replace(status="known failure")
    if result.status == "passed":
        advice = "it is listed as a known failure, and passes; take it off the list"
        return result._replace(status="unexpected success", explanation=advice)
    return result
