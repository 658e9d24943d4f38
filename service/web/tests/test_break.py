"""The Break it tab: an order of visits made by hand, and the known pitfalls."""

import json
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import DIAMOND, at_rest, cards, do

PITFALLS = json.loads((ROOT / "schemas" / "pitfalls.json").read_text())["pitfalls"]
CHIPS = {
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Forget zero_grad",
    "mutation-before-backward": "Changed data",
}


@pytest.mark.skipif(IS_FIREFOX, reason="its driver cannot drag")
def test_a_visit_can_be_dragged(open_page: Any) -> None:
    page = open_page(DIAMOND)
    do(page, {".visits b": list("abcd")})
    page.locator(".visits li").nth(3).drag_to(page.locator(".visits li").nth(0))
    do(page, {".visits b": list("dabc")})


def test_pressing_cards_makes_an_order_of_visits(open_page: Any) -> None:
    page = open_page(DIAMOND)
    page.locator(".visits").wait_for()
    at_rest(page)  # a driver clicks nothing that still moves
    for name in ("d", "c", "b"):
        page.locator(".card", has=page.locator(f"b.name:text-is('{name}')")).first.click()
    do(page, {".visits b": list("dcba")})


@pytest.mark.parametrize("pitfall", [each for each in PITFALLS if each["name"] in CHIPS])
def test_a_pitfall_is_played_wrong_and_right(open_page: Any, pitfall: dict[str, Any]) -> None:
    page = open_page("#e=x&t=break")
    do(page, CHIPS[pitfall["name"]], "see #room table")
    for name, wrong in pitfall["wrong"].items():
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))
        told = [f"{wrong} ✕", f"{pitfall['right'][name]} ✓"]
        assert row.first.locator("td").all_text_contents() == told
    for side in ("wrong", "right"):
        do(page, "at the end")
        shown = {name: grad for name, (_, grad) in cards(page).items()}
        assert shown | {name: str(grad) for name, grad in pitfall[side].items()} == shown
        page.get_by_text("✓ Right").click()
