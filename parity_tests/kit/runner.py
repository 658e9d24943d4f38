"""Cases x engines -> results, and a verdict on each engine.

An engine gets the cases of its contract version whose profiles it claims, and may skip none.
"""

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile
from pathlib import Path
from typing import Literal, NamedTuple

from parity_tests.kit.cases import Case
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contract import CORE, Number, load_profiles, number_of, with_contract
from parity_tests.kit.engines import ENGINES, Engine, SetupError
from parity_tests.kit.terminal import again
from parity_tests.kit.worker import Budget, EngineFault, Json, OverBudget, Started, Worker

Status = Literal[
    "passed",
    "failed",
    "crashed",
    "skipped",
    "not asked",
    "known failure",
    "unexpected success",
    "not claimed",
]

STATUSES: dict[Status, bool] = {
    "passed": True,
    "failed": False,
    "crashed": False,
    "skipped": False,
    "not asked": False,
    "known failure": True,
    "unexpected success": False,
    "not claimed": True,
}
"""Each status, and whether a run with such a result can be green."""
UNASKED = ("not claimed", "not asked")


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
    is_over_budget: bool = False
    """Whether the engine took more time or memory than its budget."""
    has_words_of_model: bool | None = None
    """Whether an error's message is the model's; None without one, or for a declared twin."""

    @property
    def good(self) -> bool:
        """True unless this result turns the run red."""
        return STATUSES[self.status]


Responses = dict[str, Future[Json | EngineFault]]
"""An engine's responses by the ids of the cases that it gets."""


def run_cases(
    engines: list[Engine],
    cases: list[Case],
    model: Engine,
    *,
    budget: Budget | None = None,
    check: Callable[[Json], str | None] | None = None,
) -> Iterator[Result]:
    """Yield a result for each case and engine, case by case.

    A response is compared with the expectation and, as a whole, with that of `model`, because an
    expectation may state only a part of the document. If the model fails an expectation, no engine
    is compared with it, and its failures are results, too. An engine gets the cases of the contract
    version that it states, or of its `contract`. `budget` bounds each of `engines`. Raises
    SetupError if an engine claims an unknown profile.
    """
    with ExitStack() as stack:
        first, *others = [
            stack.enter_context(
                Worker(engine, budget=budget if engine in engines else None, check=check)
            )
            for engine in [model, *(engine for engine in engines if engine != model)]
        ]
        judged = [worker for worker in [first, *others] if worker.engine in engines]
        numbers = {worker: _number(worker) for worker in [first, *judged]}
        asked = {
            worker: {case.id: case for case in cases if case.applies_to(numbers[worker])}
            for worker in numbers
        }
        if first not in judged:
            asked[first] = _needed(asked[first], judged)
        responses = {worker: _start(stack, worker, [*asked[worker].values()]) for worker in asked}
        wrong = _failures_of_model(first, [*asked[first].values()], responses[first])
        last: dict[Worker, Case] = {}
        for case in cases:
            right = None if wrong else _response(responses[first], case)
            for worker in judged:
                if case.id in asked[worker]:
                    result = _result(worker, case, responses[worker], right, first)
                    if result.status != "not claimed":
                        last[worker] = case
                    yield _judged(result, worker)
            if first not in judged and case.id in wrong:
                yield _judged(wrong[case.id], first)
        for worker in [first, *others]:
            try:
                worker.close()
            except EngineFault as fault:
                late = f"after the last case: {fault}"
                case = last.get(worker, cases[-1])
                yield _judged(Result(worker.engine.name, case, "crashed", late), worker)


def _needed(cases: dict[str, Case], judged: Sequence[Worker]) -> dict[str, Case]:
    """Return the cases in which an engine is compared with the model."""
    claims = [{*worker.started.profiles} for worker in judged]
    return {
        name: case
        for name, case in cases.items()
        if case.is_partial and any(case.profiles <= claimed for claimed in claims)
    }


