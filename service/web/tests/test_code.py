"""The code of the backward pass with its line lit, and the depth-first sort that it begins with."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine_py import Value, introspect
from service.tests.processes import ROOT
from service.web.tests.reading import cards, sentence, step, to_the_end

NODE = Path(sys.executable).parent / "node"
DIAMOND = "#e=b=a+1;c=a*3;d=b*c&v=a:2&t=code"
NEURON = "#e=n=x1*w1+x2*w2+b;o=tanh(n)&v=x1:2,x2:0,w1:-3,w2:1,b:6.881373587019543&t=code"
RUN = """
import {{ Value }} from {engine};
class Lesson {{
{listing}
}}
const a = new Value(2, "a");
const d = a.add(1).mul(a.mul(3));
Lesson.prototype.backward.call(d);
console.log(a.grad);
"""


def listing(page: Any) -> str:
    page.locator(".listing").wait_for()
    return "\n".join(page.locator(".listing code").all_text_contents())


def names(page: Any, of: str) -> list[str]:
    found: list[str] = page.get_by_role("list", name=of, exact=True).locator("li").all_inner_texts()
    return found


@pytest.mark.parametrize("order", ["", "&o=right"])
def test_the_listings_are_programs_that_give_the_lessons_gradient(
    open_page: Any, tmp_path: Path, order: str
) -> None:
    """L: grad[a] of the diamond is 15, whichever operand is called first."""
    page = open_page(DIAMOND + order)
    lesson: dict[str, Any] = {}
    exec(listing(page), lesson)
    a = Value(2, label="a")
    lesson["backward"]((a + 1) * (a * 3))
    assert a.grad == 15
    page.get_by_text("TypeScript").click()
    engine = repr((ROOT / "engine_ts" / "dist" / "index.js").as_uri())
    program = tmp_path / "lesson.mts"
    program.write_text(RUN.format(engine=engine, listing=listing(page)))
    done = subprocess.run([NODE, program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "15"


@pytest.mark.parametrize("language", ["Python", "TypeScript"])
def test_the_numbers_of_a_step_stand_under_their_names(open_page: Any, language: str) -> None:
    """L: the neuron's o is 0.7071, so 1 - o ** 2 = 0.5 reaches n, and through the sum b."""
    page = open_page(NEURON)
    page.locator(".listing").wait_for()
    assert page.locator(".listing .now").count() == 0
    page.get_by_text(language).click()
    step(page, 3)
    lit = page.locator(".listing .now")
    code, under, after = lit.locator("code, .line-values").all_text_contents()
    assert code.strip().rstrip(";") == "child.grad += local_grad * v.grad"
    for name, value in (("child", "b"), ("local_grad", "1"), ("v.grad", "0.5")):
        assert under[code.index(name) :].split()[0] == value
    assert under.split() == ["b", "1", "0.5"]
    assert after.split() == ["0", "→", "0.5", "v", "=", "n"]
    page.locator(".timeline input").fill("0")
    assert lit.locator("code").text_content().strip().rstrip(";") in (
        "self.grad = 1",
        "this.grad = 1",
    )


def test_the_code_says_what_plus_equals_keeps(open_page: Any) -> None:
    """By hand: both operands of a * a send 3, and the second finds the first there."""
    page = open_page("#e=a*a&v=a:3&t=code")
    step(page, 2)
    assert page.locator(".listing .now .line-values").last.text_content().split()[:3] == [
        "3",
        "→",
        "6",
    ]
    assert "a had 3, which = would lose" in page.locator(".body").inner_text()


def test_the_code_takes_operations_one_by_one_and_the_wave_stays(open_page: Any) -> None:
    """By hand: n's group sends with each of its five wires, as operations there are six sends."""
    page = open_page(NEURON.replace("&t=code", ""))
    step(page, 3)
    said, closed = sentence(page), page.locator(".count").text_content()
    assert page.get_by_role("button", name="Open n").count() == 1
    page.get_by_role("tab", name="Code").click()
    page.locator(".listing .now").wait_for()
    assert page.get_by_role("button", name="Open n").count() == 0
    assert page.locator(".count").text_content() != closed
    assert sentence(page) == said
    page.get_by_role("tab", name="Values").click()
    assert (sentence(page), page.locator(".count").text_content()) == (said, closed)


def test_v_goes_down_the_reversed_list(open_page: Any) -> None:
    """By hand: d has sent both its contributions when b sends the third."""
    page = open_page(DIAMOND)
    step(page, 3)
    chips = page.get_by_role("list", name="reversed(topo)").locator("li")
    expected = [
        *("d, done", "c, now", "3, waiting"),
        *("b, waiting", "1, waiting", "a, waiting"),
    ]
    assert [chip.get_attribute("aria-label") for chip in chips.all()] == expected
    to_the_end(page)
    assert {chip.get_attribute("aria-label")[-4:] for chip in chips.all()} == {"done"}


