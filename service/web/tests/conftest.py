"""A running service, a browser, and pages that fail a test if their console has an error.

`BROWSER=firefox` uses Firefox instead of Chromium; `THROTTLE=4` makes Chromium's pages four times
as slow, like a slow machine.
"""

import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from service.tests.processes import HANG, ROOT, started
from service.web.tests.reading import drawn

NAMES = {
    "chromium": ("chromium", "chromium-browser", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
}
OPTIONS = ["--disable-gpu", "--disable-quic"]
KIND = os.environ.get("BROWSER") or "chromium"
IS_FIREFOX = KIND == "firefox"
THROTTLE = float(os.environ.get("THROTTLE") or 1)
no_downloads = pytest.mark.skipif(
    IS_FIREFOX, reason="its driver does not report downloads of generated files"
)
PATIENCE = 1_000 * HANG
"""Milliseconds of waiting after which a page counts as hung."""


CORE = {"moves", "nudge", "panel", "seen", "stage", "whole", "words_and_faults"}
"""Test files that CI runs on every change, with a sample of the states."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "service/web/tests" in item.path.as_posix():
            item.add_marker(pytest.mark.web)
            is_seldom = item.get_closest_marker("seldom")
            if item.path.stem.removeprefix("test_") in CORE and not is_seldom:
                item.add_marker(pytest.mark.core)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with started() as server:
        yield f"http://127.0.0.1:{server.port}/"


def browser_path() -> str:
    """Return the path of the machine's browser."""
    paths = [path for name in NAMES[KIND] if (path := shutil.which(name))]
    if not paths:
        pytest.fail(
            f"found no {KIND} (tried: {', '.join(NAMES[KIND])}): install one, "
            f"on Debian with `apt install {NAMES[KIND][0]}`"
        )
    return paths[0]


class Browsers:
    """The machine's browser, started at the first page that needs it."""

    def __init__(self, playwright: Any) -> None:
        """Look for the browser, without starting it."""
        self._playwright = playwright
        self._path = browser_path()
        self._started: dict[tuple[bool, bool], Any] = {}
        self._free: dict[object, list[Any]] = {}
        self.wrong: list[str] = []
        """Console errors of all pages lent in this test."""

    def context(self, *, dark: bool = False, still: bool = False, **more: Any) -> Any:
        """Return a context; `dark` and `still` are the theme and reduced motion it prefers."""
        if IS_FIREFOX:
            # Firefox is driven by WebDriver BiDi, which cannot emulate these; some are preferences.
            for name in ("permissions", "has_touch", "is_mobile"):
                more.pop(name, None)
            context = self._browser(dark, still).new_context(**more)
        else:
            more["color_scheme"] = "dark" if dark else "light"
            more["reduced_motion"] = "reduce" if still else "no-preference"
            context = self._browser().new_context(**more)
        context.set_default_timeout(PATIENCE)
        if THROTTLE != 1:
            context.on("page", throttle)
        return context

    def lend(
        self,
        size: dict[str, int],
        *,
        dark: bool = False,
        still: bool = False,
        script: str = "",
        **more: Any,
    ) -> tuple[object, Any]:
        """Return a blank page, and the key with which `take_back` takes it.

        Starting a page takes a second of a busy core, so a test gets a returned page if it needs
        the same script and context.
        """
        key = (script, *sorted((name, str(value)) for name, value in more.items()))
        if free := self._free.get(key):
            page = free.pop()
            page.context.set_offline(more.get("offline", False))
            page.set_viewport_size(size)
            scheme, motion = "dark" if dark else "light", "reduce" if still else "no-preference"
            page.emulate_media(media="null", color_scheme=scheme, reduced_motion=motion)
            return key, page
        page = self.context(viewport=size, dark=dark, still=still, **more).new_page()
        # The page loads parts for offline use when it is idle; few tests need them.
        page.add_init_script(f"window.requestIdleCallback = () => 0; {script}")
        watch(page, self.wrong)
        return key, page

    def take_back(self, key: object, page: Any) -> None:
        """Keep a page for another test, and reset its storage, routes and mouse."""
        if IS_FIREFOX:  # its preferences belong to the browser
            page.context.close()
        else:
            page.evaluate("localStorage.clear()")
            page.unroute_all()
            page.goto("about:blank")
            page.mouse.move(0, 0)
            self._free.setdefault(key, []).append(page)

    def _browser(self, dark: bool = False, still: bool = False) -> Any:  # noqa: FBT001, FBT002
        key = (dark, still)
        if key not in self._started:
            self._started[key] = self._firefox(*key) if IS_FIREFOX else self._chromium()
        return self._started[key]

    def _chromium(self) -> Any:
        return self._playwright.chromium.launch(executable_path=self._path, args=OPTIONS)

    def _firefox(self, dark: bool, still: bool) -> Any:  # noqa: FBT001
        preferences = {
            "layout.css.prefers-color-scheme.content-override": 0 if dark else 1,
            "ui.prefersReducedMotion": int(still),
            "dom.events.testing.asyncClipboard": True,
            "ui.useOverlayScrollbars": 1,  # as on a phone: a window is as wide as its name says
        }
        return self._playwright.firefox.launch(
            channel="moz-firefox",
            executable_path=self._path,
            firefox_user_prefs=preferences,
        )

    def close(self) -> None:
        """Close all browsers that were started."""
        for browser in self._started.values():
            browser.close()


def throttle(page: Any) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})


@pytest.fixture(scope="session")
def browsers() -> Iterator[Browsers]:
    from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415 - it is slow to import

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        found = Browsers(playwright)
        yield found
        found.close()


@pytest.fixture(scope="session")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as `make page` builds it."""
    file = tmp_path_factory.mktemp("page") / "sandbox.html"
    build_one_file(file)
    return file


def build_one_file(file: Path) -> None:
    node = Path(sys.executable).parent / "node"
    argv: list[str | Path] = [node, "build.ts", "--single", file]
    subprocess.run(argv, cwd=ROOT / "service" / "web", check=True, capture_output=True)


def watch(page: Any, wrong: list[str]) -> None:
    """Collect the errors of a page's console in `wrong`."""
    page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the files of a folder as another site."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(folder))

        def log_message(self, *arguments: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


READY = """() => {
  if (document.querySelector(".picture") === null) return false;
  dispatchEvent(new Event("pointermove"));
  return document.querySelector("[data-ready=true]") !== null;
}"""
"""Move the pointer like a user, and return whether all parts are loaded."""


@pytest.fixture
def open_page(browsers: Browsers, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Open the page by `open_page(hash, width=…, dark=…)`; fail on an error in its console."""
    lent: list[tuple[object, Any]] = []
    failed = request.session.testsfailed
    browsers.wrong.clear()

    def opened(
        after: str = "", *, base: str = address, width: int = 1280, height: int = 800, **more: Any
    ) -> Any:
        lent.append(browsers.lend({"width": width, "height": height}, **more))
        page = lent[-1][1]
        page.goto(base + after)
        page.wait_for_function(READY)
        drawn(page)
        return page

    opened.wrong = browsers.wrong  # type: ignore[attr-defined]
    yield opened
    wrong = [*browsers.wrong]
    for key, page in lent:
        if request.session.testsfailed > failed:
            page.context.close()
        elif not page.is_closed():
            browsers.take_back(key, page)
    assert wrong == []
