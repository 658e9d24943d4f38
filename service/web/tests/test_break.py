"""The room where the backward pass goes wrong, with the lessons' diamond and the known pitfalls."""

import json
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.conftest import IS_FIREFOX
from service.web.tests.reading import (
    DIAMOND,
    arrows,
    at_rest,
    cards,
    sentence,
    step,
    to_the_end,
    write,
)

PITFALLS = json.loads((ROOT / "schemas" / "pitfalls.json").read_text())["pitfalls"]
CHIPS = {
    "assigning-instead-of-adding": "= for +=",
    "second-backward": "Twice",
    "mutation-before-backward": "Changed data",
}


def visits(page: Any) -> str:
    page.wait_for_selector(".visits")
    return "".join(page.locator(".visits b").all_text_contents())


def put_in_order(page: Any, wanted: str) -> None:
    """Move each visit up to its place, as one does who has only the buttons."""
    for place, name in enumerate(wanted):
        for _ in range(visits(page).index(name) - place):
            page.get_by_role("button", name=f"Visit {name} earlier", exact=True).click()
    assert visits(page) == wanted


def run(page: Any) -> str:
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    text: str = page.locator(".verdict").inner_text()
    return text


JUDGED: dict[str, tuple[str, ...]] = {
    # L: d first, then b and c in either order, then a: grad[a] is 15.
    "dbca": ("Nothing is lost", "a gets 15.", "Reverse topological order? Yes"),
    "dcba": ("Nothing is lost", "a gets 15.", "Reverse topological order? Yes"),
    # A push walk: the visit of an input does nothing, so a may come first.
    "adbc": ("Nothing is lost", "a gets 15.", "Reverse topological order? No: a before"),
    # By hand: c passes on 0 * 3 before d sends it 1 * 3; of 15 = 6 + 9 the 9 is lost.
    "cdba": (
        *("Lost: 9 from c", "c was visited before d had sent it 3.", "a ends with 6, not 15."),
        *("Reverse topological order? No: c before d.", "6 from b, arrived", "9 from c, lost"),
    ),
    # The order of the forward pass loses everything.
    "abcd": (
        *("Lost: 9 from c, 6 from b", "a ends with 0, not 15."),
        *("b was visited before d had sent it 6.", "c was visited before d had sent it 3."),
    ),
}


def test_each_order_of_the_diamond_is_judged(open_page: Any) -> None:
    page = open_page(DIAMOND)
    for order, parts in JUDGED.items():
        put_in_order(page, order)
        told = run(page)
        assert [part for part in parts if part not in told] == [], order
        assert (page.locator(".incorrect").count() == 0) == ("Nothing is lost" in told)


def test_a_visit_too_early_is_seen_on_the_stage(open_page: Any) -> None:
    page = open_page(DIAMOND)
    put_in_order(page, "cdba")
    run(page)
    assert cards(page)["a"] == ("2", "6")
    assert cards(page)["c"] == ("6", "3")
    assert page.locator(".edge.lost").get_attribute("aria-label").startswith("0 × 3 = 0 9 lost, ")
    assert "9 lost" in arrows(page)[0]
    assert sorted(page.locator(".error-badge").all_text_contents()) == ["9 short", "too late"]
    assert [each.text_content() for each in page.locator(".visits li.off b").all()] == ["c"]
    assert page.locator(".card[data-node] .visit").count() == 4


def test_nothing_is_given_away_before_it_is_run(open_page: Any) -> None:
    page = open_page(DIAMOND)
    assert visits(page) == "abcd"
    assert page.locator(".verdict").count() == 0
    assert cards(page)["a"] == ("2", "--")
    page.get_by_role("button", name="Show a right order").click()
    assert visits(page)[0] == "d"
    assert visits(page)[-1] == "a"
    assert page.locator(".verdict").count() == 0


def test_what_an_order_does_is_told_as_the_wave_brings_it(open_page: Any) -> None:
    """By hand: c sends 0, then d sends 6 and 3, b sends 6; before the last nothing is judged."""
    page = open_page(DIAMOND)
    put_in_order(page, "cdba")
    page.get_by_role("button", name="Run my order").click()
    page.get_by_role("button", name="Pause").click()
    page.locator(".timeline input").fill("0")
    said = page.locator(".visits .effect")
    assert said.all_text_contents() == ["", "", "", "sends nothing on"]
    step(page, 3)
    assert said.all_text_contents() == [
        "sent 0 to a Too early",
        "sent 6 to b, 3 to c",
        "",
        "sends nothing on",
    ]
    assert page.locator(".verdict").count() == 0
    step(page)
    assert "a ends with 6, not 15." in page.locator(".verdict").inner_text()


