"""The page in each language, chosen by the user, the address or the browser."""

from typing import Any

import pytest

from service.web.tests.reading import cards, do

Page = Any


def choose(page: Page, lang: str) -> None:
    page.locator(".bar select").select_option(lang)
    page.locator(f"html[lang={lang}]").wait_for()


def test_the_language_is_chosen_from_the_keyboard(open_page: Any) -> None:
    page = open_page()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.bar select')"):
            break
    arrowed(page, "ArrowDown", "es", "et", "ru")
    assert page.title() == page.locator("h1").text_content() == "Песочница градиентов"
    do(page, {"address": "&lang=ru"})
    arrowed(page, "ArrowUp", "et", "es", "en")
    assert page.title() == "Gradient sandbox"
    do(page, {"address": "&lang=en"})


def arrowed(page: Page, key: str, *langs: str) -> None:
    for lang in langs:
        page.keyboard.press(key)
        page.locator(f"html[lang={lang}]").wait_for()


def test_the_sentence_changes_with_the_language(open_page: Any) -> None:
    """The program, the step and the open curve stay."""
    page = open_page()
    do(page, "The diamond", {".sentence": "Two paths lead back to a"})
    choose(page, "ru")
    do(page, {".sentence": "К a ведут два пути"}, "Home", "ArrowRight", "ArrowRight")
    before = cards(page)
    choose(page, "en")
    assert cards(page) == before
    do(page, {".sentence": "sends 1 × 3 = 3 to c"})


def test_the_address_keeps_the_language(open_page: Any) -> None:
    page = open_page("#e=a*a&v=a:3&lang=ru")
    do(page, {"h1": "Песочница градиентов", "a": ("3", "--")})
    page.evaluate("location.hash = 'e=a*a&v=a:4'")
    do(page, {"html[lang=en]": 1, "h1": "Gradient sandbox", "a": ("4", "--")})


def test_without_the_words_the_page_stays_as_it_is(open_page: Any) -> None:
    page = open_page()
    page.route("**/*.js", lambda route: route.abort())  # without it they come from the cache
    page.get_by_label("Language").select_option("ru")
    message = "Could not load Русский. Check the connection, or reload the page."
    do(page, {".sentence": message, "Language :=": "en"})
    do(page, {"html[lang=en]": 1, "h1": "Gradient sandbox"})
    assert "lang" not in page.evaluate("location.hash")
    open_page.wrong[:] = [said for said in open_page.wrong if "ERR_FAILED" not in said]


@pytest.mark.parametrize(
    ("locale", "lang"), [("es-MX", "es"), ("et-EE", "et"), ("ru-RU", "ru"), ("de-DE", "en")]
)
def test_the_language_is_the_browsers_unless_the_address_names_one(
    open_page: Any, locale: str, lang: str
) -> None:
    page = open_page(locale=locale)
    assert page.locator("html").get_attribute("lang") == lang
    assert page.locator(".bar select").input_value() == lang
    page.wait_for_function("() => location.hash.includes('e=')")
    assert "lang" not in page.evaluate("location.hash"), "the receiver's browser chooses"
    assert open_page("#lang=en", locale=locale).title() == "Gradient sandbox"


def test_letters_are_keys_on_a_cyrillic_keyboard(open_page: Any) -> None:
    page = open_page("#lang=ru")
    key = "new KeyboardEvent('keydown', { key: 'а', code: 'KeyF', bubbles: true })"
    page.evaluate(f"document.body.dispatchEvent({key})")
    assert page.get_by_label("Прямой: data").is_checked()