def _start(stack: ExitStack, worker: Worker, cases: Sequence[Case]) -> Responses:
    """Send an engine the cases whose profiles it claims, one by one in a thread of its own."""
    thread = ThreadPoolExecutor(1)
    stack.callback(thread.shutdown, cancel_futures=True)
    claimed = [case for case in cases if case.profiles <= {*worker.started.profiles}]
    return {case.id: thread.submit(_respond, worker, case) for case in claimed}


def _respond(worker: Worker, case: Case) -> Json | EngineFault:
    try:
        return worker.send(case.line) if case.line is not None else worker.run(*case.call)
    except EngineFault as fault:
        return fault


def _response(responses: Responses, case: Case) -> Json | None:
    """Return the model's response to a case that it gets."""
    response = responses[case.id].result() if case.id in responses else None
    return None if isinstance(response, EngineFault) else response


def _failures_of_model(
    first: Worker, cases: Sequence[Case], responses: Responses
) -> dict[str, Result]:
    """Judge the model by the expectations, which come from elsewhere; return its failures."""
    of_model = (_result(first, case, responses, None, first) for case in cases if case.is_partial)
    return {result.case.id: result for result in of_model if not result.good}


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


def _result(
    worker: Worker, case: Case, responses: Responses, right: Json | None, first: Worker
) -> Result:
    """Wait for the response to a case and judge it; `right` is that of the model, `first`."""
    name = worker.engine.name
    if case.id not in responses:
        lacking = " and ".join(sorted(case.profiles.difference(worker.started.profiles)))
        return Result(name, case, "not claimed", f"needs {lacking}")
    response = responses[case.id].result()
    if worker is first or not case.is_partial:
        right = None
    result = _judge(worker, case, response, right)
    if right is None or isinstance(response, EngineFault) or worker.engine.is_twin:
        return result
    messages = [each.get("error", {}).get("message") for each in (right, response)]
    words = None if None in messages else messages[0] == messages[1]
    return result._replace(has_words_of_model=words)


def _judge(worker: Worker, case: Case, response: Json | EngineFault, model: Json | None) -> Result:
    """Compare a response with the expectation and, if that is partial, with the model's."""
    name = worker.engine.name
    if isinstance(response, EngineFault):
        over = isinstance(response, OverBudget)
        later = isinstance(response, OverBudget) and response.is_later
        status: Status = "not asked" if later else "crashed"
        return Result(name, case, status, str(response), is_over_budget=over)
    if response["kind"] == "skipped" and case.line is None:
        return Result(name, case, "skipped", response["reason"])
    if response["kind"] == "crashed" and case.line is None:
        crash = f"{response['message']}\n{response['traceback']}"
        return Result(name, case, "crashed", crash)
    contract = worker.started.contract
    wrong = case.verdict(response, contract)
    if wrong is None and model is not None:
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


# --- a failure, asked again ---------------------------------------------------------------------

TRIES = 30
"""The number of attempts to find which cases before a failure cause it."""


def asked_again(
    result: Result, results: Sequence[Result], engine: Engine, model: Engine, budget: Budget
) -> Result:
    """Ask a failed case again in a fresh process, and say so if it then passes.

    The result then names the fewest earlier cases after which it fails, and their command.
    """
    sent = [each for each in results if each.engine == result.engine and each.status not in UNASKED]
    before: list[Case] = []
    for each in sent[: sent.index(result)]:
        before = [] if each.status == "crashed" else [*before, each.case]

    def fails(some: Sequence[Case]) -> bool:
        again = run_cases([engine], [*some, result.case], model, budget=budget)
        return any(not each.good for each in again if each.case is result.case)

    if fails([]):
        return result
    few = _fewest(before, fails)
    if few is None:
        return result._replace(explanation=f"{result.explanation}\nasked again, it passes")
    names = ", ".join(case.id for case in few)
    reported = f"alone it passes; after {names} it does not"
    filters = "".join(f" --filter {case.id}" for case in few)
    command = f"{result.command}{filters}"
    return result._replace(explanation=f"{result.explanation}\n{reported}", command=command)


