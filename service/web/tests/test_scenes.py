"""Links restore the state; every change can be undone and redone."""

from typing import Any

import pytest

from service.web.tests.reading import DIAMOND, SUM, Seen, do

# The visible state: sentences, numbers, selections and inputs.
SAID = """() => [
  ...[...document.querySelectorAll(`.sentence, .count, .ticks .now, .verdict, .visits b, .facts dd,
    .legend, .guesses [role=status], [aria-selected=true], [aria-pressed=true]`)]
    .map((each) => each.textContent),
  ...[...document.querySelectorAll(".card")].map((card) => card.ariaLabel),
  ...[...document.querySelectorAll(":is(input, textarea):not(#export *)")]
    .map(({ type, value, checked, min, max }) => [type, value, checked, min, max].join()),
]"""


def again(open_page: Any, page: Any, holds: str) -> Any:
    """Open the address that Share copies in another browser."""
    page.get_by_role("button", name="Share").click()
    copied = "async (holds) => (await navigator.clipboard.readText()).includes(holds)"
    page.wait_for_function(copied, arg=holds)
    return open_page(base=page.evaluate("navigator.clipboard.readText()"))


@pytest.fixture
def opened(open_page: Any) -> Any:
    return lambda after="": open_page(after, permissions=["clipboard-read", "clipboard-write"])


KEPT: dict[str, tuple[str | Seen, ...]] = {
    "&v=a:1.5,b:-3": ("", "Expression := u = a ** 2 + b; exp(u / 3) - 1.5e-3", "#slider-a := 1.5"),
    "&s=3": ("", *["Step"] * 3),
    "&g=1&s=5": ("", "Final gradients", *["Step"] * 5),
    "&w=forward&s=1": ("", "Forward: data", "Step"),
    "&r=a:-10:4&curve=a&s=4": ("", "at the end", "Maximum of a := 4", "Slope of the result over a"),
    "&visits=": (
        *(DIAMOND, "Earlier: d", "Earlier: d", {".visits b": list("adbc")}),
        *("Run my order", "at the end"),
    ),
    "&m=assigning-instead-of-adding&s=2": ("#e=a*a&v=a:3&t=break", "= for +=", "at the end"),
    "&side=right": ("#e=a*a&v=a:3&t=break", "= for +=", "✓ Right", "at the end"),
    "v=w:2,x:3,y:5&p=w&t=train&n=4": ("#e=(w*x-y)**2&v=w:2,x:3,y:5&p=w&t=train", *["Step"] * 4),
    # By hand: d calls c, which calls 3 and a, and returns.
    "&w=sort&o=right&s=7": (
        *(DIAMOND.replace("break", "code&w=sort"), "right first", *["Step"] * 7),
        {"ol.topo li": ["3", "a", "c"]},
    ),
    "&edge=0": ("", "at 3", ".sum.now"),
    "&guesses=a:3,b:7": (
        *("#e=a*b&v=a:2,b:3&t=predict", "grad of a := 3", "grad of b := 7"),
        *("Take it with you", "with my guesses"),
    ),
}
"""Part of a link -> the address and the actions after which it contains the part."""


@pytest.mark.parametrize("holds", KEPT)
def test_a_link_restores_the_state(open_page: Any, opened: Any, holds: str) -> None:
    address, *acts = KEPT[holds]
    page = opened(address)
    do(page, "see .panel .body > *", *acts, {})
    said = page.evaluate(SAID)
    other = again(open_page, page, holds)
    do(other, "see .panel .body > *", {})
    assert other.evaluate(SAID) == said


def test_a_link_carries_a_caption_and_a_task(open_page: Any, opened: Any) -> None:
    page = opened("#e=a*b&v=a:2,b:3")
    do(page, "Take it with you", "Caption := A product <b>swaps</b> & `scales`")
    do(
        page,
        "Task := What is the gradient of b?",
        "Answer: a number, or the variable whose gradient it is := b",
    )
    other = again(open_page, page, "caption=")
    do(
        other,
        {".scene p >> nth=0": "A product <b>swaps</b> & scales"},
        *("#reply := 3", {"#reply-feedback": "✕ Not quite."}),
        *("#reply := 2", {"#reply-feedback": "✓ Right."}),
        "Close",
    )
    other.wait_for_function("() => location.hash === '#e=a*b&v=a:2,b:3'")


@pytest.mark.parametrize(
    "hostile",
    [
        "#e=<script>window.hit=1</script>&v=a:1",
        "#e=<img src=x onerror=window.hit=1>",
        "#e=a&v=__proto__:1,constructor:2",
        "#e=" + "(" * 100_000,
        "#e=" + "a+" * 1_900 + "a",
        "#=&=&&&==",
        f"{SUM}&edge=77",
        f"{SUM}&t=break&visits=9.9&m=__proto__",
        f"{SUM}&answer=__proto__&task=x",
    ],
    ids=lambda text: text.removeprefix(SUM)[:28],
)
def test_a_hostile_address_is_harmless(open_page: Any, hostile: str) -> None:
    page = open_page(hostile)
    assert page.evaluate("[window.hit, ({}).polluted]") == [None, None]
    do(page, {"script": 1, "img": 0}, "Expression := (a + b) * c", {".card": 5})


def test_typing_a_slider_and_an_example_are_undone_and_redone(open_page: Any) -> None:
    page = open_page()
    off = "[aria-disabled=true]"
    do(page, {".edit": 0, "address": "e=(a + b) * c"})
    page.get_by_label("Expression").press("End")
    page.keyboard.type(" + a * 2", delay=40)
    do(page, {"address": "c + a * 2"})
    page.locator("#slider-a").focus()
    for _ in range(5):
        do(page, "ArrowRight", {})
    value = page.locator("#slider-a").input_value()
    typed, moved = "(a + b) * c + a * 2", {"Value of a :=": value, "address": f"a:{value}"}
    do(
        page,
        *(moved, "One variable, two edges", {"address": "a * a"}),
        *("Undo", {"Expression :=": typed}, moved),
        *("Control+z", {"Expression :=": typed, "address": "a:2,"}),
        *("Control+z", {"Expression :=": "(a + b) * c", f".edit{off} >> nth=0": ""}),
        *("Control+Shift+z", {"Expression :=": typed}),
        *("Redo", moved, "Redo", {"address": "a * a", f".edit{off}": 1}),
    )


def test_back_undoes_an_edit_instead_of_leaving_the_page(open_page: Any) -> None:
    page = open_page()
    chosen = "[role=tab][aria-selected=true]"
    do(page, {"address": "e=(a + b) * c"}, "Expression := a * b", {"address": "e=a * b"})
    do(page, "Break it", {"address": "t=break"})
    page.go_back()
    do(page, {"Expression :=": "(a + b) * c", chosen: "Values"})
    page.go_forward()
    do(page, {"Expression :=": "a * b", chosen: "Break it"})


def test_undo_keeps_the_language_and_a_new_edit_clears_redo(
    open_page: Any,
) -> None:
    page = open_page()
    do(page, {"address": "e=(a + b) * c"}, "Expression := a * b", {"address": "e=a * b"})
    page.get_by_label("Language").select_option("ru")
    do(page, {"address": "lang=ru"}, "Отменить", {"Выражение :=": "(a + b) * c"})
    do(page, {"html[lang=ru]": 1})
    do(page, "#expression := a + b", {"address": "e=a + b"})
    assert page.get_by_role("button", name="Вернуть").get_attribute("aria-disabled") == "true"
