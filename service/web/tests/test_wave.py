"""The backward and the forward pulse, with the lessons' numbers."""

from typing import Any

from service.web.tests.reading import arrows, cards, sentence, step, write


def test_the_first_graph_gives_nothing_away(open_page: Any) -> None:
    page = open_page()
    shown = cards(page)
    assert shown["a"] == ("2", "--")
    assert shown["b"] == ("−3", "--")
    assert shown["c"] == ("10", "--")
    assert shown["+ a + b"] == ("−1", "--")
    assert shown["* result"][0] == "−10"
    assert arrows(page) == []
    assert "Who is responsible, and by how much?" in sentence(page)


def test_each_step_brings_one_contribution(open_page: Any) -> None:
    """L: `1 x c = 10` toward (a+b), `1 x (a+b) = -1` toward c, then 10 to each of a and b."""
    page = open_page()
    step(page)
    assert cards(page)["+ a + b"] == ("−1", "10")
    assert arrows(page) == ["1 × 10 = 10"]
    step(page)
    assert cards(page)["c"] == ("10", "−1")
    assert cards(page)["a"] == ("2", "--")
    step(page)
    assert cards(page)["a"] == ("2", "10")
    assert sentence(page) == "+ sends 10 × 1 = 10 to a. A sum passes its gradient on unchanged."
    step(page)
    assert cards(page)["b"] == ("−3", "10")
    assert arrows(page) == ["1 × 10 = 10", "1 × −1 = −1", "10 × 1 = 10", "10 × 1 = 10"]
    assert page.locator(".count").text_content() == "4 of 4"
    page.get_by_role("button", name="Back", exact=True).click()
    assert cards(page)["b"] == ("−3", "--")


def test_one_variable_twice_is_two_arrows_and_a_sum(open_page: Any) -> None:
    """L: a * a at 3 is 9, and both contributions of 3 add up to 6."""
    page = open_page()
    page.get_by_role("button", name="One variable, two edges").click()
    assert page.locator(".edge").count() == 2
    step(page)
    assert cards(page)["a"] == ("3", "3")
    assert page.locator(".partial").text_content() == "1 of 2"
    assert "contribution 1 of 2 to a" in sentence(page)
    step(page)
    assert cards(page)["a"] == ("3", "6")
    assert page.locator(".partial").count() == 0
    assert "contributions add up" in sentence(page)


def test_play_goes_to_the_end_and_stops(open_page: Any) -> None:
    page = open_page()
    page.get_by_label("Speed").select_option("2")
    page.get_by_role("button", name="Play backward").click()
    assert page.get_by_role("button", name="Pause").is_visible()
    page.get_by_role("button", name="Play again").wait_for()
    assert cards(page)["b"] == ("−3", "10")


def test_forward_reveals_data_and_switching_begins_anew(open_page: Any) -> None:
    page = open_page()
    step(page, 2)
    page.get_by_text("Forward: data").click()
    assert page.locator(".count").text_content() == "0 of 2"
    assert cards(page)["+ a + b"] == ("--", "--")
    step(page)
    assert cards(page)["+ a + b"] == ("−1", "--")
    assert cards(page)["* result"] == ("--", "--")
    step(page)
    assert cards(page)["* result"] == ("−10", "--")


def test_a_dead_relu_passes_nothing_on(open_page: Any) -> None:
    """L: relu(a * b) where a * b is negative: every gradient upstream is zero."""
    page = open_page()
    write(page, "relu(a * b)")
    page.get_by_label("Value of b", exact=True).select_text()
    page.keyboard.type("-3")
    page.get_by_label("Value of b", exact=True).press("Enter")
    page.get_by_label("Final gradients").check()
    assert cards(page)["a"][1] == "0"
    assert cards(page)["b"][1] == "0"
    page.get_by_label("Value of b", exact=True).select_text()
    page.keyboard.type("3")
    page.get_by_label("Value of b", exact=True).press("Enter")
    page.locator(".card .val.grad", has_text="3").wait_for()  # a driver may not wait for a frame
    assert cards(page)["a"][1] == "3"
    assert cards(page)["b"][1] == "2"


def test_a_gradient_that_is_no_double_flows_nowhere(open_page: Any) -> None:
    """R5: the slope of x / c over c is -1e320, so c has no gradient, also not the 1 of x * c."""
    page = open_page("#e=c=1e-100*1e-60;x/c%2Bx*c&v=x:1")
    page.locator(".parity[data-state=agree]").wait_for()
    page.keyboard.press("End")
    assert page.locator(".count").text_content() == "4 of 4"
    assert cards(page)["c"] == ("1e−160", "--")
    assert cards(page)["x"] == ("1", "1e160")
    page.get_by_text("Every number, as a table").click()
    page.get_by_label("Final gradients").check()
    assert cards(page)["c"] == ("1e−160", "--")
    page.get_by_label("Local derivatives").check()
    page.get_by_text("Forward: data").click()
    page.get_by_role("button", name="1 × -- = --, from c ** −1 to c").press("Enter")
    assert "too large, and no variable is below it" in sentence(page)
    for word in ("null", "NaN", "Infinity", "undefined"):
        assert word not in page.locator("main").text_content()
