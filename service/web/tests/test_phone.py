"""On a phone: targets that a finger hits, and labels that no card covers."""

from typing import Any

import pytest

from service.web.tests.reading import at_rest, covered, to_the_end

# What a finger has to hit, but for what is hidden or inside something larger that does the same.
TARGETS = """() => {
  const found = [];
  for (const target of document.querySelectorAll("button, a, input, select, summary, label")) {
    const { width, height } = target.getBoundingClientRect();
    const isPart = target.matches("label input, label:not(:has(input))");
    if (width < 2 || isPart || target.closest(".skip")) continue;
    if (height < 40 || width < 32) found.push([target.outerHTML.slice(0, 80), width, height]);
  }
  return found;
}"""


@pytest.mark.parametrize("room", ["values", "predict", "break", "train"])
def test_a_finger_has_40_pixels(open_page: Any, room: str) -> None:
    page = open_page(f"#e=(a%2Bb)*c&v=a:2,b:-3,c:10&p=a&t={room}", width=390, height=844)
    page.wait_for_selector(".panel .body > *")
    page.get_by_role("button", name="Options").click()
    for part in page.locator("summary").all():
        part.click()
    assert page.evaluate("document.querySelectorAll('button').length") > 20
    assert page.evaluate(TARGETS) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_no_card_covers_a_label(open_page: Any, width: int) -> None:
    page = open_page(width=width, height=844)
    page.get_by_role("button", name="Karpathy's neuron").click()
    page.get_by_label("Final gradients").evaluate("box => box.click()")
    at_rest(page)
    assert page.locator(".pill").count() == page.locator(".edge").count() == 4
    assert covered(page, ".edge .pill", ".card", 3) == []
    page.evaluate("location.hash = 'e=b=a%2B1;c=a*3;d=b*c&v=a:2&t=break'")
    page.get_by_role("button", name="Run my order").click()
    to_the_end(page)
    assert page.locator(".pill").count() == 4
    assert covered(page, ".edge .pill", ".card", 3) == []
