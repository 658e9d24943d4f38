"""A run -> a report for a terminal, a program, a test viewer, a pull request or a README."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from xml.etree import ElementTree as ET

from parity_tests.kit.cases import Case
from parity_tests.kit.contract import contract_version, load_profiles, load_rules
from parity_tests.kit.engines import PACKAGE
from parity_tests.kit.runner import STATUSES, UNASKED, Result, Run, Share, broken_rules

EXPLAINED = 20
"""The maximum number of failures that a report explains; a comment has no room for more."""


def as_text(run: Run) -> str:
    """Explain for each engine the failure that names the cause, or all with `--all`; then count."""
    parts = [part for verdict in run.verdicts for part in _failures(run, verdict.engine)]
    return "\n\n".join([*parts, _summary(run)]) + "\n"


def _failures(run: Run, engine: str) -> list[str]:
    wrong = [result for result in run.results if result.engine == engine and not result.good]
    first = run.causes.get(engine)
    if first is None:
        return []
    others = [explain(result) for result in wrong if result is not first]
    if others and not run.tells_all:
        others = [f"{len(others)} more failures of {engine}: --all shows them"]
    rules = [*broken_rules(run.results, engine)]
    return ["\n".join([*run.failing.get(engine, []), explain(first, rules)]), *others]


def as_json(run: Run) -> str:
    """Write each engine and each result as an object."""
    engines = [
        {
            "name": verdict.engine,
            "implementation": verdict.started.name,
            "version": verdict.started.version,
            **({"homepage": home} if (home := verdict.started.homepage) else {}),
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
            "holds": cited_rules(result.case),
            "fixture": result.case.path,
            "program": result.case.request.get("expression"),
            "explanation": result.explanation,
        }
        for result in run.results
    ]
    head = {"green": run.is_green, "contract": contract_version(), "chosen": run.chosen}
    head["lacking"] = run.missing
    head["fuzz"] = None if run.fuzz is None else run.fuzz._asdict()
    return json.dumps({**head, "engines": engines, "results": rows}, indent=2) + "\n"


def as_markdown(run: Run) -> str:
    """Write tables of profiles and of topics x engines, and explain each failure below them."""
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
    lines = [*(line for lines in run.failing.values() for line in lines), *run.notes]
    notes = [f"```\n{line}\n```\n" if "\n" in line else f"{line}\n" for line in lines]
    head = [f"## Parity: {'green' if run.is_green else 'red'}", "", *words, "", *notes]
    tables = [*_head("profile", names), *profiles, "", *_head("topic", names), *rows, total, ""]
    return "\n".join([*head, *tables, *explained]) + "\n"


def as_github(run: Run) -> str:
    """Write workflow commands that annotate the failures, then count."""
    return "\n".join([*_annotations(run), _summary(run)]) + "\n"


def as_badge(run: Run) -> str:
    """Write JSON from which shields.io draws a badge for a README."""
    judged = run.verdicts
    is_whole = not run.missing and all(verdict.is_whole for verdict in judged)
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


def _head(first: str, names: Sequence[str]) -> list[str]:
    return [f"| {first} | " + " | ".join(names) + " |", "|---|" + "---:|" * len(names)]


def _cell(results: Sequence[Result], engine: str, topic: str | None = None) -> str:
    """Count one engine's results; a bare number means `passed`."""
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
    """Count by status, `passed` first."""
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


# --- failures -------------------------------------------------------------------------------------

SHOWN = 300
"""Characters of a request that are shown."""
_RULE_SHOWN = 500
"""Characters of a rule that are shown, in whole sentences."""
_RULE_BEGINS = 3
"""How many sentences of a rule are always shown: its title, and two that introduce it."""
WORD = re.compile(r"\w+|[*/=+]+")

MISTAKES = PACKAGE / "mistakes.json"
"""For each rule, places where a mistake breaks it, in files that both engines have.
`parity_tests.strength` shows that the mistakes do so. A wheel does not include this file."""
TWIN = "engine_ts/src"


