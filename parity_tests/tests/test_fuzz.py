"""Random programs are of every kind, and find and explain bugs in an engine."""

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import inf, nextafter
from pathlib import Path
from random import Random

import pytest

from parity_tests.fuzz import __main__ as fuzz
from parity_tests.fuzz.damage import random_line
from parity_tests.fuzz.found import BY_HAND, as_fixture
from parity_tests.fuzz.programs import Far, random_call, random_number
from parity_tests.fuzz.requests import random_values, with_members
from parity_tests.fuzz.search import (
    Coverage,
    disagreement,
    explain,
    first_failure,
    is_claimed,
    run_asked,
)
from parity_tests.kit.cases import load_cases, read_json
from parity_tests.kit.contract import profiles_of_request
from parity_tests.kit.engines import SCHEMAS, Engine, load_engines
from parity_tests.kit.protocol import load_validators
from parity_tests.kit.worker import Call, Json, Worker
from parity_tests.tests.conftest import write_proxy

TINY = Path(__file__).with_name("tiny") / "engines.toml"


def batched(calls: list[Call]) -> Iterator[list[Call]]:
    for start in range(0, len(calls), 50):
        yield calls[start : start + 50]


def repeated(shown: str) -> Json:
    """Read the call from the printed command."""
    call: Json = json.loads(shlex.split(shown.partition("reproduce: ")[2])[-1])
    return call


# Drawing


def test_the_same_seed_makes_the_same_programs() -> None:
    first, again, other = (repr([*fuzz.random_batches(seed, 500, 250)]) for seed in (5, 5, 6))
    assert first == again != other


