"""Texts from public sources are read as they are meant, or refused."""

from parity_tests import readings

REFUSED_THOUGH_CLEAR = 0.05
"""The most of a table that may be refused though it has one meaning."""


def test_nothing_is_read_wrongly_and_little_is_refused_though_clear() -> None:
    judged = [(readings.verdict_of(row)[0], row) for row in readings.rows_of(readings.TABLE)]
    assert [row for verdict, row in judged if verdict == "wrongly"] == []
    clear = [row for verdict, row in judged if verdict == "refused though clear"]
    assert len(clear) <= REFUSED_THOUGH_CLEAR * len(judged), clear


def test_a_wrong_program_is_found() -> None:
    row = readings.Row("sin x", None, ["=cos(x)"])
    assert readings.verdict_of(row)[0] == "wrongly"
    assert readings.verdict_of(row._replace(allowed=["=sin(x)"]))[0] == "rightly"
