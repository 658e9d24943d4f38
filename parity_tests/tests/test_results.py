"""Reports become records, and records become a page that any web server can serve."""

import json
from pathlib import Path
from typing import Any

import pytest

from parity_tests.kit.contract import contract_version
from parity_tests.results.__main__ import main

NOW = contract_version()
NEXT = "97.98.99"
SHARES = {
    "core": {"claimed": True, "cases": 900, "passed": 899, "known": 0},
    "hessian": {"claimed": False, "cases": 30, "passed": 0, "known": 0},
}
MINE = {
    "name": "mine",
    "implementation": "my engine",
    "homepage": "https://example.org/mine",
    "version": "1.9",
    "contract": NOW,
    "green": False,
    "verdict": "does not conform to core (899 of 900) of 2.0; does not claim hessian",
    "profiles": SHARES,
}
FAILED = {
    "engine": "mine",
    "case": "sharing/a-sum",
    "status": "failed",
    "why": "The two edges are separate; an engine that merges them returns 1.",
    "holds": {"R4": "Each edge adds its contribution."},
    "fixture": "parity_tests/fixtures/sharing.json",
    "program": "a <script> b",
    "explanation": "at /gradients/a",
}
REPORT: dict[str, Any] = {
    "green": False,
    "contract": NOW,
    "lacking": [],
    "engines": [MINE, {**MINE, "name": "yours", "green": True}],
    "results": [
        FAILED,
        {**FAILED, "case": "sharing/another", "status": "passed"},
        {**FAILED, "case": "hessian/one", "status": "not claimed"},
        {
            **FAILED,
            "engine": "yours",
            "case": "limits/one",
            "program": 5,
            "explanation": "x" * 5000,
        },
    ],
}


def record(report: Any, folder: Path) -> int:
    file = folder / "report.json"
    file.write_text(json.dumps(report))
    return main(["--folder", str(folder), "record", str(file), "--date", "2026-01-31"])


def test_a_record_keeps_the_failures(tmp_path: Path) -> None:
    assert record(REPORT, tmp_path) == 0
    kept = json.loads((tmp_path / NOW / "mine-1.9.json").read_text())
    [failure] = kept.pop("failures")
    assert kept == {**MINE, "date": "2026-01-31"}
    assert failure.items() < FAILED.items()
    assert failure["case"] == "sharing/a-sum"
    yours = json.loads((tmp_path / NOW / "yours-1.9.json").read_text())
    assert [len(each["explanation"]) for each in yours["failures"]] == [1000]


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [
        (
            "lacking",
            ["all cases", "--fuzz"],
            "record a complete run; this one lacks all cases, --fuzz",
        ),
        ("engines", [{**MINE, "name": "engine_ts"}], "engine_ts comes with the kit"),
        ("engines", [MINE, {**MINE, "version": "../1"}], "has no valid record: $.version"),
        ("engines", [{**MINE, "homepage": "javascript:a"}], "has no valid record: $.homepage"),
        ("engines", [{**MINE, "contract": "two"}], "has no valid record: $.contract"),
        ("engines", [{**MINE, "profiles": {}}], "has no valid record: $.profiles"),
        ("results", None, "this is not the JSON report"),
    ],
)
def test_only_the_report_of_a_complete_run_is_recorded(
    member: str, value: object, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record({**REPORT, member: value}, tmp_path) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.glob("*/*")) == []


def test_the_page_has_the_newest_version_first_and_escapes_the_words_of_engines(
    tmp_path: Path,
) -> None:
    for version in ("1.10", "1.9"):
        report = {**REPORT, "engines": [{**MINE, "version": version}]}
        assert record(report, tmp_path) == 0
    newer = {
        **MINE,
        "version": "1.0",
        "contract": NEXT,
        "profiles": {"core": {**SHARES["core"], "passed": 900}},
    }
    assert record({**REPORT, "engines": [newer], "results": []}, tmp_path) == 0
    assert main(["--folder", str(tmp_path), "site", str(tmp_path / "site")]) == 0
    page = (tmp_path / "site" / "index.html").read_text()
    places = [page.index(each) for each in (f"Contract {NEXT}", f"Contract {NOW}", "1.10", "1.9,")]
    assert places == sorted(places)
    assert '<td class="right good">✓ 900</td>' in page
    assert '<td class="right bad">✗ 899 of 900</td>' in page
    assert page.count('<td class="right">–</td>') == 1
    assert '<a href="https://example.org/mine">mine</a></h3>' in page
    assert "a &lt;script&gt; b" in page
    assert "<script" not in page
    assert "--paper" in (tmp_path / "site" / "style.css").read_text()


def test_a_page_without_records_says_how_to_add_one(tmp_path: Path) -> None:
    assert main(["--folder", str(tmp_path), "site", str(tmp_path)]) == 0
    assert "No engine has a record yet." in (tmp_path / "index.html").read_text()