def test_every_command_is_drawn_at_its_rate() -> None:
    [calls] = fuzz.random_batches(1, 256, 256)
    met = Counter(call[0] for call in calls)
    shares = {command: 256 // rate for command, rate in fuzz.SAMPLES.items()}
    assert met == {"introspect": 256, "introspect_value": 32, "line": 32, **shares}


def test_most_programs_have_a_document_and_some_are_damaged(workers: dict[str, Worker]) -> None:
    random, coverage = Random(2024), Coverage()
    calls = [random_call(random) for _ in range(1000)]
    for response in workers["engine_py"].run_many(calls):
        coverage.add(response)
    assert coverage.documents > 500
    by_nature = sum(coverage.codes[code] for code in ("domain_error", "non_finite", "unused_name"))
    assert 100 < 1000 - coverage.documents - by_nature < 250


def test_every_member_of_a_command_is_drawn_and_damaged(workers: dict[str, Worker]) -> None:
    for command in ("sweep", "experiment", "paths", "descend", "hessian"):
        random, met = Random(4), Counter[str]()
        for _ in range(250):
            call = with_members(random, (command, *random_call(random, short=0.5)[1:]))
            response = workers["engine_py"].run(*call)
            met.update(list(call[1]) if "result" in response else [response["error"]["code"]])
        members = read_json(SCHEMAS / f"{command}_request.schema.json")["properties"]
        wanted = {*members, "invalid_request", "invalid_value", "limit_exceeded"}
        assert {name: met[name] for name in wanted if met[name] < 2} == {}, command


def test_graphs_of_values_and_lines_reach_all_their_responses(workers: dict[str, Worker]) -> None:
    random, worker = Random(1), workers["engine_py"]
    met = Counter(
        response["error"]["code"] if response["kind"] == "error" else response["kind"]
        for response in worker.run_many([random_values(random) for _ in range(900)])
    )
    assert met["result"] > 300
    codes = ("stale_custom", "domain_error", "non_finite", "invalid_value", "invalid_request")
    assert min(met[code] for code in codes) >= 5
    lines = [random_line(random, random_call(random, short=0.9)) for _ in range(400)]
    kinds = Counter(response["kind"] for response in run_asked(worker, lines))
    assert kinds.keys() == {"result", "error", "refused", "skipped"}
    assert kinds["refused"] > 200


def test_far_numbers_saturate_functions() -> None:
    random = Far(1)
    sizes = [abs(random_number(random, "tame")) for _ in range(1000)]
    assert all(size < 2**-1022 or 1e8 <= size <= 1e300 for size in sizes)
    assert len([size for size in sizes if 0 < size < 1]) > 50
    assert len([size for size in sizes if 1e8 < size < 1e15]) > 400


# Bad engines: each changes the responses of a correct one


class Bad(Worker):
    """A correct engine whose responses are changed."""

    def __init__(self, engine: Engine, spoil: Callable[[Call, Json], object]) -> None:
        super().__init__(engine)
        self.spoil = spoil

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        responses = super().run_many(calls)
        for call, response in zip(calls, responses, strict=True):
            self.spoil(call, response)
        return responses


class Patient(Worker):
    """An engine that accepts control characters in strings, which JSON must escape."""

    def send(self, line: bytes) -> Json:
        return super().send(bytes(max(byte, 0x20) for byte in line))


def result_of(response: Json) -> Json:
    result = response.get("result")
    return result if isinstance(result, dict) else {}


def misround(_: Call, response: Json) -> None:
    """Make every exp one ulp too large."""
    for node in result_of(response).get("nodes", []):
        if node.get("operation") == "exp" and node["data"] is not None:
            node["data"] = nextafter(node["data"], inf)


def misplace(_: Call, response: Json) -> None:
    """Move every error's span one to the left."""
    if response.get("error", {}).get("span"):
        response["error"]["span"]["start"] -= 1


def crash(call: Call, response: Json) -> None:
    """Crash on every tanh."""
    if "tanh" in str(call[1].get("expression")):
        response |= {"kind": "crashed", "message": "tanh is too hard", "traceback": ""}


def misspell(_: Call, response: Json) -> None:
    """Leave out the plus of an exponent in canonical texts."""
    if "digest" in result_of(response):
        response["result"]["text"] = response["result"]["text"].replace("e+", "e")


def narrow(_: Call, response: Json) -> None:
    """Draw cards a pixel narrower."""
    if "svg" in result_of(response):
        response["result"]["svg"] = response["result"]["svg"].replace('width="96"', 'width="95"')


def sign_zeros(_: Call, response: Json) -> None:
    """Return -0 for every 0 of `evaluate`."""
    if isinstance(response.get("result"), list):
        zeros = "0000000000000000", "8000000000000000"
        response["result"] = [bits and bits.replace(*zeros) for bits in response["result"]]


def test_a_bug_is_found_and_shown_by_a_small_call(
    workers: dict[str, Worker], tmp_path: Path
) -> None:
    right, file = workers["engine_py"], tmp_path / "found.json"
    calls = [call for batch in fuzz.random_batches(1, 500, 250) for call in batch]
    bad_engines: list[tuple[Worker, str, str]] = [
        (Bad(right.engine, misround), "introspect", "1 ulp away"),
        (Bad(right.engine, misround), "introspect_value", "/nodes"),
        (Bad(right.engine, misplace), "introspect", "/span/start"),
        (Bad(right.engine, crash), "introspect", "crashed, tanh is too hard"),
        (Bad(right.engine, misspell), "canonicalize", "differ at /canonical/text"),
        (Bad(right.engine, narrow), "picture", "differ at /picture/svg"),
        (Patient(right.engine), "line", "differ"),
    ]
    for bad, command, reported in bad_engines:
        of_command = [call for call in calls if call[0] == command]
        with bad:
            failure = first_failure([right, bad], batched(of_command), Coverage())
            assert failure is not None, reported
            shown = explain([right, bad], failure, file)
        assert reported in shown
        assert repeated(shown)["command"] == command
        assert len(json.dumps(repeated(shown))) < 200, shown
        if command != "line":
            load_validators()["fixture"].validate(read_json(file))
            file.unlink()


def test_a_difference_is_shrunk(workers: dict[str, Worker]) -> None:
    right = workers["engine_py"]
    program = "p = tanh(a) - 2\nq = p * (exp(__proto__) + a)\n(q + b) / (1 + b ** 3)"
    values = {"a": 0.5, "b": 2, "__proto__": -1}
    with Bad(right.engine, misround) as bad:
        call: Call = ("introspect", {"expression": program, "values": values}, {"nodes": 99})
        assert first_failure([right, bad], [[call]], Coverage()) == call
        small = repeated(explain([right, bad], call))
        assert len(small["request"]["expression"]) <= len("exp(__proto__)")
        assert small["limits"] is None
        again = "introspect", small["request"], None
        assert disagreement([right, bad], again, [right.run(*again), bad.run(*again)])
    with Bad(right.engine, crash) as bad:
        shown = explain([right, bad], ("introspect", {"expression": "tanh(a) + 1"}, None))
        assert "+" not in repeated(shown)["request"]["expression"]


def test_the_sign_of_a_zero_counts_for_hardware_operations(workers: dict[str, Worker]) -> None:
    one, zero, right = "3ff0000000000000", "0000000000000000", workers["engine_py"]

    def evaluated(operation: str, *rows: list[str]) -> Call:
        return "evaluate", {"operation": operation, "operands": [*rows]}, None

    with Bad(right.engine, sign_zeros) as bad:
        free = evaluated("relu", [zero], [one])
        assert first_failure([right, bad], [[free]], Coverage()) is None
        shown = explain([right, bad], evaluated("*", [one, one], [one, zero]))
    assert repeated(shown)["request"] == {"operation": "*", "operands": [[one, zero]]}


def test_a_crash_of_all_engines_is_a_failure(workers: dict[str, Worker]) -> None:
    call: Call = ("introspect", {"expression": "a", "values": {"a": 1}}, None)
    crashed = {"kind": "crashed", "sequence": 0, "message": "oh", "traceback": ""}
    shown = disagreement(list(workers.values()), call, [crashed for _ in workers])
    assert "crashed, oh" in (shown or "")


def test_a_line_that_calls_an_unclaimed_function_before_an_escaped_newline_is_not_sent() -> None:
    [right, *_] = load_engines().values()
    text = json.dumps({"kind": "run", "request": {"expression": "a\nabs#\n(a)", "values": {}}})
    with Worker(right) as ours, Worker(load_engines(TINY)["tiny"]) as theirs:
        assert is_claimed(ours, ("line", {"line": text}, None))
        assert not is_claimed(theirs, ("line", {"line": text}, None))


def test_a_skipped_call_that_an_engine_claims_is_a_failure() -> None:
    [right, *_] = load_engines().values()
    with Worker(right) as ours, Worker(load_engines(TINY)["tiny"]) as theirs:
        for command, expression in (("paths", "a"), ("introspect", "abs(a)")):
            call: Call = (command, {"expression": expression, "values": {"a": 1.0}}, None)
            coverage = Coverage()
            assert first_failure([ours, theirs], [[call]], coverage) is None
            assert "sent to tiny: 0 of 1 calls" in str(coverage)
        call = ("introspect", {"expression": "exp(a)", "values": {"a": 1.0}}, None)
        assert first_failure([ours, theirs], [[call]], Coverage()) == call
        assert "tiny: skipped, does not have" in explain([ours, theirs], call)


def test_an_engine_that_claims_only_core_gets_as_many_programs() -> None:
    def is_core(call: Call) -> bool:
        return profiles_of_request(call[0], call[1]) == {"core"}

    [calls] = fuzz.random_batches(3, 60, 60, is_core)
    programs = [call for call in calls[:60] if call[0] == "introspect"]
    assert len(programs) == 60
    assert all(map(is_core, programs))


# The command


def test_the_command_finds_no_difference_and_counts_what_it_reached(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fuzz.main(["--count", "100", "--seed", "9", "--batch", "50"]) == 0
    printed = capsys.readouterr().out
    assert "100 programs of seed 9, 0 differences" in printed
    assert "with operations: " in printed
    monkeypatch.setattr(fuzz, "ENOUGH", 5)
    assert fuzz.main(["--count", "5"]) == 1
    assert "never met: " in capsys.readouterr().out


@pytest.mark.parametrize(("size", "reported"), [(300, "mine used 3"), (2000, "MemoryError")])
def test_the_command_finds_an_allocation_that_grows_with_a_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, size: int, reported: str
) -> None:
    large = f'if "exp" in str(message): b"1" * ({size} << 20)'
    entry = write_proxy(tmp_path, large)
    assert fuzz.main(["--far", "--count", "20", "--batch", "20", "--engines", entry]) == 1
    assert reported in capsys.readouterr().out


def test_the_command_fails_and_shows_the_difference_and_how_to_repeat_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "new" / "found.json"

    def worker(engine: Engine, **_: object) -> Worker:
        return Bad(engine, misround) if engine.name == "engine_ts" else Worker(engine)

    monkeypatch.setattr(fuzz, "Worker", worker)
    assert fuzz.main(["--batch", "50", "--fixture", str(file)]) == 1
    again = shlex.split(capsys.readouterr().out.splitlines()[-1].split("reproduce: ")[1])
    assert again[1:3] == ["-m", "parity_tests.fuzz"]
    assert fuzz.main([*again[3:], "--fixture", str(file)]) == 1
    monkeypatch.undo()
    assert fuzz.main(again[3:]) == 0


def test_a_difference_becomes_a_fixture_that_the_right_engine_passes(
    workers: dict[str, Worker], tmp_path: Path
) -> None:
    right, file = workers["engine_py"], tmp_path / "found" / "found.json"
    call: Call = ("introspect", {"expression": "1 + exp(a)", "values": {"a": 2}}, None)
    with Bad(right.engine, misround) as bad:
        explain([right, bad], call, file)
        [case] = load_cases(file.parent)
        assert case.source == "MPFR"
        assert case.verdict(right.run(*case.call)) is None
        [spoiled] = bad.run_many([case.call])
        assert "1 ulp away" in (case.verdict(spoiled) or "")
    error: Call = ("introspect", {"expression": "log(0 - a)", "values": {"a": 2}}, None)
    assert as_fixture(error, "shown")["expect"] == {"error": {"code": BY_HAND, "span": None}}


def test_the_engines_of_a_file_are_compared_with_the_first_of_the_kit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert [each.name for each in fuzz._engines([TINY])] == ["engine_py", "tiny"]
    assert fuzz.main(["--engines", "gone.toml"]) == 2
    assert "gone.toml is missing" in capsys.readouterr().out
