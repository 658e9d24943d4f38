"""Random programs find no difference between the engines, and would find one if there were."""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, nextafter
from pathlib import Path
from random import Random

import pytest
from jsonschema import Draft202012Validator

from parity_tests.fuzz import __main__ as fuzz
from parity_tests.fuzz.coverage import Coverage
from parity_tests.fuzz.found import BY_HAND, as_fixture
from parity_tests.fuzz.members import with_members
from parity_tests.fuzz.messages import random_line
from parity_tests.fuzz.programs import random_call
from parity_tests.fuzz.search import disagreement, explain, first_failure, run_asked
from parity_tests.fuzz.values import random_values
from parity_tests.kit.cases import load_cases, read_json
from parity_tests.kit.engines import SCHEMAS, Engine, load_engines
from parity_tests.kit.protocol import load_validators
from parity_tests.kit.worker import Call, Json, Worker

PROGRAMS = 3000


def told(responses: Sequence[Json]) -> list[Json]:
    """Give what has members."""
    results = [response.get("result") for response in responses]
    return [result for result in results if isinstance(result, dict)]


class Misrounding(Worker):
    """The engine with every exp one ulp too large."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        responses = super().run_many(calls)
        for result in told(responses):
            for node in result.get("nodes", []):
                if node.get("operation") == "exp" and node["data"] is not None:
                    node["data"] = nextafter(node["data"], inf)
        return responses


class Misplacing(Worker):
    """The engine with every error's span one too far to the left."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        responses = super().run_many(calls)
        for response in responses:
            if response.get("error", {}).get("span"):
                response["error"]["span"]["start"] -= 1
        return responses


class Crashing(Worker):
    """The engine that crashes on every tanh."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        return [
            {"kind": "crashed", "sequence": 0, "message": "tanh is too hard", "traceback": ""}
            if "tanh" in str(call[1]["expression"])
            else response
            for call, response in zip(calls, super().run_many(calls), strict=True)
        ]


class Patient(Worker):
    """The engine that reads control characters in strings, which JSON has escaped."""

    def send(self, line: bytes) -> Json:
        return super().send(bytes(max(byte, 0x20) for byte in line))


class Misspelling(Worker):
    """The engine with a plus too few in its canonical texts."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        responses = super().run_many(calls)
        for result in told(responses):
            if "digest" in result:
                result["text"] = result["text"].replace("e+", "e")
        return responses