def _fewest(cases: list[Case], fails: Callable[[Sequence[Case]], bool]) -> list[Case] | None:
    """Return a few of the cases after which another fails: the last ones, without unneeded ones."""
    sizes = [*takewhile(lambda size: size < len(cases), (1 << n for n in count())), len(cases)]
    found = next((cases[-size:] for size in sizes if fails(cases[-size:])), None)
    size, tries = len(found or []) // 2, TRIES
    while found and size and tries > 0:
        for start in range(0, len(found), size):
            tries -= 1
            if fails(fewer := [*found[:start], *found[start + size :]]):
                found = fewer
                break
        else:
            size //= 2
    return found


# --- verdicts -------------------------------------------------------------------------------------

Known = Sequence[frozenset[str]]
"""The profiles of each known failure."""

KNOWN_SHARE = 20
"""At most one in `KNOWN_SHARE` cases of a profile may be a known failure; with more than that, an
engine does not conform to it."""


ENOUGH_WORDS = 50
"""Errors in which an engine cannot have the model's messages, freely worded, by chance."""
COPIED = (
    "has the model's own messages in all {} errors, so it runs that engine or copies it (write "
    "`twin = true` into its entry if it is meant to)"
)
STORED = "The cases pass and random programs do not: an engine may have only stored answers."
NOT_SHOWN = "This run cannot show that an engine conforms: it lacks {}."


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
    """The conclusion in words; the first clause is enough if there is little room."""

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
    model: str = ""
    """The engine with which the others are compared."""
    tells_all: bool = False
    """Whether a report for a terminal explains each failure."""

    @cached_property
    def verdicts(self) -> list[Verdict]:
        """The verdict on each engine."""
        engines = dict.fromkeys(result.engine for result in self.results)
        return [_verdict(self, name) for name in engines]

    @property
    def missing(self) -> list[str]:
        """The parts that did not run, of the three that show that an engine conforms."""
        has_lines = any(result.case.line is not None for result in self.results)
        parts = {"all cases": not self.chosen, "--lines": has_lines, "--fuzz": bool(self.fuzz)}
        return [part for part, has_run in parts.items() if not has_run]

    @property
    def notes(self) -> list[str]:
        """Further lines of a report, below the verdicts."""
        fuzz = self.fuzz.text if self.fuzz else ""
        stored = STORED if self.is_fuzz_alone_red else ""
        is_partial = self.is_green and self.missing and not self.chosen
        lacking = NOT_SHOWN.format(" ".join(self.missing)) if is_partial else ""
        return [*filter(None, [self.chosen, fuzz, stored, lacking])]

    @property
    def is_fuzz_alone_red(self) -> bool:
        """Whether the cases pass, but random programs differ."""
        differs = self.fuzz is not None and not self.fuzz.green
        return differs and all(verdict.green for verdict in self.verdicts)

    @property
    def failing(self) -> dict[str, list[str]]:
        """For each engine that fails cases, lines with the rules of those cases."""
        lines = {
            verdict.engine: _failing(self.results, verdict.engine) for verdict in self.verdicts
        }
        if self.model in self.causes:
            lines[self.model].append(
                f"{self.model} is the model, so no other engine is judged by it"
            )
        return {engine: reported for engine, reported in lines.items() if reported}

    @cached_property
    def causes(self) -> dict[str, Result]:
        """For each engine that fails, the smallest failure of the rule that fails most."""
        found = {each.engine: cause(self.results, each.engine) for each in self.verdicts}
        return {engine: result for engine, result in found.items() if result is not None}

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
    claim = f"{number} (of the cases chosen)" if run.chosen else number
    known = [result.case.profiles for result in own if result.status == "known failure"]
    does = "passes" if run.missing or not run.fuzz or not run.fuzz.green else "conforms to"
    clauses = _clauses(profiles, claim, known, does)
    words = [each.has_words_of_model for each in own if each.has_words_of_model is not None]
    if copied := len(words) >= ENOUGH_WORDS and all(words):
        clauses.insert(0, COPIED.format(len(words)))
    return Verdict(engine, started, green and not copied, profiles, clauses)


