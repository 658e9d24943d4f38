"""Cases -> an engine's results that are not the nearest double."""

import json
from typing import NamedTuple

from parity_tests.exactness.cases import Case, double
from parity_tests.kit.hard import explain_row, is_other_zero
from parity_tests.kit.worker import EngineFault, Worker


class Wrong(NamedTuple):
    """An answer that is not the nearest double."""

    operation: str
    case: Case
    actual: str | None

    def __str__(self) -> str:
        """Show operands, expected and actual result, a line each."""
        symbol = f"{self.operation} ({self.case.kind})"
        return explain_row(symbol, self.case.operands, self.case.expected, self.actual)


def compare(worker: Worker, operation: str, cases: list[Case]) -> list[Wrong]:
    """Give an engine's results that are wrong."""
    return [
        Wrong(operation, case, actual)
        for case, actual in zip(cases, evaluate(worker, operation, cases), strict=True)
        if actual != case.expected and not is_other_zero(operation, case.expected, actual)
    ]


def evaluate(worker: Worker, operation: str, cases: list[Case]) -> list[str | None]:
    """Give an engine's results. Raises EngineFault with the operands that it crashes on."""
    request = {"operation": operation, "operands": [case.operands for case in cases]}
    response = worker.run("evaluate", request)
    if response["kind"] == "result" and len(response["result"]) == len(cases):
        return list(response["result"])
    if len(cases) == 1:
        operands = ", ".join(repr(double(bits)) for bits in cases[0].operands)
        reason = response.get("message") or json.dumps(response)[:300]
        raise EngineFault(f"{worker.engine.name}, {operation} of {operands}: {reason}")
    return [result for case in cases for result in evaluate(worker, operation, [case])]
