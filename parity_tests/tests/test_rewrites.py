"""Rewritten texts agree with what SymPy computes of their meaning."""

import pytest

from parity_tests import rewrites


def test_some_hundred_texts_have_their_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    assert rewrites.main(["--count", "400"]) == 0, capsys.readouterr().out


def test_a_wrong_formula_is_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rewrites, "CALLS", ["tan(x)"])
    monkeypatch.setitem(rewrites.MEANT, "tan", rewrites.MEANT["cot"])
    assert rewrites.main(["--count", "50"]) == 1
    assert "is not" in capsys.readouterr().out
