"""The page of engines, which is published beside the sandbox: axe in both themes, two widths."""

from pathlib import Path

import pytest

from parity_tests.results.records import load_records
from parity_tests.results.site import build
from service.web.tests.conftest import Browsers
from service.web.tests.reading import violations

FAILURE = {
    "case": "power/a-cube-is-rounded-once-and-not-twice",
    "status": "failed",
    "why": "Repeated multiplication rounds twice.",
    "holds": {"R2": "`x ** c` is one operation with one rounding."},
    "program": "a ** 3 + " * 20 + "a",
    "explanation": "at /result\n  expected 2.0 = 4000000000000000\n  actual   1.0, 9 ulp away",
}


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_engines_is_for_everybody(
    browsers: Browsers, tmp_path: Path, *, dark: bool, width: int
) -> None:
    [first, *others] = load_records()
    wrong = {**first, "name": "another", "green": False, "failures": [FAILURE] * 3}
    build([first, wrong, *others], tmp_path)
    page = browsers.context(dark=dark, viewport={"width": width, "height": 844}).new_page()
    page.goto((tmp_path / "index.html").as_uri())
    for part in page.locator("summary").all():
        part.click()
    assert page.get_by_text("Repeated multiplication").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.context.close()
