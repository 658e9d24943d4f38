"""The page of engines, published with the sandbox: checked by axe in both themes, two widths."""

from pathlib import Path

import pytest

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

RECORD = {
    "name": "mine",
    "implementation": "my engine",
    "version": "1.9",
    "contract": "2.1.0",
    "date": "2026-01-31",
    "green": True,
    "verdict": "conforms to core of 2.1; does not claim hessian",
    "profiles": {
        "core": {"claimed": True, "cases": 900, "passed": 900, "known": 0},
        "hessian": {"claimed": False, "cases": 30, "passed": 0, "known": 0},
    },
    "failures": [],
}
BEFORE = "2.0.0"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_of_engines_is_accessible(
    browsers: Browsers, tmp_path: Path, *, dark: bool, width: int
) -> None:
    wrong = {**RECORD, "name": "another", "green": False, "failures": [FAILURE] * 3}
    build([RECORD, wrong, {**RECORD, "contract": BEFORE}], tmp_path)
    page = browsers.context(dark=dark, viewport={"width": width, "height": 844}).new_page()
    page.goto((tmp_path / "index.html").as_uri())
    for part in page.locator("summary").all():
        part.click()
    assert page.get_by_text("Repeated multiplication").count() == 3
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.context.close()
