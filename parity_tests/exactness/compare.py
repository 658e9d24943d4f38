"""Rows -> an engine's results that are not the nearest double."""

import json
from typing import NamedTuple

from parity_tests.exactness.cases import double
from parity_tests.kit.hard import Row, explain_row, is_other_zero
from parity_tests.kit.worker import EngineFault, Worker


class Wrong(NamedTuple):
    """An answer that is not the nearest double."""

    operation: str
    row: Row
    actual: str | None

    def __str__(self) -> str:
        """Show operands, expected and actual result, a line each."""
        symbol = f"{self.operation} ({self.row.kind})"
        return explain_row(symbol, self.row.operands, self.row.expected, self.actual)


def compare(worker: Worker, operation: str, rows: list[Row]) -> list[Wrong]:
    """Give an engine's results that are wrong."""
    return [
        Wrong(operation, row, actual)
        for row, actual in zip(rows, evaluate(worker, operation, rows), strict=True)
        if actual != row.expected and not is_other_zero(operation, row.expected, actual)
    ]


def evaluate(worker: Worker, operation: str, rows: list[Row]) -> list[str | None]:
    """Give an engine's results. Raises EngineFault with the operands that it crashes on."""
    request = {"operation": operation, "operands": [row.operands for row in rows]}
    response = worker.run("evaluate", request)
    if response["kind"] == "result" and len(response["result"]) == len(rows):
        return list(response["result"])
    if len(rows) == 1:
        operands = ", ".join(repr(double(bits)) for bits in rows[0].operands)
        reason = response.get("message") or json.dumps(response)[:300]
        raise EngineFault(f"{worker.engine.name}, {operation} of {operands}: {reason}")
    return [result for row in rows for result in evaluate(worker, operation, [row])]
