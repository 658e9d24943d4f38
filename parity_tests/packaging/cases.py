"""All cases -> a JSON file for each profile, for an engine that is tested without the kit.

A case is in the file of the last profile that it needs. Its answer is the complete answer of
`engine_py`, except for prose, which the case's own expectation has judged.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from engine_py import __version__
from parity_tests.kit.cases import Case, load_cases, load_hard_cases
from parity_tests.kit.compare import prose_in, without_prose
from parity_tests.kit.contract import contract_version, load_profiles
from parity_tests.kit.engines import load_engines
from parity_tests.kit.report import cited_rules
from parity_tests.kit.worker import Json, Worker


def write_cases(folder: Path, profiles: Iterable[str] | None = None) -> None:
    """Write the files of these profiles, by default of all."""
    model, *_ = load_engines().values()
    cases = [case for case in [*load_cases(), *load_hard_cases()] if case.until is None]
    order = [*load_profiles()]
    with Worker(model) as worker:
        for profile in order if profiles is None else profiles:
            own = [case for case in cases if max(case.profiles, key=order.index) == profile]
            lines = [json.dumps(_entry(case, worker), allow_nan=False) for case in own]
            head = f'{{"contract": "{contract_version()}", "profile": "{profile}", "cases": [\n'
            file = Path(folder, f"gradient-cases-{profile}-{__version__}.json")
            file.write_text(head + ",\n".join(lines) + "\n]}\n")


def _entry(case: Case, worker: Worker) -> Json:
    """Return a case as it is published. Raises ValueError if the engine's answer is wrong."""
    response = worker.run(*case.call)
    if wrong := case.verdict(response):
        raise ValueError(f"{case.id}: {wrong}")
    kind = response["kind"]
    return {
        "name": case.id,
        "why": case.why,
        "rules": cited_rules(case),
        "profiles": sorted(case.profiles),
        "command": case.command,
        "request": case.request,
        "limits": case.limits,
        "answer": {kind: without_prose(response[kind], prose_in(kind, case.command))},
    }
