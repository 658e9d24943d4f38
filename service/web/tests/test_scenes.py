"""Links restore the state, edits are undone; scenes in a row: the lesson, a teacher's lecture."""

import re
from pathlib import Path
from typing import Any

import pytest

from service.web.tests.conftest import IS_FIREFOX, no_downloads, served, watch
from service.web.tests.reading import DIAMOND, SUM, Seen, at_rest, cards, do, drawn

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
    "&r=a:-10:4&curve=a&s=4": ("", "at the end", "Maximum of a := 4", "Slope with respect to a"),
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
    answer = "Answer: a number, or the variable whose gradient it is"
    do(page, "Task := What is the gradient of b?", f"{answer} := ten", {"[aria-invalid=true]": 1})
    do(page, f"{answer} := b", {"[aria-invalid=true]": 0})
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


# By hand: (2 - 3) * 10; 1 * (2 - 3); 10 * 1; 3 + 3; if b is visited before d, it sends 0, c 3 * 3;
# visited once; 1 * 0, because 1 * 2 - 10 < 0; (1 - 0.7071 ** 2) * 2;
# 2 - 0.01 * 2 * (2 * 3 + 1 - 5) * 3; x1, x2, w1, w2 and b.
ANSWERS: dict[str, tuple[str, list[str | Seen]]] = {
    "graph": ("-10", ["at the end", {"× result": ("−10", "--")}]),
    "product": ("-1", ["at 2", {"c": ("10", "−1")}]),
    "sum": ("10", [{"+ a + b": ("−1", "10")}, "at 3", {"a": ("2", "10")}]),
    "twice": ("6", ["at the end", {"a": ("3", "6")}]),
    "order": ("9", ["Run my order", "at the end", {".verdict": "a ends with 9, not 15"}]),
    "sort": ("1", ["at the end", {"ol.topo li:text-is('a')": 1}]),
    "dead": ("0", ["at the end", {"w": ("1", "0")}]),
    "neuron": ("1", ["at the end", {"w1": ("−3", "1")}]),
    "training": ("1.88", ["Step", {".weights p >> nth=0": "w = 2 − 0.01 × 12 = 1.88"}]),
    "modes": ("5", []),
}
"""Scene -> the answer, and actions after which the scene shows it."""


def feedback(page: Any) -> str:
    text: str = page.locator("#reply-feedback").text_content()
    return text


def answer(page: Any, number: str) -> str:
    do(page, f"#reply := {number}", "see #reply-feedback > b")
    return feedback(page)


def scene(page: Any, place: int) -> None:
    page.locator(".scene h2", has_text=re.compile(f"^{place} of 10 · ")).wait_for()


def test_the_lesson_goes_from_the_first_scene_to_the_summary(open_page: Any) -> None:
    """A scene shows what its answer predicts."""
    page = open_page()
    page.get_by_role("link", name="Lesson").click()
    for place, (name, (right, shows)) in enumerate(ANSWERS.items(), 1):
        scene(page, place)
        page.wait_for_function(f"() => location.hash.endsWith('lesson={name}')")
        assert answer(page, "7").startswith("✕ Not quite. ")
        assert answer(page, right).startswith("✓ Right. ")
        do(page, *shows)
        page.locator("#reply-feedback a").press("Enter")
    page.get_by_role("heading", name="What you have learned").wait_for()
    assert page.get_by_text("10 of 10 scenes done:").is_visible()
    do(page, {".learned a": 0}, "Close", {".scene": 0})
    page.wait_for_function("() => !location.hash.includes('lesson')")


def test_no_answer_of_a_scene_is_shown_before_it_is_played(open_page: Any) -> None:
    for name in ("product", "twice", "order", "dead", "neuron"):
        page = open_page(f"#lesson={name}&lang=en")
        inputs = [grad for label, (_, grad) in cards(page).items() if label.isidentifier()]
        assert {grad for grad in inputs if grad != "1"} == {"--"}, name
        at_rest(page)
        do(page, {".sum": 0})
        page.context.close()


def test_a_lesson_is_resumed_after_a_reload(open_page: Any) -> None:
    page = open_page("#lesson=graph&lang=en")
    answer(page, "-10")
    page.locator("#reply-feedback a").press("Enter")
    scene(page, 2)
    page.wait_for_function("() => location.hash.includes('lesson=product')")
    page.reload()
    scene(page, 2)
    page.locator(".brand").click()
    page.locator(".scene").wait_for(state="detached")
    page.get_by_role("link", name="Lesson").click()
    scene(page, 2)
    assert page.locator(".scene-links .done").count() == 1


@pytest.mark.parametrize("named", ["nothing", "__proto__", "", "1"])
def test_an_unknown_scene_opens_the_first(open_page: Any, named: str) -> None:
    page = open_page(f"#lesson={named}&lang=en")
    scene(page, 1)