def test_a_visit_can_be_dragged(open_page: Any) -> None:
    page = open_page(DIAMOND)
    assert visits(page) == "abcd"
    [last, first] = [page.locator(".visits li").nth(place) for place in (3, 0)]
    if IS_FIREFOX:  # whose driver cannot drag, so the page is told that it happens
        carried = {"dataTransfer": page.evaluate_handle("new DataTransfer()")}
        for row, event in ((last, "dragstart"), (first, "dragover"), (first, "drop")):
            row.dispatch_event(event, carried)
    else:
        last.drag_to(first)
    assert visits(page) == "dabc"


def test_cards_that_are_pressed_make_an_order_of_visits(open_page: Any) -> None:
    page = open_page(DIAMOND)
    page.locator(".visits").wait_for()
    at_rest(page)  # a driver presses nothing that still turns
    for name in ("d", "c", "b"):
        page.locator(".card", has=page.locator(f"b.name:text-is('{name}')")).first.click()
    assert page.locator(".visits b").all_text_contents() == ["d", "c", "b", "a"]


def test_another_program_has_other_visits(open_page: Any) -> None:
    page = open_page(DIAMOND)
    run(page)
    write(page, "p * q")
    assert "".join(page.locator(".visits b").all_text_contents()) == "pqp * q"
    assert page.locator(".verdict").count() == 0
    page.get_by_role("button", name="Use b = a + 1; c = a * 3; d = b * c").click()
    assert visits(page) == "abcd"


@pytest.mark.parametrize("pitfall", [each for each in PITFALLS if each["name"] in CHIPS])
def test_a_pitfall_is_played_wrong_and_right(open_page: Any, pitfall: dict[str, Any]) -> None:
    page = open_page("#e=x&t=break")
    page.get_by_role("button", name=CHIPS[pitfall["name"]], exact=True).click()
    for name, wrong in pitfall["wrong"].items():
        row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=name))
        assert row.first.locator("td").all_text_contents() == [
            f"{wrong} ✕",
            f"{pitfall['right'][name]} ✓",
        ]
    to_the_end(page)
    shown = cards(page)
    for name, wrong in pitfall["wrong"].items():
        assert shown[name][1] == str(wrong)
    page.get_by_text("✓ Right").click()
    to_the_end(page)
    shown = cards(page)
    for name, right in pitfall["right"].items():
        assert shown[name][1] == str(right)


def test_what_is_assigned_overwrites_by_name(open_page: Any) -> None:
    page = open_page("#e=x&t=break")
    page.get_by_role("button", name="= for +=").click()
    step(page)
    assert page.locator(".lost").count() == 0
    step(page)
    assert page.locator(".edge.lost .word").text_content() == "overwritten"
    assert sentence(page) == "a * a sends 1 × 3 = 3 to a, overwriting 3."


def test_the_sentence_of_changed_data_says_the_data_that_was_read(open_page: Any) -> None:
    """d = a * b + c: with a set to 5 between the passes, a * b gives b a local derivative of 5."""
    page = open_page()
    page.get_by_role("tab", name="Break it").click()
    page.get_by_role("button", name="Changed data").click()
    page.keyboard.press("End")
    assert "sends 1 × 5 = 5 to b" in sentence(page)
    assert "a is 5" in sentence(page)


def test_a_mistake_in_the_program_has_its_cure_on_the_stage(open_page: Any) -> None:
    page = open_page("#e=x&t=break")
    page.get_by_role("button", name="Dead relu").click()
    to_the_end(page)
    assert cards(page)["w"] == ("1", "0")
    page.get_by_text("✓ Right").click()
    to_the_end(page)
    assert cards(page)["w"] == ("1", "2")
    assert cards(page)["b"] == ("1", "1")
    page.get_by_role("button", name="Variable exponent").click()
    assert "must be one number, not n" in page.locator(".verdict").inner_text()
    to_the_end(page)
    assert cards(page)["n"] == ("3", "5.545")


def test_leaving_the_room_brings_the_right_walk_back(open_page: Any) -> None:
    page = open_page(DIAMOND)
    put_in_order(page, "cdba")
    run(page)
    page.get_by_role("tab", name="Values").click()
    to_the_end(page)
    assert cards(page)["a"] == ("2", "15")
    assert page.locator(".visit, .lost, .late, .incorrect").count() == 0
