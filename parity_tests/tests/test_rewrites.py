"""What texts are rewritten to is what SymPy computes of what they mean."""

import pytest

from parity_tests import rewrites


def test_some_hundred_texts_are_read_as_they_are_meant(capsys: pytest.CaptureFixture[str]) -> None:
    assert rewrites.main(["--count", "400"]) == 0, capsys.readouterr().out


def test_a_wrong_formula_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rewrites, "CALLS", ["tan(x)"])
    monkeypatch.setitem(rewrites.MEANT, "tan", rewrites.MEANT["cot"])
    assert rewrites.main(["--count", "50"]) == 1
    assert "is not" in capsys.readouterr().out
