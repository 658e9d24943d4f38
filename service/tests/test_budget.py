import pytest

from service.errors import Overloaded
from service.server.budget import Budget


def test_no_more_is_held_than_the_limit_allows() -> None:
    budget = Budget(8, "places")
    assert budget.take("a", 5)
    assert budget.take("b", 3)
    assert not budget.take("c")
    budget.give_back("a", 5)
    assert budget.take("c", 5)
    assert budget.held == 8


@pytest.mark.parametrize(("limit", "share"), [(8, 6), (4, 3), (2, 1), (1, 1), (100, 75)])
def test_one_address_holds_three_quarters_at_most(limit: int, share: int) -> None:
    budget = Budget(limit, "places")
    taken = [budget.take("a") for _ in range(limit + 1)]
    assert sum(taken) == share
    assert budget.take("b") == (limit > share)


def test_an_address_that_holds_nothing_is_forgotten() -> None:
    # Or each address that ever asked would take memory.
    budget = Budget(8, "places")
    for number in range(100):
        assert budget.take(f"address {number}")
        budget.give_back(f"address {number}")
        assert not budget.take(f"refused {number}", 9)
    assert len(budget._by_address) == 0


def test_who_finds_no_place_is_told_how_many_there_are() -> None:
    refusal = Budget(4, "places").too_much()
    assert isinstance(refusal, Overloaded)
    assert "4 places, no more at once, 3 of one address" in str(refusal)
