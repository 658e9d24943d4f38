"""Takes the README's pictures of a running sandbox: python -m service.web.tests.pictures ADDRESS"""

import base64
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from service.tests.processes import ROOT
from service.web.tests.conftest import OPTIONS, browser_path

SIZE: Any = {"width": 1280, "height": 800}

# A third of the bytes of a PNG.
TO_WEBP = """async (png) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL("image/webp", 0.9).split(",")[1];
}"""


def take(address: str, folder: Path) -> None:
    """Write sandbox-light.webp and sandbox-dark.webp: the third arrow on its way."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=OPTIONS)
        for theme in ("light", "dark"):
            page = browser.new_context(viewport=SIZE, color_scheme=theme).new_page()
            page.goto(address)
            page.locator(".parity[data-state=agree]").wait_for()
            page.get_by_role("button", name="Play backward").click()
            page.wait_for_function("() => document.querySelector('.count').textContent[0] === '3'")
            page.wait_for_timeout(400)
            png = base64.b64encode(page.screenshot()).decode()
            page.goto("about:blank")
            webp = base64.b64decode(page.evaluate(TO_WEBP, png))
            (folder / f"sandbox-{theme}.webp").write_bytes(webp)
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1], ROOT / ".github")
