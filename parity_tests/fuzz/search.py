"""Calls -> the first one on which the engines differ, shrunk as far as possible."""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from parity_tests.fuzz.bounded import Bounded
from parity_tests.fuzz.damage import LINE, PIECES
from parity_tests.kit.cases import SIGN_OF_ZERO_COUNTS
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contract import profiles_of, profiles_of_request, with_contract
from parity_tests.kit.engines import ENGINES, SCHEMAS
from parity_tests.kit.terminal import again
from parity_tests.kit.worker import Call, EngineFault, Json, Worker

# Coverage

OF_VALUES = {"stale_custom"}
"""Error codes that no text can cause."""
OF_THE_LAB = {"tangent"}
"""Stages at which no document can fail."""


class Coverage:
    """Counts what responses contain: random programs test only what they reach."""

    def __init__(self) -> None:
        """Read the operations, codes and stages from the schemas."""
        table = json.loads((SCHEMAS / "operations.json").read_text())
        errors = json.loads((SCHEMAS / "error.schema.json").read_text())
        self.operations = Counter({row["operation"]: 0 for row in table["operations"]})
        codes = [branch["properties"]["code"]["const"] for branch in errors["oneOf"]]
        self.codes = Counter({code: 0 for code in codes if code not in OF_VALUES})
        stages = errors["$defs"]["stage"]["enum"]
        self.stages = Counter({stage: 0 for stage in stages if stage not in OF_THE_LAB})
        self.documents = 0
        self.calls: Counter[str] = Counter()
        """All calls, by engine, sent to it or not."""
        self.unclaimed: Counter[str] = Counter()
        """Calls, by engine, that need a profile that it does not claim, so they are not sent."""

    def add(self, response: Json) -> None:
        """Count each operation of a document once, or an error's code and stage."""
        if response["kind"] == "result":
            self.documents += 1
            used = {node["operation"] for node in response["result"]["nodes"]}
            self.operations.update(used - {None})
        else:
            error = response["error"]
            self.codes[error["code"]] += 1
            if "stage" in error:
                self.stages[error["stage"]] += 1

    def missing(self, profiles: set[str]) -> list[str]:
        """Name the operations of these profiles, the codes and the stages that no response had."""
        counted = {**self.operations, **self.codes, **self.stages}
        never = [name for name, count in counted.items() if not count]
        return [name for name in never if profiles_of([name], None) <= profiles]

    def __str__(self) -> str:
        """Show all counts."""
        rows = {
            "documents": f"{self.documents}",
            "with operations": _listed(self.operations),
            "errors": _listed(self.codes),
            "non_finite stages": _listed(self.stages),
            **{
                f"sent to {name}": f"{self.calls[name] - count:,} of {self.calls[name]:,} calls; "
                "the others need profiles that it does not claim"
                for name, count in self.unclaimed.items()
            },
        }
        return "\n".join(f"{title}: {counts}" for title, counts in rows.items())


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())


# Comparing

ZEROS = ("8000000000000000", "0000000000000000")
ANSWERS = ("result", "error"), ("result", "error", "refused", "skipped")
"""Kinds of response that are compared: to a request, and to a line that may be invalid."""
NOT_ASKED: Json = {"kind": "not asked"}
BLANK = re.compile(r"\\[nrt]")
"""A blank as JSON escapes it; it may stand before and after a function's name."""


def disagreement(workers: Sequence[Worker], call: Call, responses: Sequence[Json]) -> str | None:
    """Describe how the engines' responses to a call differ; None if they agree.

    A crash counts even if all engines crash, and so does a skipped call that an engine claims.
    """
    answered = [
        (worker, response)
        for worker, response in zip(workers, responses, strict=True)
        if response != NOT_ASKED
    ]
    for worker, response in answered:
        if response["kind"] not in ANSWERS[call[0] == LINE]:
            reason = response.get("message", response.get("reason"))
            return f"{worker.engine.name}: {response['kind']}, {reason}"
    first, *others = answered
    right = compared(call, first[1])
    for worker, response in others:
        expected = with_contract(right, worker.started.contract)
        difference = first_difference(expected, compared(call, response))
        if difference is not None:
            names = f"{first[0].engine.name} (expected) and {worker.engine.name} (actual)"
            return f"{names} differ {difference}"
    return None


def compared(call: Call, response: Json) -> Json:
    """Return the part of a response that is compared, with the signs of free zeros removed."""
    command, request, _ = call
    if command == LINE:
        if response["kind"] not in ANSWERS[0]:
            return {response["kind"]: {"sequence": response["sequence"]}}
        command = "introspect"
    rows = response.get("result")
    if command == "evaluate" and rows and request["operation"] not in SIGN_OF_ZERO_COUNTS:
        response = {**response, "result": [row and row.replace(*ZEROS) for row in rows]}
    return outcome(response, command)


def is_claimed(worker: Worker, call: Call) -> bool:
    """Return whether the engine claims every profile that a call needs."""
    command, request, _ = call
    if command == LINE:
        blank = BLANK.sub("\n", request[LINE])
        command, request = "introspect", {"expression": blank}
    return profiles_of_request(command, request) <= {*worker.started.profiles}


def run_asked(worker: Worker, calls: Sequence[Call]) -> list[Json]:
    """Send an engine those calls of its commands whose profiles it claims."""
    commands = worker.engine.commands
    asked = [(not commands or call[0] in commands) and is_claimed(worker, call) for call in calls]
    pairs = [*zip(calls, asked, strict=True)]
    responses = iter(worker.run_many([call for call, each in pairs if each and call[0] != LINE]))
    return [
        NOT_ASKED
        if not each
        else worker.send(call[1][LINE].encode(errors="surrogatepass"))
        if call[0] == LINE
        else next(responses)
        for call, each in pairs
    ]


