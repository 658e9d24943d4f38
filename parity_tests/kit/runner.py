"""Cases x engines -> results, and a verdict on each engine.

An engine is asked the cases of its contract whose profiles it claims. It may skip none of them.
"""

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contract import CORE, Number, load_profiles, number_of, with_contract
from parity_tests.kit.engines import ENGINES, Engine, SetupError
from parity_tests.kit.terminal import again
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
    file: Path = ENGINES
    """Where the engine is listed."""

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
    """Yield a result for each case and engine, case by case, as they come.

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
        pool = stack.enter_context(ThreadPoolExecutor(1 + len(others)))
        judged = [worker for worker in [first, *others] if worker.engine in engines]
        numbers = {worker: _number(worker) for worker in judged}
        last: dict[Worker, Case] = {}
        for case in cases:
            asked = [worker for worker in judged if case.is_of(numbers[worker])]
            for worker, result in _run_case(case, first, asked, pool):
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
    """Return the version by which an engine is judged. Raises SetupError for unknown profiles."""
    engine, started = worker.engine, worker.started
    for name in started.profiles:
        if name not in load_profiles():
            known = ", ".join(load_profiles())
            raise SetupError(f"engine {engine.name} claims the profile {name!r}; there are {known}")
    return number_of(engine.contract or started.contract)


def _run_case(
    case: Case, first: Worker, asked: list[Worker], pool: Executor
) -> Iterator[tuple[Worker, Result]]:
    """Ask the workers that claim what the case needs, all at once; the first one is the model."""
    running = []
    for worker in asked:
        if lacking := case.profiles.difference(worker.started.profiles):
            name, reason = worker.engine.name, f"needs {' and '.join(sorted(lacking))}"
            yield worker, Result(name, case, "not claimed", reason)
        else:
            running.append(worker)
    is_compared = running and case.is_partial and _is_of(first, case)
    beside = [first] if is_compared and first not in running else []
    responses = pool.map(lambda worker: _respond(worker, case), [*beside, *running])
    model = None
    for worker, response in zip([*beside, *running], responses, strict=True):
        result = _judge(worker, case, response, model)
        if worker is first and result.status == "passed" and not isinstance(response, EngineFault):
            model = response
        if worker in running:
            yield worker, result


def _is_of(worker: Worker, case: Case) -> bool:
    return case.is_of(number_of(worker.started.contract))


def _respond(worker: Worker, case: Case) -> Json | EngineFault:
    try:
        return worker.send(case.line) if case.line is not None else worker.run(*case.call)
    except EngineFault as fault:
        return fault


def _judge(worker: Worker, case: Case, response: Json | EngineFault, model: Json | None) -> Result:
    """Compare a response with the expectation, and a partial one's with the model's, if any."""
    name = worker.engine.name
    if isinstance(response, EngineFault):
        return Result(name, case, "crashed", str(response))
    if response["kind"] == "skipped" and case.line is None:
        return Result(name, case, "skipped", response["reason"])
    if response["kind"] == "crashed" and case.line is None:
        crash = f"{response['message']}\n{response['traceback']}"
        return Result(name, case, "crashed", crash)
    contract = worker.started.contract
    wrong = case.verdict(response, contract)
    if wrong is None and model is not None and case.is_partial:
        right = with_contract(outcome(model, case.command), contract)
        difference = first_difference(right, outcome(response, case.command))
        wrong = f"the whole response differs from the model's\n{difference}" if difference else None
    return Result(name, case, "passed") if wrong is None else Result(name, case, "failed", wrong)


def _judged(result: Result, worker: Worker) -> Result:
    """Apply the engine's list of known failures, and add the command that reproduces the result."""
    engine = worker.engine
    listed = "" if engine.file == ENGINES else f"--engines {shlex.quote(str(engine.file))} "
    command = f"{again('parity_tests')} {listed}--engine {engine.name} --filter {result.case.id}"
    result = result._replace(command=command, started=worker.started, file=engine.file)
    if result.case.id not in engine.known_failures:
        return result
    if result.status in ("failed", "skipped"):
        return result._replace(status="known failure")
    if result.status == "passed":
        advice = "it is listed as a known failure, and passes; take it off the list"
        return result._replace(status="unexpected success", explanation=advice)
    return result


# --- verdicts -------------------------------------------------------------------------------------

Known = Sequence[frozenset[str]]
"""The profiles of each known failure."""

KNOWN_SHARE = 20
"""Of so many cases of a profile one may be a known failure; with more, it is not there yet."""


