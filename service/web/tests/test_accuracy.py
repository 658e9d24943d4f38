"""Right bits of each number, the rounding that lost the others, and central differences."""

import json
from typing import Any

import pytest

from service.tests.processes import ROOT
from service.web.tests.reading import do, sentence

TITLES = {
    each["name"]: each["title"]
    for each in json.loads((ROOT / "schemas" / "examples.json").read_text())["examples"]
}


def bits(page: Any) -> list[str]:
    """Return the names of the bars."""
    page.locator(".bits").first.wait_for()
    found: list[str] = page.locator(".bits").evaluate_all(
        "(all) => all.map((bar) => bar.ariaLabel)"
    )
    return found


def test_a_lost_slope_is_explained_from_the_keyboard(open_page: Any) -> None:
    """tanh(20) is 1 - 8.497e-18, and its slope 1 / cosh(20)**2 is 1.699e-17; -(1 + out) is -2."""
    page = open_page("#e=tanh(x)&v=x:20&a=1&s=9")
    assert bits(page) == [
        "data of x: 53 of 53 bits are right",
        "grad of x: 0 of 53 bits are right",
        "data of tanh(x): 53 of 53 bits are right",
        "grad of tanh(x): 53 of 53 bits are right",
    ]
    page.get_by_role("button", name="grad of x").press("Enter")
    assert sentence(page) == (
        "0 of the 53 bits of grad of x are right: it is 0, and the true number is 1.699e−17. "
        "Rounding tanh(x) moved it by 8.497e−18; times its weight −2 that is −1.699e−17 here, "
        "the whole error. tanh(x) rounds to 1, so nothing of 1 − out * out is left."
    )
    do(page, "Value of x := 5")
    page.get_by_role("button", name="grad of x").click()
    do(page, {".sentence": "tanh(x) is nearly 1, so little of 1 − out * out is left"})


@pytest.mark.parametrize(
    ("name", "bar", "reported"),
    [
        ("roots-that-cancel", "17 of 53", "numbers up to 1e6 cancel to 5e−7"),
        ("softplus-by-hand", "0 of 53", "1 + exp(x) rounds to 1, so nothing of exp(x) is left."),
        ("variance-below-zero", "0 of 53", "it is −128, and the true number is 1."),
        ("lost-in-a-sum", "0 of 53", "x + 1e16 rounds to 1e16, so nothing of x is left."),
    ],
)
def test_an_example_shows_how_bits_are_lost(
    open_page: Any, name: str, bar: str, reported: str
) -> None:
    root = ".card.root .bits.data"
    page = open_page()
    do(page, ".chip.more", TITLES[name], {f"{root}[aria-label*=': {bar} bits are right']": 1})
    assert not sentence(page).startswith("The bar")
    do(page, root, {".sentence": reported})


def test_a_slope_at_a_kink_is_said_to_be_a_choice(open_page: Any) -> None:
    """Half of the slope of max goes to each of two equal operands; 2 is y's own slope."""
    page = open_page("#e=max(x,0)%2B2*y&v=x:0,y:1&a=1&s=9")
    page.get_by_role("button", name="grad of x").click()
    do(page, {".sentence": "max(x,0) is at its kink, where the slope is a choice"})
    page.get_by_role("button", name="grad of y").click()
    assert sentence(page) == "All 53 bits of grad of y are right: it is 2, the true number itself."


def test_the_error_of_central_differences_is_a_v_over_their_step(open_page: Any) -> None:
    """By hand, for x**3 at 1 the error is h**2 at h = 2**-4, 2**-8, 2**-12 and 2**-16: exact cubes.

    At 2**-20 and 2**-24 h**3 is rounded away on both sides, and 6h / 2h is exactly 3.
    """
    page = open_page("#e=x**3&v=x:1")
    do(page, "at the end", ".curve-button", {".quotients": 0}, "Central difference")
    do(page, {".quotients": "least: 0, at h = 9.537e−7"})
    path = page.locator(".quotients .plot").get_attribute("d").removeprefix("M").split("L")
    points = [tuple(map(float, point.split())) for point in path]
    assert len(points) == 13
    for axis in (0, 1):
        one, other, last = (points[at + 1][axis] - points[at][axis] for at in range(3))
        assert abs(one) > 5
        assert other == pytest.approx(one, abs=0.11)
        assert last == pytest.approx(one, abs=0.11)