def first_failure(
    workers: Sequence[Worker], batches: Iterable[list[Call]], coverage: Coverage
) -> Call | None:
    """Find the first call on which the engines differ."""
    with closing(_responses(workers, batches)) as stream:
        for calls, responses in stream:
            for call, per_engine in zip(calls, zip(*responses, strict=True), strict=True):
                if disagreement(workers, call, per_engine) is not None:
                    return call
                for worker, response in zip(workers, per_engine, strict=True):
                    name = worker.engine.name
                    coverage.calls[name] += 1
                    if response == NOT_ASKED and not worker.engine.commands:
                        coverage.unclaimed[name] += 1
                if call[0] == "introspect":
                    coverage.add(per_engine[0])
    return None


def explain(workers: Sequence[Worker], call: Call, fixture: Path | None = None) -> str:
    """Shrink a call on which the engines differ; describe the difference and its command."""

    def differing(call: Call) -> str | None:
        try:
            responses = [run_asked(worker, [call])[0] for worker in workers]
        except EngineFault:  # it died for another reason
            return None
        return disagreement(workers, call, responses)

    smallest = shrink(call, lambda smaller: differing(smaller) is not None)
    arguments = json.dumps(dict(zip(("command", "request", "limits"), smallest, strict=True)))
    lines = [differing(smallest) or "the engines differed once, and then agreed"]
    if fixture is not None and call[0] not in {LINE, "evaluate"}:
        from parity_tests.fuzz.found import write_fixture  # noqa: PLC0415 - not in the wheel

        write_fixture(smallest, lines[0], fixture)
        lines.append(f"as a fixture: {fixture}")
    files = dict.fromkeys(worker.engine.file for worker in workers)
    listed = "".join(f"--engines {shlex.quote(str(file))} " for file in files if file != ENGINES)
    listed += "--far " * isinstance(workers[0], Bounded)
    lines.append(f"reproduce: {again('parity_tests.fuzz')} {listed}--call {shlex.quote(arguments)}")
    return "\n".join(lines)


def _responses(
    workers: Sequence[Worker], batches: Iterable[list[Call]]
) -> Generator[tuple[list[Call], list[list[Json]]]]:
    """Yield each batch with the responses of all engines, which meanwhile compute the next one."""
    with ThreadPoolExecutor(len(workers)) as pool:
        calls: list[Call] = []
        running = [pool.submit(run_asked, worker, calls) for worker in workers]
        for following in chain(batches, [[]]):
            responses = [future.result() for future in running]
            running = [pool.submit(run_asked, worker, following) for worker in workers]
            yield calls, responses
            calls = following


# Shrinking

PLAIN = (0, 1, 2, 0.5)
"""Simple numbers to try instead of others."""
NEEDED = frozenset(
    ("expression", "values", "nodes", "operation", "operands", "data", "local_grads", "node", LINE)
)
"""Members that shrinking does not remove."""


def shrink(call: Call, fails: Callable[[Call], bool], tries: int = 2000) -> Call:
    """Replace a call by the first smaller one that fails, at most `tries` times."""
    while True:
        for smaller in _smaller_calls(call):
            tries -= 1
            if tries < 0:
                return call
            if fails(smaller):
                call = smaller
                break
        else:
            return call


def _smaller_calls(call: Call) -> Iterator[Call]:
    command, request, limits = call
    if command == "evaluate":  # engines skip or refuse unknown operations and invalid operands
        rows = _without_runs(request["operands"])
        yield from ((command, {**request, "operands": some}, limits) for some in rows if some)
        return
    if limits:
        yield command, request, None
    yield from ((command, smaller, limits) for smaller in _smaller(request))


def _smaller(part: Any) -> Iterator[Any]:
    """Yield JSON with something removed, most first, or with a simpler number."""
    if isinstance(part, dict):
        for name in sorted(part.keys() - NEEDED):
            yield {other: part[other] for other in part if other != name}
        for name, inner in part.items():
            yield from ({**part, name: smaller} for smaller in _smaller(inner))
    elif isinstance(part, list):
        yield from _without_runs(part)
        for place, inner in enumerate(part):
            yield from ([*part[:place], smaller, *part[place + 1 :]] for smaller in _smaller(inner))
    elif isinstance(part, str):
        pieces = PIECES.findall(part)
        yield from map("".join, _without_runs(pieces))
        yield from map("".join, _without_brackets(pieces))
    elif isinstance(part, int | float) and not isinstance(part, bool):
        yield from PLAIN[: PLAIN.index(part)] if part in PLAIN else PLAIN


def _without_runs(items: list[Any]) -> Iterator[list[Any]]:
    """Yield the items without one run, the longest runs first."""
    size = len(items)
    while size:
        for start in range(0, len(items) - size + 1, max(1, size // 4)):
            yield items[:start] + items[start + size :]
        size //= 2


def _without_brackets(pieces: list[str]) -> Iterator[list[str]]:
    """Yield the pieces without one pair of parentheses."""
    opened: list[int] = []
    for place, piece in enumerate(pieces):
        if piece == "(":
            opened.append(place)
        elif piece == ")" and opened:
            first = opened.pop()
            yield pieces[:first] + pieces[first + 1 : place] + pieces[place + 1 :]