class Painter(Worker):
    """The engine with its pictures a pixel narrower."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        responses = super().run_many(calls)
        for result in told(responses):
            if "svg" in result:
                result["svg"] = result["svg"].replace('width="96"', 'width="95"')
        return responses


@pytest.fixture
def pair(workers: dict[str, Worker], request: pytest.FixtureRequest) -> Iterator[list[Worker]]:
    """A right engine and a bad one."""
    right = workers["engine_py"]
    with request.param(right.engine) as bad:
        yield [right, bad]


def seeded(seed: int, count: int) -> list[list[Call]]:
    random = Random(seed)
    return [[random_call(random) for _ in range(250)] for _ in range(count // 250)]


def lines(seed: int, count: int) -> list[Call]:
    random = Random(seed)
    return [random_line(random, random_call(random, short=0.9)) for _ in range(count)]


def differ(workers: Sequence[Worker], call: Call) -> bool:
    return disagreement(workers, call, [worker.run(*call) for worker in workers]) is not None


def test_seeded_programs_find_no_difference_and_meet_everything(
    workers: dict[str, Worker],
) -> None:
    engines, coverage = list(workers.values()), Coverage()
    failure = first_failure(engines, seeded(2024, PROGRAMS), coverage)
    assert failure is None, explain(engines, failure)
    assert coverage.documents > PROGRAMS / 2
    assert coverage.missing() == []
    by_nature = sum(coverage.codes[code] for code in ("domain_error", "non_finite", "unused_name"))
    damaged = PROGRAMS - coverage.documents - by_nature
    assert PROGRAMS / 10 < damaged < PROGRAMS / 4


def test_random_graphs_of_values_find_no_difference_and_meet_what_they_are_for(
    workers: dict[str, Worker],
) -> None:
    random, engines = Random(1), list(workers.values())
    calls = [random_values(random) for _ in range(600)]
    failure = first_failure(engines, [calls], Coverage())
    assert failure is None, explain(engines, failure)
    met = Counter(
        response["error"]["code"] if response["kind"] == "error" else response["kind"]
        for response in engines[0].run_many(calls)
    )
    assert met["result"] > 300
    codes = ("stale_custom", "domain_error", "non_finite", "invalid_value", "invalid_request")
    assert min(met[code] for code in codes) >= 5


@pytest.mark.parametrize("pair", [Misrounding], indirect=True)
def test_random_graphs_of_values_find_a_bad_engine(pair: list[Worker]) -> None:
    random = Random(1)
    calls = [random_values(random) for _ in range(300)]
    failure = first_failure(pair, [calls], Coverage())
    assert failure is not None
    shown = explain(pair, failure)
    assert "/nodes" in shown
    [_, call] = shlex.split(shown.partition("reproduce: ")[2])[-2:]
    assert len(json.loads(call)["request"]["nodes"]) <= 4


def test_random_lines_find_no_difference_and_meet_every_kind_of_response(
    workers: dict[str, Worker],
) -> None:
    engines, calls = list(workers.values()), lines(1, 400)
    failure = first_failure(engines, [calls], Coverage())
    assert failure is None, explain(engines, failure)
    met = Counter(each["kind"] for each in run_asked(engines[0], calls))
    assert met.keys() == {"result", "error", "refused", "skipped"}
    assert met["refused"] > 200


@pytest.mark.parametrize("pair", [Patient], indirect=True)
def test_random_lines_find_a_bad_engine(pair: list[Worker]) -> None:
    calls = lines(1, 2000)
    failure = first_failure(pair, [calls], Coverage())
    assert failure is not None
    [_, call] = shlex.split(explain(pair, failure).partition("reproduce: ")[2])[-2:]
    assert len(json.loads(call)["request"]["line"]) < len(failure[1]["line"])


@pytest.mark.parametrize("pair", [Misrounding, Misplacing, Crashing], indirect=True)
def test_seeded_programs_find_a_bad_engine(pair: list[Worker]) -> None:
    assert first_failure(pair, seeded(1, 1000), Coverage()) is not None


@pytest.mark.parametrize("pair", [Crashing], indirect=True)
def test_a_request_without_values_is_shrunk(pair: list[Worker]) -> None:
    shown = explain(pair, ("introspect", {"expression": "tanh(a) + 1"}, None))
    assert '"request": {"expression": "tanh' in shown
    assert "+" not in shown


class Signing(Worker):
    """The engine with a sign for every zero that an operation alone results in."""

    def run_many(self, calls: Sequence[Call]) -> list[Json]:
        text = json.dumps(super().run_many(calls))
        return list(json.loads(text.replace('"0000000000000000"', '"8000000000000000"')))


@pytest.mark.parametrize("pair", [Signing], indirect=True)
def test_the_sign_of_a_zero_counts_where_it_is_not_free(pair: list[Worker]) -> None:
    one, zero = "3ff0000000000000", "0000000000000000"

    def evaluated(operation: str, *rows: list[str]) -> Call:
        return "evaluate", {"operation": operation, "operands": [*rows]}, None

    assert not differ(pair, evaluated("relu", [zero], [one]))
    shown = explain(pair, evaluated("*", [one, one], [one, zero], [zero, zero]))
    assert json.dumps({"operation": "*", "operands": [[one, zero]]}) in shown


@pytest.mark.parametrize("pair", [Misrounding], indirect=True)
def test_a_difference_is_shrunk_and_told_with_its_command(pair: list[Worker]) -> None:
    program = "p = tanh(a) - 2\nq = p * (exp(__proto__) + a)\n(q + b) / (1 + b ** 3)"
    request = {"expression": program, "values": {"a": 0.5, "b": 2, "__proto__": -1}}
    failure = first_failure(pair, [[("introspect", request, None)]], Coverage())
    assert failure is not None
    shown = explain(pair, failure)
    assert "1 ulp away" in shown
    *_, again = shown.splitlines()
    call = json.loads(shlex.split(again)[-1])
    assert len(call["request"]["expression"]) <= len("exp(__proto__)")
    assert differ(pair, ("introspect", call["request"], call["limits"]))


def found_and_kept(pair: list[Worker], command: str, file: Path) -> tuple[str, Json]:
    """Find the difference of a command; give what is said of it, and the fixture it becomes."""
    failure = first_failure(pair, fuzz.random_batches(1, 2000, 250), Coverage())
    assert failure is not None
    assert failure[0] == command
    shown, cases = explain(pair, failure, file), read_json(file)
    load_validators()["fixture"].validate(cases)
    [fixture] = cases
    assert fixture["command"] == command
    return shown, fixture


@pytest.mark.parametrize("pair", [Misspelling], indirect=True)
def test_a_wrong_canonical_text_is_found_and_told(pair: list[Worker], tmp_path: Path) -> None:
    shown, _ = found_and_kept(pair, "canonicalize", tmp_path / "found.json")
    assert "differ at /canonical/text" in shown
    again = json.loads(shlex.split(shown.splitlines()[-1])[-1])
    assert again["command"] == "canonicalize"
    expected = [line for line in shown.splitlines() if "expected " in line][-1]
    assert "e+" in expected


@pytest.mark.parametrize("pair", [Painter], indirect=True)
def test_another_picture_is_found_and_told(pair: list[Worker], tmp_path: Path) -> None:
    shown, fixture = found_and_kept(pair, "picture", tmp_path / "found.json")
    assert "differ at /picture/svg" in shown
    assert fixture["expect"]["error"]["span"] is None


@pytest.mark.parametrize(("command", "rate"), fuzz.SAMPLES.items())
def test_the_other_commands_have_their_share(command: str, rate: int) -> None:
    [calls] = fuzz.random_batches(1, 256, 256)
    programs = [call for call in calls if call[0] == "introspect"]
    others = [call for call in calls if call[0] == command]
    assert (len(programs), len(others)) == (256, 256 // rate)


def test_the_sweeps_have_every_kind_of_value_and_problem(workers: dict[str, Worker]) -> None:
    random = Random(3)
    programs = [random_call(random) for _ in range(300)]
    calls = [with_members(random, ("sweep", *program[1:])) for program in programs]
    columns = [request.get("values") for _, request, _ in calls]
    # A damaged request may have another thing in their place.
    kinds = {type(value) for each in columns if isinstance(each, dict) for value in each.values()}
    assert {float, list, dict} <= kinds
    responses = [workers["engine_py"].run(*call) for call in calls]
    swept = [response["result"] for response in responses if response["kind"] == "result"]
    assert {2, 3} <= {len(made["axes"]) for made in swept}
    assert any(0 < len(made["problems"]) < made["count"] for made in swept)
    codes = {response["error"]["code"] for response in responses if response["kind"] == "error"}
    assert {"invalid_value", "limit_exceeded"} <= codes


@pytest.mark.parametrize("command", ["experiment", "paths", "descend", "hessian"])
def test_every_member_of_a_command_is_drawn_and_spoiled(
    command: str, workers: dict[str, Worker]
) -> None:
    random, met = Random(4), Counter[str]()
    for _ in range(500):
        call = with_members(random, (command, *random_call(random, short=0.5)[1:]))
        response = workers["engine_py"].run(*call)
        met.update(list(call[1]) if "result" in response else [response["error"]["code"]])
    members = read_json(SCHEMAS / f"{command}_request.schema.json")["properties"]
    wanted = {*members, "invalid_request", "invalid_value", "limit_exceeded"}
    assert {name: met[name] for name in wanted if met[name] < 2} == {}


def test_what_an_engine_claims_it_may_not_skip() -> None:
    tiny = load_engines(Path(__file__).with_name("tiny") / "engines.toml")["tiny"]
    [right, *_] = load_engines().values()
    values = {"a": 1.0}
    with Worker(right) as ours, Worker(tiny) as theirs:
        for command, expression in (("paths", "a"), ("introspect", "abs(a)")):
            call: Call = (command, {"expression": expression, "values": values}, None)
            coverage = Coverage()
            assert first_failure([ours, theirs], [[call]], coverage) is None
            assert "not claimed by: tiny 1" in str(coverage)
        call = ("introspect", {"expression": "exp(a)", "values": values}, None)
        assert first_failure([ours, theirs], [[call]], Coverage()) == call
        assert "tiny: skipped, does not have" in explain([ours, theirs], call)


def test_the_engines_of_a_file_are_compared_with_the_first_of_the_kit(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tiny = Path(__file__).with_name("tiny") / "engines.toml"
    assert [each.name for each in fuzz._engines([tiny])] == ["engine_py", "tiny"]
    assert fuzz.main(["--engines", "gone.toml"]) == 2
    assert "gone.toml is missing" in capsys.readouterr().out


def test_a_fault_that_all_engines_share_is_a_failure(workers: dict[str, Worker]) -> None:
    call: Call = ("introspect", {"expression": "a", "values": {"a": 1}}, None)
    crash = {"kind": "crashed", "sequence": 0, "message": "oh", "traceback": ""}
    shown = disagreement(list(workers.values()), call, [crash for _ in workers])
    assert shown is not None
    assert "crashed, oh" in shown


def test_the_same_seed_makes_the_same_programs() -> None:
    assert repr(seeded(5, 500)) == repr(seeded(5, 500))
    assert repr(seeded(5, 500)) != repr(seeded(6, 500))


# The command


def test_the_command_tells_rate_seed_and_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--count", "600", "--seed", "9", "--batch", "100"]) == 0
    printed = capsys.readouterr().out
    assert "600 programs of seed 9, 0 differences" in printed
    assert "/s" in printed
    assert "with operations: " in printed


def test_the_command_fails_and_tells_the_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "new" / "found.json"

    def worker(engine: Engine) -> Worker:
        return Misrounding(engine) if engine.name == "engine_ts" else Worker(engine)

    monkeypatch.setattr(fuzz, "Worker", worker)
    assert fuzz.main(["--count", "1000", "--fixture", str(file)]) == 1
    assert [case["source"] for case in read_json(file)] == ["MPFR"]
    again = shlex.split(capsys.readouterr().out.splitlines()[-1].split("reproduce: ")[1])
    assert again[1:3] == ["-m", "parity_tests.fuzz"]
    assert fuzz.main([*again[3:], "--fixture", str(file)]) == 1
    monkeypatch.undo()
    assert fuzz.main(again[3:]) == 0


@pytest.mark.parametrize("pair", [Misrounding], indirect=True)
def test_a_difference_becomes_a_fixture_that_the_right_engine_passes(
    pair: list[Worker], tmp_path: Path, validators: dict[str, Draft202012Validator]
) -> None:
    file = tmp_path / "found" / "found.json"
    explain(pair, ("introspect", {"expression": "1 + exp(a)", "values": {"a": 2}}, None), file)
    validators["fixture"].validate(read_json(file))
    file.with_name("manifest.json").write_text('{"cases": {"found": 1}}')
    [case] = load_cases(file.parent)
    assert case.source == "MPFR"
    right, bad = (worker.run("introspect", case.request) for worker in pair)
    assert case.verdict(right) is None
    assert "1 ulp away" in (case.verdict(bad) or "")


def test_where_an_error_is_due_the_fixture_waits_for_a_hand() -> None:
    call: Call = ("introspect", {"expression": "log(0 - a)", "values": {"a": 2}}, None)
    assert as_fixture(call, "shown")["expect"] == {"error": {"code": BY_HAND, "span": None}}


def test_the_command_fails_where_it_never_got(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "ENOUGH", 5)
    assert fuzz.main(["--count", "5"]) == 1
    assert "never met: " in capsys.readouterr().out