def explain(result: Result, rules: Sequence[str] = ()) -> str:
    """Show a case, the first error in the response, and the command that repeats the run.

    If the case cites any of `rules`, only the first of those is shown. An engine over its budget
    breaks no rule, and the case says nothing about the cause.
    """
    if result.is_over_budget:
        return f"{result.status.upper()} {result.engine}: {result.explanation}"
    broken = [rule for rule in rules if rule in result.case.holds][:1]
    case = result.case._replace(holds=broken) if broken else result.case
    return "\n".join(
        [
            f"{result.status.upper()} {result.engine}: {result.case.id}",
            *(f"  {line}" for line in describe(case)),
            *(f"  {line}" for line in result.explanation.splitlines()),
            *_place(case.holds[:1]),
            f"  reproduce: {result.command}",
        ]
    )


def _place(rules: Sequence[str]) -> list[str]:
    """Return the files to look at in both engines; none in the wheel, which has only one."""
    rows = json.loads(MISTAKES.read_text(encoding="utf-8")) if MISTAKES.is_file() else []
    stems = dict.fromkeys(file.rpartition(".")[0] for rule, file, *_ in rows if rule in rules)
    return [f"  place: engine_py/{stem}.py, and its twin {TWIN}/{stem}.ts" for stem in stems]


def describe(case: Case) -> list[str]:
    """Return lines that show why a case exists, the rules it cites, and its program."""
    program, *more = _program(case)
    return [
        f"why: {case.why}",
        *(f"{name}: {text}" for name, text in cited_rules(case).items()),
        f"program: {_shortened(program)}",
        *(f"with {_shortened(line)}" for line in more),
        f"fixture: {case.path}",
    ]


def cited_rules(case: Case) -> dict[str, str]:
    """Return the sentences about the case in each rule that it cites, by the rule's name.

    They are complete, and share the most words with the case's reason; rare words count more.
    """
    request = json.dumps(case.request)[:SHOWN]
    about = Counter(WORD.findall(f"{case.name} {case.why} {request}".lower()))
    return {name: _about(load_rules()[name], about) for name in case.holds}


def _about(sentences: Sequence[str], words: Collection[str]) -> str:
    """Join a rule's first sentences and those with the most of the words, in their order."""
    each = [{*WORD.findall(sentence.lower())} for sentence in sentences]
    counts = Counter(word for own in each for word in own)
    shared = [sum(1 / counts[word] for word in own & {*words}) / sqrt(1 + len(own)) for own in each]
    begins = range(len(each))[:_RULE_BEGINS]
    chosen = {place for place in begins if not sentences[place].startswith("|")}
    others = sorted({*range(len(each))} - chosen, key=lambda place: -shared[place])
    near = [place for place in others if shared[place] > shared[others[0]] / 2]
    for place in near:
        fits = sum(len(sentences[one]) for one in {*chosen, place}) <= _RULE_SHOWN
        if fits or place == others[0]:
            chosen.add(place)
    gaps = ["" if place - 1 in {-1, *chosen} else "… " for place in range(len(each))]
    return " ".join(f"{gaps[place]}{sentences[place]}" for place in sorted(chosen))


def _program(case: Case) -> list[str]:
    """Write the expression, then the other members; an expression may have the wrong type."""
    if case.line is not None:
        return [f"none, but the line {case.line[:SHOWN]!r}"]
    request = dict(case.request)
    if case.command == "evaluate":
        rows = len(request["operands"])
        return [f"none, but `{request['operation']}` of {rows} rows of operands"]
    limits = {} if case.limits is None else {"limits": case.limits}
    if "nodes" in request:
        return ["a graph of Values", json.dumps({**request, **limits})]
    expression = request.pop("expression", None)
    others = {**request, **limits}
    return [json.dumps(expression), *([json.dumps(others)] if others else [])]


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]} … {len(text):,} characters"


# --- JUnit ----------------------------------------------------------------------------------------


