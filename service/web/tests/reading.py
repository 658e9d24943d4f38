"""What a page shows, read as a person would: numbers on cards, labels on arrows, the sentence."""

from typing import Any

Page = Any


def cards(page: Page) -> dict[str, tuple[str, str]]:
    """For each card its data and grad, by what is written in its band."""
    found = {}
    for card in page.locator(".card:not(.constant)").all():
        name = card.locator(".name").text_content()
        tag = card.locator(".tag").text_content()
        key = name if name.isidentifier() else f"{name} {tag}".strip()
        found[key] = (
            card.locator(".val.data").text_content(),
            card.locator(".val.grad").text_content(),
        )
    return found


def arrows(page: Page) -> list[str]:
    """What the arrows say, in the order of the wave."""
    return [
        "".join(arrow.locator(".sum").all_text_contents()).replace("= ", " = ").replace("  ", " ")
        for arrow in page.locator(".edge[role=button]").all()
    ]


def sentence(page: Page) -> str:
    text: str = page.locator(".say").text_content()
    return text


def drawn(page: Page) -> None:
    """Wait until what has happened to the page is drawn, which is in the next frame but one."""
    frame = "new Promise((drawn) => requestAnimationFrame(drawn))"
    page.evaluate(f"async () => {{ await {frame}; await {frame}; }}")


def step(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Step", exact=True).click()


def write(page: Page, expression: str) -> None:
    page.get_by_label("Expression").fill(expression)
