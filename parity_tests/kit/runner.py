"""Cases x engines -> results: passed, failed, skipped or crashed, each with its explanation."""

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Literal, NamedTuple

from parity_tests.kit.again import again
from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import ENGINES, Engine, SetupError
from parity_tests.kit.worker import EngineFault, Json, Worker

Status = Literal["passed", "failed", "crashed", "skipped", "known failure", "unexpected success"]

STATUSES: dict[Status, bool] = {
    "passed": True,
    "failed": False,
    "crashed": False,
    "skipped": True,
    "known failure": True,
    "unexpected success": False,
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
    expectation may name only a part of the document.
    """
    with ExitStack() as stack:
        first, *workers = [
            stack.enter_context(Worker(engine, seconds=seconds, check=check))
            for engine in [model, *(engine for engine in engines if engine != model)]
        ]
        for case in cases:
            right_response = None
            if model in engines or case.is_partial:
                result, right_response = _run(first, case, None)
                if model in engines:
                    yield _judged(result, model)
            for worker in workers:
                result, _ = _run(worker, case, right_response)
                yield _judged(result, worker.engine)
        for worker in [first, *workers]:
            try:
                worker.close()
            except EngineFault as fault:
                late = f"after the last case: {fault}"
                yield _judged(Result(worker.engine.name, cases[-1], "crashed", late), worker.engine)


def refuse_stale_lists(engines: list[Engine], cases: list[Case]) -> None:
    """Raise SetupError where a known failure names no case."""
    names = {case.name for case in cases}
    for engine in engines:
        if stale := sorted(engine.known_failures - names):
            raise SetupError(f"engine {engine.name}: there are no such known failures: {stale}")


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
    wrong = case.verdict(response)
    if wrong is None and model is not None and case.is_partial:
        difference = first_difference(outcome(model), outcome(response))
        wrong = f"the whole response differs from the model's\n{difference}" if difference else None
    if wrong is not None:
        return Result(name, case, "failed", wrong), None
    return Result(name, case, "passed"), response


def _judged(result: Result, engine: Engine) -> Result:
    """Apply the engine's list of known failures, and add the command that reproduces the result."""
    listed = "" if engine.file == ENGINES else f"--engines {shlex.quote(str(engine.file))} "
    command = f"{again('parity_tests')} {listed}--engine {engine.name} --filter {result.case.name}"
    result = result._replace(command=command)
    if result.case.name not in engine.known_failures:
        return result
    if result.status == "failed":
        return result._replace(status="known failure")
    if result.status == "passed":
        cure = "it is listed as a known failure, and passes; take it off the list"
        return result._replace(status="unexpected success", explanation=cure)
    return result
