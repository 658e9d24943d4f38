"""No request of 16 kB keeps the event loop long, and the search for one can find it."""

from collections.abc import Generator
from contextlib import closing

import pytest

from service.server import entry
from service.tests.call import Call
from service.tests.costly_calls import costliest

MOST = 10
"""Small requests; what takes longer goes where large work goes."""


@pytest.mark.thorough
def test_the_costliest_call_that_is_found_takes_no_longer_than_some_small_ones() -> None:
    *_, (cost, call) = costliest(seconds=20, seed=7)
    assert 1 < cost <= MOST, call


def test_the_search_finds_what_an_estimate_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "is_costly", lambda *_: False)
    searches = (costliest(seconds=40, seed=seed) for seed in range(10))  # one may climb no hill
    assert any(finds_some(search) for search in searches)


def finds_some(search: Generator[tuple[float, Call]]) -> bool:
    with closing(search):
        return any(cost > MOST for cost, _ in search)
