"""A run -> a report for a terminal, a program, a test viewer, a pull request or a README."""

import json
from collections import Counter
from collections.abc import Callable, Sequence

from parity_tests.kit.annotations import annotations
from parity_tests.kit.contracts import contract_version
from parity_tests.kit.explanation import cited_sentences, explain
from parity_tests.kit.junit import as_junit
from parity_tests.kit.profiles import load_profiles
from parity_tests.kit.runner import STATUSES, Result
from parity_tests.kit.verdict import Run, Share

EXPLAINED = 20
"""Failures that a report for a pull request explains; a comment there has room for no more."""


def as_text(run: Run) -> str:
    """Explain each failure, then count."""
    failures = [explain(result) for result in run.results if not result.good]
    return "\n\n".join([*failures, _summary(run)]) + "\n"


def as_json(run: Run) -> str:
    """Give each engine and each result as an object."""
    engines = [
        {
            "name": verdict.engine,
            "implementation": verdict.started.name,
            "version": verdict.started.version,
            "contract": verdict.started.contract,
            "green": verdict.green,
            "verdict": verdict.words,
            "profiles": {name: share._asdict() for name, share in verdict.profiles.items()},
        }
        for verdict in run.verdicts
    ]
    rows = [
        {
            "engine": result.engine,
            "case": result.case.id,
            "status": result.status,
            "why": result.case.why,
            "holds": cited_sentences(result.case),
            "fixture": result.case.path,
            "program": result.case.request.get("expression"),
            "explanation": result.explanation,
        }
        for result in run.results
    ]
    head = {"green": run.is_green, "contract": contract_version(), "chosen": run.chosen}
    return json.dumps({**head, "engines": engines, "results": rows}, indent=2) + "\n"


def as_markdown(run: Run) -> str:
    """Give tables of profiles and of topics x engines, and explain each failure below them."""
    results, judged = run.results, run.verdicts
    names = [verdict.engine for verdict in judged]
    profiles = [
        f"| {name} | " + " | ".join(_share(each.profiles[name]) for each in judged) + " |"
        for name in load_profiles()
        if any(each.profiles[name].cases for each in judged)
    ]
    topics = dict.fromkeys(result.case.topic for result in results)
    rows = [
        f"| {topic.replace('_', ' ')} | "
        + " | ".join(_cell(results, name, topic) for name in names)
        + " |"
        for topic in topics
    ]
    total = "| **all** | " + " | ".join(_cell(results, name) for name in names) + " |"
    wrong = [result for result in results if not result.good]
    explained = [f"```\n{explain(result)}\n```\n" for result in wrong[:EXPLAINED]]
    if len(wrong) > EXPLAINED:
        explained.append(f"… and {len(wrong) - EXPLAINED} more.\n")
    words = [f"- **{verdict.engine}** {verdict.words}" for verdict in judged]
    head = [f"## Parity: {'green' if run.is_green else 'red'}", "", *words, "", *run.notes, ""]
    tables = [*_head("profile", names), *profiles, "", *_head("topic", names), *rows, total, ""]
    return "\n".join([*head, *tables, *explained]) + "\n"


def as_github(run: Run) -> str:
    """Give workflow commands that mark the failures, then count."""
    return "\n".join([*annotations(run), _summary(run)]) + "\n"


def as_badge(run: Run) -> str:
    """Give JSON for shields.io, which draws it as a badge where a README links to the file."""
    judged = run.verdicts
    is_whole = all(verdict.is_whole for verdict in judged)
    color = ("brightgreen" if is_whole else "green") if run.is_green else "red"
    clauses = [verdict.clauses[0] for verdict in judged]
    if len(judged) > 1:
        named = zip(judged, clauses, strict=True)
        clauses = [f"{verdict.engine} {clause}" for verdict, clause in named]
    badge = {
        "schemaVersion": 1,
        "label": "gradient contract",
        "message": "; ".join(clauses),
        "color": color,
    }
    return json.dumps(badge) + "\n"


FORMATS: dict[str, Callable[[Run], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "markdown": as_markdown,
    "github": as_github,
    "badge": as_badge,
}


def _head(first: str, names: Sequence[str]) -> list[str]:
    return [f"| {first} | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]


def _cell(results: Sequence[Result], engine: str, topic: str | None = None) -> str:
    """Count one engine's results; a bare number is what passed."""
    own = [
        result
        for result in results
        if result.engine == engine and topic in (None, result.case.topic)
    ]
    mark = "" if all(result.good for result in own) else "❌ "
    return mark + _counts(own).replace(" passed", "", 1)


def _share(share: Share) -> str:
    if not share.claimed:
        return f"not claimed ({share.cases} cases)"
    known = f", {share.known} known failures" if share.known else ""
    return f"{'' if share.conforms else '❌ '}{share.passed} of {share.cases}{known}"


def _counts(results: Sequence[Result]) -> str:
    """Count by status, what passed first."""
    counted = Counter(result.status for result in results)
    return ", ".join(f"{counted[status]} {status}" for status in STATUSES if counted[status])


def _summary(run: Run) -> str:
    """Count each engine's results by profile, and state whether the run is green."""
    lines = []
    for verdict in run.verdicts:
        own = [result for result in run.results if result.engine == verdict.engine]
        lines.append(f"{verdict.engine}: {_counts(own)}, of {len(own)}")
        profiles = {name: share for name, share in verdict.profiles.items() if share.cases}
        lines += [f"  {name:10} {_share(share)}" for name, share in profiles.items()]
    lines += [f"{verdict.engine} {verdict.words}" for verdict in run.verdicts]
    lines += run.notes
    lines.append("green: no engine differs" if run.is_green else "RED: see above")
    return "\n".join(lines)
