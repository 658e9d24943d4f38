"""What people write becomes a program, or is refused with the reason."""

import pytest

from engine_py import Rewritten, rewrite
from engine_py.tests.helpers import Json, units


def applied(text: str, found: Rewritten) -> str:
    """Make the changes in the text."""
    pieces, at = [], 0
    for change in found["changes"]:
        pieces += [text[at : change["span"]["start"]], change["replacement"]]
        at = change["span"]["end"]
    return "".join(pieces) + text[at:]


@units("rewrite", "programs")
def test_a_text_becomes_the_program_that_it_means(case: Json) -> None:
    for text, program in case["rows"].items():
        found = rewrite(text, case["names"])
        assert found["expression"] == program, text
        assert applied(text, found) == program
        assert found["refused"] is None
        assert found["needs"] == case.get("needs", found["needs"])


@units("rewrite", "refused")
def test_a_text_without_one_program_is_refused(case: Json) -> None:
    for text, (reason, start, end, *readings) in case["rows"].items():
        found = rewrite(text)
        span = {"start": start, "end": end}
        refused = found["refused"]
        assert refused is not None, text
        assert (refused["reason"], refused["span"]) == (reason, span), text
        assert found["readings"] == readings
        assert (found["expression"], found["changes"], found["needs"]) == (None, [], [])


def test_a_long_text_is_read() -> None:
    text = "2x - -" * 1500 + "1"
    assert rewrite(text)["expression"] == text.replace("2x", "2*x")


@pytest.mark.parametrize(
    "text",
    ["((" * 9000 + "2x" + "))" * 9000, "-" * 9000 + "2x", "x^" * 9000 + "2", "2x" + ".exp()" * 900],
)
def test_a_text_that_is_too_deep_is_refused(text: str) -> None:
    refused = rewrite(text)["refused"]
    assert refused is not None
    assert refused["reason"] == "too_deep"


def test_a_program_is_no_longer_than_an_expression() -> None:
    refused = rewrite("tan(" * 40 + "x" + ")" * 40)["refused"]  # whose formula has x twice
    assert refused is not None
    assert refused["reason"] == "too_long"
