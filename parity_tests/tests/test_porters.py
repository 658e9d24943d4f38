"""A porter's mistakes: the list is long and of every class, and the judge sees them."""

from collections import Counter

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.worker import Worker
from parity_tests.mutation.judge import Judge
from parity_tests.mutation.porters import MODEL, PORT, Fate, load_mistakes, table, try_mistake

MISTAKES = load_mistakes()
NAMED = {mistake.name: mistake for mistake in MISTAKES}


@pytest.fixture(scope="module")
def judge() -> Judge:
    """A topic is enough to see the judge at work."""
    return Judge([case for case in load_cases() if case.topic in ("zeros", "sharing")], MODEL)


def test_there_are_hundreds_of_mistakes_of_every_class() -> None:
    counted = Counter(mistake.kind for mistake in MISTAKES)
    assert len(MISTAKES) >= 400
    assert len(counted) >= 21
    assert min(counted.values()) >= 5


def test_no_mistake_is_made_twice() -> None:
    changes = Counter(each.change for each in MISTAKES)
    assert [change for change, times in changes.items() if times > 1] == []


def test_the_text_of_every_mistake_stands_once_in_its_file() -> None:
    texts = {file.name: file.read_text() for file in PORT.folder.glob("*.py")}
    for mistake in MISTAKES:
        file, before, _ = mistake.change
        assert texts[file].count(before) == 1, mistake


def test_the_port_itself_is_right(judge: Judge) -> None:
    assert judge.first_failure(Worker(PORT)) is None


@pytest.mark.parametrize(
    ("name", "topic"),
    [("-0 is written as it is", "zeros"), ("every use of a variable is a leaf", "sharing")],
)
def test_a_mistake_is_found_by_a_case(name: str, topic: str, judge: Judge) -> None:
    found_by = try_mistake(NAMED[name], judge).found_by
    assert found_by is not None
    assert topic in found_by


def test_a_port_that_does_not_start_is_found(judge: Judge) -> None:
    mistake = NAMED["-0 is written as it is"]
    broken = mistake._replace(change=mistake.change._replace(after="    return ("))
    assert "died" in (try_mistake(broken, judge).found_by or "")


def test_what_no_case_is_about_survives(judge: Judge) -> None:
    fate = try_mistake(NAMED["at most 30000 parentheses"], judge)
    assert fate.found_by is None
    *_, last = table([fate]).splitlines()
    assert last == "SURVIVED depth: at most 30000 parentheses"


def test_the_table_counts_by_class() -> None:
    first, second = NAMED["at most 9000 signs deep"], NAMED["a null view is the default"]
    rows = table([Fate(first, "a case"), Fate(second, None)]).splitlines()
    assert [row.split() for row in rows[1:4]] == [
        ["depth", "1", "1", "0"],
        ["views", "1", "0", "1"],
        ["all", "2", "1", "1"],
    ]
