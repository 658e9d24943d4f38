"""How many bits of each number are right, whose rounding took the others; central differences."""

import json
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.reading import sentence, to_the_end, write

TITLES = {
    each["name"]: each["title"]
    for each in json.loads((ROOT / "schemas" / "examples.json").read_text())["examples"]
}
LOADED = "performance.getEntriesByType('resource').some(({ name }) => /.accuracy-/.test(name))"


def bits(page: Any) -> list[str]:
    """What the bars are called."""
    page.locator(".bits").first.wait_for()
    found: list[str] = page.locator(".bits").evaluate_all(
        "(all) => all.map((bar) => bar.ariaLabel)"
    )
    return found


def ask(page: Any, bar: str) -> str:
    page.get_by_role("button", name=bar).click()
    return sentence(page)


def test_nothing_of_it_is_loaded_before_it_is_asked_for(open_page: Any) -> None:
    page = open_page()
    to_the_end(page)
    page.locator(".curve-button").first.click()
    assert not page.evaluate(LOADED)
    assert page.locator(".bits").count() == 0
    assert page.get_by_label("Accuracy").count() == 0
    page.wait_for_function("() => location.hash.includes('&s=4')")
    page.evaluate("location.hash += '&a=1'")
    page.locator(".bits").first.wait_for()
    labels = bits(page)
    assert page.evaluate(LOADED)
    assert len(labels) == 10
    assert all("53 of 53 bits" in label for label in labels)
    page.wait_for_function("() => location.hash.includes('&a=1&')")
    page.get_by_label("Accuracy").click()
    assert page.locator(".bits").count() == 0
    page.wait_for_function("() => !location.hash.includes('&a=1')")


def test_a_slope_that_is_lost_is_explained_from_the_keyboard(open_page: Any) -> None:
    """tanh(20) is 1 - 8.497e-18, and its slope 1 / cosh(20)**2 is 1.699e-17; -(1 + out) is -2."""
    page = open_page("#e=tanh(x)&v=x:20&a=1")
    to_the_end(page)
    assert bits(page) == [
        "data of x: 53 of 53 bits are right",
        "grad of x: 0 of 53 bits are right",
        "data of tanh(x): 53 of 53 bits are right",
        "grad of tanh(x): 53 of 53 bits are right",
    ]
    page.get_by_role("button", name="grad of x").focus()
    page.keyboard.press("Enter")
    assert sentence(page) == (
        "0 of the 53 bits of grad of x are right: it is 0, and truly 1.699e−17. "
        "Rounding tanh(x) moved it by 8.497e−18; times its weight −2 that is −1.699e−17 here, "
        "the whole error. tanh(x) rounds to 1, so 1 − out * out has nothing left."
    )
    page.get_by_label("Value of x", exact=True).fill("5")
    page.keyboard.press("Enter")
    told = ask(page, "grad of x")
    assert "tanh(x) is nearly 1, so little of 1 − out * out is left" in told
    page.get_by_label("Accuracy").click()
    assert "bits" not in sentence(page)


@pytest.mark.parametrize(
    ("name", "bar", "told"),
    [
        ("roots-that-cancel", "17 of 53", "numbers up to 1e6 cancel to 5e−7"),
        ("softplus-by-hand", "0 of 53", "1 + exp(x) rounds to 1, so nothing of exp(x) is left."),
        ("variance-below-zero", "0 of 53", "it is −128, and truly 1."),
        ("lost-in-a-sum", "0 of 53", "x + 1e16 rounds to 1e16, so nothing of x is left."),
    ],
)
def test_an_example_shows_how_bits_are_lost(open_page: Any, name: str, bar: str, told: str) -> None:
    page = open_page()
    page.locator(".chip.more").click()
    page.get_by_role("button", name=TITLES[name], exact=True).click()
    assert page.get_by_label("Accuracy").is_checked()
    root = page.locator(".card.root .bits.data")
    root.wait_for()
    assert f": {bar} bits are right" in root.get_attribute("aria-label")
    assert not sentence(page).startswith("The bar")
    root.click()
    assert told in sentence(page)


def test_the_truth_is_that_of_the_doubles_given(open_page: Any) -> None:
    """The double next to 0.1 is 0.1000000000000000055511151231257827; 0.5 and 3 are doubles."""
    page = open_page("#e=0.5*x&v=x:3&a=1")
    assert sentence(page).startswith("The bar under a number")
    assert ask(page, "data of 0.5*x") == (
        "All 53 bits of data of 0.5*x are right: it is 1.5, the true number itself."
    )
    write(page, "0.1 * x")
    assert ask(page, "data of 0.1 * x").endswith(
        "The truth is that of the doubles given: 0.1 is 0.10000000000000000555."
    )


def test_gradients_of_a_wrong_walk_have_no_truth(open_page: Any) -> None:
    page = open_page("#e=a*a&v=a:3&t=break&a=1")
    page.get_by_role("button", name="Twice").click()
    to_the_end(page)
    assert {label.split()[0] for label in bits(page)} == {"data"}
    page.get_by_text("✓ Right").click()
    to_the_end(page)
    page.locator(".bits.grad").first.wait_for()


def test_too_much_work_is_told(open_page: Any) -> None:
    """Of each term the slope cancels, which takes 1,280 bits of its sine and cosine."""
    page = open_page("#e=x&a=1")
    page.locator(".bits").wait_for()
    write(page, " + ".join(["sin(x) ** 2 + cos(x) ** 2"] * 30))
    page.locator(".sentence", has_text="too much work for the page").wait_for()
    assert page.locator(".bits").count() == 0
    page.get_by_label("Accuracy").click()
    assert "too much" not in sentence(page)


def test_a_central_difference_is_off_by_a_v_over_its_step(open_page: Any) -> None:
    """Of x**3 at 1 it is off by h**2 at h = 2**-4, 2**-8, 2**-12 and 2**-16, whose cubes are whole.

    At 2**-20 and 2**-24 h**3 is rounded off on both sides, and 6h / 2h is 3.
    """
    page = open_page("#e=x**3&v=x:1")
    page.locator(".curve-button").click()
    assert page.locator(".quotients").count() == 0
    page.get_by_role("button", name="Central difference").click()
    page.locator(".quotients").wait_for()
    assert "least: 0, at h = 9.537e−7" in page.locator(".quotients").text_content()
    path = page.locator(".quotients .plot").get_attribute("d").removeprefix("M").split("L")
    points = [tuple(map(float, point.split())) for point in path]
    assert len(points) == 13
    for axis in (0, 1):
        one, other, last = (points[at + 1][axis] - points[at][axis] for at in range(3))
        assert abs(one) > 5
        assert other == pytest.approx(one, abs=0.11)
        assert last == pytest.approx(one, abs=0.11)


def test_a_bar_and_an_arrow_are_told_where_weights_learn(open_page: Any) -> None:
    page = open_page("#e=0.5*w&v=w:3&p=w&t=train&a=1")
    page.get_by_text("Step size").wait_for()
    assert ask(page, "data of 0.5*w").startswith("All 53 bits of data of 0.5*w are right")
    page.locator(".edge[role=button]").click()
    assert sentence(page).startswith("∂(0.5 * w)/∂w = 0.5")
    page.locator(".play .step").click()
    page.locator(".sentence").wait_for(state="detached")