LECTURE = (
    "#e=a*b&v=a:2,b:3&s=2&caption=A%20product&&"
    "e=a*a&v=a:3&caption=Used%20twice&task=Gradient%20of%20a?&answer=a"
)
FIRST: Seen = {".scene h2": ["Scene 1 of 2"], ".scene > p": ["A product"], "a": ("2", "3")}
SECOND: Seen = {".scene h2": ["Scene 2 of 2"], ".scene > p": ["Used twice"], "a": ("3", "--")}


def test_page_keys_and_the_end_of_a_pass_lead_to_the_next_scene(open_page: Any) -> None:
    page = open_page(LECTURE)
    do(page, FIRST, "PageDown", SECOND, "#reply := 6", {"#reply-feedback": "✓ Right."})
    do(page, "PageUp", FIRST, "ArrowLeft", {".count": "1 of 2"})  # the pass goes back, too
    do(page, "ArrowRight", "ArrowRight", FIRST, "ArrowRight", SECOND)
    page.locator("#slider-a").focus()
    do(page, "PageUp", FIRST, "Next scene →", SECOND)
    page.reload()
    do(page, SECOND, "ArrowLeft", FIRST)
    page.go_back()
    do(page, SECOND)


def test_a_lecture_is_made_and_shared(open_page: Any) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    page = open_page("#e=a*b&v=a:2,b:3&s=2", permissions=allowed)
    do(page, "Take it with you", "Caption := A product", "Add this scene", {".scene-links li": 1})
    do(page, "Expression := a*a", "Caption := Used", "Add this scene", {".scene-links li": 2})
    do(page, "#slider-a := 3", "Caption := Used twice", "Update scene 2")
    do(page, "Add this scene", {".scene h2": ["Scene 3 of 3"]}, "Remove scene 3")
    do(page, {".scene h2": ["Scene 2 of 2"]}, "Share", "see .share[data-copied=true]")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).includes('&&')")
    do(open_page(base=page.evaluate("navigator.clipboard.readText()")), FIRST, "PageDown", SECOND)


def test_a_handout_has_a_picture_of_each_scene_without_answers(open_page: Any) -> None:
    wrong = "e=a*a&v=a:3&t=break&m=assigning-instead-of-adding&s=2"  # its tab is not loaded yet
    page = open_page(f"{LECTURE}&&{wrong}", script="print = () => { window.printed = true; }")
    do(page, "Take it with you", "Print the handout")
    page.wait_for_function("() => window.printed")
    first, second, third = page.locator(".handout figure").all()
    assert first.locator("text").all_text_contents().count("3") == 4, "b, grad of a, 1 × 3 = 3"
    assert first.locator("p").all_text_contents() == ["A product"]
    assert second.locator("text").all_text_contents().count("--") == 2
    assert second.locator("p").all_text_contents() == ["Used twice", "Task: Gradient of a?"]
    assert "overwritten" in "".join(third.locator("text").all_text_contents())
    page.emulate_media(media="print")
    assert second.is_visible()
    assert not page.locator("main").is_visible()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    do(page, {".handout": 0}, FIRST | {".scene h2": ["Scene 1 of 3"]})


@no_downloads
def test_a_lecture_in_one_file_needs_no_service(
    open_page: Any, browsers: Any, tmp_path: Path
) -> None:
    page = open_page(LECTURE)
    for file in (tmp_path / "lecture.html", tmp_path / "saved again.html"):
        do(page, "Take it with you")
        with page.expect_download() as download:
            do(page, "Save HTML")
        download.value.save_as(file)
        page = open_page(base=file.as_uri(), offline=True)
        do(page, FIRST, "PageDown", SECOND, "Code", "see .listing", "PageUp", FIRST)
    # As a learning platform frames what is uploaded: without storage, history or an origin.
    (tmp_path / "lms.html").write_text(
        '<link rel="icon" href="data:,">'
        '<iframe src="lecture.html" sandbox="allow-scripts" width="900" height="700"></iframe>'
    )
    wrong: list[str] = []
    outer = browsers.context().new_page()
    watch(outer, wrong)
    with served(tmp_path) as site:
        outer.goto(f"{site}/lms.html")
        frame = outer.frame_locator("iframe")
        frame.get_by_role("link", name="Next scene →").click()
        frame.get_by_role("heading", name="Scene 2 of 2").wait_for()
        drawn(outer)
    outer.context.close()
    assert wrong == []


@pytest.mark.skipif(IS_FIREFOX, reason="its driver has no full screen")
def test_full_screen_shows_the_scene(open_page: Any) -> None:
    page = open_page(LECTURE)
    do(page, ".full-screen", "see .sandbox:fullscreen .scene", "PageDown", SECOND)
    size = "(scene) => parseFloat(getComputedStyle(scene).fontSize)"
    assert page.locator(".scene > p").evaluate(size) >= 800 / 40
    assert not page.locator(".panel").is_visible()