def test_the_sort_is_the_lessons_beat_by_beat(open_page: Any) -> None:
    """By hand: each value is entered and finished once; c meets a when it was visited by b."""
    page = open_page(DIAMOND + "&w=sort")
    page.get_by_text("The sort calls all operands first").wait_for()
    said = []
    for _ in range(14):
        step(page)
        said.append(page.locator(".ticks .now").text_content())
    beats = ["d", "b", "a", "a✓", "1", "1✓", "b✓", "c", "a?", "3", "3✓", "c✓", "d✓", "d⇄"]
    assert said == beats
    assert names(page, "topo") == ["a", "1", "b", "3", "c", "d"]
    page.locator(".timeline input").fill("9")
    assert sentence(page).startswith("c asks for a, which is already in visited: skip.")
    assert page.locator(".listing .now").inner_text().split("\n")[1].split() == ["a", "→", "False"]
    calls = [call.split()[0] for call in page.locator(".stack li").all_inner_texts()]
    assert calls == ["build(a)", "build(c)", "build(d)"]
    assert names(page, "visited") == ["d", "b", "a", "1", "c"]
    assert names(page, "reversed(topo)") == ["b", "1", "a"]
    marks = {
        card.locator(".name").first.text_content(): card.get_attribute("data-sorted")
        for card in page.locator("[data-sorted]").all()
    }
    of = {"a": "topo", "1": "topo", "b": "topo", "c": "stack", "d": "stack", "3": "unseen"}
    assert marks == of
    assert cards(page)["d"] == ("18", "--")


def test_the_sort_gives_the_order_of_the_engine_or_another_that_is_right(open_page: Any) -> None:
    program = "u = x ** 2; v = max(u, x * y); tanh(v - u) + v"
    page = open_page(f"#e={program}&v=x:0.5,y:3&w=sort&t=code")
    page.locator(".stack").wait_for()
    document = introspect(program, {"x": 0.5, "y": 3})
    to_the_end(page)
    nodes = document["nodes"]
    labels = [nodes[node]["label"] for node in document["topological_order"]]
    shown = names(page, "topo")
    assert [name for name in shown if name in "uvxy"] == [name for name in labels if name]
    assert len(shown) == len(nodes)
    page.get_by_text("right first").click()
    to_the_end(page)
    other = names(page, "topo")
    assert sorted(other) == sorted(shown)
    assert other != shown
    assert names(page, "reversed(topo)") == other[::-1]


def test_the_code_is_loaded_when_it_is_used_and_has_its_keys(open_page: Any) -> None:
    page = open_page()
    loaded = "performance.getEntriesByType('resource').filter(({ name }) => /\\/code-/.test(name))"
    assert page.evaluate(f"{loaded}.length") == 0
    page.keyboard.press("s")
    page.locator(".stack").wait_for()
    assert page.evaluate(f"{loaded}.length") == 1
    assert page.get_by_role("tab", name="Code").get_attribute("aria-selected") == "true"
    page.keyboard.press("ArrowRight")
    assert sentence(page).startswith("The sort begins at the result")
    page.keyboard.press("b")
    assert page.locator(".stack").count() == 0
    page.keyboard.press("ArrowRight")
    assert page.locator(".listing .now code").text_content().strip().startswith("child.grad +=")


def test_on_a_phone_one_line_is_seen_with_its_numbers(open_page: Any) -> None:
    page = open_page(NEURON, width=390, height=844)
    page.locator(".listing").wait_for()
    step(page)
    seen = [line for line in page.locator(".listing li").all() if line.is_visible()]
    assert [line.inner_text().split("\n")[0].strip() for line in seen] == [
        "child.grad += local_grad * v.grad"
    ]


def test_a_deep_graph_is_sorted_and_its_lists_are_cut(open_page: Any) -> None:
    """By hand: of 1,000 values each is visited, finished, and but one skipped; then the list."""
    page = open_page(f"#e={'*'.join('x' * 1_000)}&v=x:1&w=sort&t=code")
    page.locator(".stack").wait_for()
    page.locator(".timeline input").fill("999")
    assert page.locator(".count").text_content() == "999 of 3000"
    assert page.locator(".stack li").last.text_content() == "… 991 more"
    to_the_end(page)
    assert names(page, "topo")[0] == "… 976 more"
    assert len(names(page, "topo")) == 25