def as_junit(run: Run) -> str:
    """Write JUnit XML, a suite per engine, whose last case is the verdict."""
    suites = ET.Element("testsuites")
    for verdict in run.verdicts:
        own = [result for result in run.results if result.engine == verdict.engine]
        failures = sum(not result.good and result.status != "crashed" for result in own)
        counted = {
            "tests": len(own) + 1,
            "failures": failures + (not verdict.green),
            "errors": sum(result.status == "crashed" for result in own),
            "skipped": sum(_is_left_out(result) for result in own),
        }
        attributes = {"name": verdict.engine} | {name: str(n) for name, n in counted.items()}
        suite = ET.SubElement(suites, "testsuite", attributes)
        for result in own:
            _junit_case(suite, result)
        case = ET.SubElement(suite, "testcase", classname=verdict.engine, name="verdict")
        if not verdict.green:
            ET.SubElement(case, "failure", message=verdict.words)
        ET.SubElement(case, "system-out").text = "\n".join([verdict.words, *run.notes])
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _junit_case(suite: ET.Element, result: Result) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=f"{result.engine}.{result.case.topic}",
        name=result.case.name, file=result.case.path,
    )  # fmt: skip
    if _is_left_out(result):
        first, *_ = result.explanation.splitlines() or [""]
        ET.SubElement(case, "skipped", message=f"{result.status}: {first}")
    elif not result.good:
        tag = "error" if result.status == "crashed" else "failure"
        ET.SubElement(case, tag, message=result.status).text = _printable(explain(result))


def _is_left_out(result: Result) -> bool:
    return result.status in ("known failure", *UNASKED)


def _printable(text: str) -> str:
    """Replace characters that XML cannot contain."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)


# --- GitHub ---------------------------------------------------------------------------------------

# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
IN_TEXT = {"%": "%25", "\r": "%0D", "\n": "%0A"}
IN_PROPERTY = {**IN_TEXT, ":": "%3A", ",": "%2C"}
"""Escapes for characters that would end a text, or a property."""


def _annotations(run: Run) -> list[str]:
    """Return a line for each failure, at the engine's entry, and for each red verdict."""
    failures = [
        _error(explain(each), file=_in_repository(each.file), line=_line(each),
               title=f"{each.status} {each.engine}: {each.case.id}")
        for each in run.results
        if not each.good
    ]  # fmt: skip
    red = [_error(each.words, title=each.engine) for each in run.verdicts if not each.green]
    if run.fuzz is not None and not run.fuzz.green:
        red.append(_error(run.fuzz.text, title="random programs"))
    return [*failures, *red]


def _in_repository(file: Path) -> str:
    """Return the path of a file relative to the repository on GitHub."""
    return os.path.relpath(file, os.environ.get("GITHUB_WORKSPACE") or ".")


def _error(text: str, **properties: str) -> str:
    written = [f"{name}={_escaped(given, IN_PROPERTY)}" for name, given in properties.items()]
    return f"::error {','.join(written)}::{_escaped(text, IN_TEXT)}"


def _line(result: Result) -> str:
    """Return the number of the line where the engine's entry begins, or 1 if it is not found."""
    lines = enumerate(_lines(result.file), 1)
    return str(next((number for number, line in lines if f"[{result.engine}]" in line), 1))


@cache
def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _escaped(text: str, marks: dict[str, str]) -> str:
    return "".join(marks.get(each, each) for each in text)


WITHOUT_RUN: dict[str, Callable[[str], str]] = {
    "github": lambda why: _error(why, title="gradient-parity could not run") + "\n",
    "markdown": lambda why: f"## Parity: could not run\n\n{why}\n",
    "json": lambda why: json.dumps({"green": False, "could_not_run": why}) + "\n",
}
"""The report of a run that could not begin."""

FORMATS: dict[str, Callable[[Run], str]] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "markdown": as_markdown,
    "github": as_github,
    "badge": as_badge,
}
