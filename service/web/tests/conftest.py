"""A running service, a Chromium, and pages in it that fail a test if the console has an error."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from service.tests.processes import started

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "service/web/tests" in item.path.as_posix():
            item.add_marker(pytest.mark.web)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with started() as server:
        yield f"http://127.0.0.1:{server.port}/"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium as the machine has it."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only `make test-web` has it

    paths = [path for name in NAMES if (path := shutil.which(name))]
    if not paths:
        pytest.fail(
            f"found no browser (tried: {', '.join(NAMES)}): install one, "
            "on Debian with `apt install chromium`"
        )
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=paths[0], args=OPTIONS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Any]:
    """Opens the page: open_page(hash, width=…, dark=…). Nothing may be wrong in its console."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def opened(
        after: str = "",
        *,
        base: str = address,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        **more: Any,
    ) -> Any:
        theme = "dark" if dark else "light"
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=theme, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5_000)
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(base + after)
        page.wait_for_selector(".picture, .too-large")
        page.wait_for_selector(".slot button")  # what is loaded later has come
        return page

    opened.wrong = wrong  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()
    assert wrong == []
