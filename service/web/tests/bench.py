"""Time the page: what a frame costs while a graph turns, and while a slider moves.

    python -m service.web.tests.bench

Chromium counts the processor's time of the page's thread, all that it does for a frame: scripts,
style, layout and paint. The share is that of a frame of 60 a second; exit code 1 above 100 %.
"""

import sys
from typing import Any

from playwright.sync_api import sync_playwright

from service.tests.processes import started
from service.web.tests.conftest import OPTIONS, browser_path
from service.web.tests.reading import chained

FRAME = 1_000 / 60
"""Milliseconds."""
FRAMES, REPEATS = 20, 3

# Frames of a turn by hand, each with a new angle.
TURN = """async (frames) => {
  const view = document.querySelector(".view");
  const { left, top } = view.getBoundingClientRect();
  const send = (type, x) => view.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerType: "mouse", button: 0, clientX: left + x, clientY: top + 200,
  }));
  [view.setPointerCapture, view.hasPointerCapture] = [() => undefined, () => true];
  send("pointerdown", 300);
  for (let frame = 0; frame < frames; frame++) {
    send("pointermove", 300 + 60 * Math.sin(frame / 9));
    await new Promise((next) => requestAnimationFrame(next));
  }
  send("pointerup", 300);
}"""

# A slider that moves at each frame.
SLIDE = """async (times) => {
  const slider = document.querySelector("#slider-x0");
  for (let time = 0; time < times; time++) {
    slider.value = String(-5 + time / 5);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => requestAnimationFrame(next));
  }
}"""


def products(terms: int) -> str:
    """Return the address of a sum of so many products of neighbours in the alphabet."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    pairs = (letters[place % 26] + "*" + letters[(place + 1) % 26] for place in range(terms))
    return f"#e={'+'.join(pairs)}&v={','.join(f'{letter}:1.5' for letter in letters)}"


MEASURED = (
    ("turn, 26 nodes", chained(9), "End", TURN),
    ("turn, 101 nodes", chained(34), "End", TURN),
    ("turn, 299 nodes", chained(100), "End", TURN),
    ("turn, 1,999 nodes", products(987), "End", TURN),
    ("slider, 26 nodes", chained(9), "r", SLIDE),
)


def frame_time(page: Any, script: str) -> float:
    """Return milliseconds of the processor for a frame, the least of three repeats."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        [seconds] = [each["value"] for each in metrics if each["name"] == "TaskDuration"]
        return float(seconds) * 1_000

    page.evaluate(script, FRAMES)  # compiles it
    found = []
    for _ in range(REPEATS):
        before = spent()
        page.evaluate(script, FRAMES)
        found.append((spent() - before) / FRAMES)
    return min(found)


def main() -> int:
    """Measure each, print a table, and return the exit code."""
    slow = False
    with started() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=OPTIONS)
        for name, program, key, script in MEASURED:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"http://127.0.0.1:{server.port}/{program}")
            page.wait_for_selector(".picture")
            page.keyboard.press(key)  # the first key ends the idle turn
            milliseconds = frame_time(page, script)
            share = milliseconds / FRAME
            sys.stdout.write(f"{name:20} {milliseconds:6.2f} ms  {share:4.0%} of a frame\n")
            slow |= milliseconds > FRAME
            page.close()
        browser.close()
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
