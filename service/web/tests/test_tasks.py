"""The lessons' four tasks, detected as done, and their questions with the lessons' answers."""

from typing import Any

from service.web.tests.reading import do, step


def tasks(page: Any) -> Any:
    page.get_by_role("tab", name="Predict").click()
    return page.locator(".tasks li")


def begin(page: Any, place: int) -> None:
    tasks(page).nth(place).get_by_role("button", name="Start").click()


def done(page: Any) -> list[bool]:
    return ["good" in (each.get_attribute("class") or "") for each in tasks(page).all()]


def test_each_task_is_detected_as_done_and_not_before(open_page: Any) -> None:
    page = open_page("#e=x&v=x:1")
    begin(page, 0)
    do(page, "grad of a := 10", "grad of b := 10", "grad of c := 10")
    assert done(page) == [False] * 4
    do(page, "grad of c := -1")
    assert done(page) == [True, False, False, False]
    begin(page, 1)
    assert done(page) == [True, False, False, False]
    do(page, "Values", "Value of b := -3")
    assert done(page) == [True, True, False, False]
    begin(page, 2)
    step(page)
    assert done(page)[2] is False  # and Predict is opened, which begins anew
    do(page, "Values")
    step(page, 2)
    assert done(page)[2] is True
    begin(page, 3)
    assert done(page)[3] is False
    do(page, "Expression := a - 2 * b")
    assert done(page) == [True] * 4
    assert page.get_by_text("Try this: 4 of 4 ✓").is_visible()


def test_a_task_is_done_without_start_and_after_a_reload(open_page: Any) -> None:
    """The first graph starts with a gradient of -1, which does not count as the user's doing."""
    page = open_page()
    tasks(page)
    do(page, "grad of a := 10", "grad of b := 10", "grad of c := -1")
    assert done(page) == [True, False, False, False]
    do(page, "Expression := a", "Expression := a - 2 * b")
    page.reload()
    tasks(page)
    page.get_by_text("Try this: 2 of 4 ✓").wait_for()
    assert done(page) == [True, False, False, True]


def test_each_question_accepts_the_lessons_answer(open_page: Any) -> None:
    page = open_page()
    tasks(page)
    for answer in ("10", "10", "1.0", "15"):
        do(page, "#answer := 7", {".task [role=status]": "✕ Not quite."})
        do(page, f"#answer := {answer}", {".task [role=status]": ["✓ Right."]}, "Next question")
