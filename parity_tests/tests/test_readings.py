"""Texts from public sources, and random ones, are read as they are meant, or refused."""

from types import ModuleType

import pytest

from parity_tests import readings

REFUSED_THOUGH_CLEAR = 0.05
"""The maximum share of a table that may be refused although it has one meaning."""


@pytest.fixture
def rewrites() -> ModuleType:
    from parity_tests import rewrites  # noqa: PLC0415 - importing SymPy takes a second

    return rewrites


def test_nothing_is_read_wrongly_and_little_is_refused_though_clear() -> None:
    judged = [(readings.verdict_of(row)[0], row) for row in readings.rows_of(readings.TABLE)]
    assert [row for verdict, row in judged if verdict == "wrongly"] == []
    clear = [row for verdict, row in judged if verdict == "refused though clear"]
    assert len(clear) <= REFUSED_THOUGH_CLEAR * len(judged), clear


def test_a_wrong_program_is_found() -> None:
    row = readings.Row("sin x", None, ["=cos(x)"])
    assert readings.verdict_of(row)[0] == "wrongly"
    assert readings.verdict_of(row._replace(allowed=["=sin(x)"]))[0] == "rightly"


def test_some_hundred_texts_have_their_meaning(
    rewrites: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rewrites.main(["--count", "400"]) == 0, capsys.readouterr().out


def test_a_wrong_formula_is_found(
    rewrites: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rewrites, "CALLS", ["tan(x)"])
    monkeypatch.setitem(rewrites.MEANT, "tan", rewrites.MEANT["cot"])
    assert rewrites.main(["--count", "50"]) == 1
    assert "is not" in capsys.readouterr().out
