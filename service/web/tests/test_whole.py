"""The page as a whole: as one file, its links, and what it loads when."""

from pathlib import Path
from typing import Any

from service.tests.test_sandbox import MOST_WHEN_ASKED
from service.web.tests.conftest import build_one_file
from service.web.tests.reading import do, drawn


def test_one_file_is_the_whole_page(open_page: Any, one_file: Path) -> None:
    page = open_page(base=one_file.as_uri())
    alone = "○ Computed in the browser, without the service"
    assert page.locator(".parity").text_content() == alone
    do(page, "Step", "Step", {".sum": ["1 × 10 = 10", "1 × −1 = −1"]})
    do(page, "Every number, as a table", {"table": 2, "nav a": ["Lesson"]})  # no other pages
    do(page, "Predict", {"grad of a :=": ""})
    page.get_by_label("Language").select_option("ru")
    do(page, {"html[lang=ru]": 1, ".parity": "○ Посчитано здесь, без сервиса"})
    asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert asked == []
    text = one_file.read_text()
    assert "unsafe" not in text.partition("<style>")[0]


def test_it_is_built_the_same_in_another_folder(one_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    build_one_file(again)
    assert again.read_bytes() == one_file.read_bytes()


def test_interaction_parts_are_not_shown_before_their_style(address: str, browsers: Any) -> None:
    page = browsers.context().new_page()
    held: list[Any] = []
    page.route("**/interaction-*.css", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".play")
    asked = "performance.getEntriesByType('resource').map(({ name }) => name)"
    page.wait_for_function(f"{asked}.some((name) => /interaction_parts-.*js$/.test(name))")
    page.evaluate(
        f"import({asked}.find((name) => /interaction_parts-.*js$/.test(name)))"
    )  # it is loaded
    drawn(page)
    assert page.locator(".slot button").count() == 0
    held[0].continue_()
    page.wait_for_selector(".slot button")
    page.context.close()


def test_parts_loaded_on_demand_are_not_loaded_before(open_page: Any) -> None:
    page = open_page()
    do(page, "at the end", "see .panel .body > *")
    names = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))"
    loaded = {name.split("-")[0] for name in page.evaluate(names)}
    assert "interaction_parts" in loaded
    assert loaded & set(MOST_WHEN_ASKED) == set()


def test_a_part_that_fails_to_load_says_so_and_can_be_tried_again(
    open_page: Any,
) -> None:
    page = open_page()
    page.route("**/code-*.js", lambda route: route.abort())
    do(page, "Code", {"#room [role=alert]": "Could not load this part: no connection. Try again"})
    page.unroute("**/code-*.js")
    do(page, "Try again", "see #room .listing")
    open_page.wrong.clear()  # each browser reports the script in its own words


def test_without_the_interaction_parts_the_panel_says_so(address: str, browsers: Any) -> None:
    page = browsers.context().new_page()
    page.route("**/interaction_parts-*.js", lambda route: route.abort())
    page.goto(address)
    page.locator("#room [role=alert]").wait_for()
    page.unroute("**/interaction_parts-*.js")
    do(page, "Try again", "see .slot button", "3", "see #room .guesses")
    page.context.close()


def test_every_link_of_the_page_leads_somewhere(open_page: Any) -> None:
    page = open_page()
    links = page.eval_on_selector_all("a[href]", "(links) => links.map(({ href }) => href)")
    assert len(links) >= 5
    for link in links:
        assert page.request.get(link).status == 200, link
