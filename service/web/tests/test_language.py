"""The page in each language: by hand, address or browser; whole in every room, and in its boxes."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.tests.test_web_words import LANGUAGES, LATIN, SPELLED, WORD
from service.web.tests.reading import cards, drawn, sentence
from service.web.tests.test_reach import violations

Page = Any

# What a person reads or hears, but for code: names, formulas, keys.
READ = """() => {
  const code = ".mono, kbd, .count, #expression, textarea, .tag, .name, .ticks, option[lang]";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement: holder, data } = walker.currentNode;
    if (!holder.closest(`${code}, script, style, noscript`)) found.push(data);
  }
  for (const name of ["aria-label", "aria-valuetext", "title", "placeholder", "alt"])
    for (const holder of document.querySelectorAll(`[${name}]`))
      found.push(holder.getAttribute(name));
  return found;
}"""

WEB = ROOT / "service" / "web"
SOURCES = [
    WEB / "words" / "en.ts",
    *(ROOT / "schemas" / name for name in ("examples.json", "pitfalls.json")),
]
ENGLISH = {word.lower() for file in SOURCES for word in WORD.findall(file.read_text())}
"""Every word of the English page, and some of its code."""
# Names that are written so in any language.
NAMES = LATIN | {"Gradient", "service", "OpenAPI", "loss"}

# Texts that are wider than their box, but for what is scrolled, cut on purpose, or read aloud.
OVERFLOWS = """() => {
  const isCut = ({ overflowX, textOverflow }) =>
    overflowX === "auto" || overflowX === "scroll" || textOverflow === "ellipsis";
  const found = [];
  const boxes = "button, label, summary, p, h1, h2, h3, li, dt, dd, th, td, figcaption, .panel";
  for (const box of document.querySelectorAll(boxes)) {
    if (box.closest(".visually-hidden, .slot, .field, .wide-table")) continue;
    if (box.clientWidth < 2) continue;
    if (box.textContent.trim() === "") continue;
    if (isCut(getComputedStyle(box)) || box.scrollWidth <= box.clientWidth) continue;
    found.push(`${box.className}: ${box.textContent} ${box.scrollWidth} > ${box.clientWidth}`);
  }
  for (const [text, frame] of [[".card :is(.tag, .kind, .val, .number-label, .count)", ".card"],
    [".edge .sum", ".edge"]])
    for (const one of document.querySelectorAll(text)) {
      const holder = one.closest(frame);
      const outer = (holder.querySelector(".pill") ?? holder).getBoundingClientRect().width;
      if (one.getBoundingClientRect().width > outer + 1) found.push(`${text}: ${one.textContent}`);
    }
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page");
  return found;
}"""


def at_start(page: Page) -> None:
    steps(page, 1)


def steps(page: Page, times: int) -> None:
    for _ in range(times):
        page.locator(".play .step").click()


def opened(page: Page) -> None:
    steps(page, 3)
    page.locator(".curve-button").first.click()
    page.locator("[role=slider].val").first.press("ArrowUp")
    page.locator(".nudge").wait_for()


def predicted(page: Page) -> None:
    page.locator("#tab-predict").click()
    for name, guess in (("a", "10"), ("b", "3"), ("c", "x")):
        page.locator(f"#guess-{name}").fill(guess)
    page.locator(".predict .primary").click()
    page.locator(".hint").first.wait_for()


def ordered(page: Page) -> None:
    page.locator("#tab-break").click()
    page.locator(".visits").wait_for()
    page.locator(".body .actions button").last.click()
    page.locator(".body .primary").click()
    page.keyboard.press("End")
    page.locator(".verdict").wait_for()


def broken(place: int) -> Callable[[Page], None]:
    def play(page: Page) -> None:
        page.locator("#tab-break").click()
        page.locator(".mistakes .chip").nth(place).click()
        page.keyboard.press("End")
        drawn(page)

    return play


def trained(place: int) -> Callable[[Page], None]:
    def train(page: Page) -> None:
        page.locator("#tab-train").click()
        page.locator(".mistakes .chip").nth(place).click()
        steps(page, 2)

    return train


def unmarked(page: Page) -> None:
    page.locator("#tab-train").click()


def unfolded(page: Page) -> None:
    steps(page, 3)
    for part in page.locator("summary").all():
        part.click()
    page.locator("kbd").first.wait_for()


def faulty(page: Page) -> None:
    page.locator("#expression").fill("2x + 1")
    page.get_by_role("alert").wait_for()


def exampled(page: Page) -> None:
    page.locator(".chip.more").click()
    page.locator(".slot .chip").nth(9).click()
    page.locator(".chip.more").click()


def accurate(page: Page) -> None:
    """The first example of those about lost bits."""
    page.locator(".chip.more").click()
    page.locator(".slot .chip").nth(14).click()
    page.keyboard.press("End")
    page.locator(".bits.grad").first.click()
    page.locator(".curve-button").first.click()
    page.locator(".curve-detail .chip").nth(1).click()
    page.locator(".quotients").wait_for()


def coded(page: Page) -> None:
    page.locator("#tab-code").click()
    page.locator(".listing").wait_for()
    steps(page, 3)


def sorted_(page: Page) -> None:
    page.keyboard.press("s")
    page.locator(".stack").wait_for()
    steps(page, 4)


def scene(name: str, answer: str) -> Callable[[Page], None]:
    def ask(page: Page) -> None:
        lang = page.locator("html").get_attribute("lang")
        page.evaluate(f"location.hash = 'lesson={name}&lang={lang}'")
        page.locator("#reply").fill(answer)
        page.locator(".task button").click()
        page.locator("#reply-feedback > b").wait_for()

    return ask


def ended(page: Page) -> None:
    scene("twice", "6")(page)
    page.evaluate("location.hash = location.hash.replace('twice', 'end')")
    page.locator(".learned").wait_for()


ROOMS: dict[str, Callable[[Page], None]] = {
    "start": at_start,
    "a curve and a nudge": opened,
    "the code": coded,
    "the sort": sorted_,
    "predictions": predicted,
    "an order": ordered,
    "= for +=": broken(1),
    "twice": broken(2),
    "changed data": broken(3),
    "a dead relu": broken(4),
    "a variable exponent": broken(5),
    "nothing to train": unmarked,
    "a line": trained(0),
    "the neuron": trained(1),
    "XOR": trained(2),
    "what is folded": unfolded,
    "a fault": faulty,
    "all examples": exampled,
    "lost bits": accurate,
    "a scene": scene("training", "1.88"),
    "a wrong answer": scene("neuron", "7"),
    "the end of the lesson": ended,
}


def foreign(page: Page, lang: str) -> list[str]:
    """Texts with a word of another language that is no name."""
    letters, shared = SPELLED[lang]
    others = ENGLISH - set(shared.split()) if lang != "en" else set()
    return [
        text
        for text in page.evaluate(READ)
        for word in set(WORD.findall(text)) - NAMES
        if word.lower() in others or not re.fullmatch(f"[{letters}]+", word.lower())
    ]


def named(lang: str) -> str:
    return "" if lang == "en" else f"#lang={lang}"


def choose(page: Page, lang: str) -> None:
    page.locator(".bar select").select_option(lang)
    page.locator(f"html[lang={lang}]").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("room", ROOMS)
def test_each_room_is_in_its_language_and_in_its_boxes(
    open_page: Any, room: str, lang: str, width: int
) -> None:
    page = open_page(named(lang), width=width)
    ROOMS[room](page)
    assert foreign(page, lang) == []
    assert page.evaluate(OVERFLOWS) == []


@pytest.mark.parametrize(
    ("lang", "width", "dark"),
    [("ru", 1280, False), ("ru", 390, True), ("es", 390, False), ("et", 1280, True)],
)
def test_axe_finds_nothing_in_a_translation(
    open_page: Any, lang: str, width: int, *, dark: bool
) -> None:
    for room in (
        "what is folded",
        "the code",
        "the sort",
        "predictions",
        "an order",
        "the neuron",
        "lost bits",
        "a scene",
        "a wrong answer",
        "the end of the lesson",
    ):
        page = open_page(named(lang), width=width, dark=dark)
        ROOMS[room](page)
        assert violations(page) == [], room
        page.context.close()


def test_the_language_is_chosen_from_the_keyboard(open_page: Any) -> None:
    page = open_page()
    scripts = "performance.getEntriesByType('resource').filter(({ name }) => /\\/ru-/.test(name))"
    assert page.evaluate(f"{scripts}.length") == 0
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.bar select')"):
            break
    arrowed(page, "ArrowDown", "es", "et", "ru")
    assert page.title() == page.locator("h1").text_content() == "Песочница градиентов"
    assert page.evaluate(f"{scripts}.length") == 1
    page.wait_for_function("() => location.hash.endsWith('&lang=ru')")
    arrowed(page, "ArrowUp", "et", "es", "en")
    assert page.title() == "Gradient sandbox"
    page.wait_for_function("() => location.hash.endsWith('&lang=en')")


def arrowed(page: Page, key: str, *langs: str) -> None:
    for lang in langs:
        page.keyboard.press(key)
        page.locator(f"html[lang={lang}]").wait_for()


def test_what_is_said_changes_with_the_language(open_page: Any) -> None:
    """Nothing is lost by it: the program, the place of the wave, the room that is open."""
    page = open_page()
    page.get_by_role("button", name="The diamond").click()
    assert "Two paths lead back to a" in sentence(page)
    choose(page, "ru")
    assert "К a ведут два пути" in sentence(page)
    steps(page, 2)
    before = cards(page)
    page.locator(".curve-button").first.click()
    choose(page, "en")
    assert cards(page) == before
    assert page.locator(".curve-detail").count() == 1
    assert "sends 1 × 3 = 3 to c" in sentence(page)


def test_the_address_keeps_the_language(open_page: Any) -> None:
    page = open_page("#e=a*a&v=a:3&lang=ru")
    assert page.locator("html").get_attribute("lang") == "ru"
    page.locator(".slider, input[type=range]").first.wait_for()
    again = open_page(page.evaluate("location.hash"))
    assert again.locator("h1").text_content() == "Песочница градиентов"
    assert cards(again)["a"][0] == "3"
    again.evaluate("location.hash = 'e=a*a&v=a:4'")
    again.locator("html[lang=en]").wait_for()
    assert cards(again)["a"][0] == "4"


@pytest.mark.parametrize("named", ["xx", "__proto__", "constructor", "", "<script>", "ru'"])
def test_a_language_that_there_is_not_is_english(open_page: Any, named: str) -> None:
    page = open_page(f"#e=a*a&v=a:3&lang={named}")
    assert page.locator("h1").text_content() == "Gradient sandbox"
    assert page.locator("html").get_attribute("lang") == "en"
    assert cards(page)["a"][0] == "3"
    said = f"There is no language {named} here: the page is in English."
    assert (sentence(page) == said) == (named != "")


def test_the_page_from_its_start_is_in_the_language_that_was_chosen(open_page: Any) -> None:
    page = open_page("#e=a*a&v=a:3&t=predict&lang=ru")
    page.get_by_role("link", name="Песочница").click()
    page.wait_for_function("() => document.querySelector('#expression').value === '(a + b) * c'")
    assert page.locator("html").get_attribute("lang") == "ru"
    assert page.get_by_role("tab", name="Значения").get_attribute("aria-selected") == "true"
    page.wait_for_function("() => location.hash.endsWith('v=a:2,b:-3,c:10&lang=ru')")


def test_a_frame_takes_the_language_of_its_address(open_page: Any) -> None:
    page = open_page("?embed&show=expression#e=a*b&v=a:2,b:3&lang=ru")
    assert page.get_by_label("Выражение").input_value() == "a*b"
    assert page.get_by_label("Язык").count() == 0
    assert page.get_by_role("button", name="Обратный проход").count() == 1


def test_without_the_words_the_page_stays_as_it_is(open_page: Any) -> None:
    page = open_page()
    page.context.set_offline(True)
    page.get_by_label("Language").select_option("ru")
    page.locator(".sentence", has_text="connection").wait_for()
    assert page.get_by_label("Language").input_value() == "en"
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("h1").text_content() == "Gradient sandbox"
    assert "lang" not in page.evaluate("location.hash")
    assert sentence(page) == "Could not load Русский: no connection."
    open_page.wrong[:] = [said for said in open_page.wrong if "ERR_INTERNET" not in said]


RUSSIAN = [
    ("", "Напишите выражение"),
    ("2x", "Позиция 2: Здесь не должно быть x. Чтобы перемножить 2 и x, поставьте"),
    ("exp a", "Позиция 5: Чтобы вызвать функцию, пишите exp(a)."),
    ("a +", "Позиция 4: Выражение обрывается. Здесь нужно число, имя или (."),
    ("exp(a", "Позиция 6: Выражение обрывается. Допишите недостающее или закройте"),
    ("a + * b", "Позиция 5: Перед * нужно число, имя или (."),
    ("a)", "Позиция 2: ) здесь лишняя: ни одна скобка не открыта."),
    ("()", "Позиция 2: Перед ) нужно число, имя или (."),
    ("a, b", "Позиция 2: Запятая только разделяет аргументы функции."),
    ("a == b", "Позиция 4: = стоит только после имени в начале"),
    ("a; b", "Позиция 4: Без имени может быть только последняя строка"),
    ("a ^ 2", "Позиция 3: Символа ^ в языке нет. Для степени пишите **."),
    ("а + 1", "Позиция 1: Символа а в языке нет. Это кириллица. Пишите латинские буквы"),
    ("tahn(a)", "Позиция 1: tahn не является функцией. Возможно, имелось в виду tanh?"),
    ("ln(a)", "Позиция 1: ln не является функцией. Вместо ln(x) пишите log(x)."),
    ("exp(a, b)", "Позиция 1: Функции exp нужно 1 значение, а не 2."),
    ("a ** b", "Позиция 6: Показатель степени может быть только числом"),
    ("a = 1; a = 2; a", "Позиция 8: Имя a уже занято."),
    ("b = 1; a", "Позиция 1: Результат не зависит от b."),
    ("1 / (a - a)", "Позиция 1: Деление на 0."),
    ("log(0 - 1)", "Позиция 1: Логарифм есть только у чисел больше 0."),
    ("(0 - 8) ** 0.5", "Позиция 1: У отрицательного основания нет дробной степени."),
    ("(a - a) ** -1", "Позиция 1: У 0 нет отрицательной степени."),
    ("exp(1000)", "Позиция 1: Результат exp слишком велик для double."),
    ("sqrt(a - a)", "Позиция 1: В нуле наклон бесконечен: sqrt. Возьмите значение больше 0."),
    ("1e999", "Позиция 1: Это число больше наибольшего double"),
    ("a" * 4_001, "Позиция 4001: Выражение слишком длинное: рисуется не больше 4000 символов."),
]


def test_faults_are_told_in_russian(open_page: Any) -> None:
    page = open_page("#lang=ru")
    for written, told in RUSSIAN:
        page.locator("#expression").fill(written)
        drawn(page)
        alert = page.get_by_role("alert")
        assert alert.locator("p").text_content().startswith(told)


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("es", "Columna 2: Aquí no puede ir x. Para multiplicar 2 y x, pon * entre los dos."),
        ("et", "Veerg 2: Siin ei saa olla x. Et korrutada 2 ja x, pane nende vahele *."),
    ],
)
def test_faults_are_told_in_each_language(open_page: Any, lang: str, told: str) -> None:
    page = open_page(f"#lang={lang}")
    faulty(page)
    assert page.get_by_role("alert").locator("p").text_content() == told


@pytest.mark.parametrize(
    ("inputs", "counted"), [(101, "302 значения"), (124, "371 значение"), (150, "449 значений")]
)
def test_values_are_counted_as_russian_does(open_page: Any, inputs: int, counted: str) -> None:
    terms = "+".join(f"x{place}*x{(place + 1) % inputs}" for place in range(inputs))
    page = open_page(f"#e={terms}&lang=ru")
    label = page.locator(".overview label").text_content()
    assert label.startswith(f"{counted}, каждое точкой.")


def test_letters_are_keys_on_a_cyrillic_keyboard(open_page: Any) -> None:
    page = open_page("#lang=ru")
    key = "new KeyboardEvent('keydown', { key: 'а', code: 'KeyF', bubbles: true })"
    page.evaluate(f"document.body.dispatchEvent({key})")
    assert page.get_by_label("Прямой: data").is_checked()


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
    assert "lang" not in page.evaluate("location.hash"), "who gets the link has their own"
    assert open_page("#lang=en", locale=locale).title() == "Gradient sandbox"
