"""The code of the backward pass with its current line, and its depth-first sort."""

from typing import Any

import pytest

from engine_py import Value
from service.web.tests.reading import do

DIAMOND = "#e=b=a+1;c=a*3;d=b*c&v=a:2&t=code"
NEURON = "#e=n=x1*w1+x2*w2+b;o=tanh(n)&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543&t=code"


def listing(page: Any) -> str:
    page.locator(".listing").wait_for()
    return "\n".join(page.locator(".listing code").all_text_contents())


@pytest.mark.parametrize("order", ["", "&o=right"])
def test_the_listing_is_a_program_that_gives_the_lessons_gradient(
    open_page: Any, order: str
) -> None:
    """L: grad[a] of the diamond is 15, whichever operand is called first."""
    page = open_page(DIAMOND + order)
    lesson: dict[str, Any] = {}
    exec(listing(page), lesson)
    a = Value(2, label="a")
    lesson["backward"]((a + 1) * (a * 3))
    assert a.grad == 15


def test_the_numbers_of_a_step_are_under_their_names(open_page: Any) -> None:
    """L: the neuron's o is 0.7071, so 1 - o ** 2 = 0.5 reaches n, and b through the sum."""
    page = open_page(NEURON)
    page.locator(".listing").wait_for()
    do(page, {".listing .now": 0}, "at 3")
    lit = page.locator(".listing .now")
    code, under, after = lit.locator("code, .line-values").all_text_contents()
    assert code.strip() == "child.grad += local_grad * v.grad"
    for name, value in (("child", "b"), ("local_grad", "1"), ("v.grad", "0.5")):
        assert under[code.index(name) :].split()[0] == value
    assert under.split() == ["b", "1", "0.5"]
    assert after.split() == ["0", "→", "0.5", "v", "=", "n"]
    do(page, "at 0", {".listing .now code": "self.grad = 1"})


def test_the_sort_is_the_lessons_beat_by_beat(open_page: Any) -> None:
    """By hand: each value is entered and finished once; when c meets a, b has visited it."""
    page = open_page(DIAMOND + "&w=sort")
    do(page, "see .stack")
    for beat in ("d", "b", "a", "a✓", "1", "1✓", "b✓", "c", "a?", "3", "3✓", "c✓", "d✓", "d⇄"):
        do(page, "Step", {".ticks .now": [beat]})
    do(page, {"role=list[name='topo'] >> li": ["a", "1", "b", "3", "c", "d"]}, "at 9")
    do(
        page,
        {
            ".sentence": "c asks for a, which is already in visited: skip.",
            ".listing .now .line-values": "a → False",
            **{f".stack li >> nth={at}": f"build({name})" for at, name in enumerate("acd")},
            "role=list[name='visited'] >> li": ["d", "b", "a", "1", "c"],
            "role=list[name='reversed(topo)'] >> li": ["b", "1", "a"],
            ".card[data-sorted=topo] .card-head .name": ["a", "1", "b"],
            ".card[data-sorted=stack] .card-head .name": ["c", "d"],
            ".card[data-sorted=unseen] .card-head .name": ["3"],
            "d": ("18", "--"),
        },
    )


def test_a_phone_shows_one_line_with_its_numbers(open_page: Any) -> None:
    page = open_page(NEURON, width=390, height=844)
    do(page, "see .listing", "Step", {".listing li:visible": 1})
    do(page, {".listing li:visible code": ["child.grad += local_grad * v.grad"]})
