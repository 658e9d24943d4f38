"""Measure the page: the cost of a frame while a graph turns, and of an input of a slider.

    python -m service.web.tests.bench

Chromium counts the CPU time of the page's thread for a frame: scripts, style, layout and paint. A
turn is reported by its mean, an input by its 95th percentile. Shares are of a frame at 60 frames
per second; the exit code is 1 if one is above 100 %.
"""

import statistics
import sys
from itertools import pairwise
from typing import Any

from playwright.sync_api import sync_playwright

from service.tests.processes import started
from service.web.tests.conftest import OPTIONS, browser_path
from service.web.tests.reading import chained

FRAME = 1_000 / 60
"""Milliseconds."""
FRAMES, REPEATS, INPUTS = 20, 3, 50

# Turn the graph with the mouse, to a new angle in each frame.
TURN = """async () => {
  const view = document.querySelector(".view");
  const { left, top } = view.getBoundingClientRect();
  const send = (type, x) => view.dispatchEvent(new PointerEvent(type, {
    bubbles: true, pointerType: "mouse", button: 0, clientX: left + x, clientY: top + 200,
  }));
  [view.setPointerCapture, view.hasPointerCapture] = [() => undefined, () => true];
  send("pointerdown", 300);
  for (let frame = 0; frame < FRAMES; frame++) {
    send("pointermove", 300 + 60 * Math.sin(frame / 9));
    await new Promise((next) => requestAnimationFrame(next));
  }
  send("pointerup", 300);
}""".replace("FRAMES", str(FRAMES))

# Make one input of a dragged slider, and wait until its frame is drawn.
SLIDE = """async (run) => {
  const slider = document.querySelector("#slider-x0");
  slider.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  slider.value = String(-5 + (run % 50) / 5);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
}"""


MEASURED = (
    ("turn, 26 nodes", chained(9), "End", TURN),
    ("turn, 101 nodes", chained(34), "End", TURN),
    ("turn, 299 nodes", chained(100), "End", TURN),
    ("turn, 1,999 nodes", chained(987, inputs=26), "End", TURN),
    ("slider, 26 nodes", chained(9), "r", SLIDE),
    ("slider, 299 nodes", chained(100), "r", SLIDE),
)


def times(page: Any, script: str, count: int) -> list[float]:
    """Return the milliseconds of the page thread's CPU time that each run of `script` takes."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    seconds = []
    for run in range(-1, count):
        if run >= 0:
            page.evaluate(script, run)
        metrics = session.send("Performance.getMetrics")["metrics"]
        seconds += [each["value"] for each in metrics if each["name"] == "TaskDuration"]
    return [(after - before) * 1_000 for before, after in pairwise(seconds)]


def main() -> int:
    """Measure all cases, print a table, and return the exit code."""
    slow = False
    with started() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=OPTIONS)
        for name, program, key, script in MEASURED:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(f"http://127.0.0.1:{server.port}/{program}")
            page.wait_for_selector(".picture")
            page.keyboard.press(key)
            if script == TURN:  # the first run compiles it
                milliseconds = min(times(page, TURN, 1 + REPEATS)[1:]) / FRAMES
            else:
                spent = times(page, SLIDE, 2 * INPUTS)[INPUTS:]
                milliseconds = statistics.quantiles(spent, n=20)[-1]
            share = milliseconds / FRAME
            sys.stdout.write(f"{name:20} {milliseconds:6.2f} ms  {share:4.0%} of a frame\n")
            slow |= milliseconds > FRAME
            page.close()
        browser.close()
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
