"""No bad input makes the service fail, and the run that says so would notice if one did."""

import re
from random import Random
from typing import Any

import pytest

from service.reply.problems import KINDS
from service.tests import bad_inputs
from service.tests.bad_calls import bad_call
from service.tests.bad_inputs import answered, main
from service.tests.tally import NOT_OF_ONE_CALL, Tally

CALLS = 3000
SEED = 7
"""Not that of the long run."""


@pytest.fixture(scope="module")
def tally() -> Tally:
    tally = Tally()
    for one in answered(SEED, range(CALLS)):
        again = f"python -m service.tests.bad_inputs --seed {SEED} --only {one.number}"
        assert one.faults == [], again
        tally.add(one.number, one.reply, one.seconds)
    return tally


def test_bad_inputs_are_refused_and_none_makes_the_service_fail(tally: Tally) -> None:
    refused = sum(count for (status, _), count in tally.replies.items() if 400 <= status < 500)
    assert refused > CALLS * 0.7
    assert tally.replies.total() == CALLS


def test_bad_inputs_reach_every_problem_of_a_single_call(tally: Tally) -> None:
    assert tally.missing() == []
    assert {code for _, code in tally.replies} - {""} == KINDS.keys() - NOT_OF_ONE_CALL
    assert len(tally.in_batches) >= 10


def test_a_seed_and_a_number_make_the_same_call_again() -> None:
    assert bad_call(Random("1/5")) == bad_call(Random("1/5")) != bad_call(Random("1/6"))


def test_the_command_tells_how_many_replies_there_were_of_each_kind(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--count", "200"]) == 0
    shown = capsys.readouterr().out
    counts = re.findall(r"^\d{3} \w* +(\d+)$", shown, re.MULTILINE)
    assert sum(map(int, counts)) == 200
    assert "200 calls of seed 1, no fault" in shown


def test_the_command_shows_one_call_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "3"]) == 0
    assert f"body: {bad_call(Random('1/3')).body!r}" in capsys.readouterr().out


def test_the_command_fails_with_the_call_that_shows_it_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr("service.routes.parse_json", failing)
    assert main(["--count", "200"]) == 1
    shown = capsys.readouterr().out
    assert "fault: the status is 500" in shown
    number = re.search(r"again: python -m service.tests.bad_inputs --seed 1 --only (\d+)", shown)
    assert number
    assert main(["--only", number[1]]) == 1


def test_the_command_fails_if_codes_are_never_met(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bad_inputs, "ENOUGH", 5)
    assert main(["--count", "5"]) == 1
    assert "never met: " in capsys.readouterr().out
