"""The page as a whole: as one file, its links, and what it loads in all."""

from pathlib import Path
from typing import Any

from service.web.tests.conftest import build_one_file
from service.web.tests.reading import arrows, drawn, step


def test_one_file_is_the_whole_page(open_page: Any, one_file: Path) -> None:
    page = open_page(base=one_file.as_uri())
    alone = "○ Computed in the browser, without the service"
    assert page.locator(".parity").text_content() == alone
    step(page, 2)
    assert arrows(page) == ["1 × 10 = 10", "1 × −1 = −1"]
    page.get_by_text("Every number, as a table").click()
    page.locator("table").last.wait_for()
    assert page.locator("table").count() == 2
    assert page.locator("nav a").all_text_contents() == ["Lesson"], "there are no other pages"
    page.get_by_role("tab", name="Predict").click()
    page.get_by_label("grad of a").wait_for()
    page.get_by_label("Language").select_option("ru")
    page.locator("html[lang=ru]").wait_for()
    assert page.locator(".parity").text_content() == "○ Посчитано здесь, без сервиса"
    asked = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert asked == []
    text = one_file.read_text()
    assert "unsafe" not in text.partition("<style>")[0]


def test_it_is_built_the_same_in_another_folder(one_file: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    build_one_file(again)
    assert again.read_bytes() == one_file.read_bytes()


def test_what_comes_later_is_not_seen_before_its_style(open_page: Any, browsers: Any) -> None:
    address = open_page().url.partition("#")[0]
    page = browsers.context().new_page()
    held: list[Any] = []
    page.route("**/deferred-*.css", lambda route: held.append(route))  # noqa: PLW0108 - it is marked
    page.goto(address, wait_until="commit")
    page.wait_for_selector(".play")
    asked = "performance.getEntriesByType('resource').map(({ name }) => name)"
    page.wait_for_function(f"{asked}.some((name) => /deferred_parts-.*js$/.test(name))")
    page.evaluate(
        f"import({asked}.find((name) => /deferred_parts-.*js$/.test(name)))"
    )  # it has come
    drawn(page)
    assert page.locator(".slot button").count() == 0
    held[0].continue_()
    page.wait_for_selector(".slot button")
    page.context.close()


def test_a_part_that_could_not_be_loaded_says_so_and_is_loaded_when_asked_again(
    open_page: Any,
) -> None:
    page = open_page()
    page.route("**/code-*.js", lambda route: route.abort())
    page.get_by_role("tab", name="Code").click()
    told = page.locator("#room [role=alert]")
    assert told.inner_text() == "Could not load this part: no connection. Try again"
    page.unroute("**/code-*.js")
    told.get_by_role("button", name="Try again").click()
    page.locator("#room .listing").wait_for()
    open_page.wrong.clear()  # the browser tells of the script, each in its words


def test_without_what_follows_the_first_sight_the_panel_says_so(
    open_page: Any, browsers: Any
) -> None:
    address = open_page().url.partition("#")[0]
    page = browsers.context().new_page()
    page.route("**/deferred_parts-*.js", lambda route: route.abort())
    page.goto(address)
    told = page.locator("#room [role=alert]")
    told.wait_for()
    page.unroute("**/deferred_parts-*.js")
    told.get_by_role("button", name="Try again").click()
    page.locator(".slot button").first.wait_for()
    page.keyboard.press("3")
    page.locator("#room .guesses").wait_for()
    page.context.close()


def test_every_link_of_the_page_leads_somewhere(open_page: Any) -> None:
    page = open_page()
    links = page.eval_on_selector_all("a[href]", "(links) => links.map(({ href }) => href)")
    assert len(links) >= 5
    for link in links:
        assert page.request.get(link).status == 200, link
