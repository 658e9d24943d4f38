"""Calls -> the first one that the engines answer differently, made as small as it can be."""

import json
import shlex
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain
from pathlib import Path

from parity_tests.fuzz.coverage import Coverage
from parity_tests.fuzz.messages import LINE
from parity_tests.fuzz.shrink import shrink
from parity_tests.kit.again import again
from parity_tests.kit.compare import first_difference, outcome
from parity_tests.kit.contracts import with_contract
from parity_tests.kit.engines import ENGINES
from parity_tests.kit.hard import SIGN_OF_ZERO_COUNTS
from parity_tests.kit.profiles import profiles_of_request
from parity_tests.kit.worker import Call, Json, Worker

ZEROS = ("8000000000000000", "0000000000000000")
ANSWERS = ("result", "error"), ("result", "error", "refused", "skipped")
"""What an engine may respond to a request, and to a line that may be none."""
NOT_ASKED: Json = {"kind": "not asked"}


def disagreement(workers: Sequence[Worker], call: Call, responses: Sequence[Json]) -> str | None:
    """Describe how the engines' responses to a call differ.

    A crash counts even if all crash, and what an engine skips of that which it claims counts, too.
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
    """Give the part of a response that is compared, without the signs of zeros that are free."""
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
    """Say whether the engine claims all that a call needs."""
    command, request, _ = call
    if command == LINE:
        command, request = "introspect", {"expression": request[LINE]}
    return profiles_of_request(command, request) <= {*worker.started.profiles}


def run_asked(worker: Worker, calls: Sequence[Call]) -> list[Json]:
    """Make the calls that the engine is asked: of its commands those that it claims."""
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
    """Find the first call to which the engines respond differently."""
    with closing(_responses(workers, batches)) as stream:
        for calls, responses in stream:
            for call, per_engine in zip(calls, zip(*responses, strict=True), strict=True):
                if disagreement(workers, call, per_engine) is not None:
                    return call
                for worker, response in zip(workers, per_engine, strict=True):
                    if response == NOT_ASKED and not worker.engine.commands:
                        coverage.unclaimed[worker.engine.name] += 1
                if call[0] == "introspect":
                    coverage.add(per_engine[0])
    return None


def explain(workers: Sequence[Worker], call: Call, fixture: Path | None = None) -> str:
    """Shrink a call on which the engines differ; give the difference and how to reproduce it."""

    def differing(call: Call) -> str | None:
        responses = [run_asked(worker, [call])[0] for worker in workers]
        return disagreement(workers, call, responses)

    smallest = shrink(call, lambda smaller: differing(smaller) is not None)
    arguments = json.dumps(dict(zip(("command", "request", "limits"), smallest, strict=True)))
    lines = [differing(smallest) or "they differed once, and then agreed"]
    if fixture is not None:
        from parity_tests.fuzz.found import write_fixture  # noqa: PLC0415 - not in the wheel

        write_fixture(smallest, lines[0], fixture)
        lines.append(f"as a fixture: {fixture}")
    files = dict.fromkeys(worker.engine.file for worker in workers)
    listed = "".join(f"--engines {shlex.quote(str(file))} " for file in files if file != ENGINES)
    lines.append(f"reproduce: {again('parity_tests.fuzz')} {listed}--call {shlex.quote(arguments)}")
    return "\n".join(lines)


def _responses(
    workers: Sequence[Worker], batches: Iterable[list[Call]]
) -> Generator[tuple[list[Call], list[list[Json]]]]:
    """Give each batch with every engine's responses, while the engines work on the next one."""
    with ThreadPoolExecutor(len(workers)) as pool:
        calls: list[Call] = []
        running = [pool.submit(run_asked, worker, calls) for worker in workers]
        for following in chain(batches, [[]]):
            responses = [future.result() for future in running]
            running = [pool.submit(run_asked, worker, following) for worker in workers]
            yield calls, responses
            calls = following
