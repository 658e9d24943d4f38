"""A worker -> the first case that it fails: the verdict of the kit, quickly."""

from collections.abc import Sequence
from random import Random

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.engines import Engine
from parity_tests.kit.worker import EngineFault, Json, Worker

BATCH = 40
LARGE = 5_000
"""Characters of a request that is sent after all smaller ones."""


class Judge:
    """Cases in a fixed order, with the full answers of a model if there is one, as in the kit."""

    def __init__(self, cases: Sequence[Case], model: Engine | None = None) -> None:
        """Shuffle the cases: a mistake is seen by some topic, and by few cases of it."""
        shuffled = Random(1).sample(cases, len(cases))
        self.cases = sorted(shuffled, key=lambda case: len(str(case.request)) > LARGE)
        self.answers: list[Json] = [{} for _ in cases]
        if model is not None:
            with Worker(model) as worker:
                self.answers = [
                    worker.run(*each.call) if each.is_partial else {} for each in self.cases
                ]

    def first_failure(self, worker: Worker) -> str | None:
        """Name the case, or the crash; None where all cases pass."""
        try:
            claimed = {*worker.started.profiles}
            pairs = zip(self.cases, self.answers, strict=True)
            asked = [pair for pair in pairs if pair[0].profiles <= claimed]
            for start in range(0, len(asked), BATCH):
                batch = asked[start : start + BATCH]
                responses = _responses(worker, [case for case, _ in batch])
                for (case, answer), response in zip(batch, responses, strict=True):
                    if _is_wrong(case, answer, response):
                        return case.id
            worker.close()
        except EngineFault as fault:
            return str(fault).splitlines()[0][:100]
        finally:
            worker.__exit__(EngineFault)
        return None


def _responses(worker: Worker, cases: Sequence[Case]) -> list[Json]:
    calls = iter(worker.run_many([case.call for case in cases if case.line is None]))
    return [next(calls) if case.line is None else worker.send(case.line) for case in cases]


def _is_wrong(case: Case, answer: Json, response: Json) -> bool:
    """Judge as the kit does."""
    if case.verdict(response) is not None:
        return True
    if not answer:
        return False
    ours, theirs = (outcome(each, case.command) for each in (answer, response))
    return first_difference(ours, theirs) is not None