def _failing(results: Sequence[Result], engine: str) -> list[str]:
    """Count failures by rule: one bug fails many cases, and the first may cite another rule."""
    most = [
        f"{rule} in {failed} of {cases} cases"
        for rule, (failed, cases) in [*broken_rules(results, engine).items()][:3]
    ]
    return [f"{engine} fails {_listed(most)}"] if most else []


def broken_rules(results: Sequence[Result], engine: str) -> dict[str, tuple[int, int]]:
    """Return the numbers of failed and of all cases for each rule that an engine fails.

    Rules of which most cases fail come first: their cases have the cause in common, and others only
    meet it. The rules of the core come before those that build on them. The rules of an operation
    that is wrong on its own come before all others: it makes documents wrong.
    """
    own = [each for each in results if each.engine == engine and not each.is_over_budget]
    asked = [each for each in own if each.status not in UNASKED]
    cases = Counter(rule for each in asked for rule in each.case.holds)
    failed = Counter(rule for each in asked if not each.good for rule in each.case.holds)
    core = {rule for each in asked if CORE in each.case.profiles for rule in each.case.holds}
    single = [each for each in asked if each.status == "failed" and each.case.command == "evaluate"]
    alone = {rule for each in single for rule in each.case.holds}

    def order(rule: str) -> tuple[bool, bool, float]:
        # A rule whose only case fails says less than one of which nine of ten cases fail.
        return rule not in alone, rule not in core, -failed[rule] / (cases[rule] + 1)

    return {rule: (failed[rule], cases[rule]) for rule in sorted(failed, key=order)}


def cause(results: Sequence[Result], engine: str) -> Result | None:
    """Return the smallest failure of the rule that fails most; None if an engine passes."""
    wrong = [each for each in results if each.engine == engine and not each.good]
    if over := [each for each in wrong if each.is_over_budget]:
        return over[0]
    rule = next(iter(broken_rules(results, engine)), None)
    citing = [each for each in wrong if rule in each.case.holds] or wrong
    return min(citing, key=_size, default=None)


def _size(result: Result) -> tuple[bool, bool, int]:
    """Return a sort key: failures of the core first, then documents, then the smallest request."""
    case = result.case
    is_other = CORE not in case.profiles
    return is_other, case.command != "introspect", len(json.dumps(case.request))


def _share(profile: str, results: Sequence[Result], started: Started) -> Share:
    """Count the results of the profile's cases."""
    claimed = profile in started.profiles
    counted = [
        result.status for result in results if not (claimed and result.status == "not claimed")
    ]
    return Share(claimed, len(counted), counted.count("passed"), counted.count("known failure"))


def _clauses(profiles: dict[str, Share], claim: str, known: Known, does: str) -> list[str]:
    """Return clauses about profiles that fail, then those that conform, then those not claimed."""
    met = {name: share for name, share in profiles.items() if share.cases}
    good = [name for name, share in met.items() if share.claimed and share.conforms]
    bad = [name for name, share in met.items() if share.claimed and not share.conforms]
    counted = [f"{name} ({_count(met[name])})" for name in bad]
    missing = [name for name, share in met.items() if not share.claimed]
    named = "all profiles" if len(good) == len(profiles) else _listed(good)
    count = sum(not each.isdisjoint(good) for each in known)
    but = f" but for {count} known failure{'s' * (count > 1)}" if count else ""
    parts = [
        (not profiles[CORE].claimed, f"does not conform to {claim} without {CORE}"),
        (bad, f"does not conform to {_listed(counted)} of {claim}"),
        (good, f"{does} {named} of {claim}{but}"),
        (missing, f"does not claim {_listed(missing)}"),
        (not any(share.passed for share in met.values()), "passed no case"),
    ]
    return [text for reported, text in parts if reported]


def _count(share: Share) -> str:
    many = share.passed > 0 and share.cases == share.passed + share.known
    known = f"; {share.known} known failures are more than one in {KNOWN_SHARE}" if many else ""
    return f"{share.passed} of {share.cases}{known}"


def _listed(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last
