"""Cases x engines -> results, and a verdict on each engine.

An engine gets the cases of its contract version whose profiles it claims, and may skip none.
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
"""Each status, and whether a run with such a result can be green."""


class Result(NamedTuple):
    """The outcome of one case for one engine."""

    engine: str
    case: Case
    status: Status
    explanation: str = ""
    command: str = ""
    """The command that reproduces it."""
    started: Started = Started("", (), "", "")
    """What the engine states about itself."""
    file: Path = ENGINES
    """The file that lists the engine."""

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
    """Yield a result for each case and engine, case by case.

    A response is compared with the expectation and, as a whole, with that of `model`, because an
    expectation may state only a part of the document. An engine gets the cases of the contract
    version that it states, or of its `contract`. `seconds` is the time limit of a response.
    Raises SetupError if an engine claims an unknown profile.
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
            asked = [worker for worker in judged if case.applies_to(numbers[worker])]
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
    """Raise SetupError if a known failure is not the id of a case."""
    names = {case.id for case in cases}
    for engine in engines:
        if stale := sorted(engine.known_failures - names):
            raise SetupError(f"engine {engine.name}: known_failures lists unknown cases: {stale}")


def _number(worker: Worker) -> Number:
    """Return the version to judge an engine by. Raises SetupError for an unknown profile."""
    engine, started = worker.engine, worker.started
    for name in started.profiles:
        if name not in load_profiles():
            known = ", ".join(load_profiles())
            raise SetupError(
                f"engine {engine.name} claims the unknown profile {name!r}; known: {known}"
            )
    return number_of(engine.contract or started.contract)


def _run_case(
    case: Case, first: Worker, asked: list[Worker], pool: Executor
) -> Iterator[tuple[Worker, Result]]:
    """Send a case to the workers that claim what it needs, all at once; `first` is the model."""
    running = []
    for worker in asked:
        if lacking := case.profiles.difference(worker.started.profiles):
            name, reason = worker.engine.name, f"needs {' and '.join(sorted(lacking))}"
            yield worker, Result(name, case, "not claimed", reason)
        else:
            running.append(worker)
    is_compared = running and case.is_partial and _applies(case, first)
    extra = [first] if is_compared and first not in running else []
    responses = pool.map(lambda worker: _respond(worker, case), [*extra, *running])
    model = None
    for worker, response in zip([*extra, *running], responses, strict=True):
        result = _judge(worker, case, response, model)
        if worker is first and result.status == "passed" and not isinstance(response, EngineFault):
            model = response
        if worker in running:
            yield worker, result


def _applies(case: Case, worker: Worker) -> bool:
    return case.applies_to(number_of(worker.started.contract))


def _respond(worker: Worker, case: Case) -> Json | EngineFault:
    try:
        return worker.send(case.line) if case.line is not None else worker.run(*case.call)
    except EngineFault as fault:
        return fault


def _judge(worker: Worker, case: Case, response: Json | EngineFault, model: Json | None) -> Result:
    """Compare a response with the expectation and, if that is partial, with the model's."""
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
        advice = "it is listed as a known failure, but passes; remove it from the list"
        return result._replace(status="unexpected success", explanation=advice)
    return result


# --- verdicts -------------------------------------------------------------------------------------

Known = Sequence[frozenset[str]]
"""The profiles of each known failure."""

KNOWN_SHARE = 20
"""At most one in `KNOWN_SHARE` cases of a profile may be a known failure; with more than that, an
engine does not conform to it."""


class Share(NamedTuple):
    """How much of a profile an engine passes."""

    claimed: bool
    cases: int
    """Cases that it got, or would get if it claimed the profile."""
    passed: int
    known: int
    """Cases that are known failures."""

    @property
    def conforms(self) -> bool:
        """Whether all cases pass, except for few known failures."""
        is_known = self.cases == self.passed + self.known
        return self.passed > 0 and is_known and self.known <= max(1, self.cases // KNOWN_SHARE)


class Verdict(NamedTuple):
    """The conclusion of a run about one engine."""

    engine: str
    started: Started
    green: bool
    profiles: dict[str, Share]
    clauses: list[str]
    """The conclusion in words; the first clause is enough where there is little room."""

    @property
    def words(self) -> str:
        """All clauses in one sentence."""
        return "; ".join(self.clauses)

    @property
    def is_whole(self) -> bool:
        """Whether the engine passes every case of every profile."""
        shares = self.profiles.values()
        return self.green and all(each.claimed and each.cases == each.passed for each in shares)


class Fuzz(NamedTuple):
    """The outcome of comparing engines on random programs."""

    green: bool
    text: str


@dataclass(frozen=True)
class Run:
    """The results of a run."""

    results: Sequence[Result]
    chosen: str = ""
    """Which cases were run; empty for all."""
    contract: str | None = None
    """The contract version of --contract; None for the one that each engine states."""
    fuzz: Fuzz | None = None
    """The outcome of random programs, if there were any."""

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdict on each engine."""
        engines = dict.fromkeys(result.engine for result in self.results)
        return [_verdict(self, name) for name in engines]

    @property
    def notes(self) -> list[str]:
        """Further lines of a report, below the verdicts."""
        return [*filter(None, [self.chosen, self.fuzz.text if self.fuzz else ""])]

    @property
    def failing(self) -> list[str]:
        """For each engine that fails cases, a line with the rules of those cases."""
        counts = [_failing(self.results, verdict.engine) for verdict in self.verdicts]
        return [*filter(None, counts)]

    @property
    def is_green(self) -> bool:
        """Whether every engine conforms to what it claims; false if there is no engine."""
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
    """Count failures by rule: one bug fails many cases, and the first may cite another rule."""
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
    """Return what fails, then what conforms, then what is not claimed, as clauses."""
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
