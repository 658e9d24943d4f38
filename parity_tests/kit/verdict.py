"""Results -> a verdict on each engine: what it conforms to, and whether it is green."""

from collections.abc import Sequence
from typing import NamedTuple

from parity_tests.kit.contracts import number_of
from parity_tests.kit.profiles import CORE, load_profiles
from parity_tests.kit.runner import Result
from parity_tests.kit.worker import Started

Known = Sequence[frozenset[str]]
"""The profiles of each known failure."""


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
        """True where cases pass, and nothing is wrong but what is known."""
        return self.passed > 0 and self.cases == self.passed + self.known


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
        """Give all clauses."""
        return "; ".join(self.clauses)

    @property
    def is_whole(self) -> bool:
        """True where the engine has everything."""
        shares = self.profiles.values()
        return self.green and all(each.claimed and each.cases == each.passed for each in shares)


class Run(NamedTuple):
    """The results of a run."""

    results: Sequence[Result]
    chosen: str = ""
    """Which cases were run, where it was not all."""
    contract: str | None = None
    """The version that was asked for, where it is not each engine's own."""

    @property
    def verdicts(self) -> list[Verdict]:
        """Judge the engines."""
        engines = dict.fromkeys(result.engine for result in self.results)
        return [_verdict(self, name) for name in engines]

    @property
    def notes(self) -> list[str]:
        """Give what a report says below its verdicts."""
        return [self.chosen] if self.chosen else []

    @property
    def is_green(self) -> bool:
        """Say whether every engine conforms to what it claims; no engine proves nothing."""
        return bool(self.results) and all(verdict.green for verdict in self.verdicts)


def _verdict(run: Run, engine: str) -> Verdict:
    own = [result for result in run.results if result.engine == engine]
    started = own[0].started
    profiles = {name: _share(name, own) for name in load_profiles()}
    wrong = any(not result.good for result in own)
    asked = {name: share for name, share in profiles.items() if share.claimed and share.cases}
    conforms = bool(asked) and all(share.conforms for share in asked.values())
    green = profiles[CORE].claimed and conforms and not wrong
    number = ".".join(map(str, number_of(run.contract or started.contract)))
    what = f"{number} (of the cases chosen)" if run.chosen else number
    known = [result.case.profiles for result in own if result.status == "known failure"]
    return Verdict(engine, started, green, profiles, _clauses(profiles, what, known))


def _share(profile: str, own: Sequence[Result]) -> Share:
    claimed = profile in own[0].started.profiles
    counted = [
        result.status
        for result in own
        if profile in result.case.profiles and not (claimed and result.status == "not claimed")
    ]
    return Share(claimed, len(counted), counted.count("passed"), counted.count("known failure"))


def _clauses(profiles: dict[str, Share], what: str, known: Known) -> list[str]:
    """Say what is wrong first, then what conforms, then what is not claimed."""
    met = {name: share for name, share in profiles.items() if share.cases}
    good = [name for name, share in met.items() if share.claimed and share.conforms]
    bad = [name for name, share in met.items() if share.claimed and not share.conforms]
    counted = [f"{name} ({met[name].passed} of {met[name].cases})" for name in bad]
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


def _listed(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last
