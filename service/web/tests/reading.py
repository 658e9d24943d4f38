"""What a page shows, read as a person would: numbers on cards, labels on arrows, the sentence."""

from typing import Any

Page = Any

DIAMOND = "#e=b=a+1;c=a*3;d=b*c&v=a:2&t=break"
"""The lessons' diamond, where its order of visits can be changed."""

COVERED = """([texts, grounds, by]) => {
  const boxes = [...document.querySelectorAll(grounds)].map((each) => each.getBoundingClientRect());
  const meets = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > by &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > by;
  return [...document.querySelectorAll(texts)]
    .filter((text) => boxes.some((box) => meets(text.getBoundingClientRect(), box)))
    .map((text) => (text.closest(".edge") ?? text).textContent);
}"""


CARDS = """() => [...document.querySelectorAll(".card, .chip-row:not(.fixed)")].map((card) => {
  const [name, tag, data, grad] = [".name", ".tag", ".val.data", ".val.grad"].map((part) =>
    [...card.querySelectorAll(part)].find((each) => each.closest(".card, .chip-row") === card)
      ?.textContent);
  const heard = card.ariaLabel?.split(": data")[0];
  return [name, tag === "" ? heard : tag, data, grad].map((text) => text ?? "");
})"""


def cards(page: Page) -> dict[str, tuple[str, str]]:
    """For each card, and each chip in one, its data and grad, by its name and what it is."""
    drawn(page)
    found = {}
    for name, tag, data, grad in page.evaluate(CARDS):
        found[name if name.isidentifier() else f"{name} {tag}".strip()] = (data, grad)
    return found


def arrows(page: Page) -> list[str]:
    """What the arrows say, in the order of the wave."""
    at_rest(page)
    found: list[str] = page.locator(".edge .sum").all_text_contents()
    return found


def sentence(page: Page) -> str:
    drawn(page)
    text: str = page.locator(".sentence").text_content()
    return text


def enter(field: Page, text: str) -> None:
    """Type a text into a field, and be done with it."""
    field.fill(text)
    field.press("Enter")


def to_the_end(page: Page) -> None:
    """Drag the timeline to its last tick."""
    page.locator(".timeline input").focus()
    page.keyboard.press("End")


def covered(page: Page, texts: str, grounds: str, by: float) -> list[str]:
    """Texts, by their selector, over which something else reaches by more than so many pixels."""
    found: list[str] = page.evaluate(COVERED, [texts, grounds, by])
    return found


def at_rest(page: Page) -> None:
    """Wait until labels have their places, as the camera stands still.

    What only the next frame knows, such as a size, moves the camera, too, so that comes first.
    """
    drawn(page)
    page.wait_for_selector(".picture:not(.camera-moves)")
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until what has happened to the page is drawn, which is in the next frame but one."""
    frame = "new Promise((drawn) => requestAnimationFrame(drawn))"
    page.evaluate(f"async () => {{ await {frame}; await {frame}; }}")


def step(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Step", exact=True).click()


def write(page: Page, expression: str) -> None:
    page.get_by_label("Expression").fill(expression)


def chained(inputs: int) -> str:
    """The address of a graph with three nodes for each input."""
    terms = "+".join(f"x{place}*x{(place + 1) % inputs}" for place in range(inputs))
    values = ",".join(f"x{place}:{1 + place / 8}" for place in range(inputs))
    return f"#e={terms}&v={values}"