class Share(NamedTuple):
    """What an engine has of a profile."""

    claimed: bool
    cases: int
    """Those that it was asked, if it claims the profile; else those that it would be asked."""
    passed: int
    known: int
    """Known failures."""

    @property
    def conforms(self) -> bool:
        """True where cases pass, and nothing is wrong but what is known, which is little."""
        is_known = self.cases == self.passed + self.known
        return self.passed > 0 and is_known and self.known <= max(1, self.cases // KNOWN_SHARE)


class Verdict(NamedTuple):
    """What a run says of an engine."""

    engine: str
    started: Started
    green: bool
    profiles: dict[str, Share]
    clauses: list[str]
    """In words, the first one the shortest that is true."""

    @property
    def words(self) -> str:
        """All clauses."""
        return "; ".join(self.clauses)

    @property
    def is_whole(self) -> bool:
        """True where the engine has everything."""
        shares = self.profiles.values()
        return self.green and all(each.claimed and each.cases == each.passed for each in shares)


class Fuzz(NamedTuple):
    """What comparing engines on random programs gave."""

    green: bool
    text: str


@dataclass(frozen=True)
class Run:
    """The results of a run."""

    results: Sequence[Result]
    chosen: str = ""
    """Which cases were run, where it was not all."""
    contract: str | None = None
    """The version that was asked for, where it is not each engine's own."""
    fuzz: Fuzz | None = None
    """What random programs found, if there were any."""

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdict on each engine."""
        engines = dict.fromkeys(result.engine for result in self.results)
        return [_verdict(self, name) for name in engines]

    @property
    def notes(self) -> list[str]:
        """What a report says below its verdicts."""
        return [*filter(None, [self.chosen, self.fuzz.text if self.fuzz else ""])]

    @property
    def failing(self) -> list[str]:
        """What fails, by rule, of each engine of which something does."""
        counts = [_failing(self.results, verdict.engine) for verdict in self.verdicts]
        return [*filter(None, counts)]

    @property
    def is_green(self) -> bool:
        """True where every engine conforms to what it claims; no engine proves nothing."""
        agree = self.fuzz is None or self.fuzz.green
        return agree and bool(self.results) and all(verdict.green for verdict in self.verdicts)


def _verdict(run: Run, engine: str) -> Verdict:
    own = [result for result in run.results if result.engine == engine]
    started = own[0].started
    needed = [result.case.profiles for result in own]
    profiles = {
        name: _share(
            name, [each for each, of in zip(own, needed, strict=True) if name in of], started
        )
        for name in load_profiles()
    }
    wrong = any(not result.good for result in own)
    asked = {name: share for name, share in profiles.items() if share.claimed and share.cases}
    conforms = bool(asked) and all(share.conforms for share in asked.values())
    green = profiles[CORE].claimed and conforms and not wrong
    number = ".".join(map(str, number_of(run.contract or started.contract)))
    what = f"{number} (of the cases chosen)" if run.chosen else number
    known = [result.case.profiles for result in own if result.status == "known failure"]
    return Verdict(engine, started, green, profiles, _clauses(profiles, what, known))


def _failing(results: Sequence[Result], engine: str) -> str:
    """Count by rule what fails: one fault has many cases, and the first may be of another rule."""
    asked = [each for each in results if each.engine == engine and each.status != "not claimed"]
    cases = Counter(rule for each in asked for rule in each.case.holds)
    failed = Counter(rule for each in asked if not each.good for rule in each.case.holds)
    most = [f"{rule} in {count} of {cases[rule]} cases" for rule, count in failed.most_common(3)]
    return f"{engine} fails {_listed(most)}" if most else ""


def _share(profile: str, results: Sequence[Result], started: Started) -> Share:
    """Count the results of the profile's cases."""
    claimed = profile in started.profiles
    counted = [
        result.status for result in results if not (claimed and result.status == "not claimed")
    ]
    return Share(claimed, len(counted), counted.count("passed"), counted.count("known failure"))


def _clauses(profiles: dict[str, Share], what: str, known: Known) -> list[str]:
    """Say what is wrong first, then what conforms, then what is not claimed."""
    met = {name: share for name, share in profiles.items() if share.cases}
    good = [name for name, share in met.items() if share.claimed and share.conforms]
    bad = [name for name, share in met.items() if share.claimed and not share.conforms]
    counted = [f"{name} ({_count(met[name])})" for name in bad]
    missing = [name for name, share in met.items() if not share.claimed]
    named = "all profiles" if len(good) == len(profiles) else _listed(good)
    count = sum(not each.isdisjoint(good) for each in known)
    but = f" but for {count} known failure{'s' * (count > 1)}" if count else ""
    parts = [
        (not profiles[CORE].claimed, f"does not conform to {what} without {CORE}"),
        (bad, f"does not conform to {_listed(counted)} of {what}"),
        (good, f"conforms to {named} of {what}{but}"),
        (missing, f"does not claim {_listed(missing)}"),
        (not any(share.passed for share in met.values()), "passed no case"),
    ]
    return [text for told, text in parts if told]


def _count(share: Share) -> str:
    many = share.passed > 0 and share.cases == share.passed + share.known
    known = f"; {share.known} known failures are more than one in {KNOWN_SHARE}" if many else ""
    return f"{share.passed} of {share.cases}{known}"


def _listed(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last
